/**
 * How many threads a process works on at once, and which wait. What people send must be saved and acked beside the work, so what
 * falls behind is the work: when the event loop comes round late, fewer threads have room, and more again when it is on time. A
 * thread that waits is in the store as due, for this process or any other; the list here only says which come next.
 */
import type { ThreadId } from './ports.ts';

/** ms between two beats, and ms of lateness that are too much: some turns of the event loop must fit in the time of an ack. */
export const BEAT = 20;
const LATE = 20;
/** Threads that have room before the first beat has told more. */
const AT_FIRST = 8;
/** Threads that always have room: those that wait for Slack or a model hold a place, and it may be others that make the loop late. */
const LEAST = 4;
/** Beats after which one thread more has room, whatever keeps the others: late work is done late, and not never. */
const PATIENCE = 10;
/** Of those beyond, only the store knows. */
const MOST_WAITING = 10_000;

export type RoomDeps = {
  /** Never more at once. */
  most: number;
  /** Beats will come. Without them there is always room for `most`. */
  beats: boolean;
  /** Looks at a thread that waited, and works on it if it still has work. Never rejects; takes its place before its first await. */
  takeUp(thread: ThreadId): void;
};

export type Room = ReturnType<typeof createRoom>;

export function createRoom({ most, beats, takeUp }: RoomDeps) {
  const waiting = new Set<ThreadId>();
  let bound = beats ? Math.min(most, AT_FIRST) : most;
  let taken = 0;
  let kept = 0;
  let closed = false;

  const has = () => !closed && taken < most && (taken < bound || kept >= PATIENCE);

  function next(): void {
    for (const thread of waiting) {
      if (!has()) return;
      waiting.delete(thread);
      takeUp(thread);
    }
  }

  return {
    has,

    /** A place for one thread, to be given back; false: there is none. */
    take(): boolean {
      if (!has()) return false;
      taken += 1;
      kept = 0;
      return true;
    },

    giveBack(): void {
      taken -= 1;
      next();
    },

    /** This thread was left with its work: it is taken up when its turn comes. */
    later(thread: ThreadId): void {
      if (!closed && waiting.size < MOST_WAITING) waiting.add(thread);
      next();
    },

    /** `late`: ms by which the event loop came round too late. */
    beat(late: number): void {
      if (late > LATE) bound = Math.max(Math.min(most, LEAST), Math.floor(bound / 2));
      else if (taken >= bound && bound < most) bound += 1;
      kept = waiting.size > 0 ? kept + 1 : 0;
      next();
    },

    close(): void {
      closed = true;
      waiting.clear();
    },
  };
}
