/** Home tabs: published when opened, clicked or changed, one at a time, for a while; nothing depends on them. */
import { expect, test } from 'vitest';
import { encodePage } from '../../src/slack/ids.ts';
import { createInFlight } from '../../src/slack/in-flight.ts';
import { createHomeTabs } from '../../src/slack/listeners/home.ts';
import { createWebClient } from '../../src/slack/web-client.ts';
import type { Home } from '../../src/thread/home.ts';
import type { Clock } from '../../src/thread/ports.ts';
import { fakeSlack } from '../support/fake-slack.ts';
import { identity, memoryLog, openQuestion, scripted, THREAD, wallClock } from './parts.ts';

const asked = (question: string): Home => ({
  waiting: [{ ...openQuestion, question: { ...openQuestion.question, question } }],
  asked: [{ thread: THREAD, runId: 'r1', state: 'asking', waits: 1, others: [] }],
});

/** `pace`: how much faster than the wall this clock goes. */
async function setUp(
  home: () => unknown = () => asked('Where to?'),
  { pace = 1, url = 'https://acme.slack.com/' } = {},
) {
  const slack = await fakeSlack();
  slack.answer('views.publish', { ok: true, view: { id: 'V1' } });
  const log = memoryLog();
  const { dispatcher, called } = scripted({ home });
  const inFlight = createInFlight();
  const start = Date.now();
  const clock: Clock = {
    now: () => start + (Date.now() - start) * pace,
    sleep: (ms, signal) => wallClock.sleep(ms / pace, signal),
  };
  const tabs = createHomeTabs({
    client: createWebClient({ token: 'xoxb-1', apiUrl: slack.api, log, timeoutMs: 300 }),
    dispatcher,
    directory: {
      person: async (id) => ({ id, standing: 'member' }),
      language: async () => 'en',
    },
    identity: { ...identity, ...(url !== '' && { url }) },
    inFlight,
    clock,
    log,
  });
  const opened = (user = 'U1', tab = 'home') => tabs.app_home_opened({ type: 'app_home_opened', user, tab });
  const published = () => slack.called('views.publish').map((args) => JSON.stringify(args.view));
  const times = (count: number) => expect.poll(() => published().length).toBe(count);
  return {
    slack,
    log,
    tabs,
    called,
    opened,
    published,
    times,
    async [Symbol.asyncDispose]() {
      tabs.stop();
      await inFlight.settled();
      await slack[Symbol.asyncDispose]();
    },
  };
}

test('an opened Home is published to its person, with the way to each thread', async () => {
  await using home = await setUp();
  await home.opened('U7');
  await home.times(1);
  expect(home.slack.called('views.publish')).toMatchObject([{ user_id: 'U7', view: { type: 'home' } }]);
  expect(home.called('home')).toEqual([['T1', { id: 'U7', standing: 'member' }]]);
  expect(home.published()[0]).toContain(
    'https://acme.slack.com/archives/C1/p100000000?thread_ts=100.000000&amp;cid=C1',
  );
});

test('where Slack did not say where the workspace is, a thread is named without a link', async () => {
  await using home = await setUp(undefined, { url: '' });
  await home.opened();
  await home.times(1);
  expect(home.published()[0]).toContain('<#C1>');
  expect(home.published()[0]).not.toContain('archives');
});

test('it is published again when something has changed, and only then', async () => {
  let question = 'First?';
  await using home = await setUp(() => asked(question), { pace: 100 });
  await home.opened();
  await home.times(1);
  await expect.poll(() => home.called('home').length).toBeGreaterThan(5);
  expect(home.published()).toHaveLength(1);
  question = 'Second?';
  await home.times(2);
  expect(home.published()[1]).toContain('Second?');
});

test('after a while nobody looks any more, and none is read', async () => {
  await using home = await setUp(undefined, { pace: 10_000 });
  await home.opened();
  await home.times(1);
  await wallClock.sleep(200);
  const reads = home.called('home').length;
  await wallClock.sleep(100);
  expect(home.called('home')).toHaveLength(reads);
  await home.opened();
  await home.times(2);
});

test('what happens while it is being published is one more look', async () => {
  const gates: (() => void)[] = [];
  await using home = await setUp();
  home.slack.answer('views.publish', async (res) => {
    await new Promise<void>((open) => gates.push(open));
    res.setHeader('content-type', 'application/json').end('{"ok":true}');
  });
  await home.opened();
  await expect.poll(() => gates.length).toBe(1);
  const touched = Promise.all([home.tabs.touch('U1'), home.tabs.touch('U1'), home.tabs.show('U1', 0)]);
  gates[0]?.();
  await touched;
  expect(home.called('home')).toHaveLength(2);
  expect(home.published()).toHaveLength(1);
});

test('who opens it again sees it again, whatever another process has shown since', async () => {
  await using home = await setUp();
  await home.opened();
  await home.times(1);
  await home.opened();
  await home.times(2);
});

test('whose Home is not open is not published to; who turns to another tab is left alone', async () => {
  await using home = await setUp();
  await home.tabs.touch('U1');
  await home.opened('U1', 'messages');
  expect(home.called('home')).toEqual([]);
  await home.opened();
  await home.times(1);
  await home.opened('U1', 'messages');
  await home.tabs.touch('U1');
  expect(home.called('home')).toHaveLength(1);
});

test('what became of a click stands at the top, until the next', async () => {
  await using home = await setUp(undefined, { pace: 100 });
  await home.tabs.show('U1', 0, { kind: 'not_saved' });
  expect(home.published()[0]).toContain('could not save');
  await home.tabs.show('U1', 0);
  expect(home.published()[1]).not.toContain('could not save');
  await home.tabs.show('U1', 0, { kind: 'nothing_to_stop' });
  await home.times(4);
  expect(home.published()[3]).not.toContain('nothing to stop');
});

test('the page of a Home that was clicked; anything else is no Home', async () => {
  await using home = await setUp();
  const clicked = (view: object) => home.tabs.pageOf({ type: 'block_actions', view });
  expect(clicked({ type: 'home', private_metadata: encodePage(3) })).toBe(3);
  expect(clicked({ type: 'home', private_metadata: 'forged' })).toBe(0);
  expect(clicked({ type: 'home' })).toBe(0);
  expect(clicked({ type: 'modal', private_metadata: encodePage(3) })).toBeUndefined();
  expect(home.tabs.pageOf({ type: 'block_actions', message: {} })).toBeUndefined();
});

test('a store that fails is logged, and the next look mends it', async () => {
  let broken = true;
  await using home = await setUp(() => (broken ? Promise.reject(new Error('disk full')) : asked('Where to?')), {
    pace: 100,
  });
  await home.opened();
  await expect.poll(() => home.log.lines.some(({ level }) => level === 'warn')).toBe(true);
  broken = false;
  await home.times(1);
});

test('a Slack that fails is asked again with the next look', async () => {
  await using home = await setUp(undefined, { pace: 100 });
  home.slack.answer('views.publish', { ok: false, error: 'internal_error' }, { ok: true });
  await home.opened();
  await home.times(2);
});

test('an app without a Home tab is told so once, and none is published', async () => {
  await using home = await setUp();
  home.slack.answer('views.publish', { ok: false, error: 'not_enabled' });
  await home.opened();
  await expect
    .poll(() => home.log.lines.map(({ message }) => message))
    .toEqual([expect.stringContaining('no Home tab')]);
  await home.opened();
  await home.tabs.show('U1', 0);
  expect(home.published()).toHaveLength(1);
});

test('an event that is not readable is logged and forgotten; a stopped app publishes nothing', async () => {
  await using home = await setUp();
  await home.tabs.app_home_opened({ type: 'app_home_opened', user: '<@U1>' });
  expect(home.log.lines).toMatchObject([{ level: 'warn' }]);
  home.tabs.stop();
  await home.opened();
  await home.tabs.show('U1', 0);
  await home.tabs.touch('U1');
  expect(home.called('home')).toEqual([]);
});
