import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { type Playground, startPlayground } from '../../src/playground/server.ts';
import { general, mara } from './bolt-app.ts';

let slack: Playground;
beforeAll(async () => {
  slack = await startPlayground();
});
afterAll(() => slack.close());

const live = (headers = {}) => new WebSocket(`${slack.url.replace('http', 'ws')}/playground/live`, { headers });
const act = (body: unknown, headers = {}) =>
  fetch(`${slack.url}/playground/do`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  });
const hello = { as: mara, do: 'say', channel: general, text: 'hello' };

test('the page gets a snapshot, then every change; what it does is answered', async () => {
  const socket = live({ origin: slack.url });
  const updates: { type: string; message?: { text: string } }[] = [];
  socket.on('message', (data) => updates.push(JSON.parse(String(data))));
  await expect.poll(() => updates.length).toBe(1);
  expect(updates[0]).toMatchObject({ type: 'snapshot', team: { name: 'Harbourside Books' }, bot: { state: 'absent' } });
  expect(await (await act(hello, { origin: slack.url })).json()).toMatchObject({ ok: true, channel: general });
  await expect.poll(() => updates.at(-1)?.message?.text).toBe('hello');
  socket.close();
});

test('a page of another origin, or under another name, neither acts nor listens', async () => {
  expect((await act(hello, { origin: 'https://evil.example' })).status).toBe(403);
  for (const headers of [{ origin: 'https://evil.example' }, { host: 'evil.example' }]) {
    const socket = live(headers);
    const error = await new Promise<Error>((resolve) => socket.once('error', resolve));
    expect(error.message).toContain('403');
  }
});

test.for([
  ['no action', { as: mara }, 400],
  ['null', null, 400],
  ['an unknown person', { as: 'U1', do: 'open_home' }, 200],
  ['an unknown action', { as: mara, do: 'dance' }, 200],
  ['an unknown view', { as: mara, do: 'submit_view', view: 'V1', state: {} }, 200],
  ['an action without its parts', { as: mara, do: 'interact' }, 400],
] as const)('%s is refused in words', async ([, body, status]) => {
  const response = await act(body);
  expect(response.status).toBe(status);
  expect(await response.json()).toMatchObject({ ok: false, error: expect.any(String) });
});

test.for<[string, object, string]>([
  ['a channel where one is not', { do: 'say', channel: 'C0PRIVATE1', text: 'x', as: 'U0TOMAS001' }, 'not_in_channel'],
  ['nothing', { do: 'say', channel: general, text: ' ' }, 'no_text'],
  ['a thread that is not there', { do: 'say', channel: general, text: 'x', thread_ts: '1.0' }, 'thread_not_found'],
  ['an edit of what is not there', { do: 'edit', channel: general, ts: '1.0', text: 'x' }, 'message_not_found'],
  ['an invitation of a member', { do: 'invite', channel: general, user: mara }, 'already_in_channel'],
  ['a bot that is not ours to start', { do: 'bot', command: 'start' }, 'bot_not_managed'],
])('people cannot do %s', async ([, action, error]) => {
  expect(await slack.do({ as: mara, ...action } as never)).toEqual({ ok: false, error });
});
