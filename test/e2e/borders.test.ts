/** Bad input at the borders of the real process: what comes from Slack's side of the wire, forged or broken; and the probes. */
import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signature } from '../../src/playground/http-delivery.ts';
import { startTalk } from './talk.ts';
import { bot, mara, startWorld, team, type World } from './world.ts';

const event = (event: object, more: object = {}) => ({
  type: 'event_callback',
  team_id: team,
  event_id: 'Ev1',
  authorizations: [{ team_id: team, user_id: bot, is_bot: true }],
  event,
  ...more,
});
let lastTs = 0;
const mention = (more: object = {}) => {
  lastTs += 1;
  const ts = `1700000000.${String(lastTs).padStart(6, '0')}`;
  return { type: 'app_mention', channel: 'C0DEPLOYS1', user: mara, ts, text: `<@${bot}> forged`, ...more };
};
const click = (more: object = {}) => ({
  type: 'block_actions',
  team: { id: team },
  user: { id: mara },
  trigger_id: 'x',
  actions: [{ type: 'button', block_id: 'x', action_id: 'x' }],
  ...more,
});

/** Whether the process is alive and well: it answers somebody. */
async function works(world: World): Promise<void> {
  const talk = await startTalk(world, world.place(), 'still there?');
  await talk.reads('Said: still there?');
  expect(world.slack.state().bot.state).toBe('running');
  expect(world.model.requests.filter(({ messages }) => JSON.stringify(messages).includes('forged'))).toEqual([]);
}

/** None of them is taken, and none ends the process. */
const refusedPayloads: [string, object][] = [
  [
    'an event of another workspace',
    event(mention(), { team_id: 'T0ELSE0001', authorizations: [{ team_id: 'T0ELSE0001' }] }),
  ],
  ['an event for nobody', event(mention(), { team_id: null, authorizations: null })],
  ['an event without its event', { type: 'event_callback', team_id: team }],
  ['an event that is a list', event([] as object)],
  ['an event of no type', event({ channel: 'C0DEPLOYS1' })],
  ['a click of another workspace', click({ team: { id: 'T0ELSE0001' }, message: { bot_id: 'B0ELSE0001' } })],
  ['a click by nobody', click({ user: null })],
  ['a click on nothing', click({ actions: [] })],
  ['a click on null', click({ actions: [null] })],
  ['a form without a view', { type: 'view_submission', team: { id: team }, user: { id: mara } }],
];
/** Taken and dropped: sent again they would be no better. */
const droppedPayloads: [string, object][] = [
  ['a mention by no id', event(mention({ user: 'U1; DROP TABLE records' }))],
  ['a mention in a channel that is no id', event(mention({ channel: '../../etc/passwd' }))],
  ['a mention at no time', event(mention({ ts: 'yesterday' }))],
  ['a mention whose text is an object', event(mention({ text: { toString: 'x' } }))],
  ['a mention by a bot', event(mention({ bot_id: 'B0ELSE0001' }))],
  ['a mention of its own', event(mention({ user: bot }))],
  ['an event of a kind that is none', event({ type: '__proto__' })],
  ['a stop of nobody', event({ type: 'agent_session_stopped', channel: 7, user: null, thread_ts: [] })],
  [
    'a click on somebody’s button',
    click({ channel: { id: 'C0DEPLOYS1' }, container: { type: 'message', message_ts: 'x' } }),
  ],
  ['a shortcut', { type: 'shortcut', callback_id: 'x', team: { id: team }, user: { id: mara } }],
];

describe('Socket Mode', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld({ mode: 'socket', windows: { ack: 400, retries: [100, 500, 2_000] } });
  });
  afterAll(async () => {
    await world?.[Symbol.asyncDispose]();
  });

  test('what is not for us, or cannot be read, is not acked', async () => {
    const receipts = await Promise.all(refusedPayloads.map(([, payload]) => world.slack.deliver(payload as never)));
    expect(receipts.map(({ acked }, index) => [refusedPayloads[index]?.[0], acked])).toEqual(
      refusedPayloads.map(([name]) => [name, false]),
    );
    await works(world);
  });

  test('what means nothing is acked and dropped', async () => {
    const receipts = await Promise.all(droppedPayloads.map(([, payload]) => world.slack.deliver(payload as never)));
    expect(receipts.map(({ acked }, index) => [droppedPayloads[index]?.[0], acked])).toEqual(
      droppedPayloads.map(([name]) => [name, true]),
    );
    await works(world);
  });

  test('frames that Slack would never send', async () => {
    for (const frame of [
      '',
      'not json',
      'null',
      '7',
      '[]',
      '"hello"',
      '{}',
      '{"type":7}',
      '{"type":"events_api"}',
      '{"type":"events_api","envelope_id":"e1"}',
      '{"type":"events_api","envelope_id":"e2","payload":null}',
      '{"type":"events_api","envelope_id":7,"payload":[]}',
      '{"type":"interactive","envelope_id":"e3","payload":"text"}',
      '{"type":"interactive","envelope_id":"e4","payload":{"type":"block_actions","actions":7}}',
      '{"type":"slash_commands","envelope_id":"e5","payload":{}}',
      '{"type":"nobody_knows","envelope_id":"e6","payload":{}}',
      `{"type":"events_api","envelope_id":"e7","payload":${'['.repeat(5_000)}${']'.repeat(5_000)}}`,
    ])
      world.slack.sendRaw(frame);
    await works(world);
  });

  test('a connection that breaks, is renewed by Slack, or is asked to go: another is made, and nothing is missed', async () => {
    for (const abrupt of [true, false]) {
      await world.act({ do: 'disconnect', as: mara, abrupt });
      await works(world);
    }
    world.slack.sendRaw('{"type":"disconnect","reason":"link_disabled"}');
    await works(world);
  });
});

describe('HTTP', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld({ mode: 'http' });
  });
  afterAll(async () => {
    await world?.[Symbol.asyncDispose]();
  });
  const now = () => Math.floor(Date.now() / 1000);
  const form = 'application/x-www-form-urlencoded';

  type Sent = { body: string; type?: string; at?: number | string; signed?: string; method?: string; path?: string };
  async function post({ body, type = 'application/json', at = now(), signed, method = 'POST', path }: Sent) {
    const url = world.slack.eventsUrl as string;
    const response = await fetch(path ? new URL(path, url) : url, {
      method,
      headers: {
        'content-type': type,
        'x-slack-request-timestamp': String(at),
        'x-slack-signature': signed ?? signature(world.slack.signingSecret, String(at), body),
      },
      ...(method === 'POST' && { body }),
    });
    await response.text();
    return response.status;
  }
  const real = () => JSON.stringify(event(mention()));

  test('an idle connection outlives that of a proxy before it', async () => {
    const response = await fetch(new URL('/healthz', world.slack.eventsUrl as string));
    expect(response.headers.get('keep-alive')).toBe('timeout=75');
  });

  test('the same payloads', async () => {
    for (const [name, payload] of refusedPayloads) {
      expect(await world.slack.deliver(payload as never), name).toMatchObject({
        acked: false,
        detail: expect.stringMatching(/40[03]/),
      });
    }
    for (const [name, payload] of droppedPayloads)
      expect(await world.slack.deliver(payload as never), name).toMatchObject({ acked: true });
    await works(world);
  });

  test.for<[string, () => Sent, number]>([
    ['unsigned', () => ({ body: real(), signed: '' }), 401],
    ['signed by another', () => ({ body: real(), signed: signature('other', String(now()), real()) }), 401],
    [
      'signed for another body',
      () => ({ body: real(), signed: signature(world.slack.signingSecret, String(now()), '{}') }),
      401,
    ],
    ['stale', () => ({ body: real(), at: now() - 400 }), 401],
    ['from the future', () => ({ body: real(), at: now() + 400 }), 401],
    ['of no time', () => ({ body: real(), at: 'now' }), 401],
    ['not JSON', () => ({ body: '{' }), 400],
    ['null', () => ({ body: 'null' }), 400],
    ['a list', () => ({ body: '[]' }), 400],
    ['empty', () => ({ body: '' }), 400],
    ['a form without a payload', () => ({ body: 'a=b', type: form }), 400],
    ['a form whose payload is not JSON', () => ({ body: 'payload=%7B', type: form }), 400],
    ['a form that is badly encoded', () => ({ body: 'payload=%E0%A4%A', type: form }), 400],
    ['too large', () => ({ body: JSON.stringify({ type: 'x', pad: 'x'.repeat(1_100_000) }) }), 413],
    ['a GET', () => ({ body: '', method: 'GET' }), 405],
    ['elsewhere', () => ({ body: real(), path: '/slack/other' }), 404],
  ])('%s', async ([, sent, status]) => {
    expect(await post(sent())).toBe(status);
    expect(world.slack.state().bot.state).toBe('running');
  });

  test('a request that breaks off in the middle', async () => {
    const body = real();
    await new Promise<void>((resolve) => {
      const call = httpRequest(world.slack.eventsUrl as string, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'content-length': String(body.length) },
      });
      call.on('error', () => resolve());
      call.write(body.slice(0, 20), () => call.destroy());
      call.on('close', () => resolve());
    });
    await works(world);
  });

  test('the probes tell the truth, and nothing was taken for a message', async () => {
    for (const path of ['/healthz', '/readyz']) {
      const response = await fetch(new URL(path, world.slack.eventsUrl));
      expect([response.status, await response.json()], path).toEqual([200, { ok: true, slack: true, sweep: true }]);
    }
    await works(world);
  });
});
