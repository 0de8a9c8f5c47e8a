/** Finds the threads that are due and that nobody holds: after a crash, a shutdown, a wait, a timer. */
import { LEASE } from './lease.ts';
import type { Log } from './log.ts';
import type { AtomicRecords, Clock, DueKey, ThreadId } from './ports.ts';
import type { Room } from './room.ts';
import type { ThreadRecord } from './thread.ts';

export type SweepDeps = {
  records: AtomicRecords<ThreadRecord>;
  clock: Clock;
  log: Log;
  room: Pick<Room, 'has' | 'later'>;
  adopt(thread: ThreadId): Promise<void>;
};

const PAGE = 100;
/** A record that cannot be read or written is tried this often, and reported once. */
const UNREADABLE_EVERY = 60_000;
const UNREADABLE_KNOWN = 10_000;

export function createSweep({ records, clock, log, room, adopt }: SweepDeps) {
  const skipped = new Map<string, number>();
  let sweptAt: number | undefined;

  /**
   * Rejects when the store fails; one record that fails is reported, and the others are not kept waiting. `ahead`: ms, to see also
   * what is held.
   */
  async function once(ahead = 0): Promise<void> {
    let after: DueKey | undefined;
    const now = clock.now();
    for (;;) {
      const page = await records.due(now + ahead, after, PAGE);
      for (const { key } of page) {
        const thread = key as ThreadId;
        if (room.has()) await takeUp(thread);
        else room.later(thread);
      }
      after = page.at(-1);
      if (page.length < PAGE || !room.has()) break;
    }
    sweptAt = clock.now();
  }

  /** Never rejects. */
  async function takeUp(thread: ThreadId): Promise<void> {
    const now = clock.now();
    if ((skipped.get(thread) ?? 0) > now) return;
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
    takeUp,
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
