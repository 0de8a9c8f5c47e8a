import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/playground/clock.ts';
import type { Fault, Json } from '../../src/playground/protocol.ts';
import { type Playground, startPlayground } from '../../src/playground/server.ts';
import { button, clientOf, general, mara, refusalOf, section } from './bolt-app.ts';

let slack: Playground;
let ahead = 0;
beforeAll(async () => {
  const clock = { ...systemClock, now: () => Date.now() + ahead };
  slack = await startPlayground({ clock, windows: { stream: 300 } });
});
afterAll(() => slack.close());

const random = 'C0NOBOT001';
const meta = (id: string) => ({ event_type: 'card', event_payload: { id } });

async function call(method: string, args: object, token = slack.botToken): Promise<{ [key: string]: Json }> {
  const response = await fetch(slack.apiUrl + method, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(args),
  });
  return (await response.json()) as { [key: string]: Json };
}

async function posted(text: string, more: object = {}): Promise<string> {
  return String((await call('chat.postMessage', { channel: general, text, ...more })).ts);
}

describe('refusals', () => {
  const message = { channel: general, text: 'x' };
  test.for<[string, string, object, object, string?]>([
    ['an unknown method', 'chat.shout', {}, { error: 'unknown_method' }],
    [
      'an unknown argument, by name',
      'chat.postMessage',
      { ...message, colour: 'red' },
      { error: 'invalid_arguments', errors: ['unknown argument: colour'] },
    ],
    [
      'a missing argument',
      'chat.postMessage',
      { text: 'x' },
      { error: 'invalid_arguments', errors: ['missing required field: channel'] },
    ],
    ['no token', 'chat.postMessage', message, { error: 'not_authed' }, ''],
    ['a wrong token', 'chat.postMessage', message, { error: 'invalid_auth' }, 'xoxb-wrong'],
    ['the bot’s token where the app’s is needed', 'apps.connections.open', {}, { error: 'not_allowed_token_type' }],
    ['an unknown channel', 'chat.postMessage', { channel: 'C1', text: 'x' }, { error: 'channel_not_found' }],
    ['a channel without the bot', 'chat.postMessage', { channel: random, text: 'x' }, { error: 'not_in_channel' }],
    ['nothing to say', 'chat.postMessage', { channel: general, text: '' }, { error: 'no_text' }],
    [
      'a thread that is not there',
      'chat.postMessage',
      { ...message, thread_ts: '1.000001' },
      { error: 'thread_not_found' },
    ],
    [
      'markdown_text beside text',
      'chat.postMessage',
      { ...message, markdown_text: 'x' },
      { error: 'markdown_text_conflict' },
    ],
    [
      'metadata without payload',
      'chat.postMessage',
      { ...message, metadata: { event_type: 'x' } },
      { error: 'invalid_metadata_format' },
    ],
    [
      '101 attachments',
      'chat.postMessage',
      { ...message, attachments: Array(101).fill({}) },
      { error: 'too_many_attachments' },
    ],
    [
      '13,201 characters of blocks',
      'chat.postMessage',
      { channel: general, text: 'x', blocks: Array.from({ length: 5 }, () => section('x'.repeat(2_641))) },
      { error: 'msg_blocks_too_long' },
    ],
    [
      'blocks that are wrong, with all that is wrong',
      'chat.postMessage',
      { channel: general, text: 'x', blocks: [section('')] },
      {
        error: 'invalid_blocks',
        errors: [
          'failed to match all allowed schemas [json-pointer:/blocks/0/text]',
          'must be more than 0 characters [json-pointer:/blocks/0/text/text]',
        ],
        response_metadata: {
          messages: [
            '[ERROR] failed to match all allowed schemas [json-pointer:/blocks/0/text]',
            '[ERROR] must be more than 0 characters [json-pointer:/blocks/0/text/text]',
          ],
        },
      },
    ],
    [
      'a view that is wrong',
      'views.open',
      { trigger_id: 'x', view: { type: 'modal' } },
      { error: 'invalid_arguments' },
    ],
    [
      'an unknown trigger',
      'views.open',
      { trigger_id: 'x', view: { type: 'modal', title: { type: 'plain_text', text: 'T' }, blocks: [section('x')] } },
      { error: 'invalid_trigger_id' },
    ],
    ['a person who is not there', 'users.info', { user: 'U1' }, { error: 'user_not_found' }],
    ['a bot as partner of a DM', 'conversations.open', { users: 'U0DEPLOY01' }, { error: 'cannot_dm_bot' }],
    [
      'an ephemeral message to one outside',
      'chat.postEphemeral',
      { ...message, user: 'U0OTHER001' },
      { error: 'user_not_in_channel' },
    ],
    [
      'a status that is none',
      'agents.sessions.setStatus',
      { channel_id: general, thread_ts: '1.0', status: 'busy' },
      { error: 'invalid_status' },
    ],
  ])('%s', async ([, method, args, expected, token]) => {
    expect(await call(method, args, token)).toMatchObject({ ok: false, ...expected });
  });

  test('blocks that are not JSON', async () => {
    const body = new URLSearchParams({ channel: general, text: 'x', blocks: '[{' });
    const response = await fetch(`${slack.apiUrl}chat.postMessage`, {
      method: 'POST',
      body,
      headers: { authorization: `Bearer ${slack.botToken}` },
    });
    expect(await response.json()).toEqual({ ok: false, error: 'invalid_blocks_format' });
  });

  test('a missing scope, with what is needed and what is there', async () => {
    const manifest = { oauth_config: { scopes: { bot: ['chat:write'] } } };
    await using narrow = await startPlayground({ manifest });
    expect(await refusalOf(clientOf(narrow).users.info({ user: mara }))).toMatchObject({
      error: 'missing_scope',
      needed: 'users:read',
      provided: 'chat:write',
    });
    const replies = clientOf(narrow).conversations.replies({ channel: general, ts: '1.0' });
    expect(await refusalOf(replies)).toMatchObject({ error: 'missing_scope', needed: 'channels:history' });
  });

  test('in a workspace of the old methods the new ones do not exist', async () => {
    await using old = await startPlayground({ legacy: true });
    const client = clientOf(old);
    for (const method of [
      'chat.startStream',
      'agents.sessions.setStatus',
      'assistant.threads.setStatus',
      'blocks.validate',
    ]) {
      expect(await refusalOf(client.apiCall(method)), method).toMatchObject({ error: 'unknown_method' });
    }
    expect((await client.chat.postMessage({ channel: general, text: 'x' })).ok).toBe(true);
  });

  test('not strict: an unknown argument is only loud', async () => {
    await using lax = await startPlayground({ strict: false });
    expect((await clientOf(lax).apiCall('chat.postMessage', { channel: general, text: 'x', colour: 'red' })).ok).toBe(
      true,
    );
    expect(lax.state().traffic.some((line) => line.warning === 'Unknown argument: colour.')).toBe(true);
  });
});

describe('messages', () => {
  test.for(['form', 'json', 'multipart'])('a %s body is taken', async (kind) => {
    const blocks = JSON.stringify([section('x')]);
    const form = new FormData();
    for (const [name, value] of Object.entries({ channel: general, text: kind, blocks })) form.append(name, value);
    const bodies: { [kind: string]: RequestInit } = {
      form: { body: new URLSearchParams({ channel: general, text: kind, blocks }) },
      json: {
        body: JSON.stringify({ channel: general, text: kind, blocks }),
        headers: { 'content-type': 'application/json; charset=utf-8' },
      },
      multipart: { body: form },
    };
    const { headers, ...rest } = bodies[kind] ?? {};
    const response = await fetch(`${slack.apiUrl}chat.postMessage`, {
      method: 'POST',
      ...rest,
      headers: { ...(headers as object), authorization: `Bearer ${slack.botToken}` },
    });
    expect(await response.json()).toMatchObject({ ok: true, message: { text: kind, blocks: [{ type: 'section' }] } });
  });

  test('ids, emoji and verbatim are filled in, and timestamps only increase', async () => {
    const first = await call('chat.postMessage', {
      channel: general,
      text: 'x',
      blocks: [section('x', { accessory: { type: 'button', text: { type: 'plain_text', text: 'b' } } })],
    });
    const block = (first.message as { blocks: Json[] }).blocks[0];
    expect(block).toMatchObject({
      block_id: expect.stringMatching(/^.{5}$/),
      text: { verbatim: false },
      accessory: { action_id: expect.stringMatching(/^.{5}$/), text: { emoji: true } },
    });
    const stamps = [String(first.ts), await posted('y'), await posted('z')];
    expect(stamps).toEqual(stamps.toSorted());
    expect(new Set(stamps).size).toBe(3);
  });

  test('an update with text drops the blocks; with blocks alone it keeps the text; a long text is refused', async () => {
    const ts = await posted('old', { blocks: [section('x')] });
    expect(await call('chat.update', { channel: general, ts, blocks: [section('y')] })).toMatchObject({
      ok: true,
      text: 'old',
    });
    await call('chat.update', { channel: general, ts, text: 'new' });
    const message = slack.state().messages.find((entry) => entry.ts === ts);
    expect(message).toMatchObject({ text: 'new', edited: { user: 'U0ASKBACK1' } });
    expect(message?.blocks).toBeUndefined();
    expect(await call('chat.update', { channel: general, ts, text: 'x'.repeat(4_001) })).toMatchObject({
      error: 'msg_too_long',
    });
  });

  test('somebody else’s message is neither changed nor deleted', async () => {
    const done = await slack.do({ as: mara, do: 'say', channel: general, text: 'mine' });
    const ts = done.ok ? done.ts : '';
    expect(await call('chat.update', { channel: general, ts, text: 'x' })).toMatchObject({
      error: 'cant_update_message',
    });
    expect(await call('chat.delete', { channel: general, ts })).toMatchObject({ error: 'cant_delete_message' });
  });

  test('a root with replies is deleted to a tombstone, so that its thread stays', async () => {
    const root = await posted('root');
    await posted('reply', { thread_ts: root });
    await call('chat.delete', { channel: general, ts: root });
    const { messages } = await call('conversations.replies', { channel: general, ts: root });
    expect(messages).toMatchObject([{ subtype: 'tombstone' }, { text: 'reply' }]);
  });

  test('replies are read page by page, the root first, metadata only when asked for', async () => {
    const root = await posted('root');
    const replies: string[] = [];
    for (let index = 0; index < 5; index += 1)
      replies.push(await posted(`r${index}`, { thread_ts: root, metadata: meta(`m${index}`) }));
    const client = clientOf(slack);
    const seen: string[] = [];
    let cursor = '';
    do {
      const page = await client.conversations.replies({
        channel: general,
        ts: root,
        limit: 2,
        ...(cursor ? { cursor } : {}),
      });
      seen.push(...(page.messages ?? []).map((message) => message.text ?? ''));
      expect(page.messages?.every((message) => message.metadata === undefined)).toBe(true);
      cursor = page.response_metadata?.next_cursor ?? '';
    } while (cursor);
    expect(seen).toEqual(['root', 'r0', 'r1', 'r2', 'r3', 'r4']);
    const later = await client.conversations.replies({
      channel: general,
      ts: root,
      oldest: replies[2] as string,
      include_all_metadata: true,
    });
    expect(later.messages?.map((message) => message.text)).toEqual(['root', 'r3', 'r4']);
    expect(later.messages?.at(-1)?.metadata).toEqual(meta('m4'));
    expect(later.messages?.[0]).toMatchObject({ reply_count: 5, latest_reply: replies[4] });
    expect(await refusalOf(client.conversations.replies({ channel: general, ts: root, cursor: 'x' }))).toMatchObject({
      error: 'invalid_cursor',
    });
  });

  test('people are as they are: guest, stranger, locale only when asked for', async () => {
    const info = async (user: string, more = {}) => (await call('users.info', { user, ...more })).user;
    expect(await info('U0GUEST001')).toMatchObject({ is_restricted: true, is_bot: false, team_id: 'T0HARBOR01' });
    expect(await info('U0OTHER001')).toMatchObject({ is_stranger: true, team_id: 'T0PRESS002' });
    expect(await info(mara)).not.toHaveProperty('locale');
    expect(await info(mara, { include_locale: true })).toMatchObject({ locale: 'en-GB', tz: 'Europe/Stockholm' });
  });
});

describe('views', () => {
  const view = {
    type: 'modal' as const,
    title: { type: 'plain_text' as const, text: 'T' },
    blocks: [section('x')] as never[],
  };
  /** Any click gives a trigger; no bot is there to ack it, so the click itself is not waited for. */
  async function trigger(): Promise<string> {
    const ts = await posted('t', { blocks: [section('t', { block_id: 'b', accessory: button('go') })] });
    const seen = Promise.withResolvers<string>();
    const open = await call('apps.connections.open', {}, slack.appToken);
    const socket = new WebSocket(String(open.url));
    socket.onmessage = ({ data }) => {
      const frame = JSON.parse(String(data));
      if (frame.type === 'hello') {
        void slack.do({
          as: mara,
          do: 'interact',
          container: { type: 'message', channel: general, ts },
          block_id: 'b',
          action_id: 'go',
          action: { type: 'button' },
        });
      } else {
        socket.send(JSON.stringify({ envelope_id: frame.envelope_id }));
        if (frame.type === 'interactive') seen.resolve(frame.payload.trigger_id);
      }
    };
    const id = await seen.promise;
    socket.close();
    return id;
  }

  test('a trigger opens one view, and is over after its time', async () => {
    const client = clientOf(slack);
    const id = await trigger();
    const opened = await client.views.open({ trigger_id: id, view });
    expect(opened.view).toMatchObject({
      type: 'modal',
      hash: expect.stringMatching(/^\d+\.[0-9a-f]{8}$/),
      root_view_id: opened.view?.id,
    });
    expect(await refusalOf(client.views.open({ trigger_id: id, view }))).toMatchObject({
      error: 'exchanged_trigger_id',
    });
    const late = await trigger();
    ahead += 3_001;
    expect(await refusalOf(client.views.open({ trigger_id: late, view }))).toMatchObject({
      error: 'expired_trigger_id',
    });
    const view_id = opened.view?.id ?? '';
    const updated = await client.views.update({ view_id, hash: opened.view?.hash ?? '', view });
    expect(updated.view?.hash).not.toBe(opened.view?.hash);
    const stale = client.views.update({ view_id, hash: opened.view?.hash ?? '', view });
    expect(await refusalOf(stale)).toMatchObject({ error: 'hash_conflict' });
  });
});

describe('streams', () => {
  const start = async () => {
    const thread_ts = await posted('root');
    const answer = await call('chat.startStream', {
      channel: general,
      thread_ts,
      recipient_user_id: mara,
      recipient_team_id: 'T0HARBOR01',
    });
    return { channel: general, ts: String(answer.ts), thread_ts };
  };

  test('tasks: title and status replace, details append', async () => {
    const { channel, ts } = await start();
    const task = { type: 'task_update', id: 'a', title: 'Look', status: 'in_progress', details: 'one ' };
    await call('chat.appendStream', { channel, ts, chunks: [task] });
    await call('chat.appendStream', {
      channel,
      ts,
      chunks: [{ ...task, title: 'Looked', status: 'complete', details: 'two' }],
    });
    const message = slack.state().messages.find((entry) => entry.ts === ts);
    expect(message?.tasks).toEqual([{ id: 'a', title: 'Looked', status: 'complete', details: 'one two' }]);
    expect(await call('chat.appendStream', { channel, ts, chunks: [{ type: 'x' }] })).toMatchObject({
      error: 'invalid_chunks',
    });
  });

  test('while it streams it cannot be updated; after its time it can, and takes no more', async () => {
    const { channel, ts } = await start();
    expect(await call('chat.update', { channel, ts, text: 'x' })).toMatchObject({ error: 'streaming_state_conflict' });
    await slack.wait((state) => state.messages.some((message) => message.ts === ts && !message.streaming), {
      what: 'the end of the stream',
    });
    expect(await call('chat.appendStream', { channel, ts, markdown_text: 'x' })).toMatchObject({
      error: 'message_not_in_streaming_state',
    });
    expect(await call('chat.update', { channel, ts, text: 'x' })).toMatchObject({ ok: true });
  });

  test('a person stops it', async () => {
    const { channel, ts, thread_ts } = await start();
    await slack.do({ as: mara, do: 'stop_session', channel, thread_ts });
    expect(await call('chat.appendStream', { channel, ts, markdown_text: 'x' })).toMatchObject({
      error: 'stopped_by_user',
    });
  });
});

describe('faults', () => {
  type Case = { kind: Fault['kind']; more?: Partial<Fault>; posts: number; outcome: RegExp };
  test.for<Case>([
    { kind: 'drop_before', posts: 0, outcome: /fetch failed|request error|terminated|other side closed/i },
    { kind: 'drop_after', posts: 1, outcome: /fetch failed|request error|terminated|other side closed/i },
    { kind: 'http_500_before', posts: 0, outcome: /500/ },
    { kind: 'http_500_after', posts: 1, outcome: /500/ },
    { kind: 'internal_error', posts: 1, outcome: /internal_error/ },
    { kind: 'rate_limited', more: { value: 7 }, posts: 0, outcome: /rate-limit/ },
    { kind: 'refuse', more: { error: 'is_archived' }, posts: 0, outcome: /is_archived/ },
    { kind: 'slow', more: { value: 600 }, posts: 1, outcome: /timeout|abort|request error/i },
  ])('$kind hits one call: $posts message is there', async ({ kind, more, posts, outcome }) => {
    const text = `fault ${kind}`;
    await slack.do({ as: mara, do: 'fault', fault: { method: 'chat.postMessage', kind, times: 1, ...more } });
    const client = clientOf(slack, slack.botToken, { timeout: 300 });
    const error = await client.chat.postMessage({ channel: general, text }).then(
      () => undefined,
      (reason: unknown) => reason as Error & { retryAfter?: number },
    );
    expect(String(error?.message)).toMatch(outcome);
    if (kind === 'rate_limited') expect(error?.retryAfter).toBe(7);
    expect(slack.state().messages.filter((message) => message.text === text)).toHaveLength(posts);
    expect(slack.state().faults).toEqual([]);
    expect((await client.chat.postMessage({ channel: general, text: `${text} over` })).ok).toBe(true);
    expect(slack.calls('chat.postMessage').filter((made) => made.fault === kind)).toHaveLength(1);
  });

  test('a fault may begin with a later call, hit several, and be cleared', async () => {
    const refusals = async (count: number) => {
      const answers: Json[] = [];
      for (let index = 0; index < count; index += 1)
        answers.push((await call('users.info', { user: mara })).ok as Json);
      return answers;
    };
    await slack.do({
      as: mara,
      do: 'fault',
      fault: { method: 'users.info', kind: 'refuse', error: 'fatal_error', after: 1, times: 2 },
    });
    expect(await refusals(4)).toEqual([true, false, false, true]);
    await slack.do({ as: mara, do: 'fault', fault: { method: '*', kind: 'refuse' } });
    expect(await refusals(1)).toEqual([false]);
    await slack.do({ as: mara, do: 'clear_faults' });
    expect(await refusals(1)).toEqual([true]);
  });
});

test('rate limits, switched on: bursts pass, then 429 with the time to wait', async () => {
  await using limited = await startPlayground({ rateLimits: true });
  const client = clientOf(limited);
  const results = await Promise.allSettled(
    Array.from({ length: 7 }, () => client.chat.postMessage({ channel: general, text: 'x' })),
  );
  const refused = results.filter((result) => result.status === 'rejected');
  expect(refused.length).toBeGreaterThan(0);
  expect(refused[0]?.reason).toMatchObject({ retryAfter: 1 });
});

test('after an uninstall the token is dead', async () => {
  await using gone = await startPlayground();
  await gone.do({ as: mara, do: 'uninstall' });
  expect(await refusalOf(clientOf(gone).auth.test())).toMatchObject({ error: 'account_inactive' });
});

describe('prompts of a chat', () => {
  const prompt = { title: 'Help', message: 'help' };
  const set = (more: object) =>
    call('assistant.threads.setSuggestedPrompts', { channel_id: 'D0MARA0001', prompts: [prompt], ...more });

  test('they are shown in the DM with the app, where the agent’s chat is', async () => {
    expect(await set({ title: 'Try' })).toEqual({ ok: true });
    expect(slack.state().prompts).toEqual([{ channel: 'D0MARA0001', title: 'Try', prompts: [prompt] }]);
  });

  test.for<[string, object, object]>([
    ['elsewhere', { channel_id: general }, { error: 'channel_not_found' }],
    ['in a thread that is not there', { thread_ts: '1.000001' }, { error: 'invalid_thread_ts' }],
    ['none', { prompts: [] }, { error: 'invalid_arguments' }],
    ['five', { prompts: Array(5).fill(prompt) }, { error: 'invalid_arguments' }],
    ['one without a message', { prompts: [{ title: 'x' }] }, { error: 'invalid_arguments' }],
  ])('refused: %s', async ([, more, refusal]) => {
    expect(await set(more)).toMatchObject({ ok: false, ...refusal });
  });
});

describe('a file that somebody attached', () => {
  const attach = async (from: Playground) => {
    const files = [{ name: 'a.txt', mimetype: 'text/plain', content: 'hello' }];
    const { ts } = (await from.do({ as: mara, do: 'say', channel: general, text: '', files })) as { ts: string };
    const id = from.state().messages.find((message) => message.ts === ts)?.files?.[0]?.id as string;
    return { id, url: `${from.url}/files-pri/T0HARBOR01-${id}/a.txt` };
  };
  const get = (url: string, token: string) => fetch(url, { headers: { authorization: `Bearer ${token}` } });

  test('is there for the bot’s token; for any other there is Slack’s sign-in page, with 200', async () => {
    const { id, url } = await attach(slack);
    expect(await call('files.info', { file: id })).toMatchObject({ ok: true, file: { url_private: url, size: 5 } });
    expect(await (await get(url, slack.botToken)).text()).toBe('hello');
    const page = await get(url, 'xoxb-wrong');
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(slack.state().traffic.at(-1)?.warning).toContain('sign-in page');
  });

  test('needs the scope', async () => {
    await using narrow = await startPlayground({ manifest: { oauth_config: { scopes: { bot: ['chat:write'] } } } });
    const { url } = await attach(narrow);
    expect(await (await get(url, narrow.botToken)).text()).toContain('Sign in');
  });
});
