/** What a person's Home shows: the questions that they may answer, and the runs that they started. Read, never kept. */
import { refusal } from './answering.ts';
import type { HomeEntry, HomeIndex } from './home-index.ts';
import type { Log } from './log.ts';
import type { Policy } from './policy.ts';
import type { Person, QuestionView, ThreadId } from './ports.ts';
import { viewOf } from './settling.ts';
import { askedPeople, openQuestions, type ThreadRecord } from './thread.ts';

/** Newest first. */
export type Home = { waiting: QuestionView[]; asked: AskedRun[] };

/**
 * A run that this person started. `failed`: it waits for a retry. `waits`: the number of its open questions; `others`: who besides
 * this person is asked.
 */
export type AskedRun = {
  thread: ThreadId;
  runId: string;
  state: 'working' | 'asking' | 'failed';
  waits: number;
  others: string[];
};

export type HomeDeps = {
  index: Pick<HomeIndex, 'of' | 'drop'>;
  read(thread: ThreadId): Promise<ThreadRecord | undefined>;
  policy: Policy;
  log: Log;
};

/** Threads that are read at once. */
const AT_ONCE = 10;

/** What is over leaves the index on the way. Throws when the index cannot be read; a thread that cannot is left out. */
export async function readHome({ index, read, policy, log }: HomeDeps, team: string, by: Person): Promise<Home> {
  const { runs: entries } = await index.of(team, by.id);
  const home: Home = { waiting: [], asked: [] };
  const over: HomeEntry[] = [];
  for (let start = 0; start < entries.length; start += AT_ONCE) {
    const some = entries.slice(start, start + AT_ONCE);
    const records = await Promise.allSettled(some.map(({ thread }) => read(thread)));
    for (const [i, entry] of some.entries()) {
      const found = records[i];
      if (found?.status === 'fulfilled') {
        if (!add(home, found.value, entry, by, policy)) over.push(entry);
      } else log.warn({ thread: entry.thread, err: found?.reason }, 'a thread is missing on a Home');
    }
  }
  if (over.length > 0) {
    await index.drop(team, by.id, over).catch((err: unknown) => log.warn({ err }, 'what is over stays in the index'));
  }
  return home;
}

/** false: the run of the entry is over. */
function add(home: Home, record: ThreadRecord | undefined, entry: HomeEntry, by: Person, policy: Policy): boolean {
  const { run } = record ?? {};
  if (!record || run?.runId !== entry.runId || run.phase.name === 'ending') return false;
  const open = openQuestions(record);
  for (const question of open) {
    if (!refusal(record, question, by, policy)) home.waiting.push(viewOf(record, question));
  }
  if (run.requester === by.id) {
    const others = new Set(open.flatMap(askedPeople).filter((person) => person !== by.id));
    const about = { waits: open.length, others: [...others] };
    home.asked.push({ thread: record.id, runId: run.runId, state: run.phase.name, ...about });
  }
  return true;
}
