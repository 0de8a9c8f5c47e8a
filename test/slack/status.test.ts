import { expect, test } from 'vitest';
import { createStatusLine } from '../../src/slack/status.ts';
import { createWebClient } from '../../src/slack/web-client.ts';
import { wordsIn } from '../../src/slack/words/catalogue.ts';
import type { ThreadId } from '../../src/thread/ports.ts';
import { fakeSlack } from '../support/fake-slack.ts';
import { memoryLog, THREAD, wallClock } from './parts.ts';

const refused = (error: string) => ({ ok: false, error });
const SESSIONS = 'agents.sessions.setStatus';
const LINE = 'assistant.threads.setStatus';

/** `has`: what this Slack has of the two. */
async function setUp(has: 'sessions' | 'line' | 'nothing') {
  const slack = await fakeSlack();
  const log = memoryLog();
  slack.answer(SESSIONS, has === 'sessions' ? { ok: true } : refused('feature_disabled'));
  if (has === 'nothing') slack.answer(LINE, refused('unknown_method'));
  const client = createWebClient({ token: 'xoxb-secret', apiUrl: slack.api, log, timeoutMs: 500 });
  return { slack, status: createStatusLine({ client, log }) };
}
type Slack = Awaited<ReturnType<typeof setUp>>['slack'];
const told = (slack: Slack, method: string) => slack.called(method).map(({ status }) => status);

test('where there are sessions, one says whose turn it is', async () => {
  const { slack, status } = await setUp('sessions');
  await using _ = slack;
  for (const turn of ['working', 'waiting', 'working', 'idle'] as const) await status.show(THREAD, turn);
  expect(told(slack, SESSIONS)).toEqual(['processing', 'suspended', 'processing', 'active']);
  expect(slack.called(SESSIONS)[0]).toMatchObject({ channel_id: 'C1', thread_ts: '100.000000' });
  expect(slack.called(LINE)).toEqual([]);
  expect(status.session(THREAD)).toBe('active');
});

test.for(['feature_disabled', 'unknown_method', 'not_authorized', 'missing_scope', 'not_allowed_token_type'])(
  'without sessions (%s) there is a line, and they are not asked for again',
  async (error) => {
    const { slack, status } = await setUp('line');
    await using _ = slack;
    slack.answer(SESSIONS, refused(error));
    await status.show(THREAD, 'working');
    await status.show(THREAD, 'waiting');
    await status.show(THREAD, 'working');
    expect(slack.called(SESSIONS)).toHaveLength(1);
    expect(told(slack, LINE)).toEqual([expect.stringMatching(/\S/), '', expect.stringMatching(/\S/)]);
    expect(status.session(THREAD)).toBeUndefined();
  },
);

test('without either, each is asked for once', async () => {
  const { slack, status } = await setUp('nothing');
  await using _ = slack;
  for (const turn of ['working', 'waiting', 'working', 'idle'] as const) await status.show(THREAD, turn);
  expect(slack.calls).toHaveLength(2);
});

test('a failure of the moment is not taken for a workspace without', async () => {
  const { slack, status } = await setUp('sessions');
  await using _ = slack;
  slack.answer(SESSIONS, refused('internal_error'), refused('channel_not_found'), { ok: true });
  for (const turn of ['working', 'waiting', 'working'] as const) await status.show(THREAD, turn);
  expect(told(slack, SESSIONS)).toEqual(['processing', 'suspended', 'processing']);
  expect(slack.called(LINE)).toEqual([]);
});

test('calls arrive in order, even when Slack is slow', async () => {
  const { slack, status } = await setUp('line');
  await using _ = slack;
  await status.show('T1:C9:1.000000' as ThreadId, 'working');
  slack.answer(
    LINE,
    async (res) => {
      await wallClock.sleep(100);
      res.end('{"ok":true}');
    },
    { ok: true },
  );
  void status.show(THREAD, 'working');
  await status.show(THREAD, 'waiting');
  expect(told(slack, LINE).slice(1)).toEqual([expect.stringMatching(/\S/), '']);
});

test('a line is not cleared when the next message does that, unless it is still on its way', async () => {
  const { slack, status } = await setUp('line');
  await using _ = slack;
  await status.show(THREAD, 'working');
  await status.show(THREAD, 'idle');
  expect(told(slack, LINE)).toHaveLength(1);
  void status.show(THREAD, 'working');
  await status.show(THREAD, 'idle');
  expect(told(slack, LINE).slice(1)).toEqual([expect.stringMatching(/\S/), '']);
});

test('what a process that died may have left in a thread is cleared, once', async () => {
  const { slack, status } = await setUp('line');
  await using _ = slack;
  await status.show(THREAD, 'waiting');
  await status.show(THREAD, 'waiting');
  await status.show(THREAD, 'idle');
  expect(told(slack, LINE)).toEqual(['']);
});

test('the line is in the language of who is served', async () => {
  const { slack, status } = await setUp('line');
  await using _ = slack;
  await status.show(THREAD, 'working', Promise.resolve(wordsIn('fr')));
  expect(told(slack, LINE)).toEqual([wordsIn('fr').working]);
});
