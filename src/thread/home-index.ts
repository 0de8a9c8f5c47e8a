/**
 * Which runs may wait for a person, so that Home finds them without a look through all threads. A small record a person, and
 * derived: an entry says where to look, the thread's own record what is there.
 */
import { z } from 'zod';
import type { Log } from './log.ts';
import type { AtomicRecords, ThreadId } from './ports.ts';
import { askedPeople, type ThreadRecord } from './thread.ts';

const entrySchema = z.object({ thread: z.string() as unknown as z.ZodType<ThreadId>, runId: z.string() });
export type HomeEntry = z.infer<typeof entrySchema>;

/** Newest first, a thread once. */
export const personRecordSchema = z.object({ v: z.literal(1), runs: z.array(entrySchema) });
export type PersonRecord = z.infer<typeof personRecordSchema>;

/** Of one person. Who has more than that waiting finds the oldest in their threads. */
const KEPT = 100;
/** People of one thread besides the requester. */
const OTHERS = 20;
const RACES = 5;

export type HomeIndex = ReturnType<typeof createHomeIndex>;

/** `forParticipants`: also who only wrote in a thread may answer there. */
export function createHomeIndex(deps: { records: AtomicRecords<PersonRecord>; forParticipants: boolean; log: Log }) {
  const { records, log } = deps;

  /** Again when another was first, a few times: what is lost to a race is only not shown. */
  async function update(key: string, change: (runs: readonly HomeEntry[]) => readonly HomeEntry[]): Promise<void> {
    for (let race = 0; race < RACES; race += 1) {
      const found = await records.read(key);
      const before = found?.value.runs ?? [];
      const after = change(before);
      if (after === before) return;
      const next = after.length === 0 ? undefined : { v: 1 as const, runs: [...after] };
      if (await records.swap(key, found, next)) return;
    }
  }

  /** Nothing depends on it, so a store that fails here is only reported. */
  async function updateAll(record: ThreadRecord, people: Iterable<string>, change: Parameters<typeof update>[1]) {
    const team = teamOf(record.id);
    const done = await Promise.allSettled([...new Set(people)].map((person) => update(keyOf(team, person), change)));
    for (const one of done) {
      if (one.status === 'rejected') log.warn({ thread: record.id, err: one.reason }, 'Home is not up to date');
    }
  }

  return {
    /**
     * Called before the thread says that its run waits for people: who crashes between the two says it again. Without `people`
     * for those whom any question of it may wait for.
     */
    async note(record: ThreadRecord, people?: readonly string[]): Promise<void> {
      const { id, run, participants } = record;
      if (!run) return;
      const entry = { thread: id, runId: run.runId };
      const others = deps.forParticipants ? participants.slice(0, OTHERS) : [];
      await updateAll(record, people ?? [run.requester, ...others], (runs) =>
        runs.some((known) => isSame(known, entry))
          ? runs
          : [entry, ...runs.filter((known) => known.thread !== id)].slice(0, KEPT),
      );
    },

    /** The thread leaves the store. */
    async forget(record: ThreadRecord): Promise<void> {
      const asked = record.questions.flatMap(askedPeople);
      const people = [...(record.requester === undefined ? [] : [record.requester]), ...record.participants, ...asked];
      await updateAll(record, people, (runs) => without(runs, ({ thread }) => thread === record.id));
    },

    async of(team: string, person: string): Promise<readonly HomeEntry[]> {
      return (await records.read(keyOf(team, person)))?.value.runs ?? [];
    },

    /** These are over. Each names its run: one that the thread has begun since stays. */
    async drop(team: string, person: string, over: readonly HomeEntry[]): Promise<void> {
      await update(keyOf(team, person), (runs) => without(runs, (known) => over.some((old) => isSame(known, old))));
    },
  };
}

const keyOf = (team: string, person: string): string => `${team}:${person}`;
const teamOf = (thread: ThreadId): string => thread.split(':')[0] ?? '';
const isSame = (a: HomeEntry, b: HomeEntry): boolean => a.thread === b.thread && a.runId === b.runId;

/** The same list when nothing leaves it. */
function without(runs: readonly HomeEntry[], leaves: (entry: HomeEntry) => boolean): readonly HomeEntry[] {
  return runs.some(leaves) ? runs.filter((entry) => !leaves(entry)) : runs;
}
