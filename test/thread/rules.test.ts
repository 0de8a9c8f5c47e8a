/** Rules of the mailbox that no other test would miss. Each fails when its rule is taken out (docs/reliability.md). */
import { expect, test } from 'vitest';
import { Agent } from '../../src/agent/agent.ts';
import { REQUEST_TIMEOUT } from '../../src/slack/web-client.ts';
import type { Holders } from '../../src/thread/holders.ts';
import { LEASE } from '../../src/thread/lease.ts';
import type { Messenger } from '../../src/thread/ports.ts';
import { notFound } from '../../src/thread/sending.ts';
import { newThread, type QuestionRecord } from '../../src/thread/thread.ts';
import { ask } from './story.ts';
import { bob, createTown, quiet, type Town, thread } from './town.ts';

function named(name: string, isGone: (token: string) => boolean = () => false): Holders {
  let drawn = 0;
  return { token: () => `${name}${++drawn}`, isGone };
}
/** Another process, which takes whatever the one before it holds. */
const takeOver = (town: Town, name = 'second') => town.restart({ holders: named(name, (t) => !t.startsWith(name)) });

const where = ask('Where?', ['staging', 'production']);

/** What Slack answers to the first card is not heard before `arrive`. */
function slowCard(town: Town) {
  const answer = Promise.withResolvers<void>();
  const messenger: Messenger = {
    ...town.slack,
    async ask(...args) {
      const delivery = await town.slack.ask(...args);
      await answer.promise;
      return delivery;
    },
  };
  town.restart({ messenger, holders: named('first') });
  return { arrive: answer.resolve };
}

test('who loses the lease ends its model call', async () => {
  const town = createTown();
  const signals: AbortSignal[] = [];
  const agent = new Agent({
    id: 'slow',
    name: 'Slow',
    instructions: '',
    store: town.store,
    model: {
      async *stream({ signal }) {
        signals.push(signal);
        await new Promise(() => {});
        yield { type: 'finish', finishReason: 'stop' };
      },
    },
  });
  town.restart({ agent, holders: named('first') });
  await town.say('do it', { root: true });
  expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  takeOver(town);
  town.dispatcher.start();
  await town.pass(3_000);
  expect(signals[0]?.aborted).toBe(true);
  await town.dispatcher.close(0);
});

test('progress forgives the holders that vanished before it', async () => {
  let standing = true;
  const town = createTown({
    lines: (step) => (standing ? new Promise<never>(() => {}) : step === 0 ? [where] : 'Done.'),
    deps: { holders: named('first') },
  });
  await town.say('do it', { root: true });
  for (const name of ['second', 'third']) {
    standing = name === 'second';
    takeOver(town, name);
    town.dispatcher.start();
    await town.pass(1_000);
    expect((await town.record())?.attempts).toBe(name === 'second' ? 1 : 0);
  }
  await town.dispatcher.close(0);
});

test('a message is known again by its age, however many came after it, and forgotten when Slack has long stopped', async () => {
  const town = createTown({ lines: ['Done.', 'Done.'] });
  const first = town.message('do it', { root: true });
  await town.dispatcher.receive(first);
  await town.pass();
  for (let i = 0; i < 60; i++) await town.dispatcher.receive(town.message(`beside ${i}`, { by: bob, mention: false }));
  expect(await town.dispatcher.receive(first)).toEqual({ status: 'duplicate' });
  await town.clock.advance(3 * 3_600_000);
  await town.dispatcher.receive(town.message('much later', { by: bob, mention: false }));
  expect((await town.record())?.seen).toHaveLength(1);
});

test('a question’s time counts from its card, also of a card that is found later', async () => {
  const town = createTown({ lines: [[where]] });
  slowCard(town);
  await town.say('do it', { root: true });
  await town.pass(40_000);
  takeOver(town);
  town.dispatcher.start();
  await town.pass(1_000);
  const { ts } = town.card('Where?');
  expect((await town.record())?.questions[0]).toMatchObject({
    sending: { state: 'posted', ts },
    shownAt: Number(ts) * 1_000,
  });
  await town.dispatcher.close(0);
});

test('who posted and then lost the lease still says where: of two cards one stays', async () => {
  const town = createTown({ lines: [[where]], lag: 60_000 });
  const { arrive } = slowCard(town);
  await town.say('do it', { root: true });
  takeOver(town);
  town.dispatcher.start();
  await town.pass(10_000);
  expect(town.slack.standing('card')).toHaveLength(2);
  arrive();
  await town.pass(3_000);
  expect(town.slack.standing('card')).toHaveLength(1);
  await town.dispatcher.close(0);
});

test('a request to Slack is given up within a third of a lease', () => {
  expect(REQUEST_TIMEOUT * 3).toBeLessThanOrEqual(LEASE);
});

/** The store, to one process: what records the end of the agent's turn goes wrong. */
function withoutEnds({ records }: Town, wrong: () => Promise<never>): Partial<Town> {
  return {
    records: {
      ...records,
      swap: (key, previous, next, due) =>
        next?.run?.phase.name === 'ending' ? wrong() : records.swap(key, previous, next, due),
    },
  };
}

test('what is said when the agent is done and nobody has recorded it was not read, and the next run reads it', async () => {
  const town = createTown({ lines: (_, said) => (said.some(({ role }) => role === 'tool') ? 'Done.' : [where]) });
  town.restart({ ...withoutEnds(town, () => new Promise(() => {})), holders: named('first') });
  await town.say('do it', { root: true });
  await town.say('mind the queue', { by: bob, mention: false });
  await town.click('Where?', [0]);
  takeOver(town);
  await town.dispatcher.receive(town.message('not on a Friday!', { by: bob, mention: false }));
  await town.pass();
  expect(town.replies()).toEqual(['Done.']);
  const read = async () => JSON.stringify(await town.transcript());
  expect(await read()).toContain('mind the queue');
  expect(await read()).not.toContain('Friday');
  await town.say('and now?');
  expect(town.replies()).toHaveLength(2);
  expect(await read()).toContain('not on a Friday!');
  expect((await read()).split('mind the queue')).toHaveLength(2);
});

test('who writes when it was we who failed, not the agent, is read by the next run', async () => {
  const town = createTown({ lines: (step) => `Done ${step}.` });
  town.restart(withoutEnds(town, () => Promise.reject(new Error('the store is full'))));
  await town.say('do it', { root: true });
  await town.pass(120_000);
  expect((await town.record())?.run?.phase).toEqual({ name: 'failed', unsure: true });
  town.restart();
  await town.say('are you there?');
  expect(town.replies()).toHaveLength(2);
  expect(JSON.stringify(await town.transcript())).toContain('are you there?');
});

test('a record that cannot be read is told to the operator once, not at each sweep, and goes on when it is mended', async () => {
  const town = createTown();
  town.restart({ maxRuns: 0 });
  await town.say('do it', { root: true });
  let broken = true;
  const lines: string[] = [];
  const read = (key: string) => {
    if (!broken) return town.records.read(key);
    return Promise.reject(Object.assign(new Error('not JSON'), { name: 'UnreadableRecordError' }));
  };
  const error = (about: object) => void lines.push((about as { thread: string }).thread);
  town.restart({ records: { ...town.records, read }, log: { ...quiet, error } });
  await town.pass(200_000);
  expect(lines).toHaveLength(1);
  broken = false;
  await town.pass(62_000);
  expect(town.slack.standing('card')).not.toEqual([]);
});

test('a store that was away for some seconds costs some seconds, not the lease', async () => {
  let down = false;
  const town = createTown({
    lines: () => {
      down = true;
      return 'Done.';
    },
  });
  const away = <T>(work: () => Promise<T>) => (down ? Promise.reject(new Error('no connection')) : work());
  const { records } = town;
  town.restart({
    records: {
      ...records,
      read: (key) => away(() => records.read(key)),
      swap: (...swap) => away(() => records.swap(...swap)),
    },
  });
  await town.say('do it', { root: true });
  await town.pass(5_000);
  expect(town.replies()).toEqual([]);
  down = false;
  await town.pass(10_000);
  expect(town.replies()).toEqual(['Done.']);
});

test('a card that is not found is posted again only while somebody is asked', () => {
  const sending = { state: 'sent' as const, since: 0, looks: 1, retry: { at: 0, tries: 0 } };
  const asked = { id: 'q', sending } as unknown as QuestionRecord;
  const settled = { settlement: { outcome: 'dismissed' as const }, at: 0 };
  const after = (question: QuestionRecord) =>
    notFound({ ...newThread(thread, 0), questions: [question] }, 'q', 1).questions[0]?.sending.state;
  expect(after(asked)).toBe('unsent');
  expect(after({ ...asked, settled })).toBe('dropped');
});
