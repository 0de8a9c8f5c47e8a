import { expect, test } from 'vitest';
import type { AtomicRecords, Messenger, ThreadId } from '../../src/thread/ports.ts';
import type { ThreadRecord } from '../../src/thread/thread.ts';
import { ask, type Line } from './story.ts';
import { ann, createTown, quiet, thread } from './town.ts';

const where: Line[] = [[ask('Where?', ['staging', 'production'])], 'Deployed.'];

/** The store fails at the given swaps and reads, counted from 0: `before` it is done, or after. */
function failing(
  records: AtomicRecords<ThreadRecord>,
  swaps: Map<number, 'before' | 'after'>,
  reads = new Set<number>(),
) {
  let swap = 0;
  let read = 0;
  return {
    ...records,
    async read(key) {
      if (reads.has(read++)) throw new Error('the store is down');
      return records.read(key);
    },
    async swap(key, previous, next, due) {
      const fails = swaps.get(swap++);
      if (fails === 'before') throw new Error('the store is down');
      const done = await records.swap(key, previous, next, due);
      if (fails === 'after') throw new Error('the store is down');
      return done;
    },
  } satisfies AtomicRecords<ThreadRecord>;
}

test.each(['before', 'after'] as const)(
  'a swap that throws %s it lands is decided by reading, at every write of a story',
  async (when) => {
    for (let index = 0; index < 10; index++) {
      const town = createTown({ lines: where });
      town.restart({ records: failing(town.records, new Map([[index, when]])) });
      const received = town.dispatcher.receive(town.message('deploy it'));
      await town.pass(3_000);
      expect(await received).toEqual({ status: 'accepted' });
      const { id, ts: cardTs } = town.card('Where?');
      const answered = town.dispatcher.answer({ thread, question: id, by: ann, given: { kind: 'skip' }, cardTs });
      await town.pass(10_000);
      expect(await answered).toMatchObject({ status: 'accepted' });
      expect(town.replies()).toEqual(['Deployed.']);
      expect(town.slack.standing('card')).toHaveLength(1);
      expect((await town.record())?.lease).toBeUndefined();
    }
  },
);

test('a store that stays down throws: the message is not taken, and taken when it comes again', async () => {
  const town = createTown({ lines: where });
  const down = new Set([0, 1, 2]);
  town.restart({ records: failing(town.records, new Map(), down) });
  const message = town.message('deploy it');
  const refused = expect(town.dispatcher.receive(message)).rejects.toThrow('the store is down');
  await town.pass();
  await refused;
  const received = town.dispatcher.receive(message);
  await town.pass();
  expect(await received).toEqual({ status: 'accepted' });
});

test('a record that cannot be read is reported, and the others are worked on', async () => {
  const town = createTown({ lines: ['Hello.'], deps: { maxRuns: 0 } });
  const threads = ['T1:C1:1.0', 'T1:C1:2.0', 'T1:C1:3.0'] as ThreadId[];
  for (const at of threads) await town.dispatcher.receive(town.message('hi', { thread: at }));
  town.records.rows.set('T1:C1:1.0', { raw: '{"v":2}', due: 0 });
  const errors: object[] = [];
  town.restart({ maxRuns: 10, log: { ...quiet, error: (fields: object) => errors.push(fields) } });
  await town.pass(5_000);
  expect(town.slack.standing('reply').map((m) => m.thread)).toEqual(threads.slice(1));
  expect(errors).toMatchObject([{ thread: 'T1:C1:1.0' }]);
  expect(town.records.rows.get('T1:C1:1.0')?.raw).toBe('{"v":2}');
});

test('beyond its runs a process delivers and leaves the work due, for itself or another', async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const town = createTown({
    lines: async (_, messages) => {
      if (messages.at(-1)?.content === 'slow') await held;
      return 'Hello.';
    },
    deps: { maxRuns: 1 },
  });
  await town.say('slow');
  await town.say('quick', { thread: 'T1:C1:2.0' as ThreadId });
  expect(town.replies()).toEqual([]);
  const other = town.open();
  void other.sweep();
  await town.pass();
  expect(town.slack.standing('reply').map((m) => m.thread)).toEqual(['T1:C1:2.0']);
  release();
  await town.pass();
  expect(town.replies()).toHaveLength(2);
});

test('a run that works for longer than the lease is not taken over; one whose process died is, and the third time it ends', async () => {
  const town = createTown({ lines: () => new Promise(() => {}) });
  await town.say('think');
  const { lease } = (await town.record()) ?? {};
  const other = town.open();
  for (let i = 0; i < 30; i++) {
    await town.pass(3_000);
    void other.sweep();
  }
  expect((await town.record())?.lease?.token).toBe(lease?.token);

  const lonely = createTown({ lines: () => new Promise(() => {}) });
  const mortal = () => {
    const born = { alive: true };
    const never = () => new Promise<never>(() => {});
    lonely.restart({
      records: {
        ...lonely.records,
        read: (key) => (born.alive ? lonely.records.read(key) : never()),
        swap: (...args) => (born.alive ? lonely.records.swap(...args) : never()),
      },
    });
    return born;
  };
  let process = mortal();
  await lonely.say('think');
  for (let i = 0; i < 3; i++) {
    expect((await lonely.record())?.attempts).toBe(i);
    process.alive = false;
    process = mortal();
    await lonely.pass(35_000);
  }
  expect(lonely.slack.standing('failure').map((m) => m.post)).toMatchObject([
    { message: expect.stringContaining('gave up') },
  ]);
  expect((await lonely.record())?.run).toBeUndefined();
});

test('a shutdown gives back at its deadline what hangs in a call, and what comes of the call is still a fact', async () => {
  const town = createTown({ lines: ['Hello.'] });
  const answer = Promise.withResolvers<void>();
  const post = async (...args: Parameters<Messenger['post']>) => {
    const delivery = await town.slack.post(...args);
    await answer.promise;
    return delivery;
  };
  town.restart({ messenger: { ...town.slack, post } });
  await town.say('hi');
  let closed = false;
  void town.dispatcher.close(5_000).then(() => {
    closed = true;
  });
  await town.clock.advance(5_000);
  expect((await town.record())?.lease).toBeDefined();
  await town.clock.advance(1_000);
  expect(closed).toBe(true);
  expect((await town.record())?.lease).toBeUndefined();
  answer.resolve();
  await town.clock.advance(1_000);
  expect((await town.record())?.delivered).toHaveLength(1);
  town.restart();
  await town.pass(10_000);
  expect(town.replies()).toEqual(['Hello.']);
  expect((await town.record())?.run).toBeUndefined();
});

test('a shutdown takes nothing new, gives back what waits for the model, and another process goes on at once', async () => {
  let calls = 0;
  const town = createTown({ lines: () => (++calls === 1 ? new Promise(() => {}) : 'Hello.') });
  await town.say('hi');
  let closed = false;
  void town.dispatcher.close(5_000).then(() => {
    closed = true;
  });
  await town.clock.advance(1_000);
  expect(closed).toBe(false);
  await town.clock.advance(5_000);
  expect(closed).toBe(true);
  const record = await town.record();
  expect(record?.lease).toBeUndefined();
  expect(record?.run?.phase.name).toBe('working');
  expect(await town.dispatcher.receive(town.message('more'))).toEqual({ status: 'accepted' });
  await town.clock.advance(1_000);
  expect(town.replies()).toEqual([]);
  town.restart();
  await town.pass(1_000);
  expect(town.replies()).toEqual(['Hello.', 'Hello.']);
  expect((await town.record())?.attempts).toBe(0);
});
