import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Message } from '../../src/agent/messages.ts';
import type { Run } from '../../src/agent/run-store.ts';
import { UnreadableRecordError } from '../../src/storage/records.ts';
import { createRunStore } from '../../src/storage/run-store.ts';
import { openSqlite } from '../../src/storage/sqlite.ts';
import type { Store } from '../../src/storage/store.ts';

const user = (content: string): Message => ({ role: 'user', content });
const says = (content: string, ...calls: string[]): Message => ({
  role: 'assistant',
  content,
  toolCalls: calls.map((id) => ({ id, name: 'look', arguments: '{}' })),
});
const result = (toolCallId: string, content = 'done'): Message => ({ role: 'tool', toolCallId, content });

const run = (runId: string, more: Partial<Run> = {}): Run => ({
  v: 1,
  runId,
  holder: 'h1',
  status: 'running',
  steps: 0,
  pieces: 0,
  messages: [user('hi')],
  taken: [],
  started: [],
  questions: {},
  settled: {},
  ...more,
});

/** The store, and the bytes of keys and texts written through it. */
function counted(store: Store): Store & { written: number; writes: number } {
  const counting = Object.assign(Object.create(store), { written: 0, writes: 0 });
  counting.swap = (key: string, previous: string | undefined, next: string | undefined, due?: number) => {
    counting.writes++;
    counting.written += Buffer.byteLength(key + (next ?? ''));
    return store.swap(key, previous, next, due);
  };
  return counting;
}

let store: Store;
beforeEach(() => {
  store = openSqlite(':memory:');
});

describe('runs', () => {
  test('are created once, replaced only from what they are, and deleted with their pieces and nothing else', async () => {
    const runs = createRunStore(store);
    expect(await runs.load('r1')).toBeUndefined();
    const made = await runs.swap(undefined, run('r1'));
    expect(made).toEqual(await runs.load('r1'));
    expect(await runs.swap(undefined, run('r1'))).toBeUndefined();
    const later = await runs.swap(made, run('r1', { steps: 1 }));
    expect(later?.value.steps).toBe(1);
    expect(await runs.swap(made, run('r1', { steps: 2 }))).toBeUndefined();

    for (const id of ['r1', 'r1/x', 'r1%2Fx', 'r10']) {
      await runs.writePiece(id, 0, [user(id)]);
      await runs.writePiece(id, 1, [user(`${id} again`)]);
    }
    await runs.delete('r1');
    await runs.delete('r1');
    expect(await runs.load('r1')).toBeUndefined();
    await expect(runs.readPiece('r1', 0)).rejects.toThrow(UnreadableRecordError);
    for (const id of ['r1/x', 'r1%2Fx', 'r10']) expect(await runs.readPiece(id, 1)).toEqual([user(`${id} again`)]);
  });

  test('a piece is written once: again the same is fine, another is refused, and the first stays', async () => {
    const runs = createRunStore(store);
    await runs.writePiece('r', 0, [user('a'), says('b')]);
    await runs.writePiece('r', 0, [{ content: 'a', role: 'user' }, says('b')]);
    await expect(runs.writePiece('r', 0, [user('other')])).rejects.toThrow(/Piece 0 of run r is there with other/);
    expect(await runs.readPiece('r', 0)).toEqual([user('a'), says('b')]);
    await expect(runs.readPiece('r', 1)).rejects.toThrow(/"piece\/run\/r\/00000001" is missing/);
  });

  test('an unreadable run can be deleted, and is no absent run', async () => {
    await store.set('run/r', '{}');
    const runs = createRunStore(store);
    await expect(runs.load('r')).rejects.toThrow(UnreadableRecordError);
    await runs.delete('r');
    expect(await runs.load('r')).toBeUndefined();
  });
});

describe('transcripts', () => {
  const turn = (i: number, size = 60): Message[] => [
    user(`question ${i} ${'q'.repeat(size)}`),
    says(`answer ${i} ${'a'.repeat(size)}`),
  ];
  const everything = 10_000_000;

  test('give back all that was appended, in order, once, whatever the sizes, also through a second instance', async () => {
    const message = fc.tuple(fc.constantFrom(10, 300, 9000, 20_000), fc.integer({ min: 1, max: 12 }));
    await fc.assert(
      fc.asyncProperty(fc.array(message, { minLength: 1, maxLength: 30 }), async (appends) => {
        const fresh = openSqlite(':memory:');
        const all: Message[] = [];
        for (const [i, [size, count]] of appends.entries()) {
          const messages = Array.from({ length: count }, (_, n) => turn(i * 100 + n, size)).flat();
          all.push(...messages);
          await createRunStore(fresh).append('t', `run ${i}`, messages);
          await createRunStore(fresh).append('t', `run ${i}`, messages);
        }
        expect(await createRunStore(fresh).history('t', 100_000_000)).toEqual(all);
        await fresh.close();
      }),
      { numRuns: 15 },
    );
  });

  test('racing appends of different runs, and of the same run twice, all land once', async () => {
    const runs = [createRunStore(store), createRunStore(store)];
    const appends = Array.from({ length: 40 }, (_, i) => runs[i % 2]?.append('t', `run ${i >> 1}`, turn(i >> 1, 900)));
    await Promise.all(appends);
    const history = (await runs[0]?.history('t', everything)) ?? [];
    const questions = history.flatMap((m) => (m.role === 'user' ? m.content.split(' ')[1] : []));
    expect(questions.map(Number).toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, i) => i));
    for (const [i, m] of history.entries()) expect(m.role).toBe(i % 2 ? 'assistant' : 'user');
  });

  test.for([20, 60, 250, 1000, 4000])(
    'an append to 1,000 messages of %i characters writes at most twice the bytes of one to 10',
    async (size) => {
      const count = counted(store);
      const runs = createRunStore(count);
      const perAppend: number[] = [];
      for (let i = 0; i < 508; i++) {
        const before = count.written;
        await runs.append('t', `0190f3c2-aaaa-bbbb-cccc-${String(i).padStart(12, '0')}`, turn(i, size));
        perAppend.push(count.written - before);
      }
      const mean = (from: number, to: number) => perAppend.slice(from, to).reduce((a, b) => a + b) / (to - from);
      // Around ten messages, and over a whole cycle of filling and sealing around a thousand.
      expect(mean(492, 508)).toBeLessThanOrEqual(2 * mean(4, 6));
      expect(count.writes / 508).toBeLessThan(1.6);
    },
  );

  test('history reads no more of a long thread than what it gives', async () => {
    const runs = createRunStore(store);
    for (let i = 0; i < 200; i++) await runs.append('t', `run ${i}`, turn(i, 500));
    let reads = 0;
    const counting = Object.assign(Object.create(store), { get: (key: string) => ++reads && store.get(key) });
    const history = await createRunStore(counting).history('t', 20_000);
    expect(history.at(-1)).toEqual(turn(199, 500)[1]);
    expect(JSON.stringify(history).length).toBeGreaterThan(15_000);
    expect(reads).toBeLessThan(6);
  });

  test.for([
    ['nothing', [], 1000, []],
    ['all of it when it fits', [user('a'), says('b')], 1000, [user('a'), says('b')]],
    ['nothing when not even the last exchange fits', [user('a'), says('x'.repeat(500))], 300, []],
    ['no answer without its question', [user('x'.repeat(500)), says('b')], 300, []],
    ['only whole exchanges', [user('a'), says('x'.repeat(500)), user('c'), says('d')], 300, [user('c'), says('d')]],
    [
      'no result without its call, also with a message in between',
      [user('a'), says('x'.repeat(500), 'c1'), user('wait'), result('c1'), user('b'), says('c')],
      350,
      [user('b'), says('c')],
    ],
  ] as const)('history gives %s', async ([, messages, maxChars, expected]) => {
    const runs = createRunStore(store);
    await runs.append('t', 'r', [...messages]);
    expect(await runs.history('t', maxChars)).toEqual(expected);
  });

  test('history is the longest end that fits, begins with a user message, and parts no call from its result', async () => {
    const step = fc.oneof(
      fc.string({ maxLength: 40 }).map((s) => [user(s)]),
      fc.string({ maxLength: 40 }).map((s) => [says(s)]),
      fc
        .tuple(fc.nat(5), fc.boolean())
        .map(([id, late]) => [says('', `c${id}`), ...(late ? [user('x')] : []), result(`c${id}`)]),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 30 }),
        fc.integer({ min: 0, max: 2500 }),
        async (steps, maxChars) => {
          const all = steps.flat();
          const fresh = openSqlite(':memory:');
          const runs = createRunStore(fresh);
          for (const [i, messages] of steps.entries()) await runs.append('t', `r${i}`, messages);
          const fits = (start: number) => {
            const end = all.slice(start);
            const sound = end.every((m, i) => {
              if (m.role !== 'tool') return true;
              const calls = (n: Message) => n.role === 'assistant' && n.toolCalls.some(({ id }) => id === m.toolCallId);
              return end.slice(0, i).some(calls);
            });
            return (
              end.reduce((sum, m) => sum + JSON.stringify(m).length, 0) <= maxChars && sound && end[0]?.role === 'user'
            );
          };
          const start = all.findIndex((_, i) => fits(i));
          const got = await runs.history('t', maxChars);
          expect(got).toEqual(start === -1 ? [] : all.slice(start));
          await fresh.close();
        },
      ),
      { numRuns: 100 },
    );
  });

  test('forgetThread deletes all of the thread and nothing of others with like names', async () => {
    const runs = createRunStore(store);
    const threads = ['T:C:1', 'T:C:1/2', 'T:C:1%2F2', 'T:C:10', 'T:C:%'];
    for (const thread of threads) for (let i = 0; i < 40; i++) await runs.append(thread, `run ${i}`, turn(i, 400));
    await runs.writePiece('T:C:1', 0, [user('of a run')]);
    const before = await Promise.all(threads.map((thread) => runs.history(thread, everything)));
    await runs.forgetThread('T:C:1');
    await runs.forgetThread('T:C:1');
    const after = await Promise.all(threads.map((thread) => runs.history(thread, everything)));
    expect(after).toEqual([[], ...before.slice(1)]);
    expect(await runs.readPiece('T:C:1', 0)).toEqual([user('of a run')]);
    expect((await store.list('', undefined, 9999)).filter((key) => /^piece.*\/T:C:1\//.test(key))).toEqual([
      'piece/run/T:C:1/00000000',
    ]);
  });

  test('a piece that is damaged or gone is an error that names it, not a shorter history', async () => {
    const runs = createRunStore(store);
    for (let i = 0; i < 40; i++) await runs.append('t', `run ${i}`, turn(i, 400));
    const [piece] = await store.list('piece/', undefined, 1);
    const key = String(piece);
    for (const damage of [() => store.set(key, '{"value":{}}'), () => store.delete(key)]) {
      await damage();
      await expect(runs.history('t', everything)).rejects.toThrow(key);
      expect((await runs.history('t', 3000)).length).toBeGreaterThan(0);
    }
  });
});
