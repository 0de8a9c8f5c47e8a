/** What every store must do. A backend's test file registers it with a way to open two or more stores on the same data. */
import fc from 'fast-check';
import { Keyv } from 'keyv';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createKeyv } from '../../src/storage/keyv.ts';
import { padded, piecesOf } from '../../src/storage/pieces.ts';
import { createRecords } from '../../src/storage/records.ts';
import { createRunStore } from '../../src/storage/run-store.ts';
import type { Store } from '../../src/storage/store.ts';
import { personRecordSchema } from '../../src/thread/home-index.ts';
import type { DueKey } from '../../src/thread/ports.ts';
import { threadKind } from '../../src/thread/thread.ts';

/** Each `open` is another instance on the same data. */
export type Place = { open: () => Promise<Store>; remove?: () => void };

/** Letters of two, three and four UTF-8 bytes, a right-to-left one, and what LIKE, GLOB and globbing would take for wildcards. */
const unicode = 'é € 😀 א % _ * ? [a] \\ \' " \u{10ffff}';

const byBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

async function pages<T>(next: (after: T | undefined) => Promise<T[]>): Promise<T[]> {
  const all: T[] = [];
  for (let page = await next(undefined); page.length > 0; page = await next(all.at(-1))) all.push(...page);
  return all;
}

export function describeStore(name: string, makePlace: () => Promise<Place>): void {
  describe(`${name} as a store`, () => {
    let place: Place;
    let a: Store;
    let b: Store;

    beforeAll(async () => {
      place = await makePlace();
      [a, b] = await Promise.all([place.open(), place.open()]);
    });
    afterAll(async () => {
      await Promise.all([a?.close(), b?.close()]);
      place?.remove?.();
    });
    beforeEach(() => a.clear());

    type Kind = [kind: string, key: string, read: (store: Store) => Promise<unknown>, knows?: number];
    const kinds: Kind[] = [
      ['thread', 'thread/k', (s) => createRecords(s, threadKind).read('k'), 2],
      [
        'person',
        'person/k',
        (s) => createRecords(s, { kind: 'person', schema: personRecordSchema, version: 1 }).read('k'),
      ],
      ['run', 'run/k', (s) => createRunStore(s).load('k')],
      ['piece', `piece/${piecesOf('run', 'k')}${padded(0)}`, (s) => createRunStore(s).readPiece('k', 0)],
      ['transcript', 'transcript/k', (s) => createRunStore(s).history('k', 1_000)],
    ];
    test.for(kinds)('a %s of a later version is refused, and left as it is', async ([kind, key, read, knows = 1]) => {
      const later = JSON.stringify({ value: { v: knows + 1, whatever: 'comes' } });
      await a.swap(key, undefined, later);
      await expect(read(b)).rejects.toThrow(
        new RegExp(`${kind} version ${knows + 1}, this one knows ${knows}.*Run the later version`),
      );
      expect(await b.get(key)).toBe(later);
    });

    describe('swap', () => {
      test('creates once among 20 racers on two instances', async () => {
        for (let round = 0; round < 5; round++) {
          const racers = Array.from({ length: 20 }, (_, i) =>
            (i % 2 ? a : b).swap(`race/${round}`, undefined, `"${i}"`),
          );
          const outcomes = await Promise.all(racers);
          expect(outcomes.filter(Boolean)).toHaveLength(1);
          expect(await a.get(`race/${round}`)).toBe(`"${outcomes.indexOf(true)}"`);
        }
      });

      test('replaces once among 20 racers on two instances', async () => {
        await a.swap('k', undefined, '0');
        for (let round = 0; round < 5; round++) {
          const previous = await a.get<string>('k');
          const racers = Array.from({ length: 20 }, (_, i) =>
            (i % 2 ? a : b).swap('k', String(previous), `"${round}.${i}"`),
          );
          const outcomes = await Promise.all(racers);
          expect(outcomes.filter(Boolean)).toHaveLength(1);
          expect(await b.get('k')).toBe(`"${round}.${outcomes.indexOf(true)}"`);
        }
      });

      test('loses no increment of 200 through two instances', async () => {
        await a.set('n', '0');
        const increment = async (store: Store) => {
          for (;;) {
            const n = (await store.get<string>('n')) as string;
            if (await store.swap('n', n, String(Number(n) + 1))) return;
          }
        };
        const worker = async (store: Store) => {
          for (let i = 0; i < 50; i++) await increment(store);
        };
        await Promise.all([worker(a), worker(b), worker(a), worker(b)]);
        expect(await a.get('n')).toBe('200');
      });

      test('decides each write of one tick by itself, in their order', async () => {
        const outcomes = await Promise.all([
          a.swap('k', undefined, '1'),
          a.swap('k', undefined, '2'),
          a.swap('k', '1', '3'),
          a.swap('k', '1', '4'),
          a.swap('other', '1', '5'),
          a.swap('k', '3', undefined),
          a.swap('k', undefined, '6'),
        ]);
        // Only SQLite and Redis have one line; through a pool the order is not given, but never more than one wins.
        if (name !== 'Postgres') expect(outcomes).toEqual([true, false, true, false, false, true, true]);
        expect(outcomes[4]).toBe(false);
        expect(outcomes.filter(Boolean).length).toBeGreaterThan(0);
      });

      test.for([
        ['empty text', ''],
        ['unicode', unicode],
        ['what looks like a pattern or a quote', "%' OR 1=1 --"],
        ['line ends', 'a\r\nb\n\rc\t '],
        ['1 MB', JSON.stringify({ value: 'x€'.repeat(350_000) })],
      ] as const)('compares and keeps %s exactly', async ([, text]) => {
        expect(await a.swap('k', undefined, text)).toBe(true);
        expect(await b.get('k')).toBe(text);
        expect(await b.swap('k', `${text} `, 'other')).toBe(false);
        expect(await b.swap('k', text, `${text}!`)).toBe(true);
        expect(await a.get('k')).toBe(`${text}!`);
      });

      test('does not take case, composition or trailing space for equality', async () => {
        await a.set('k', 'é');
        for (const other of ['É', 'e\u0301', 'é ', '']) expect(await a.swap('k', other, 'x'), other).toBe(false);
      });

      test('deletes only what is expected, and of nothing there is nothing to delete', async () => {
        await a.swap('k', undefined, '1', 5);
        expect(await a.swap('k', '2', undefined)).toBe(false);
        expect(await a.swap('k', '1', undefined)).toBe(true);
        expect(await a.swap('k', '1', undefined)).toBe(false);
        expect(await a.get('k')).toBeUndefined();
        expect(await a.due(10, undefined, 10)).toEqual([]);
        expect(await a.list('', undefined, 10)).toEqual([]);
      });

      test('keeps keys of 1 to 500 characters apart', async () => {
        const keys = ['k', 'K', 'k ', unicode, '€'.repeat(500), 'x'.repeat(499), 'x'.repeat(500)];
        for (const [i, key] of keys.entries()) expect(await a.swap(key, undefined, `${i}`, 1)).toBe(true);
        for (const [i, key] of keys.entries()) expect(await b.get(key)).toBe(`${i}`);
        expect(await a.list('', undefined, 100)).toEqual(keys.toSorted(byBytes));
      });

      test.for([
        ['an empty key', '', '1', undefined],
        ['a key of 501 characters', 'x'.repeat(501), '1', undefined],
        ['a key with NUL', 'a\0b', '1', undefined],
        ['a key with half a surrogate pair', 'a\ud83d', '1', undefined],
        ['a text with NUL', 'k', '\0', undefined],
        ['a text with half a surrogate pair', 'k', '\udc00', undefined],
        ['a fractional due', 'k', '1', 1.5],
        ['a negative due', 'k', '1', -1],
        ['a due that is no number', 'k', '1', Number.NaN],
        ['an infinite due', 'k', '1', Number.POSITIVE_INFINITY],
      ] as const)('refuses %s, and stores nothing', async ([, key, text, due]) => {
        await expect(a.swap(key, undefined, text, due)).rejects.toThrow(RangeError);
        expect(await a.list('', undefined, 10)).toEqual([]);
      });

      test('refuses to swap nothing by nothing, and a value that is no text', async () => {
        await expect(a.swap('k', undefined, undefined)).rejects.toThrow(RangeError);
        await expect(a.swap('k', undefined, { a: 1 } as unknown as string)).rejects.toThrow(TypeError);
      });
    });

    describe('due', () => {
      test('lists what is due at a time, earliest first, with its exact time', async () => {
        const far = Number.MAX_SAFE_INTEGER;
        const times: [string, number | undefined][] = [
          ['late', 3000],
          ['first', 0],
          ['never', undefined],
          ['far', far],
          ['now', 2000],
          ['soon', 2001],
        ];
        for (const [key, due] of times) await a.swap(key, undefined, '1', due);
        expect(await b.due(2000, undefined, 10)).toEqual([
          { key: 'first', due: 0 },
          { key: 'now', due: 2000 },
        ]);
        expect((await b.due(far, undefined, 10)).map(({ key }) => key)).toEqual([
          'first',
          'now',
          'soon',
          'late',
          'far',
        ]);
        expect((await b.due(far, undefined, 10)).at(-1)).toEqual({ key: 'far', due: far });
      });

      test('follows each write: a new time, none, a plain set, a delete', async () => {
        await a.swap('k', undefined, '1', 10);
        await a.swap('k', '1', '2', 20);
        expect(await a.due(100, undefined, 10)).toEqual([{ key: 'k', due: 20 }]);
        await a.swap('k', '2', '3', 20);
        expect(await a.due(100, undefined, 10)).toEqual([{ key: 'k', due: 20 }]);
        await a.swap('k', '3', '4');
        expect(await a.due(100, undefined, 10)).toEqual([]);
        await a.swap('k', '4', '5', 30);
        await a.set('k', '6');
        expect(await a.due(100, undefined, 10)).toEqual([]);
        await a.swap('k', '6', '7', 40);
        await a.delete('k');
        expect(await a.due(100, undefined, 10)).toEqual([]);
      });

      test('a swap that loses changes no time', async () => {
        await a.swap('k', undefined, '1', 10);
        await a.swap('k', 'not it', '2', 20);
        await a.swap('k', undefined, '2');
        expect(await a.due(100, undefined, 10)).toEqual([{ key: 'k', due: 10 }]);
      });

      test('pages through equal times without skipping or starving any, also while keys leave and come', async () => {
        const keys = Array.from({ length: 53 }, (_, i) => `${i % 3 ? 'é' : 'z'} ${i}`);
        await Promise.all(keys.map((key, i) => a.swap(key, undefined, '1', i < 40 ? 1000 : 500)));
        const all = await pages<DueKey>((after) => b.due(1000, after, 7));
        const expected = keys
          .map((key, i) => ({ key, due: i < 40 ? 1000 : 500 }))
          .toSorted((x, y) => x.due - y.due || byBytes(x.key, y.key));
        expect(all).toEqual(expected);
        // The place is a place, not a row: its record may be gone.
        const seen: string[] = [];
        for (let after: DueKey | undefined; ; ) {
          const page = await a.due(1000, after, 7);
          for (const { key } of page) await a.swap(key, '1', '2', 5000);
          seen.push(...page.map(({ key }) => key));
          after = page.at(-1);
          if (!after) break;
        }
        expect(seen).toEqual(expected.map(({ key }) => key));
      });

      test('refuses a time that is not whole, and gives nothing for a limit of 0', async () => {
        await a.swap('k', undefined, '1', 1);
        await expect(a.due(1.5, undefined, 1)).rejects.toThrow(RangeError);
        await expect(a.due(1, undefined, -1)).rejects.toThrow(RangeError);
        expect(await a.due(1, undefined, 0)).toEqual([]);
      });
    });

    describe('list', () => {
      test('lists a prefix literally, whatever is in it', async () => {
        const prefixes = [
          'a',
          'a%',
          'a_',
          'a*',
          'a[',
          'a]',
          'a?',
          'a\\',
          'a€',
          'a😀',
          'a\u{10ffff}',
          'a/',
          'a\ud7ff',
          '\u{10ffff}',
          'b',
        ];
        const keys = prefixes.flatMap((prefix) => [prefix, `${prefix}/1`, `${prefix}b`]);
        const unique = [...new Set(keys)].toSorted(byBytes);
        await Promise.all(unique.map((key) => a.set(key, '1')));
        for (const prefix of ['', ...prefixes, 'c', 'a%/'])
          expect(await b.list(prefix, undefined, 1000), prefix).toEqual(unique.filter((key) => key.startsWith(prefix)));
      });

      test('pages give each key once, and begin after a key that is gone or outside', async () => {
        const keys = Array.from({ length: 25 }, (_, i) => `p/${String.fromCodePoint(0x1f600 + i)}`);
        await Promise.all(['o', 'p', 'q', ...keys].map((key) => a.set(key, '1')));
        expect(await pages<string>((after) => b.list('p/', after, 4))).toEqual(keys);
        await a.delete(keys[3] as string);
        expect(await a.list('p/', keys[3], 2)).toEqual(keys.slice(4, 6));
        expect(await a.list('p/', 'a', 2)).toEqual(keys.slice(0, 2));
        expect(await a.list('p/', 'q', 2)).toEqual([]);
        await a.set('p/\u0001', '1');
        expect(await pages<string>((after) => b.list('p', after, 1))).toEqual([
          'p',
          'p/\u0001',
          ...keys.toSpliced(3, 1),
        ]);
        expect(await a.list('p/', undefined, 0)).toEqual([]);
      });
    });

    test('behaves as a map with times, whatever is done to it', async () => {
      const key = fc.constantFrom('a', 'a/b', 'a%', 'é', '😀');
      const text = fc.constantFrom('1', '2', unicode);
      const due = fc.option(fc.integer({ min: 0, max: 9 }), { nil: undefined });
      const step = fc.oneof(
        fc.record({ kind: fc.constant('swap' as const), key, previous: fc.option(text), next: fc.option(text), due }),
        fc.record({ kind: fc.constant('set' as const), key, text }),
        fc.record({ kind: fc.constant('delete' as const), key }),
      );
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 25 }), fc.integer({ min: 0, max: 9 }), async (steps, now) => {
          await a.clear();
          const model = new Map<string, { text: string; due: number | undefined }>();
          for (const s of steps) {
            const stored = model.get(s.key)?.text;
            if (s.kind === 'set') {
              expect(await a.set(s.key, s.text)).toBe(true);
              model.set(s.key, { text: s.text, due: undefined });
            } else if (s.kind === 'delete') {
              expect(await b.delete(s.key)).toBe(stored !== undefined);
              model.delete(s.key);
            } else if (s.previous !== null || s.next !== null) {
              const previous = s.previous ?? undefined;
              expect(await b.swap(s.key, previous, s.next ?? undefined, s.due)).toBe(stored === previous);
              if (stored === previous && s.next === null) model.delete(s.key);
              else if (stored === previous) model.set(s.key, { text: s.next as string, due: s.due });
            }
          }
          const keys = [...model.keys()].toSorted(byBytes);
          expect(await a.list('', undefined, 100)).toEqual(keys);
          expect(await b.getMany?.(keys)).toEqual(keys.map((k) => model.get(k)?.text));
          const dueNow = keys
            .filter((k) => (model.get(k)?.due ?? 10) <= now)
            .map((k) => ({ key: k, due: model.get(k)?.due }));
          expect(await a.due(now, undefined, 100)).toEqual(dueNow.toSorted((x, y) => Number(x.due) - Number(y.due)));
        }),
        { numRuns: 30 },
      );
    });

    describe('as a Keyv adapter', () => {
      test('serves a strict Keyv, whose text is that of a swap', async () => {
        const keyv = createKeyv(a);
        expect(await keyv.set('k', { a: [1, null, 'é'] })).toBe(true);
        expect(await a.get('k')).toBe('{"value":{"a":[1,null,"é"]}}');
        expect(await a.swap('k', '{"value":{"a":[1,null,"é"]}}', '{"value":2}')).toBe(true);
        expect(await keyv.get('k')).toBe(2);
        expect(await keyv.has('k')).toBe(true);
        expect(await keyv.get(['k', 'no'])).toEqual([2, undefined]);
        expect(await keyv.hasMany(['k', 'no'])).toEqual([true, false]);
        expect(await keyv.delete('k')).toBe(true);
        expect(await keyv.delete('k')).toBe(false);
        expect(await keyv.get('k')).toBeUndefined();
      });

      test('iterates over everything, and clears it', async () => {
        const keyv = createKeyv(a);
        const keys = Array.from({ length: 520 }, (_, i) => `k${String(i).padStart(3, '0')}`);
        expect(await keyv.setMany(keys.map((key) => ({ key, value: key })))).toEqual(keys.map(() => true));
        const found: [string, string][] = [];
        for await (const entry of keyv.iterator?.(undefined) ?? []) found.push(entry);
        expect(found).toEqual(keys.map((key) => [key, key]));
        expect(await keyv.delete(keys.slice(0, 3))).toBe(true);
        expect(await a.list('', undefined, 1)).toEqual(['k003']);
        await keyv.clear();
        expect(await a.list('', undefined, 1)).toEqual([]);
      });

      test('refuses a time to live, with which a record could vanish', async () => {
        await expect(createKeyv(a).set('k', 1, 1000)).rejects.toThrow(/ttl/);
        await expect(new Keyv({ store: a, ttl: 5, throwOnErrors: true }).set('k', 1)).rejects.toThrow(/ttl/);
        expect(await a.list('', undefined, 1)).toEqual([]);
      });
    });

    test('probe writes and reads', async () => {
      await Promise.all([a.probe(), b.probe(), a.probe()]);
    });

    test('what is stored is there after a reopening, with its time', async () => {
      const first = await place.open();
      await first.swap('kept', undefined, unicode, 7);
      await first.close();
      const again = await place.open();
      expect(await again.get('kept')).toBe(unicode);
      expect(await again.due(7, undefined, 10)).toEqual([{ key: 'kept', due: 7 }]);
      await again.close();
    });

    test('a closed store rejects every call, saves what was on its way, and closes twice', async () => {
      const store = await place.open();
      const onItsWay = [store.swap('w1', undefined, '1'), store.set('w2', '2')];
      await Promise.all([store.close(), store.close()]);
      expect(await Promise.all(onItsWay)).toEqual([true, true]);
      expect(await a.getMany?.(['w1', 'w2'])).toEqual(['1', '2']);
      const calls = {
        get: () => store.get('k'),
        getMany: () => store.getMany?.(['k']),
        has: () => store.has?.('k'),
        set: () => store.set('k', '1'),
        delete: () => store.delete('k'),
        clear: () => store.clear(),
        swap: () => store.swap('k', undefined, '1'),
        due: () => store.due(1, undefined, 1),
        list: () => store.list('', undefined, 1),
        probe: () => store.probe(),
      };
      for (const [method, call] of Object.entries(calls)) await expect(call(), method).rejects.toThrow(/closed/);
    });
  });
}
