/** A run while it is driven: its record in memory, ahead of the store, and the one chain of saves that carries it there. */
import { LostRunError } from './errors.ts';
import type { Message } from './messages.ts';
import { sealable } from './run.ts';
import type { Run, RunStore, Stored } from './run-store.ts';

/** The store failed: whether the write happened is unknown until it is read. */
export class StoreFailure extends Error {
  override readonly name = 'StoreFailure';
}

export type RunRecord = {
  /** The record as it will be saved next. */
  readonly run: Run;
  /** The run's messages, those of its pieces too. */
  messages(): Message[];
  /** A transition in memory. */
  change(transition: (run: Run) => Run): void;
  /**
   * Resolves when every change made so far is stored; writes nothing when all is. Rejects with a LostRunError when the
   * record was changed by another, with a StoreFailure when the store failed; from then on every save does.
   */
  save(): Promise<void>;
};

/** `saved`: what the store has (undefined: nothing yet); `run`: where to begin; `earlier`: the messages of its pieces. */
export function openRecord(store: RunStore, run: Run, saved: Stored<Run> | undefined, earlier: Message[]): RunRecord {
  let current = run;
  let stored = saved;
  let unsaved = saved?.value !== run;
  const before = [...earlier];
  let last: Promise<void> = Promise.resolve();
  let queued: Promise<void> | undefined;

  async function write(): Promise<void> {
    queued = undefined;
    if (!unsaved) return;
    try {
      if (stored) await seal(stored.value);
      const next = current;
      unsaved = false;
      stored = await swapForSure(store, stored, next);
    } catch (cause) {
      if (cause instanceof LostRunError) throw cause;
      throw new StoreFailure('The run could not be saved.', { cause });
    }
  }

  async function seal(from: Run): Promise<void> {
    const sealed = await sealInto(store, from, current);
    if (!sealed) return;
    before.push(...sealed);
    // Counted off what is current now: results may have come while the piece was written, and they are only ever appended.
    current = { ...current, pieces: current.pieces + 1, messages: current.messages.slice(sealed.length) };
  }

  return {
    get run() {
      return current;
    },
    messages: () => [...before, ...current.messages],
    change(transition) {
      const next = transition(current);
      unsaved ||= next !== current;
      current = next;
    },
    save() {
      // Whoever comes while a write is under way shares the next one: it carries all that was changed until it begins.
      if (!queued) {
        queued = last.then(write);
        last = queued;
      }
      return queued;
    },
  };
}

/**
 * A swap that throws may have happened, or may happen yet, so reading decides: a record that changed and still has our token was
 * changed by this very write. One that did not change is written once more. Rejects with a LostRunError when another has it.
 */
async function swapForSure(store: RunStore, saved: Stored<Run> | undefined, next: Run): Promise<Stored<Run>> {
  let failure: unknown;
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      const swapped = await store.swap(saved, next);
      if (swapped) return swapped;
      if (attempt === 0) throw new LostRunError(next.runId);
    } catch (cause) {
      if (cause instanceof LostRunError) throw cause;
      failure = cause;
    }
    const found = await store.load(next.runId);
    if (found?.raw === saved?.raw) continue;
    if (found?.value.holder === next.holder) return found;
    throw new LostRunError(next.runId);
  }
  throw failure;
}

/** Writes the piece that the saved record asks for, and gives its messages; undefined: it asks for none. */
async function sealInto(store: RunStore, saved: Run, next: Run): Promise<Message[] | undefined> {
  const count = sealable(saved);
  if (count === 0) return undefined;
  const piece = saved.messages.slice(0, count);
  await store.writePiece(next.runId, saved.pieces, piece);
  return piece;
}

/** One transition of a record that is not driven here: the piece that is due, then the swap. undefined: another was first. */
export async function swapRun(store: RunStore, saved: Stored<Run>, next: Run): Promise<Stored<Run> | undefined> {
  const sealed = await sealInto(store, saved.value, next);
  if (!sealed) return await store.swap(saved, next);
  return await store.swap(saved, { ...next, pieces: next.pieces + 1, messages: next.messages.slice(sealed.length) });
}

export async function readPieces(store: RunStore, run: Run): Promise<Message[]> {
  const indexes = Array.from({ length: run.pieces }, (_, index) => index);
  return (await Promise.all(indexes.map((index) => store.readPiece(run.runId, index)))).flat();
}
