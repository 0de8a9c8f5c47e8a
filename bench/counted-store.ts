/** A store that counts what is written: every write of it is one that is synced to disk before anybody goes on. */
import type { Store } from '../src/storage/store.ts';

export type Counts = { writes: number; bytes: number; reads: number };

export function counted(store: Store): { store: Store; counts: Counts } {
  const counts: Counts = { writes: 0, bytes: 0, reads: 0 };
  const written = (text: unknown) => {
    counts.writes += 1;
    counts.bytes += typeof text === 'string' ? Buffer.byteLength(text) : 0;
  };
  const around: Store = {
    ...store,
    get(key) {
      counts.reads += 1;
      return store.get(key);
    },
    set(key, value, ttl) {
      written(value);
      return store.set(key, value, ttl);
    },
    async swap(key, previous, next, due) {
      const done = await store.swap(key, previous, next, due);
      if (done) written(next); // who came second has written nothing
      return done;
    },
    delete(key) {
      written(undefined);
      return store.delete(key);
    },
  };
  return { store: around, counts };
}
