import { expect, test } from 'vitest';
import { createSlackApp, openSlack } from '../../src/slack/app.ts';
import { type Answer, fakeSlack } from '../support/fake-slack.ts';
import { connected, settingsOf } from './connected.ts';
import { memoryLog, scripted, wallClock } from './parts.ts';

const mention = {
  type: 'event_callback',
  team_id: 'T1',
  event: { type: 'app_mention', channel: 'C1', user: 'U1', ts: '5.000000', text: '<@UBOT> hi' },
};

test.for<[unknown]>([
  ['null'],
  ['5'],
  ['not JSON'],
  ['[]'],
  ['{}'],
  [{ type: 'events_api' }],
  [{ type: 'events_api', envelope_id: 'X', payload: null }],
  [{ type: 'events_api', envelope_id: 'X', payload: { event: null } }],
  [{ type: 'events_api', envelope_id: 'X', payload: { type: 'event_callback', event: { type: 'error' } } }],
  [{ type: 'interactive', envelope_id: 'X', payload: null }],
  [{ type: 'interactive', envelope_id: 'X', payload: { type: 'block_actions' } }],
  [{ type: 'ws_message' }],
  [{ type: 'close' }],
  [{ type: 'disconnected' }],
  [{ type: 'error' }],
])('after the frame %j the next mention is taken', async ([frame]) => {
  await using bot = await connected('socket');
  bot.slack.send(frame);
  await wallClock.sleep(20);
  await expect.poll(async () => (await bot.deliver(mention, 200)).acked).toBe(true);
  expect(bot.fatal).toEqual([]);
});

test.for([true, false])('a lost connection (abrupt: %s) is made again, and is no end', async (abrupt) => {
  await using bot = await connected('socket');
  bot.slack.drop(abrupt);
  await expect.poll(() => bot.app.health().connected).toBe(false);
  await expect.poll(() => bot.app.health().connected).toBe(true);
  expect(bot.slack.connections()).toBe(2);
  expect(await bot.deliver(mention)).toMatchObject({ acked: true });
});

test('when Slack asks to reconnect, we do, at once', async () => {
  await using bot = await connected('socket');
  const begun = performance.now();
  bot.slack.send({ type: 'disconnect', reason: 'refresh_requested' });
  await expect.poll(() => bot.slack.connections()).toBe(2);
  expect(performance.now() - begun).toBeLessThan(2_000);
});

test('a connection lost between saving and ack: saved, not acked, and taken again afterwards', async () => {
  const saving = Promise.withResolvers<object>();
  await using bot = await connected('socket', { receive: () => saving.promise });
  const first = bot.deliver(mention, 300);
  await expect.poll(() => bot.called('receive')).toHaveLength(1);
  bot.slack.drop(true);
  await expect.poll(() => bot.app.health().connected).toBe(false);
  saving.resolve({ status: 'accepted' });
  expect(await first).toMatchObject({ acked: false });
  await expect.poll(() => bot.app.health().connected).toBe(true);
  expect(await bot.deliver(mention)).toMatchObject({ acked: true });
});

const url = (slack: { api: string }) => ({ ok: true, url: slack.api.replace('http', 'ws').replace('/api/', '/link') });

test.for<[string, Answer]>([
  ['HTTP 500', (res) => void res.writeHead(500).end()],
  ['internal_error', { ok: false, error: 'internal_error' }],
  ['a cut connection', (res) => void res.destroy()],
  ['429', (res) => void res.writeHead(429, { 'retry-after': '1' }).end()],
  ['a page', (res) => void res.end('<html>')],
  ['an address that leads nowhere', { ok: true, url: 'ws://127.0.0.1:1/' }],
])('%s while reconnecting is tried again', async ([, fault]) => {
  await using bot = await connected('socket');
  bot.slack.answer('apps.connections.open', fault, url(bot.slack));
  bot.slack.drop(false);
  await expect.poll(() => bot.slack.connections()).toBe(2);
  expect(bot.fatal).toEqual([]);
  expect(await bot.deliver(mention)).toMatchObject({ acked: true });
});

test.for(['invalid_auth', 'account_inactive', 'not_authed', 'token_revoked', 'team_disabled'])(
  '%s while reconnecting is the end, said once, and not tried again',
  async (error) => {
    await using bot = await connected('socket');
    bot.slack.answer('apps.connections.open', { ok: false, error });
    bot.slack.drop(false);
    await expect.poll(() => bot.fatal).toEqual([expect.stringMatching(`SLACK_APP_TOKEN.*${error}`)]);
    const tries = bot.slack.called('apps.connections.open').length;
    await wallClock.sleep(700);
    expect(bot.slack.called('apps.connections.open')).toHaveLength(tries);
    expect(bot.app.health().connected).toBe(false);
  },
);

async function starting(...answers: Answer[]) {
  const slack = await fakeSlack();
  const log = memoryLog();
  const settings = settingsOf('socket', slack);
  const access = await openSlack(settings, { clock: wallClock, log });
  if (answers.length > 0) slack.answer('apps.connections.open', ...answers);
  const fatal: string[] = [];
  const app = createSlackApp({
    settings,
    access,
    dispatcher: scripted().dispatcher,
    probes: { live: () => ({ ok: true }), ready: () => ({ ok: true }) },
    onFatal: (message) => void fatal.push(message),
    clock: wallClock,
    log,
  });
  return { slack, app, fatal };
}

test.for(['invalid_auth', 'not_allowed_token_type', 'missing_scope', 'forbidden_team'])(
  'an app token that Slack answers with %s ends the start with one clear error',
  async (error) => {
    const { slack, app, fatal } = await starting({ ok: false, error });
    await using _ = slack;
    await expect(app.start()).rejects.toMatchObject({
      name: 'SlackStartError',
      message: expect.stringContaining('SLACK_APP_TOKEN'),
    });
    await app.stop(5_000);
    expect(fatal).toEqual([]);
  },
);

test('a start while Slack is down succeeds when it is back', async () => {
  const { slack, app } = await starting((res) => void res.writeHead(500).end());
  await using _ = slack;
  const started = app.start();
  await expect.poll(() => slack.called('apps.connections.open').length).toBeGreaterThan(1);
  slack.answer('apps.connections.open', url(slack));
  await started;
  expect(app.health()).toEqual({ connected: true });
  await app.stop(5_000);
});

test('a start that waits for Slack can be stopped', async () => {
  const { slack, app, fatal } = await starting((res) => void res.writeHead(500).end());
  await using _ = slack;
  const started = app.start().catch((error: Error) => error.message);
  await expect.poll(() => slack.called('apps.connections.open').length).toBeGreaterThan(0);
  await app.stop(5_000);
  expect(await started).toBe('Stopped before Slack was connected.');
  expect(fatal).toEqual([]);
});

test('after a stop nothing is reconnected', async () => {
  const bot = await connected('socket');
  await using _ = bot.slack;
  await bot.app.stop(5_000);
  await wallClock.sleep(500);
  expect(bot.slack.sockets()).toBe(0);
  expect(bot.slack.connections()).toBe(1);
});
