/**
 * Which runs may wait for a person, so that Home finds them without a look through all threads. A small record a person, and
 * derived: an entry says where to look, the thread's own record what is there.
 */
import { z } from 'zod';
import type { Log } from './log.ts';
import type { AtomicRecords, QuestionId, ThreadId } from './ports.ts';
import { askedPeople, type ThreadRecord, teamOf } from './thread.ts';

const threadId = z.string() as unknown as z.ZodType<ThreadId>;
const entrySchema = z.object({ thread: threadId, runId: z.string() });
export type HomeEntry = z.infer<typeof entrySchema>;

/** The direct message at `ts` told this person of that question. */
const invitedSchema = z.object({
  ts: z.string(),
  thread: threadId,
  question: z.string() as unknown as z.ZodType<QuestionId>,
});
export type Invited = z.infer<typeof invitedSchema>;

/** Both newest first; of `runs` a thread once. */
export const personRecordSchema = z.object({
  v: z.literal(1),
  runs: z.array(entrySchema),
  invited: z.array(invitedSchema).default([]),
});
export type PersonRecord = z.infer<typeof personRecordSchema>;

/** Of one person. Who has more than that waiting finds the oldest in their threads, and answers there. */
const KEPT = 100;
/** People of one thread besides the requester. */
const OTHERS = 20;
const RACES = 5;

const NOBODY: PersonRecord = { v: 1, runs: [], invited: [] };

export type HomeIndex = ReturnType<typeof createHomeIndex>;

/** `forParticipants`: also who only wrote in a thread may answer there. */
export function createHomeIndex(deps: { records: AtomicRecords<PersonRecord>; forParticipants: boolean; log: Log }) {
  const { records, log } = deps;

  /** Again when another was first, a few times. false: it is not written. */
  async function update(key: string, change: (person: PersonRecord) => PersonRecord): Promise<boolean> {
    for (let race = 0; race < RACES; race += 1) {
      const found = await records.read(key);
      const before = found?.value ?? NOBODY;
      const after = change(before);
      if (after === before) return true;
      const next = after.runs.length + after.invited.length === 0 ? undefined : after;
      if (await records.swap(key, found, next)) return true;
    }
    return false;
  }

  /** Nothing depends on it: what is lost to a race is only not shown, and a store that fails here is only reported. */
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
      await updateAll(record, people ?? [run.requester, ...others], (person) =>
        person.runs.some((known) => isSame(known, entry))
          ? person
          : { ...person, runs: [entry, ...person.runs.filter((known) => known.thread !== id)].slice(0, KEPT) },
      );
    },

    /** Called before the thread says where the message is. Throws when it is not written. */
    async invited(person: string, entry: Invited): Promise<void> {
      const written = await update(keyOf(teamOf(entry.thread), person), (record) =>
        record.invited.some((known) => known.ts === entry.ts)
          ? record
          : { ...record, invited: [entry, ...record.invited].slice(0, KEPT) },
      );
      if (!written) throw new Error('The record of a person changes too often to be written.');
    },

    /** The thread leaves the store. */
    async forget(record: ThreadRecord): Promise<void> {
      const asked = record.questions.flatMap(askedPeople);
      const people = [...(record.requester === undefined ? [] : [record.requester]), ...record.participants, ...asked];
      const isOfIt = ({ thread }: { thread: ThreadId }) => thread === record.id;
      await updateAll(record, people, (person) => without(without(person, 'runs', isOfIt), 'invited', isOfIt));
    },

    async of(team: string, person: string): Promise<PersonRecord> {
      return (await records.read(keyOf(team, person)))?.value ?? NOBODY;
    },

    /** These are over. Each names its run: one that the thread has begun since stays. */
    async drop(team: string, person: string, over: readonly HomeEntry[]): Promise<void> {
      await update(keyOf(team, person), (record) =>
        without(record, 'runs', (known) => over.some((old) => isSame(known, old))),
      );
    },
  };
}

const keyOf = (team: string, person: string): string => `${team}:${person}`;
const isSame = (a: HomeEntry, b: HomeEntry): boolean => a.thread === b.thread && a.runId === b.runId;

/** The same record when nothing leaves it. */
function without<List extends 'runs' | 'invited'>(
  record: PersonRecord,
  list: List,
  leaves: (entry: PersonRecord[List][number]) => boolean,
): PersonRecord {
  const entries: PersonRecord[List][number][] = record[list];
  return entries.some(leaves) ? { ...record, [list]: entries.filter((entry) => !leaves(entry)) } : record;
}
