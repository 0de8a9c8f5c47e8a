import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { runSchema } from '../../src/agent/run-store.ts';
import { createKeyv } from '../../src/storage/keyv.ts';
import { createRecords, UnreadableRecordError } from '../../src/storage/records.ts';
import { openSqlite } from '../../src/storage/sqlite.ts';
import type { Store } from '../../src/storage/store.ts';
import type { DueKey, ThreadId } from '../../src/thread/ports.ts';
import { newThread, threadKind } from '../../src/thread/thread.ts';

const schema = z.object({ v: z.literal(2), n: z.number(), note: z.string().optional() });
const options = { kind: 'thing', schema, version: 2 };

let store: Store;
beforeAll(() => {
  store = openSqlite(':memory:');
});
afterAll(() => store.close());
beforeEach(() => store.clear());

describe('createRecords', () => {
  test('stores what Keyv stores, under the kind, and gives the key back without it', async () => {
    const things = createRecords(store, options);
    const made = await things.swap('T1:C%:1', undefined, { v: 2, n: 1 }, 7);
    expect(made).toEqual({ value: { v: 2, n: 1 }, raw: '{"value":{"v":2,"n":1}}' });
    expect(await createKeyv(store).get('thing/T1:C%:1')).toEqual({ v: 2, n: 1 });
    expect(await things.read('T1:C%:1')).toEqual(made);
    expect(await things.due(7, undefined, 9)).toEqual([{ key: 'T1:C%:1', due: 7 }]);
    expect(await things.list('T1:', undefined, 9)).toEqual(['T1:C%:1']);
    await createKeyv(store).set('thing/by keyv', { v: 2, n: 5 });
    expect((await things.read('by keyv'))?.value).toEqual({ v: 2, n: 5 });
  });

  test('a swap from a state that is gone is false, else what is stored now; a delete is true', async () => {
    const things = createRecords(store, options);
    const first = await things.swap('k', undefined, { v: 2, n: 1 });
    if (typeof first === 'boolean') throw new Error('not created');
    expect(await things.swap('k', undefined, { v: 2, n: 2 })).toBe(false);
    const second = await things.swap('k', first, { v: 2, n: 2 });
    expect(second).toEqual(await things.read('k'));
    expect(await things.swap('k', first, { v: 2, n: 3 })).toBe(false);
    expect(await things.swap('k', first, undefined)).toBe(false);
    expect(await things.swap('k', second as typeof first, undefined)).toBe(true);
    expect(await things.read('k')).toBeUndefined();
  });

  test('what does not fit the schema is never stored, and what the schema does not know is left out', async () => {
    const things = createRecords(store, options);
    for (const wrong of [{ v: 2 }, { v: 1, n: 1 }, { v: 2, n: Number.NaN }, { v: 2, n: '1' }, null]) {
      const swap = things.swap('k', undefined, wrong as { v: 2; n: number });
      await expect(swap, JSON.stringify(wrong)).rejects.toThrow(/stored at "thing\/k" is not a valid thing/);
    }
    expect(await store.list('', undefined, 9)).toEqual([]);
    const stored = await things.swap('k', undefined, { v: 2, n: 1, extra: true } as { v: 2; n: number });
    expect(stored).toEqual(await things.read('k'));
    expect(stored).toMatchObject({ raw: '{"value":{"v":2,"n":1}}' });
  });

  test('pages of due and list hold this kind only, whole, beside many of others', async () => {
    const things = createRecords(store, options);
    const numbers = Array.from({ length: 30 }, (_, i) => i);
    for (const i of numbers) {
      await store.swap(`other/${i}`, undefined, '1', i % 3);
      await store.swap(`thinger/${i}`, undefined, '1', i % 3);
      await things.swap(String(i).padStart(2, '0'), undefined, { v: 2, n: i }, i % 3);
    }
    const due: DueKey[] = [];
    for (let page = await things.due(2, undefined, 4); page.length > 0; page = await things.due(2, due.at(-1), 4)) {
      expect(page.length).toBeLessThanOrEqual(4);
      due.push(...page);
    }
    const expected = numbers.map((i) => ({ key: String(i).padStart(2, '0'), due: i % 3 }));
    expect(due).toEqual(expected.toSorted((a, b) => a.due - b.due || a.key.localeCompare(b.key)));
    expect(await things.list('', '27', 9)).toEqual(['28', '29']);
    expect(await things.list('1', undefined, 99)).toHaveLength(10);
  });

  test.for([
    [
      'a later version',
      '{"value":{"v":3,"n":1}}',
      /later version of Askback \(thing version 3, this one knows 2\).*Run the later version/,
    ],
    [
      'an earlier version that nothing upgrades',
      '{"value":{"v":1,"n":1}}',
      /has version 1, which this version of Askback cannot read/,
    ],
    ['no JSON', '{"value":{"v":2,"n"', /is not JSON/],
    ['JSON of another shape', '{"v":2,"n":1}', /has no version "v"/],
    ['a bare null', 'null', /has no version "v"/],
    ['a value that does not fit', '{"value":{"v":2,"n":"secret words"}}', /is not a valid thing: n: /],
  ] as const)('%s is an error that names the key and the way out, and stays as it is', async ([, text, words]) => {
    await store.set('thing/k', text);
    const error = await createRecords(store, options)
      .read('k')
      .catch((e) => e);
    expect(error).toBeInstanceOf(UnreadableRecordError);
    expect(error.key).toBe('thing/k');
    expect(error.message).toMatch(words);
    expect(error.message).toMatch(/"thing\/k".*It was left as it is\./);
    expect(error.message).not.toContain('secret words');
    expect(await store.get('thing/k')).toBe(text);
  });

  test('a record of the version before is upgraded when read, and a swap from it writes the new version', async () => {
    const upgrade = (record: object, from: number) => ({ ...record, v: 2, note: `was ${from}` });
    const things = createRecords(store, { ...options, upgrade });
    await store.set('thing/k', '{"value":{"v":1,"n":4}}');
    const old = await things.read('k');
    expect(old?.value).toEqual({ v: 2, n: 4, note: 'was 1' });
    expect(await things.swap('k', old, { v: 2, n: 5 })).toMatchObject({ raw: '{"value":{"v":2,"n":5}}' });
  });

  test('a thread whose question is put to others is left alone by a build that knows of none; any other is read by both', async () => {
    const threads = createRecords(store, threadKind);
    const before = createRecords(store, { ...threadKind, version: 1 });
    const record = newThread('T1:C1:1.0' as ThreadId, 0);
    await threads.swap('a', undefined, record);
    expect(await before.read('a')).toEqual(await threads.read('a'));
    await threads.swap('b', undefined, { ...record, v: 2 });
    const raw = await store.get('thread/b');
    await expect(before.read('b')).rejects.toThrow(/version 2, this one knows 1/);
    expect(await store.get('thread/b')).toBe(raw);
    expect((await threads.read('b'))?.value.v).toBe(2);
  });

  test('whatever JSON or text is at a key: a valid record, or UnreadableRecordError that names the key; untouched either way', async () => {
    const runs = createRecords(store, { kind: 'run', schema: runSchema, version: 1 });
    const nearly = fc.record({ v: fc.constantFrom(0, 1, 2), runId: fc.string(), messages: fc.array(fc.jsonValue()) });
    const text = fc
      .oneof(
        fc.string({ unit: 'binary' }).map((s) => s.replaceAll('\0', '').toWellFormed()),
        fc.json().map((s) => s.toWellFormed()),
        fc.jsonValue().map((value) => JSON.stringify({ value })),
        nearly.map((value) => JSON.stringify({ value })),
      )
      .filter((s) => !s.includes('\0') && s.isWellFormed());
    await fc.assert(
      fc.asyncProperty(text, async (raw) => {
        await store.set('run/k', raw);
        const read = await runs.read('k').catch((error) => error);
        if (!(read instanceof UnreadableRecordError)) expect(runSchema.safeParse(read.value).success).toBe(true);
        else expect(read.key).toBe('run/k');
        expect(await store.get('run/k')).toBe(raw);
      }),
      { numRuns: 300 },
    );
  });

  test('a store that fails throws, and is never read as an absent record', async () => {
    const broken = openSqlite(':memory:');
    await broken.close();
    const things = createRecords(broken, options);
    await expect(things.read('k')).rejects.toThrow(/closed/);
    await expect(things.swap('k', undefined, { v: 2, n: 1 })).rejects.toThrow(/closed/);
    await expect(things.due(1, undefined, 1)).rejects.toThrow(/closed/);
    await expect(things.list('', undefined, 1)).rejects.toThrow(/closed/);
    await expect(createKeyv(broken).get('k')).rejects.toThrow(/closed/);
    await expect(createKeyv(broken).set('k', 1)).rejects.toThrow(/closed/);
    await expect(createKeyv(broken).getMany(['k'])).rejects.toThrow(/closed/);
  });
});
