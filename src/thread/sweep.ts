/** Finds the threads that are due and that nobody holds: after a crash, a shutdown, a wait, a timer. */
import { LEASE } from './lease.ts';
import type { Log } from './log.ts';
import type { AtomicRecords, Clock, DueKey, ThreadId } from './ports.ts';
import type { ThreadRecord } from './thread.ts';

export type SweepDeps = {
  records: AtomicRecords<ThreadRecord>;
  clock: Clock;
  log: Log;
  hasCapacity(): boolean;
  adopt(thread: ThreadId): Promise<void>;
};

const PAGE = 100;
/** A record that cannot be read or written is tried this often, and reported once. */
const UNREADABLE_EVERY = 60_000;
const UNREADABLE_KNOWN = 10_000;

export function createSweep({ records, clock, log, hasCapacity, adopt }: SweepDeps) {
  const skipped = new Map<string, number>();
  let sweptAt: number | undefined;

  /**
   * Rejects when the store fails; one record that fails is reported, and the others are not kept waiting. `ahead`: ms, to see also
   * what is held.
   */
  async function once(ahead = 0): Promise<void> {
    let after: DueKey | undefined;
    const now = clock.now();
    while (hasCapacity()) {
      const page = await records.due(now + ahead, after, PAGE);
      for (const { key } of page) {
        if (!hasCapacity()) break;
        if ((skipped.get(key) ?? 0) <= now) await one(key as ThreadId, now);
      }
      after = page.at(-1);
      if (page.length < PAGE) break;
    }
    sweptAt = clock.now();
  }

  async function one(thread: ThreadId, now: number): Promise<void> {
    try {
      await adopt(thread);
      skipped.delete(thread);
    } catch (error) {
      const again = skipped.has(thread);
      if (skipped.size >= UNREADABLE_KNOWN) skipped.clear();
      skipped.set(thread, now + UNREADABLE_EVERY);
      if (!again)
        log.error({ thread, err: error }, 'a thread that is due cannot be read or written; it is tried each minute');
    }
  }

  return {
    once: () => once(),
    at: () => sweptAt,
    /** Until `signal` aborts. A store that fails is logged, and tried again at the next turn. */
    async run(every: number, signal: AbortSignal): Promise<void> {
      // What a process that was killed here a moment ago holds is due when its lease ends, and free at once.
      for (let ahead = LEASE; !signal.aborted; ahead = 0) {
        await once(ahead).catch((err: unknown) => log.error({ err }, 'the sweep failed; it is tried again'));
        await clock.sleep(every, signal);
      }
    },
  };
}
