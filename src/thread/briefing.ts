/** What the agent reads before its turn, put together by the holder: what was said to it, by whom, and what stands in the thread. */
import { untilAborted } from '../agent/abort.ts';
import type { UserMessage } from '../agent/messages.ts';
import { readFiles } from './files.ts';
import { cutTo, type Limits } from './limits.ts';
import type { Log } from './log.ts';
import { PATIENCE, persistently } from './persistently.ts';
import type { Clock, EarlierMessage, EarlierRead, Profile, Reader } from './ports.ts';
import { introduced, leftOutNote, peopleIn, type Scene, tell, tellEarlier, timeLine } from './telling.ts';
import { type FileRef, NOTHING, type RunRecord, stepQuestions, type ThreadRecord, type Waiting } from './thread.ts';
import type { Times } from './times.ts';

export type BriefingDeps = { reader?: Reader | undefined; times: Times; clock: Clock; limits: Limits; log: Log };

/** ms that a thread is tried to be read which an earlier run has read: seldom is there anything new. */
const BRIEF = 3_000;
/** People whose names are looked up for one turn. */
const MOST_PEOPLE = 50;
/** ms after which people's answers come to an agent that must be told the time anew. */
const LONG = 3_600_000;

/**
 * All that the agent is given in this turn. Nothing of it is recorded here: the agent keeps what it has taken, by ids, so that a
 * turn that is taken again may be briefed again. Rejects with the signal's reason when that aborts.
 */
export async function brief(deps: BriefingDeps, record: ThreadRecord, signal: AbortSignal): Promise<UserMessage[]> {
  const { run } = record;
  if (!run) return [];
  const { reader } = deps;
  const late = isLate(record, deps.clock.now());
  if (run.taken.length === 0 && !late) return [];
  if (!reader) return briefly(deps, record);
  const earlier = run.earlier && (await readEarlier(deps, reader, record, { ...run, earlier: run.earlier }, signal));
  const waiting = run.taken.filter((message) => 'text' in message);
  const above = earlier?.ok ? earlier.messages : [];
  const [people, files] = await Promise.all([
    profiles(reader, [run.requester, ...peopleIn([...waiting, ...above.map(personal)])], signal),
    readFiles(deps, reader, filesOf(run.requester, waiting, above), signal),
  ]);
  const scene: Scene = { requester: run.requester, people, files, times: deps.times, now: deps.clock.now() };
  const told = tell(run.taken, scene);
  if (run.step > 0) return late ? [timeNote(run, scene), ...told] : told;
  const own = waiting.find(({ by }) => by === run.requester);
  const before = earlier && run.earlier && tellEarlier(earlier, scene, `before:${run.earlier.before}`);
  return [...leftOut(run), ...(before ? [before] : []), ...introduced(told, scene, own?.id)];
}

/** What was said, and which id said it: that costs nothing, and is enough for an agent that must end its run at once. */
export function briefly({ clock, times }: Pick<BriefingDeps, 'clock' | 'times'>, { run }: ThreadRecord): UserMessage[] {
  if (!run) return [];
  const scene = { requester: run.requester, people: new Map(), files: new Map(), times, now: clock.now() };
  return [...leftOut(run), ...tell(run.taken, scene)];
}

function leftOut({ dropped }: RunRecord): UserMessage[] {
  return dropped === undefined ? [] : [{ role: 'user', content: leftOutNote(dropped) }];
}

/** The answers were long in coming. */
function isLate(record: ThreadRecord, now: number): boolean {
  const shown = stepQuestions(record).flatMap(({ shownAt }) => shownAt ?? []);
  return shown.length > 0 && now - Math.min(...shown) > LONG;
}

function timeNote({ runId, step }: RunRecord, scene: Scene): UserMessage {
  return { role: 'user', content: `[${timeLine(scene)}]`, id: `time:${runId}:${step}` };
}

/** The requester's own first, then what came last: there is not room for all. */
function filesOf(requester: string, said: readonly Waiting[], above: readonly EarlierMessage[]): FileRef[] {
  const own = said.filter(({ by }) => by === requester);
  const others = said.filter(({ by }) => by !== requester);
  return [...own, ...others.toReversed(), ...above.toReversed()].flatMap(({ files = [] }) => files);
}

const personal = ({ by, text }: EarlierMessage) => ({ by: by.kind === 'person' ? by.id : '', text });

async function readEarlier(
  deps: BriefingDeps,
  reader: Reader,
  record: ThreadRecord,
  run: RunRecord & Required<Pick<RunRecord, 'earlier'>>,
  signal: AbortSignal,
): Promise<EarlierRead> {
  const { earlier } = run;
  const first = earlier.after === NOTHING;
  const ask = () => reader.earlier(record.id, earlier, deps.limits.earlier);
  const read = await persistently(deps.clock, signal, ask, first ? PATIENCE : BRIEF);
  if (!read.ok) {
    deps.log.warn({ thread: record.id, runId: run.runId, reason: read.reason }, 'a run goes on without its thread');
    return read;
  }
  const known = new Set([...record.seen.map(({ id }) => id), ...run.taken.map(({ id }) => id)]);
  // What we said in runs that the agent remembers it has in its transcript.
  const isNews = ({ id, by }: EarlierMessage) => !known.has(id) && (first || by.kind !== 'self');
  return withinLimits({ ...read, messages: read.messages.filter(isNews) }, deps.limits);
}

/** The first message, which says what a thread is about, and as many of the latest as there is room for. */
function withinLimits(read: Extract<EarlierRead, { ok: true }>, limits: Limits): EarlierRead {
  const cut = read.messages.map((message) => ({ ...message, text: cutTo(message.text, limits.earlierMessageChars) }));
  const [first, ...rest] = cut;
  if (!first) return read;
  let chars = first.text.length;
  const latest = rest.toReversed().filter(({ text }, index) => {
    chars += text.length;
    return index < limits.earlier - 1 && chars <= limits.earlierChars;
  });
  return { ...read, messages: [first, ...latest.reverse()], leftOut: read.leftOut + rest.length - latest.length };
}

async function profiles(reader: Reader, ids: readonly string[], signal: AbortSignal): Promise<Map<string, Profile>> {
  const asked = [...new Set(ids)].filter((id) => id !== '').slice(0, MOST_PEOPLE);
  const known = Promise.all(asked.map(async (id) => [id, await reader.profile(id)] as const));
  return new Map(await untilAborted(known, signal));
}
