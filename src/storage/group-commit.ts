/** Writes of one turn of the event loop share a transaction, and so one sync to disk: 50 at once cost what one costs. */
import type { DatabaseSync } from 'node:sqlite';

type Pending = {
  run: () => boolean;
  resolve: (outcome: boolean) => void;
  reject: (error: unknown) => void;
  waits: number;
};
type Outcome = { ok: true; value: boolean } | { ok: false; error: unknown };

/** While another process holds the write lock, the event loop goes on: clicks must still be told that they were not saved. */
const BUSY_PAUSE_MS = 25;

export type GroupCommit = {
  /** Runs `run` in the order of the calls. Resolves to what it returned once that is on disk; rejects if it, or the commit, failed. */
  write(run: () => boolean): Promise<boolean>;
};

/** `patience`: how many pauses of 25 ms a write waits for another process before it rejects with SQLite's busy error. */
export function createGroupCommit(db: DatabaseSync, patience: number): GroupCommit {
  const begin = db.prepare('BEGIN IMMEDIATE');
  const commit = db.prepare('COMMIT');
  const rollback = db.prepare('ROLLBACK');
  let queue: Pending[] = [];

  function flush(): void {
    const batch = queue;
    queue = [];
    if (batch.length === 0) return;
    try {
      const outcomes = batch.length === 1 ? batch.map(alone) : together(batch);
      for (const [i, { resolve, reject }] of batch.entries()) {
        const outcome = outcomes[i];
        if (outcome?.ok) resolve(outcome.value);
        else reject(outcome?.error);
      }
    } catch (error) {
      // Nothing of the batch has happened, or, when the commit itself failed, what has is unknown.
      const again = isBusy(error) ? batch.filter((pending) => pending.waits++ < patience) : [];
      for (const pending of batch) if (!again.includes(pending)) pending.reject(error);
      if (again.length === 0) return;
      queue = [...again, ...queue];
      setTimeout(flush, BUSY_PAUSE_MS);
    }
  }

  function attempt({ run }: Pending): Outcome {
    try {
      return { ok: true, value: run() };
    } catch (error) {
      return { ok: false, error };
    }
  }

  /** Throws when the database is busy: nothing has happened, and the write can wait. */
  function alone(pending: Pending): Outcome {
    const outcome = attempt(pending);
    if (!outcome.ok && isBusy(outcome.error)) throw outcome.error;
    return outcome;
  }

  function together(batch: Pending[]): Outcome[] {
    begin.run();
    const outcomes: Outcome[] = [];
    for (const pending of batch) {
      outcomes.push(attempt(pending));
      // A full disk, for one, undoes the whole transaction: then each write stands or falls by itself.
      if (!db.isTransaction) return batch.map(attempt);
    }
    try {
      commit.run();
    } catch (error) {
      if (db.isTransaction) rollback.run();
      throw error;
    }
    return outcomes;
  }

  return {
    write(run) {
      return new Promise((resolve, reject) => {
        queue.push({ run, resolve, reject, waits: 0 });
        if (queue.length === 1) setImmediate(flush);
      });
    },
  };
}

function isBusy(error: unknown): boolean {
  return sqliteCode(error) === 5;
}

/** SQLite's primary result code (sqlite.org/rescode.html), whatever the extended one. */
export function sqliteCode(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
    ? error.errcode & 0xff
    : undefined;
}
