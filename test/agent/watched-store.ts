/** A run store that counts its writes, and can die at one of them as a process does. */
import { createMemoryRunStore } from '../../src/agent/memory-run-store.ts';
import type { Run, RunStore } from '../../src/agent/run-store.ts';

export type WatchedStore = RunStore & {
  /** Every record that was stored, in order. */
  readonly saved: Run[];
  /** Characters written: records, pieces and transcripts. */
  chars(): number;
};

export function watchedStore(inner: RunStore = createMemoryRunStore()): WatchedStore {
  const saved: Run[] = [];
  let chars = 0;
  const count = (value: unknown) => {
    chars += JSON.stringify(value).length;
  };
  return {
    ...inner,
    saved,
    chars: () => chars,
    async swap(previous, next) {
      const stored = await inner.swap(previous, next);
      if (stored) {
        saved.push(structuredClone(next));
        count(next);
      }
      return stored;
    },
    async writePiece(runId, index, messages) {
      count(messages);
      await inner.writePiece(runId, index, messages);
    },
    async append(thread, runId, messages) {
      count(messages);
      await inner.append(thread, runId, messages);
    },
  };
}

/** Write number `at` (from 0) of swaps, pieces and appends throws, before or after it lands; from then on everything does. */
export function dyingStore(inner: RunStore, at: number, when: 'before' | 'after'): RunStore & { died(): boolean } {
  let writes = 0;
  let dead = false;
  const alive = () => {
    if (dead) throw new Error('The store is gone.');
  };
  const write = async <T>(doIt: () => Promise<T>): Promise<T> => {
    alive();
    const last = writes++ === at;
    if (last && when === 'before') dead = true;
    alive();
    const result = await doIt();
    if (last) dead = true;
    alive();
    return result;
  };
  const read = async <T>(doIt: () => Promise<T>): Promise<T> => {
    alive();
    return await doIt();
  };
  return {
    died: () => dead,
    load: (runId) => read(() => inner.load(runId)),
    swap: (previous, next) => write(() => inner.swap(previous, next)),
    delete: (runId) => write(() => inner.delete(runId)),
    writePiece: (runId, index, messages) => write(() => inner.writePiece(runId, index, messages)),
    readPiece: (runId, index) => read(() => inner.readPiece(runId, index)),
    history: (thread, maxChars) => read(() => inner.history(thread, maxChars)),
    append: (thread, runId, messages) => write(() => inner.append(thread, runId, messages)),
  };
}
