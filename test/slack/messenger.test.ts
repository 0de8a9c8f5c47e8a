import { expect, test } from 'vitest';
import { createMessenger } from '../../src/slack/messenger.ts';
import { createWebClient } from '../../src/slack/web-client.ts';
import type { Language } from '../../src/slack/words/language.ts';
import type { Clock, Post, ThreadId } from '../../src/thread/ports.ts';
import { BOT_ID, BOT_USER, fakeSlack, TEAM } from '../support/fake-slack.ts';
import { identity, jumpingClock, memoryLog, openQuestion, settledQuestion, THREAD, wallClock } from './parts.ts';

/** Everybody speaks English, except as told. */
async function setUp(clock: Clock = wallClock, spoken: Record<string, Language> = {}) {
  const slack = await fakeSlack();
  const log = memoryLog();
  const client = createWebClient({ token: 'xoxb-secret', apiUrl: slack.api, log, timeoutMs: 500 });
  const directory = { language: async (person: string) => spoken[person] ?? 'en' };
  return { slack, log, messenger: createMessenger({ client, identity, directory, clock, log }) };
}

const reply = (text = 'It is **done**.', id = 'p1'): Post => ({ id, body: { kind: 'reply', text } });
const metadata = (id: string) => ({ event_type: 'askback', event_payload: { id } });

test('a card is posted once into its thread, with its id in the metadata and nothing unfurled', async () => {
  const { slack, messenger } = await setUp();
  await using _ = slack;
  expect(await messenger.ask(openQuestion, { plain: false })).toEqual({ ok: true, ts: '1.000000' });
  const [card] = slack.called('chat.postMessage');
  expect(card).toMatchObject({
    channel: 'C1',
    thread_ts: '100.000000',
    metadata: metadata('q1'),
    unfurl_links: 'false',
    unfurl_media: 'false',
    text: expect.stringContaining('Which region?'),
    blocks: expect.arrayContaining([expect.objectContaining({ type: 'actions' })]),
  });
  expect(slack.called('chat.postMessage')).toHaveLength(1);
});

test('a plain card has no controls', async () => {
  const { slack, messenger } = await setUp();
  await using _ = slack;
  await messenger.ask(openQuestion, { plain: true });
  const [card] = slack.called('chat.postMessage');
  expect(card?.text).toMatch(/eu-west[\s\S]*us-east/);
  expect(JSON.stringify(card?.blocks ?? '')).not.toContain('"actions"');
});

test('a refused card is the thread’s to post again as plain text', async () => {
  const { slack, messenger } = await setUp();
  await using _ = slack;
  slack.answer('chat.postMessage', { ok: false, error: 'invalid_blocks' });
  expect(await messenger.ask(openQuestion, { plain: false })).toMatchObject({ ok: false, error: 'refused' });
  expect(slack.called('chat.postMessage')).toHaveLength(1);
});

test('a refused reply goes out as plain text, once, under the same id', async () => {
  const { slack, messenger } = await setUp();
  await using _ = slack;
  slack.answer('chat.postMessage', { ok: false, error: 'invalid_blocks' }, { ok: true, ts: '5.000000' });
  expect(await messenger.post(THREAD, reply())).toEqual({ ok: true, ts: '5.000000' });
  const [first, second, ...more] = slack.called('chat.postMessage');
  expect(first?.metadata).toEqual(metadata('p1'));
  expect(second).toMatchObject({ metadata: metadata('p1'), text: expect.stringContaining('done') });
  expect(second).not.toHaveProperty('blocks');
  expect(more).toEqual([]);
});

test.for([
  ['internal_error', 'ambiguous'],
  ['is_archived', 'gone'],
  ['ratelimited', 'later'],
] as const)('a reply that ends in %s is not sent again', async ([error, kind]) => {
  const { slack, messenger } = await setUp();
  await using _ = slack;
  slack.answer('chat.postMessage', { ok: false, error });
  expect(await messenger.post(THREAD, reply())).toMatchObject({ ok: false, error: kind });
  expect(slack.calls).toHaveLength(1);
});

test('an answer without a ts is no delivery', async () => {
  const { slack, messenger } = await setUp();
  await using _ = slack;
  slack.answer('chat.postMessage', { ok: true });
  expect(await messenger.post(THREAD, reply())).toMatchObject({ ok: false, error: 'ambiguous' });
});

test.for<[string, Post['body']]>([
  ['a failure with Retry', { kind: 'failure', message: 'The model did not answer.', retry: { runId: 'r1' } }],
  ['a failure without', { kind: 'failure', message: 'The model did not answer.' }],
  ['a stop', { kind: 'stopped', by: 'U1' }],
  ['an empty reply', { kind: 'reply', text: '' }],
])('%s is posted with some text', async ([, body]) => {
  const { slack, messenger } = await setUp();
  await using _ = slack;
  expect(await messenger.post(THREAD, { id: 'p1', body })).toMatchObject({ ok: true });
  expect(slack.called('chat.postMessage')[0]?.text).toMatch(/\S/);
});

test('repainting a settled card takes its controls away and keeps its id', async () => {
  const { slack, messenger } = await setUp();
  await using _ = slack;
  expect(await messenger.repaint(settledQuestion, '7.000000')).toEqual({ ok: true, ts: '1.000000' });
  const [update] = slack.called('chat.update');
  expect(update).toMatchObject({ channel: 'C1', ts: '7.000000', metadata: metadata('q1') });
  expect(JSON.stringify(update?.blocks)).not.toContain('"actions"');
});

test('a repaint that Slack refuses leaves plain text, not the old controls', async () => {
  const { slack, messenger } = await setUp();
  await using _ = slack;
  slack.answer('chat.update', { ok: false, error: 'invalid_blocks' }, { ok: true, ts: '7.000000' });
  expect(await messenger.repaint(openQuestion, '7.000000')).toEqual({ ok: true, ts: '7.000000' });
  expect(JSON.stringify(slack.called('chat.update')[1]?.blocks)).not.toContain('"actions"');
});

test('a card or a stray that is gone counts as done', async () => {
  const { slack, messenger } = await setUp();
  await using _ = slack;
  slack.answer('chat.update', { ok: false, error: 'message_not_found' });
  slack.answer('chat.delete', { ok: false, error: 'message_not_found' });
  expect(await messenger.repaint(settledQuestion, '7.000000')).toEqual({ ok: true, ts: '7.000000' });
  expect(await messenger.remove(THREAD, '7.000000')).toEqual({ ok: true, ts: '7.000000' });
});

test('a stray is deleted', async () => {
  const { slack, messenger } = await setUp();
  await using _ = slack;
  expect(await messenger.remove(THREAD, '7.000000')).toMatchObject({ ok: true });
  expect(slack.called('chat.delete')).toEqual([{ channel: 'C1', ts: '7.000000' }]);
});

const own = (ts: string, id: string, more = {}) => ({
  ts,
  user: BOT_USER,
  bot_id: BOT_ID,
  metadata: metadata(id),
  ...more,
});

test.for<[string, unknown[], string | undefined]>([
  ['our own, by its id', [own('2.0', 'other'), own('3.0', 'p1')], '3.0'],
  ['the first of two', [own('2.0', 'p1'), own('3.0', 'p1')], '2.0'],
  ['none in an empty thread', [], undefined],
  [
    'none with another app’s metadata',
    [own('3.0', 'p1', { metadata: { event_type: 'x', event_payload: { id: 'p1' } } })],
    undefined,
  ],
  ['none by somebody else', [own('3.0', 'p1', { user: 'U1', bot_id: 'B2' })], undefined],
  ['none that is unreadable', [{ ts: 3, metadata: 'p1' }, null, { metadata: { event_type: 'askback' } }], undefined],
])('reading back finds %s', async ([, messages, found]) => {
  const { slack, messenger } = await setUp();
  await using _ = slack;
  slack.answer('conversations.replies', { ok: true, messages });
  expect(await messenger.find(THREAD, 'p1', 1_700_000_000_000)).toBe(found);
  expect(slack.calls[0]?.args).toMatchObject({
    channel: 'C1',
    ts: '100.000000',
    include_all_metadata: 'true',
    oldest: '1699999940.000000',
  });
});

test('reading back goes on to the last page', async () => {
  const { slack, messenger } = await setUp();
  await using _ = slack;
  slack.answer(
    'conversations.replies',
    { ok: true, messages: [own('2.0', 'x')], response_metadata: { next_cursor: 'more' } },
    { ok: true, messages: [own('3.0', 'p1')], response_metadata: { next_cursor: '' } },
  );
  expect(await messenger.find(THREAD, 'p1', 0)).toBe('3.0');
  expect(slack.called('conversations.replies').map(({ cursor }) => cursor)).toEqual([undefined, 'more']);
});

test.for(['thread_not_found', 'channel_not_found', 'not_in_channel'])(
  'in a thread that is gone (%s) there is nothing to find',
  async (error) => {
    const { slack, messenger } = await setUp();
    await using _ = slack;
    slack.answer('conversations.replies', { ok: false, error });
    expect(await messenger.find(THREAD, 'p1', 0)).toBeUndefined();
  },
);

test.for(['internal_error', 'ratelimited', 'missing_scope', 'account_inactive'])(
  'a thread that cannot be read (%s) is an error',
  async (error) => {
    const { slack, messenger } = await setUp();
    await using _ = slack;
    slack.answer('conversations.replies', { ok: false, error });
    await expect(messenger.find(THREAD, 'p1', 0)).rejects.toThrow(error);
  },
);

test('a thread too long to read to its end is an error, not "not found"', async () => {
  const { slack, messenger } = await setUp();
  await using _ = slack;
  slack.answer('conversations.replies', { ok: true, messages: [], response_metadata: { next_cursor: 'on' } });
  await expect(messenger.find(THREAD, 'p1', 0)).rejects.toThrow('not read to the end');
});

test('a whisper is seen by one person in the thread, and its failure by nobody', async () => {
  const { slack, messenger } = await setUp();
  await using _ = slack;
  await messenger.whisper(THREAD, 'U2', { kind: 'not_allowed', reason: 'not_requester' });
  expect(slack.called('chat.postEphemeral')).toEqual([
    { channel: 'C1', thread_ts: '100.000000', user: 'U2', text: expect.stringMatching(/\S/) },
  ]);
  await messenger.whisper(THREAD, 'U2', { kind: 'not_saved' }, 'channel');
  expect(slack.called('chat.postEphemeral')[1]).not.toHaveProperty('thread_ts');
  slack.answer('chat.postEphemeral', { ok: false, error: 'user_not_in_channel' });
  await messenger.whisper(THREAD, 'U2', { kind: 'not_saved' });
});

test('a status that hangs holds up nothing', async () => {
  const { slack, messenger } = await setUp();
  await using _ = slack;
  slack.answer('assistant.threads.setStatus', () => {});
  const begun = performance.now();
  await messenger.status(THREAD, 'working');
  expect(await messenger.post(THREAD, reply())).toMatchObject({ ok: true });
  expect(performance.now() - begun).toBeLessThan(400);
});

test('a channel gets a short burst and then one post a second; other channels do not wait', async () => {
  const clock = jumpingClock();
  const { slack, messenger } = await setUp(clock);
  await using _ = slack;
  for (let n = 0; n < 5; n += 1) await messenger.post(THREAD, reply('x', `p${n}`));
  expect(clock.slept).toEqual([1_000, 1_000]);
  await messenger.post(`${TEAM}:C2:1.000000` as ThreadId, reply());
  expect(clock.slept).toHaveLength(2);
});

test('what would wait long for its turn is told to come back, and is not sent', async () => {
  const clock: Clock = { now: () => 0, sleep: async () => {} };
  const { slack, messenger } = await setUp(clock);
  await using _ = slack;
  const all = [];
  for (let n = 0; n < 6; n += 1) all.push(await messenger.post(THREAD, reply('x', `p${n}`)));
  expect(all.map((delivery) => delivery.ok)).toEqual([true, true, true, true, true, false]);
  expect(all[5]).toMatchObject({ error: 'later', retryAfter: 3_000 });
  expect(slack.called('chat.postMessage')).toHaveLength(5);
});

test('a 429 silences its channel for as long as Slack says, and no other', async () => {
  const clock = jumpingClock();
  const { slack, messenger } = await setUp(clock);
  await using _ = slack;
  slack.answer('chat.postMessage', (res) => void res.writeHead(429, { 'retry-after': '30' }).end(), {
    ok: true,
    ts: '1.0',
  });
  expect(await messenger.post(THREAD, reply())).toMatchObject({ error: 'later', retryAfter: 30_000 });
  expect(await messenger.post(THREAD, reply())).toMatchObject({ error: 'later', retryAfter: 30_000 });
  expect(slack.called('chat.postMessage')).toHaveLength(1);
  expect(await messenger.post(`${TEAM}:C2:1.000000` as ThreadId, reply())).toMatchObject({ ok: true });
  await clock.sleep(30_000);
  expect(await messenger.post(THREAD, reply())).toMatchObject({ ok: true });
});

test('neither the token nor what people wrote is in the log', async () => {
  const { slack, log, messenger } = await setUp();
  await using _ = slack;
  slack.answer('chat.postMessage', { ok: false, error: 'invalid_blocks' });
  await messenger.post(THREAD, reply('the launch code is 0000'));
  expect(log.lines.length).toBeGreaterThan(0);
  expect(JSON.stringify(log.lines)).not.toMatch(/xoxb-secret|launch code/);
});

test('a reply is split whole', async () => {
  const { slack, messenger } = await setUp();
  await using _ = slack;
  expect(messenger.split('short')).toEqual(['short']);
  expect(messenger.split('word '.repeat(5_000)).length).toBeGreaterThan(1);
});

test('cards and posts are in the language of who is served, a reminder and help in that of who is named, a whisper in its reader’s', async () => {
  const spoken = { U1: 'ja', U2: 'fr', U3: 'de' } as const;
  const { slack, messenger } = await setUp(wallClock, spoken);
  await using _ = slack;
  await messenger.ask(openQuestion, { plain: false });
  await messenger.post(THREAD, { id: 'p1', body: { kind: 'stopped' }, requester: 'U2' });
  await messenger.post(THREAD, { id: 'p2', body: { kind: 'reminder', question: 'Q?', who: 'U1' }, requester: 'U2' });
  await messenger.post(THREAD, { id: 'p3', body: { kind: 'help', who: 'U3' } });
  await messenger.post(THREAD, { id: 'p4', body: { kind: 'stopped' } });
  await messenger.whisper(THREAD, 'U3', { kind: 'nothing_to_stop' });
  await messenger.repaint(settledQuestion, '7.000000');
  expect(slack.called('chat.postMessage').map(({ text }) => text)).toEqual([
    expect.stringMatching(/^質問：Which region\?/),
    '🛑 Tâche arrêtée.',
    expect.stringContaining('回答を待っています'),
    expect.stringContaining('Direktnachricht'),
    '🛑 Stopped.',
  ]);
  expect(slack.called('chat.postEphemeral')).toMatchObject([{ text: expect.stringContaining('nichts anzuhalten') }]);
  expect(slack.called('chat.update')).toMatchObject([{ text: expect.stringContaining('さんが回答しました') }]);
});

const withThumbs = (id = 'p1'): Post => ({ id, body: { kind: 'reply', text: 'Done.', feedback: { runId: 'r1' } } });

test('a reply that is refused for its thumbs goes out without, under the same id, and the next ones have none', async () => {
  const { slack, messenger } = await setUp();
  await using _ = slack;
  slack.answer('chat.postMessage', { ok: false, error: 'invalid_blocks' }, { ok: true, ts: '5.000000' });
  expect(await messenger.post(THREAD, withThumbs())).toEqual({ ok: true, ts: '5.000000' });
  await messenger.post(THREAD, withThumbs('p2'));
  const posted = slack.called('chat.postMessage');
  expect(posted.map(({ metadata }) => metadata)).toEqual([metadata('p1'), metadata('p1'), metadata('p2')]);
  expect(posted.map(({ blocks }) => (blocks as { type: string }[]).map(({ type }) => type))).toEqual([
    ['markdown', 'context_actions'],
    ['markdown'],
    ['markdown'],
  ]);
});

test('a reply that is refused for itself goes out as text, and the next ones have their thumbs', async () => {
  const { slack, messenger } = await setUp();
  await using _ = slack;
  const no = { ok: false, error: 'invalid_blocks' };
  slack.answer('chat.postMessage', no, no, { ok: true, ts: '5.000000' });
  expect(await messenger.post(THREAD, withThumbs())).toEqual({ ok: true, ts: '5.000000' });
  await messenger.post(THREAD, withThumbs('p2'));
  const posted = slack.called('chat.postMessage');
  expect(posted[2]).not.toHaveProperty('blocks');
  expect(JSON.stringify(posted[3]?.blocks)).toContain('feedback_buttons');
});
