/** A store out of a backend: the Keyv storage adapter, `swap`, `due`, `list`, and the checks that all backends share. */
import type { StoredData } from 'keyv';
import type { DueKey } from '../thread/ports.ts';
import { ANYTHING, type Backend, type Write } from './backend.ts';
import type { Store } from './store.ts';
import { reasonOf, StoreError } from './store-error.ts';

/** In UTF-16 units. Postgres could index no more than some 2,700 bytes. */
const MAX_KEY = 500;
const PAGE = 500;
const FIRST: DueKey = { key: '', due: -1 };
const PROBE_KEY = 'probe';
const PROBE_TEXT = '{"value":true}';

export function createStore(backend: Backend): Store {
  const calls = new Set<Promise<unknown>>();
  let closed = false;

  /** Runs one call on the backend; `close` waits for it. */
  async function on<T>(keys: readonly string[], work: () => Promise<T>): Promise<T> {
    if (closed) throw new StoreError('The store is closed.');
    for (const key of keys) checkKey(key);
    const call = work();
    calls.add(call);
    try {
      return await call;
    } finally {
      calls.delete(call);
    }
  }
  const read = (keys: readonly string[]) => (keys.length === 0 ? [] : on(keys, () => backend.read(keys)));
  const write = (change: Write) => on([change.key], () => backend.write(change));
  const page = (from: string, end: string | undefined, limit: number) =>
    on([], async () => (limit === 0 ? [] : backend.keys(from, end, limit)));

  const store: Store = {
    opts: { dialect: backend.dialect, url: `${backend.dialect}://` },
    // Every failure rejects the call that met it: there is no event to listen for.
    on: () => store,

    async get<Value>(key: string) {
      const [text] = await read([key]);
      return text as StoredData<Value> | undefined;
    },
    async getMany<Value>(keys: string[]) {
      return (await read(keys)) as StoredData<Value | undefined>[];
    },
    async has(key) {
      return (await store.get(key)) !== undefined;
    },
    async hasMany(keys) {
      return (await read(keys)).map((text) => text !== undefined);
    },
    async set(key, value, ttl) {
      if (ttl !== undefined)
        throw new RangeError('This store keeps records until they are deleted: a ttl could make one vanish. Set none.');
      return write({ key, expected: ANYTHING, next: checkText(value), due: undefined });
    },
    async delete(key) {
      return write({ key, expected: ANYTHING, next: undefined, due: undefined });
    },
    async deleteMany(keys) {
      return (await Promise.all(keys.map((key) => store.delete(key)))).some(Boolean);
    },
    async clear() {
      for (let keys = await page('', undefined, PAGE); keys.length > 0; keys = await page('', undefined, PAGE))
        await Promise.all(keys.map((key) => store.delete(key)));
    },
    async *iterator() {
      for (let after = ''; ; ) {
        const keys = await page(behind(after), undefined, PAGE);
        const last = keys.at(-1);
        if (last === undefined) return;
        const texts = await read(keys);
        for (const [i, key] of keys.entries()) if (texts[i] !== undefined) yield [key, texts[i]];
        after = last;
      }
    },
    async disconnect() {
      await store.close();
    },

    async swap(key, previous, next, due) {
      if (next === undefined && previous === undefined)
        throw new RangeError(`A swap of nothing by nothing at "${key}".`);
      if (previous !== undefined) checkText(previous);
      return write({
        key,
        expected: previous,
        next: next === undefined ? undefined : checkText(next),
        due: due === undefined || next === undefined ? undefined : checkTime(due),
      });
    },
    async due(now, after = FIRST, limit) {
      checkLimit(limit);
      const time = checkTime(now);
      return on([], async () => (limit === 0 ? [] : backend.due(time, after, limit)));
    },
    async list(prefix, after, limit) {
      checkLimit(limit);
      const past = after !== undefined && Buffer.compare(Buffer.from(after), Buffer.from(prefix)) >= 0;
      // The keys of a prefix stand together in the order of their bytes: a range, and no wildcard to escape.
      return page(past ? behind(after) : prefix, endOf(prefix), limit);
    },
    async probe() {
      try {
        await write({ key: PROBE_KEY, expected: ANYTHING, next: PROBE_TEXT, due: undefined });
        const [text] = await read([PROBE_KEY]);
        if (text !== PROBE_TEXT) throw new StoreError('what was written to it is not there when it is read.');
      } catch (error) {
        throw new StoreError(`The store cannot be written and read: ${reasonOf(error)}`, { cause: error });
      }
    },
    /** Ends when the calls on their way have: a backend lets none take more than a few seconds. */
    async close() {
      if (closed) return;
      closed = true;
      await Promise.allSettled(calls);
      await backend.close();
    },
  };
  return store;
}

/** The first key that could follow `key`: no key contains a NUL. */
const behind = (key: string) => `${key}\u0001`;

/** What is behind every key that begins with `prefix`: bytes of UTF-8 have the order of code points. undefined: nothing is. */
function endOf(prefix: string): string | undefined {
  const characters = [...prefix];
  for (let last = characters.pop(); last !== undefined; last = characters.pop()) {
    const point = last.codePointAt(0) ?? 0;
    if (point === 0x10ffff) continue;
    // Between the two are halves of surrogate pairs, which are no characters.
    return characters.join('') + String.fromCodePoint(point === 0xd7ff ? 0xe000 : point + 1);
  }
  return undefined;
}

function checkKey(key: string): void {
  const problem =
    key.length === 0 || key.length > MAX_KEY
      ? `has ${key.length} characters; 1 to ${MAX_KEY} are possible`
      : unstorable(key);
  if (problem) throw new RangeError(`The key "${key.slice(0, 60)}" ${problem}.`);
}

function checkText(text: unknown): string {
  if (typeof text !== 'string') throw new TypeError(`The store keeps text, not ${typeof text}: serialise it first.`);
  const problem = unstorable(text);
  if (problem) throw new RangeError(`The text "${text.slice(0, 60)}" ${problem}; JSON would escape it.`);
  return text;
}

/** What UTF-8, or Postgres, would refuse or silently change; a compare-and-set needs back exactly what it gave. */
function unstorable(text: string): string | undefined {
  if (text.includes('\0')) return 'contains a NUL character';
  return text.isWellFormed() ? undefined : 'contains half a surrogate pair';
}

function checkTime(ms: number): number {
  if (!Number.isSafeInteger(ms) || ms < 0) throw new RangeError(`${ms} is not a time in whole ms since the epoch.`);
  return ms;
}

function checkLimit(limit: number): void {
  if (!Number.isSafeInteger(limit) || limit < 0) throw new RangeError(`${limit} is not a number of keys.`);
}
