import { describe, expect, test } from 'vitest';
import { createSlackApp, openSlack } from '../../src/slack/app.ts';
import { ANSWER_MODAL, encodeAction, encodeBlock, encodeForm } from '../../src/slack/ids.ts';
import { BOT_ID, BOT_USER, fakeSlack, TEAM } from '../support/fake-slack.ts';
import { connected, type Mode, settingsOf } from './connected.ts';
import { memoryLog, QUESTION, scripted, THREAD, wallClock } from './parts.ts';

const envelope = (event: object, more: object = {}) => ({
  type: 'event_callback',
  team_id: TEAM,
  event_id: 'Ev1',
  authorizations: [{ team_id: TEAM, user_id: BOT_USER, is_bot: true }],
  event,
  ...more,
});
const mention = (ts = '5.000000') => ({
  type: 'app_mention',
  channel: 'C1',
  user: 'U1',
  ts,
  text: `<@${BOT_USER}> deploy`,
});
const click = (more: object = {}) => ({
  type: 'block_actions',
  team: { id: TEAM },
  user: { id: 'U1', team_id: TEAM },
  trigger_id: 'trigger',
  channel: { id: 'C1' },
  container: { type: 'message', message_ts: '7.000000', thread_ts: '100.000000' },
  message: { ts: '7.000000', bot_id: BOT_ID },
  actions: [
    {
      type: 'button',
      block_id: encodeBlock({ kind: 'question', part: 'choices', thread: THREAD, question: QUESTION }),
      action_id: encodeAction({ kind: 'pick', option: 0 }),
    },
  ],
  ...more,
});
const WORDS = encodeBlock({ kind: 'question', part: 'words', thread: THREAD, question: QUESTION });
const submission = (text: string) => ({
  type: 'view_submission',
  team: { id: TEAM },
  user: { id: 'U1' },
  view: {
    callback_id: ANSWER_MODAL,
    type: 'modal',
    private_metadata: encodeForm(THREAD, [QUESTION]),
    state: { values: { [WORDS]: { 'askback:words': { type: 'plain_text_input', value: text } } } },
  },
});

const modes: Mode[] = ['socket', 'http'];

describe.for(modes)('in %s mode', (mode) => {
  test('a mention is acked when it is saved, and not before', async () => {
    const saving = Promise.withResolvers<object>();
    await using bot = await connected(mode, { receive: () => saving.promise });
    let acked = false;
    const delivered = bot.deliver(envelope(mention())).then((outcome) => {
      acked = true;
      return outcome;
    });
    await expect.poll(() => bot.called('receive')).toHaveLength(1);
    await wallClock.sleep(50);
    expect(acked).toBe(false);
    saving.resolve({ status: 'accepted' });
    expect(await delivered).toMatchObject({ acked: true });
    expect(bot.called('receive')).toMatchObject([[{ thread: `${TEAM}:C1:5.000000`, mention: true, text: 'deploy' }]]);
  });

  test('what could not be saved is not acked, and is taken when Slack sends it again', async () => {
    let broken = true;
    await using bot = await connected(mode, {
      receive: () => (broken ? Promise.reject(new Error('disk full')) : { status: 'accepted' }),
    });
    expect(await bot.deliver(envelope(mention()), 200)).toMatchObject({ acked: false });
    broken = false;
    expect(await bot.deliver(envelope(mention()))).toMatchObject({ acked: true });
  });

  test('what means nothing to us is acked, and nothing is done', async () => {
    await using bot = await connected(mode);
    for (const body of [
      envelope({ type: 'reaction_added', item: 'odd' }),
      envelope({ type: 'message', subtype: 'channel_join', user: 'U1', channel: 'C1', ts: '5.0' }),
      envelope({ type: 'constructor' }),
      { type: 'view_closed', team: { id: TEAM }, user: { id: 'U1' } },
      { type: 'shortcut', callback_id: 'x', team: { id: TEAM }, user: { id: 'U1' } },
    ])
      expect(await bot.deliver(body), JSON.stringify(body)).toMatchObject({ acked: true });
    expect(bot.calls).toEqual([]);
  });

  test.for<[string, object]>([
    ['a mention in another workspace', envelope(mention(), { team_id: 'T2', authorizations: [{ team_id: 'T2' }] })],
    ['a mention in no workspace', envelope(mention(), { team_id: null, authorizations: [] })],
    ['a mention for another’s installation', envelope(mention(), { authorizations: [{ team_id: 'T2' }] })],
    ['a click in another workspace', click({ team: { id: 'T2' }, message: { bot_id: 'B2' } })],
    ['a click by nobody', click({ user: {} })],
    ['a click on nothing', click({ actions: [] })],
    ['a click on null', click({ actions: [null] })],
    ['a modal without a view', { ...submission('x'), view: null }],
    ['an event that is none', envelope({ kind: 'message' })],
    ['an event of a type that is none', envelope({ type: 7 })],
  ])('%s is refused, and the next mention is taken', async ([, body]) => {
    await using bot = await connected(mode);
    expect(await bot.deliver(body, 150)).toMatchObject({ acked: false });
    expect(bot.calls).toEqual([]);
    expect(await bot.deliver(envelope(mention()))).toMatchObject({ acked: true });
  });

  test('someone of another organisation in a shared channel is heard and may click what we posted', async () => {
    await using bot = await connected(mode);
    expect(await bot.deliver(envelope(mention(), { team_id: 'T2' }))).toMatchObject({ acked: true });
    expect(await bot.deliver(click({ team: { id: 'T2' } }))).toMatchObject({ acked: true });
    expect(bot.calls.map(({ method }) => method)).toEqual(['receive', 'answer']);
  });

  test('a click is acked after it is settled', async () => {
    await using bot = await connected(mode);
    expect(await bot.deliver(click())).toEqual({ acked: true, ...(mode === 'http' && { status: 200 }) });
    expect(bot.called('answer')).toMatchObject([
      [{ thread: THREAD, question: QUESTION, given: { kind: 'answer', options: [0] } }],
    ]);
  });

  test('a click that cannot be saved is acked, and its person told in the thread', async () => {
    await using bot = await connected(mode, { answer: () => Promise.reject(new Error('disk full')) });
    expect(await bot.deliver(click())).toMatchObject({ acked: true });
    await expect
      .poll(() => bot.slack.called('chat.postEphemeral'))
      .toMatchObject([{ channel: 'C1', user: 'U1', thread_ts: '100.000000' }]);
  });

  test('a modal’s ack says what is wrong with the answer, or nothing', async () => {
    await using bot = await connected(mode);
    expect((await bot.deliver(submission(' '))).response).toMatchObject({
      response_action: 'errors',
      errors: { [WORDS]: expect.any(String) },
    });
    const accepted = await bot.deliver(submission('Frankfurt'));
    expect(accepted.acked).toBe(true);
    expect(accepted).not.toHaveProperty('response');
  });

  test('a button opens its modal through the Web API', async () => {
    await using bot = await connected(mode);
    const [action] = click().actions;
    await bot.deliver(click({ actions: [{ ...action, action_id: encodeAction({ kind: 'write' }) }] }));
    await expect.poll(() => bot.slack.called('views.open')).toMatchObject([{ trigger_id: 'trigger' }]);
  });

  test('when someone presses Stop the dispatcher knows before Slack gets its ack', async () => {
    const event = { type: 'agent_session_stopped', channel: 'C1', user: 'U1', thread_ts: '100.000000' };
    let broken = true;
    const once = async () => {
      if (broken) throw new Error('disk full');
      return { status: 'stopped' };
    };
    await using bot = await connected(mode, { stop: once });
    expect(await bot.deliver(envelope(event), 150)).toMatchObject({ acked: false });
    broken = false;
    expect(await bot.deliver(envelope(event))).toMatchObject({ acked: true });
    const args = [THREAD, { id: 'U1', standing: 'member' }];
    expect(bot.called('stop')).toEqual([args, args]);
  });

  const gone: [string, object][] = [
    ['the app is uninstalled', { type: 'app_uninstalled' }],
    ['the bot token is revoked', { type: 'tokens_revoked', tokens: { bot: ['UBOT'] } }],
  ];
  test.for(gone)(
    'when %s all is settled before Slack gets its ack, and then the process is to end',
    async ([, event]) => {
      let broken = true;
      const once = async () => {
        if (!broken) return;
        broken = false;
        throw new Error('disk full');
      };
      await using bot = await connected(mode, { uninstalled: once });
      expect(bot.app.health()).toEqual({ connected: true });
      bot.slack.answer('auth.test', { ok: false, error: 'token_revoked' });
      expect(await bot.deliver(envelope(event), 3_000)).toMatchObject({ acked: true });
      expect(bot.called('uninstalled')).toEqual([[TEAM], [TEAM]]);
      expect(bot.app.health()).toEqual({ connected: false });
      await expect.poll(() => bot.fatal).toEqual([expect.stringContaining('no longer installed')]);
      expect(await bot.deliver(envelope(event))).toMatchObject({ acked: true });
      expect(bot.called('uninstalled')).toHaveLength(2);
    },
  );

  test.for(gone)('told late that %s, when Slack has us again: nothing ends', async ([, event]) => {
    await using bot = await connected(mode);
    expect(await bot.deliver(envelope(event))).toMatchObject({ acked: true });
    expect(bot.called('uninstalled')).toEqual([]);
    expect(bot.fatal).toEqual([]);
    expect(bot.app.health()).toEqual({ connected: true });
  });

  test('a call that is refused for its token: it is asked for, and what is open waits where another token helps', async () => {
    await using bot = await connected(mode, { receive: () => ({ status: 'not_allowed', reason: 'guest' }) });
    bot.slack.answer('chat.postEphemeral', { ok: false, error: 'invalid_auth' });
    bot.slack.answer('auth.test', { ok: false, error: 'internal_error' }, { ok: false, error: 'invalid_auth' });
    await bot.deliver(envelope(mention()));
    await expect.poll(() => bot.fatal).toEqual([expect.stringContaining('waits in the store')]);
    expect(bot.called('uninstalled')).toEqual([]);
    expect(bot.app.health()).toEqual({ connected: false });
  });

  test('a call that is refused for a token that Slack still knows: all goes on', async () => {
    await using bot = await connected(mode, { receive: () => ({ status: 'not_allowed', reason: 'guest' }) });
    bot.slack.answer('chat.postEphemeral', { ok: false, error: 'account_inactive' });
    const before = bot.slack.called('auth.test').length;
    await bot.deliver(envelope(mention()));
    await expect.poll(() => bot.slack.called('auth.test').length).toBe(before + 1);
    expect(bot.fatal).toEqual([]);
    expect(bot.app.health()).toEqual({ connected: true });
  });

  test.for<object>([
    { type: 'tokens_revoked', tokens: { oauth: ['U1'] } },
    { type: 'tokens_revoked' },
    { type: 'agent_session_stopped', channel: 7 },
  ])('%j is acked and stops nothing', async (event) => {
    await using bot = await connected(mode);
    expect(await bot.deliver(envelope(event))).toMatchObject({ acked: true });
    expect(bot.calls).toEqual([]);
  });

  test('stopping waits for what was taken, and ends promptly', async () => {
    const saving = Promise.withResolvers<object>();
    const bot = await connected(mode, { receive: () => saving.promise });
    await using _ = bot.slack;
    const delivered = bot.deliver(envelope(mention()), 300).catch(() => {});
    await expect.poll(() => bot.called('receive')).toHaveLength(1);
    let stopped = false;
    const stopping = bot.app.stop(5_000).then(() => {
      stopped = true;
    });
    await wallClock.sleep(100);
    expect(stopped).toBe(false);
    const begun = performance.now();
    saving.resolve({ status: 'accepted' });
    await stopping;
    expect(performance.now() - begun).toBeLessThan(1_000);
    await delivered;
    expect(bot.app.health()).toEqual({ connected: false });
  });

  test('the probes say what they are told', async () => {
    let ready = true;
    await using bot = await connected(
      mode,
      {},
      {
        ready: () => ({ ok: ready, store: ready ? 'ok' : 'lost' }),
        live: () => Promise.reject(new Error('no idea')),
      },
    );
    expect((await bot.post('/readyz', { method: 'GET' })).status).toBe(200);
    ready = false;
    const lost = await bot.post('/readyz?x=1', { method: 'GET' });
    expect([lost.status, await lost.json()]).toEqual([503, { ok: false, store: 'lost' }]);
    expect((await bot.post('/healthz', { method: 'GET' })).status).toBe(503);
    expect((await bot.post('/healthz', { method: 'POST' })).status).toBe(405);
    expect((await bot.post('/', { method: 'GET' })).status).toBe(404);
    expect(bot.app.health()).toEqual({ connected: true });
  });
});

test.for([
  [{ ok: false, error: 'invalid_auth' }, /SLACK_BOT_TOKEN.*invalid_auth/],
  [{ ok: false, error: 'account_inactive' }, /SLACK_BOT_TOKEN/],
  [{ ok: true, team_id: TEAM, user_id: 'U1' }, /SLACK_BOT_TOKEN is not a bot token/],
] as const)('a bot token that Slack answers with %j ends the start with one clear error', async ([answer, message]) => {
  await using slack = await fakeSlack();
  slack.answer('auth.test', answer);
  const opening = openSlack(settingsOf('socket', slack), { clock: wallClock, log: memoryLog() });
  await expect(opening).rejects.toMatchObject({ name: 'SlackStartError', message: expect.stringMatching(message) });
});

test('a Slack that is down when we start is waited for', async () => {
  await using slack = await fakeSlack();
  slack.answer(
    'auth.test',
    (res) => void res.writeHead(503).end(),
    { ok: false, error: 'internal_error' },
    { ok: true, team_id: TEAM, user_id: BOT_USER, bot_id: BOT_ID },
  );
  const waits: number[] = [];
  const clock = { now: wallClock.now, sleep: async (ms: number) => void waits.push(ms) };
  const { identity } = await openSlack(settingsOf('socket', slack), { clock, log: memoryLog() });
  expect(identity).toEqual({ team: TEAM, botUser: BOT_USER, botId: BOT_ID });
  expect(waits).toEqual([1_000, 2_000]);
});

test('a start can be given up', async () => {
  await using slack = await fakeSlack();
  slack.answer('auth.test', (res) => void res.writeHead(503).end());
  const opening = openSlack(settingsOf('socket', slack), {
    clock: wallClock,
    log: memoryLog(),
    signal: AbortSignal.timeout(50),
  });
  await expect(opening).rejects.toMatchObject({ name: 'TimeoutError' });
});

test('a port that is taken is an error, not silence', async () => {
  await using first = await connected('http');
  const log = memoryLog();
  const settings = settingsOf('http', first.slack);
  const second = createSlackApp({
    settings,
    access: await openSlack(settings, { clock: wallClock, log }),
    dispatcher: scripted().dispatcher,
    http: { host: '127.0.0.1', port: first.app.port() ?? 0 },
    probes: { live: () => ({ ok: true }), ready: () => ({ ok: true }) },
    onFatal: () => {},
    clock: wallClock,
    log,
  });
  await expect(second.start()).rejects.toThrow('EADDRINUSE');
});
