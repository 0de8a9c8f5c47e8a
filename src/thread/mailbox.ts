/**
 * One thread, one record, one holder. Every change is one swap of the whole record; what is ripe in it, who takes the
 * lease, which attempt begins and whether the lease is given back are decided in that same swap.
 */
import type { Stored } from '../agent/run-store.ts';
import { bounded } from './bounds.ts';
import type { Holders } from './holders.ts';
import { faltered, isHeld, isHolder, renewed, takeLease } from './lease.ts';
import type { Limits } from './limits.ts';
import type { AtomicRecords, Clock, ThreadId } from './ports.ts';
import { backoff } from './retry.ts';
import { begin, take } from './run.ts';
import { attempted } from './sending.ts';
import { expire, remind } from './settling.ts';
import type { ThreadRecord } from './thread.ts';
import { isUnreadable } from './unreadable.ts';
import { dueAt, ripe, type Timing, type Work, work } from './work.ts';

export type MailboxDeps = {
  records: AtomicRecords<ThreadRecord>;
  clock: Clock;
  /** A new random id at each call. */
  id(): string;
  holders: Holders;
  timing: Timing;
  limits: Limits;
};

/**
 * The lease is ours, and this is next: already marked as begun where it must not happen twice. `stored`: the record as it was
 * written, for the next change to begin from.
 */
export type Claim = { thread: ThreadId; token: string; work: Work; stored: Stored<ThreadRecord> };
type Begun = Omit<Claim, 'stored'>;

/** The same record: nothing changes, nothing is written. */
export type Transition = (record: ThreadRecord, now: number) => ThreadRecord;

class ContendedThreadError extends Error {
  override readonly name = 'ContendedThreadError';
}

const RACES = 200;
const FAILURES = 3;

export type Mailbox = ReturnType<typeof createMailbox>;

export function createMailbox(deps: MailboxDeps) {
  const { records, clock, id, holders, timing, limits } = deps;

  /**
   * Read, change, swap, again if another was first. A swap that threw is decided by reading; a store that fails on is thrown.
   * Only by applying a change that is right twice is it right to call this. `known`: what the store had last, as far as the caller
   * knows, in place of the first read: the swap tells whether it still is so. `stored`: undefined when nothing is.
   */
  async function update<T>(
    thread: ThreadId,
    change: (record: ThreadRecord | undefined, now: number) => { next: ThreadRecord | undefined; result: T },
    known?: Stored<ThreadRecord>,
  ): Promise<{ result: T; stored: Stored<ThreadRecord> | undefined }> {
    const writer = id();
    let races = 0;
    let failures = 0;
    let unsure: T | undefined;
    let isUnsure = false;
    let believed = known;
    for (;;) {
      try {
        const found = believed ?? (await records.read(thread));
        // Landed, though the store could not say so.
        if (isUnsure && found?.value.writer === writer) return { result: unsure as T, stored: found };
        const now = clock.now();
        const { next, result } = change(found?.value, now);
        const changes = next !== found?.value;
        if (!changes && !believed) return { result, stored: found };
        const wasBelieved = believed !== undefined;
        believed = undefined;
        // That nothing is to be written must not rest on belief.
        if (!changes) continue;
        unsure = result;
        isUnsure = true;
        const kept = next && { ...bounded(next, limits, now), writer };
        const swapped = await records.swap(thread, found, kept, kept && dueFrom(kept, now));
        if (swapped) return { result, stored: typeof swapped === 'object' ? swapped : undefined };
        isUnsure = false;
        if (wasBelieved) continue;
        races += 1;
        if (races === RACES) throw new ContendedThreadError(`Thread ${thread} changes too often to be written.`);
      } catch (error) {
        failures += 1;
        if (error instanceof ContendedThreadError || isUnreadable(error) || failures === FAILURES) throw error;
      }
      await clock.sleep(jittered(id(), Math.min(250, 2 ** Math.min(races, 6) + 50 * failures)));
    }
  }

  /** What is due at once is due from now on: those that wait longest come first. */
  function dueFrom(record: ThreadRecord, now: number): number | undefined {
    const due = dueAt(record, timing);
    return due === undefined ? undefined : Math.max(due, now);
  }

  /** Changes that time alone makes, and a run for who waits. */
  function ripened(record: ThreadRecord, runId: string, now: number): ThreadRecord {
    let next = record;
    for (;;) {
      const change = ripe(next, timing, now);
      if (!change) return next;
      switch (change.kind) {
        case 'begin':
          next = begin(next, runId);
          break;
        case 'take':
          next = take(next);
          break;
        case 'expire':
          next = expire(next, change.question, timing.expireAfter ?? 0, now);
          break;
        case 'remind':
          next = remind(next, change.question);
          break;
        default:
          change satisfies never;
      }
    }
  }

  /** Nobody holds it, or whoever does is known to be dead. */
  function isFree(record: ThreadRecord, now: number): boolean {
    return !isHeld(record, now) || (record.lease !== undefined && holders.isGone(record.lease.token));
  }

  function begun(record: ThreadRecord, next: Work, now: number): ThreadRecord {
    return next.kind === 'send' ? attempted(record, next.id, now) : record;
  }

  return {
    isFree,

    /** A failing store throws; it never reads as "no such thread". */
    async read(thread: ThreadId): Promise<ThreadRecord | undefined> {
      return (await records.read(thread))?.value;
    },

    /**
     * Applies `change`; when that leaves work and nobody holds the thread, takes its lease in the same swap, and the caller
     * must hold it; with `hold` false the work stays due, and `left` says so. `next` undefined or the record as it was:
     * nothing changes.
     */
    async change<T>(
      thread: ThreadId,
      change: (record: ThreadRecord | undefined, now: number) => { next: ThreadRecord | undefined; result: T },
      options: { hold: boolean },
    ): Promise<{ result: T; claim?: Claim; left?: true }> {
      const token = holders.token();
      const runId = id();
      type Changed = { result: T; begun?: Begun; left?: true };
      const { result: changed, stored } = await update<Changed>(thread, (found, now) => {
        const { next: changed, result } = change(found, now);
        const record = changed ?? found;
        if (!record) return { next: undefined, result: { result } };
        const grown = ripened(record, runId, now);
        // Its own token is there when the store failed to say that this change had landed.
        const own = isHolder(grown, token);
        const free = own || isFree(grown, now);
        if (!free || !work(grown, timing, now)) {
          const next = own ? { ...grown, lease: undefined } : grown;
          return { next, result: { result } };
        }
        if (!own && !options.hold) return { next: grown, result: { result, left: true } };
        const taken = own ? renewed(grown, token, now) : takeLease(grown, token, now);
        const first = work(taken, timing, now);
        if (!first) return { next: { ...taken, lease: undefined }, result: { result } };
        const next = begun(taken, first, now);
        return { next, result: { result, begun: { thread, token, work: first } } };
      });
      const { begun: claim, ...rest } = changed;
      return { ...rest, ...(claim && stored && { claim: { ...claim, stored } }) };
    },

    /**
     * The holder's only way to write: `outcome` of what it did, then what is next, or the lease given back when there is
     * nothing (with `release`: whatever there is). It lands only while the token is there. `progress`: whoever vanishes
     * after it has not vanished at what was there before.
     */
    async advance(
      { thread, token, stored: known }: Pick<Claim, 'thread' | 'token'> & Partial<Claim>,
      outcome: Transition,
      options: { release: boolean; progress: boolean },
    ): Promise<Claim | 'released' | 'lost'> {
      const runId = id();
      const change = (found: ThreadRecord | undefined, now: number) => {
        if (!isHolder(found, token)) return { next: found, result: 'lost' as const };
        const changed = outcome(found, now);
        const progress =
          options.progress && changed !== found && changed.attempts > 0 ? { ...changed, attempts: 0 } : changed;
        const grown = ripened(progress, runId, now);
        const next = options.release ? undefined : work(grown, timing, now);
        if (!next) return { next: { ...grown, lease: undefined }, result: 'released' as const };
        return { next: renewed(begun(grown, next, now), token, now), result: { thread, token, work: next } };
      };
      const { result, stored } = await update<Begun | 'released' | 'lost'>(thread, change, known);
      if (typeof result === 'string') return result;
      return stored ? { ...result, stored } : 'lost';
    },

    /** The holder goes on holding. false: it does not any more. */
    async renew(thread: ThreadId, token: string): Promise<boolean> {
      return this.note(thread, token, (record, now) => renewed(record, token, now));
    },

    /** A fact beside what is being done. false: it is not written, for the thread is not held any more. */
    async note(thread: ThreadId, token: string, fact: Transition): Promise<boolean> {
      const { result } = await update(thread, (found, now) =>
        isHolder(found, token) ? { next: fact(found, now), result: true } : { next: found, result: false },
      );
      return result;
    },

    /** The holder could not go on: another may, after a while; too often, and the run waits for a person. */
    async falter(thread: ThreadId, token: string): Promise<void> {
      await update(thread, (found, now) => {
        if (!isHolder(found, token)) return { next: found, result: undefined };
        const next = faltered({ ...found, lease: undefined }, now);
        return { next: { ...next, retryAt: now + backoff(found.attempts + 1) }, result: undefined };
      });
    },

    /** The thread leaves the store, if the token is still there. */
    async remove(thread: ThreadId, token: string): Promise<void> {
      await update(thread, (found) => ({ next: isHolder(found, token) ? undefined : found, result: undefined }));
    },
  };
}

/** Half of `most` to `most` ms; the random id is what differs between two that collided. */
function jittered(random: string, most: number): number {
  let hash = 0;
  for (const char of random) hash = (hash * 31 + char.charCodeAt(0)) % 1000;
  return Math.ceil(most / 2 + (most / 2) * (hash / 1000));
}
