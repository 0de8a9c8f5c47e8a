/** What waits for a person over all threads: found by a small index, and true by the threads' own records. */
import { expect, test } from 'vitest';
import { ModelError } from '../../src/agent/model.ts';
import type { Person, ThreadId } from '../../src/thread/ports.ts';
import { ask, type Line } from './story.ts';
import { ann, bob, createTown, type Town, thread } from './town.ts';

const one: Line[] = [[ask('Where?', ['a', 'b'])], 'Done.'];
const down = new ModelError('rate_limited', 'The model is busy.', { retryable: true });
const anyone = { answers: 'anyone', allowGuests: false, allowExternal: false } as const;
const other = 'T1:C2:1800000000.000000' as ThreadId;

const home = (town: Town, by: Person = ann) => town.dispatcher.home('T1', by);
const waiting = async (town: Town, by?: Person) => (await home(town, by)).waiting.map((q) => q.thread);
const indexOf = (town: Town, by: Person = ann) => town.people.rows.get(`T1:${by.id}`)?.raw;

test('what waits for its person is on their Home, newest first, and on nobody else’s', async () => {
  const town = createTown({ lines: () => [ask('Where?', ['a', 'b'])] });
  expect(await home(town)).toEqual({ waiting: [], asked: [] });
  await town.say('deploy it');
  await town.say('and there', { thread: other });
  expect(await waiting(town)).toEqual([other, thread]);
  expect((await home(town)).asked).toMatchObject([
    { thread: other, state: 'asking', waits: 1 },
    { thread, state: 'asking', waits: 1 },
  ]);
  expect(await home(town, bob)).toEqual({ waiting: [], asked: [] });
  expect(await town.dispatcher.home('T2', ann)).toEqual({ waiting: [], asked: [] });
});

test('an answer is one write of the thread and none of the index; the next question of the run neither', async () => {
  const town = createTown({ lines: [[ask('Where?', ['a', 'b'])], [ask('Why?')], 'Done.'] });
  await town.say('deploy it');
  expect(town.people.writes).toBe(1);
  await town.click('Where?', [0]);
  expect((await home(town)).waiting.map((q) => q.question.question)).toEqual(['Why?']);
  expect(town.people.writes).toBe(1);
});

test('what is over is gone from Home, and from the index with the first look', async () => {
  const town = createTown({ lines: one });
  await town.say('deploy it');
  await town.click('Where?', [0]);
  expect(indexOf(town)).toBeDefined();
  expect(await home(town)).toEqual({ waiting: [], asked: [] });
  expect(indexOf(town)).toBeUndefined();
});

test('a look at what is over does not lose the run that began meanwhile', async () => {
  const town = createTown({ lines: () => [ask('Where?', ['a', 'b'])] });
  await town.say('deploy it');
  const [entry] = JSON.parse(indexOf(town) as string).runs;
  await town.say('stop');
  await town.say('again');
  const { runs } = JSON.parse(indexOf(town) as string);
  expect(runs).toEqual([{ thread, runId: expect.any(String) }]);
  expect(runs).not.toEqual([entry]);
  expect(await waiting(town)).toEqual([thread]);
});

test('a run that failed waits for its person, and one that is at work is shown as that', async () => {
  let up = () => {};
  const mended = new Promise<void>((resolve) => {
    up = resolve;
  });
  let failed = false;
  const town = createTown({
    lines: async () => {
      if (!failed) {
        failed = true;
        return down;
      }
      await mended;
      return 'Done.';
    },
  });
  await town.say('deploy it');
  const [run] = (await home(town)).asked;
  expect(run).toMatchObject({ thread, state: 'failed', waits: 0 });
  await town.dispatcher.retry(thread, run?.runId as string, ann);
  await town.pass();
  expect((await home(town)).asked).toMatchObject([{ state: 'working' }]);
  up();
  await town.pass();
  expect((await home(town)).asked).toEqual([]);
});

test('where everybody may answer, it waits for all who wrote in the thread', async () => {
  const asked = createTown({ lines: () => [ask('Where?', ['a', 'b'])], deps: { policy: anyone } });
  await asked.say('lunch?', { by: bob });
  await asked.say('stop', { by: bob });
  await asked.say('deploy it');
  expect(await waiting(asked, bob)).toEqual([thread]);
  expect((await home(asked, bob)).asked).toEqual([]);
});

test('who may not answer any more sees nothing to answer', async () => {
  const town = createTown({ lines: one });
  await town.say('deploy it');
  expect(await waiting(town, { ...ann, standing: 'guest' })).toEqual([]);
});

test('a crash between the index and the thread leaves the question on Home', async () => {
  const town = createTown({ lines: one });
  let dead = false;
  const until = <A extends unknown[], R>(call: (...args: A) => Promise<R>) => {
    return async (...args: A): Promise<R> => (dead ? new Promise<R>(() => {}) : call(...args));
  };
  const { records } = town;
  const swap = until(records.swap);
  town.restart({
    records: {
      read: until(records.read),
      due: until(records.due),
      list: until(records.list),
      swap: (key, previous, next, due) => {
        if (next?.run?.phase.name === 'asking') dead = true;
        return swap(key, previous, next, due);
      },
    },
  });
  await town.say('deploy it');
  expect(indexOf(town)).toBeDefined();
  town.restart();
  expect(await waiting(town)).toEqual([]);
  await town.pass(40_000);
  expect(await waiting(town)).toEqual([thread]);
});

test('an index that cannot be written or read keeps nobody from asking and answering', async () => {
  const town = createTown({ lines: one });
  town.people.read = () => Promise.reject(new Error('disk full'));
  await town.say('deploy it');
  await expect(home(town)).rejects.toThrow('disk full');
  await town.click('Where?', [0]);
  expect(town.replies()).toEqual(['Done.']);
});

test('a thread that cannot be read is left out, and stays in the index', async () => {
  const town = createTown({ lines: () => [ask('Where?', ['a', 'b'])] });
  await town.say('deploy it');
  await town.say('and there', { thread: other });
  const row = town.records.rows.get(thread);
  town.records.rows.set(thread, { raw: '{}', due: undefined });
  expect(await waiting(town)).toEqual([other]);
  town.records.rows.set(thread, row as never);
  expect(await waiting(town)).toEqual([other, thread]);
});

test('a hundred runs of a person are found; a thread that leaves the store leaves the index', async () => {
  const town = createTown({ lines: () => [ask('Where?', ['a', 'b'])], deps: { maxRuns: 200 } });
  const threads = Array.from({ length: 102 }, (_, n) => `T1:C${n}:1800000000.000000` as ThreadId);
  for (const of of threads) await town.dispatcher.receive(town.message('deploy', { thread: of }));
  await town.pass(20_000);
  expect((await waiting(town)).sort()).toHaveLength(100);

  const brief = createTown({ lines: one, deps: { timing: { retention: 60_000 } } });
  await brief.say('deploy it');
  await brief.click('Where?', [1]);
  expect(indexOf(brief)).toBeDefined();
  await brief.pass(120_000);
  expect(await brief.record()).toBeUndefined();
  expect(indexOf(brief)).toBeUndefined();
});
