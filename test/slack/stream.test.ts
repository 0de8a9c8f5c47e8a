import { expect, test } from 'vitest';
import { LIMITS } from '../../src/slack/limits.ts';
import { createPreviews } from '../../src/slack/stream.ts';
import { createThumbs } from '../../src/slack/thumbs.ts';
import { createWebClient } from '../../src/slack/web-client.ts';
import type { Post } from '../../src/thread/ports.ts';
import { fakeSlack } from '../support/fake-slack.ts';
import { identity, memoryLog, THREAD, wallClock } from './parts.ts';

const refused = (error: string) => ({ ok: false, error });

async function setUp() {
  const slack = await fakeSlack();
  const log = memoryLog();
  for (const method of ['chat.startStream', 'chat.appendStream', 'chat.stopStream']) {
    slack.answer(method, { ok: true, ts: '7.000000' });
  }
  const client = createWebClient({ token: 'xoxb-secret', apiUrl: slack.api, log, timeoutMs: 500 });
  const content = async (_: unknown, { body }: Post) => ({
    text: 'all of it',
    blocks: [{ type: 'markdown' as const, text: body.kind === 'reply' ? body.text : '' }],
  });
  const previews = createPreviews({
    client,
    identity,
    clock: wallClock,
    log,
    content,
    thumbs: createThumbs(true),
    session: () => undefined,
  });
  return { slack, previews };
}

const part = (text: string): Post => ({ id: 'run:reply:0', body: { kind: 'reply', text } });
const metadata = { event_type: 'askback', event_payload: { id: 'run:reply:0' } };

/** A stream that has begun with "One two". */
async function begun() {
  const { slack, previews } = await setUp();
  const preview = previews.open(THREAD, { requester: 'U1', record: async () => true });
  preview?.say('One two three');
  await expect.poll(() => slack.called('chat.startStream')).toHaveLength(1);
  await expect.poll(() => slack.calls.length).toBe(1);
  const end = async (text: string) => {
    await preview?.settle(text);
    return previews.complete(THREAD, part(text), '7.000000');
  };
  return { slack, previews, end };
}

const methods = (slack: Awaited<ReturnType<typeof setUp>>['slack']) => slack.calls.map(({ method }) => method.slice(5));

test('a stream is for the requester, in the thread', async () => {
  const { slack } = await begun();
  await using _ = slack;
  expect(slack.called('chat.startStream')).toEqual([
    {
      channel: 'C1',
      thread_ts: '100.000000',
      recipient_user_id: 'U1',
      recipient_team_id: 'T1',
      chunks: [{ type: 'markdown_text', text: 'One two' }],
    },
  ]);
});

test('its end brings the rest of the text and the id, and is the delivery', async () => {
  const { slack, end } = await begun();
  await using _ = slack;
  expect(await end('One two three @here.')).toEqual({ ok: true, ts: '7.000000' });
  expect(slack.called('chat.stopStream')).toEqual([
    { channel: 'C1', ts: '7.000000', metadata, chunks: [{ type: 'markdown_text', text: ' three @\u2060here.' }] },
  ]);
  expect(methods(slack)).toEqual(['startStream', 'stopStream']);
});

test('what reads otherwise in the end is edited, and the id is not given before', async () => {
  const { slack, end } = await begun();
  await using _ = slack;
  expect(await end('Quite another text.')).toMatchObject({ ok: true });
  expect(slack.called('chat.stopStream')[0]?.metadata).not.toEqual(metadata);
  expect(slack.called('chat.update')[0]).toMatchObject({ ts: '7.000000', metadata });
});

test.for(['message_not_in_streaming_state', 'stopped_by_user', 'user_not_found', 'message_not_owned_by_app'])(
  'an end that is refused (%s) is an edit of the same message',
  async (error) => {
    const { slack, end } = await begun();
    await using _ = slack;
    slack.answer('chat.stopStream', refused(error));
    expect(await end('One two three')).toMatchObject({ ok: true });
    expect(methods(slack)).toEqual(['startStream', 'stopStream', 'update']);
  },
);

test('an end that is in doubt is for the thread to be read back; one that is too many is made again', async () => {
  const { slack, previews, end } = await begun();
  await using _ = slack;
  slack.answer(
    'chat.stopStream',
    (res) => void res.writeHead(429, { 'retry-after': '7' }).end(),
    refused('internal_error'),
  );
  expect(await end('One two three')).toMatchObject({ error: 'later', retryAfter: 7_000 });
  expect(await previews.complete(THREAD, part('One two three'), '7.000000')).toMatchObject({ error: 'ambiguous' });
  expect(methods(slack)).not.toContain('update');
});

test('a stream of a process that is gone is ended, then edited; a long text within what an edit takes', async () => {
  const { slack, previews } = await setUp();
  await using _ = slack;
  slack.answer('chat.update', refused('streaming_state_conflict'), { ok: true, ts: '7.000000' });
  expect(await previews.complete(THREAD, part('word & '.repeat(1_200)), '7.000000')).toMatchObject({ ok: true });
  expect(methods(slack)).toEqual(['update', 'stopStream', 'update']);
  expect(String(slack.called('chat.update')[1]?.text).length).toBeLessThanOrEqual(LIMITS.message.updatedText);
});

test.for(['message_not_found', 'cant_update_message', 'edit_window_closed'])(
  'a preview that cannot become the post (%s) is told as refused',
  async (error) => {
    const { slack, previews } = await setUp();
    await using _ = slack;
    slack.answer('chat.update', refused(error));
    expect(await previews.complete(THREAD, part('One'), '7.000000')).toMatchObject({ error: 'refused' });
  },
);

test.for(['unknown_method', 'missing_scope', 'feature_disabled', 'not_allowed_token_type'])(
  'a workspace without streams (%s) is asked once',
  async (error) => {
    const { slack, previews } = await setUp();
    await using _ = slack;
    slack.answer('chat.startStream', refused(error));
    const open = () => previews.open(THREAD, { requester: 'U1', record: async () => true });
    open()?.say('One two three');
    await expect.poll(() => open()).toBeUndefined();
  },
);

test('messages of ours without an id are those never heard of', async () => {
  const { slack, previews } = await setUp();
  await using _ = slack;
  const own = { user: identity.botUser, bot_id: identity.botId };
  slack.answer('conversations.replies', {
    ok: true,
    messages: [
      { ts: '1.0', user: 'U1' },
      { ts: '2.0', ...own, metadata },
      { ts: '3.0', ...own },
      { ts: '4.0', user: 'U2', bot_id: 'B2' },
    ],
  });
  expect(await previews.unheard(THREAD, 0)).toEqual(['3.0']);
  slack.answer('conversations.replies', refused('internal_error'));
  await expect(previews.unheard(THREAD, 0)).rejects.toThrow('internal_error');
});
