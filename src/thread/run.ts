/** The life of a run in the record of its thread. Pure; each change says nothing about a run that is not at that point. */
import type { RunFailure, Suspension } from '../agent/chunks.ts';
import type { Post, QuestionId, ThreadFailure } from './ports.ts';
import type { Settled } from './preview-port.ts';
import { withoutPreviews } from './previewed.ts';
import { cancelOpen } from './settling.ts';
import {
  isLater,
  type Phase,
  type PostRecord,
  type QuestionRecord,
  type RunRecord,
  rootOf,
  type ThreadRecord,
  type Waiting,
  withPhase,
} from './thread.ts';

const NOT_TAKEN: ThreadFailure = {
  message: 'The agent did not take the answers that it was given.',
  code: 'answers_not_taken',
};

/** The run in its agent's turn, if it is this one. */
function working(record: ThreadRecord, runId: string): RunRecord | undefined {
  const { run } = record;
  return run?.runId === runId && run.phase.name === 'working' ? run : undefined;
}

/** Takes the consecutive messages of one person, and what was said around them. */
export function begin(record: ThreadRecord, runId: string): ThreadRecord {
  const first = record.inbox[0];
  if (record.run || !first) return record;
  const others = record.inbox.findIndex((message) => message.by !== first.by);
  const own = others === -1 ? record.inbox : record.inbox.slice(0, others);
  const last = own.at(-1)?.id ?? first.id;
  const run: RunRecord = {
    runId,
    requester: first.by,
    taken: [...record.context, ...own],
    phase: { name: 'working' },
    step: 0,
    failures: 0,
    ...(record.dropped > 0 && { dropped: record.dropped }),
    ...earlierThan(last, record),
  };
  return {
    ...record,
    requester: first.by,
    inbox: record.inbox.slice(own.length),
    context: [],
    dropped: 0,
    ...(record.readTo === undefined || isLater(last, record.readTo) ? { readTo: last } : {}),
    run,
  };
}

/** Of the first message of a thread, and of one that comes late, nothing is to be read. */
function earlierThan(last: string, { id, readTo }: ThreadRecord): Pick<RunRecord, 'earlier'> {
  if (readTo === undefined || last === rootOf(id) || !isLater(last, readTo)) return {};
  return { earlier: { after: readTo, before: last } };
}

/** What was said beside the questions is given with their answers; what is said from now on is for the next turn. */
export function take(record: ThreadRecord): ThreadRecord {
  const { run } = record;
  if (run?.phase.name !== 'working') return record;
  const taken = [...run.taken, ...record.context, ...record.kept];
  return { ...record, kept: [], context: [], run: { ...run, taken, phase: { name: 'working' } } };
}

/**
 * The agent waits for people: its questions are recorded, each once by its call, and what waited in the inbox is kept to be
 * read with the answers. `said`: what the agent said beside them is owed to the thread before their cards.
 * `draw` makes the ids of new questions.
 */
export function suspended(
  record: ThreadRecord,
  runId: string,
  suspensions: Suspension[],
  said: Settled,
  draw: (toolCallId: string) => QuestionId,
  now: number,
): ThreadRecord {
  const run = working(record, runId);
  if (!run) return record;
  const known = new Set(record.questions.filter((q) => q.runId === runId).map((q) => q.toolCallId));
  const fresh = suspensions.filter((s) => !known.has(s.toolCallId));
  if (fresh.length === 0) {
    return failed(record, runId, { ...NOT_TAKEN, retryable: true }, now);
  }
  const step = run.step + 1;
  const questions = fresh.map(
    (s, index): QuestionRecord => ({
      id: draw(s.toolCallId),
      runId,
      step,
      toolCallId: s.toolCallId,
      question: s.suspendPayload,
      requester: run.requester,
      ...(s.suspendPayload.to && { addressees: { state: 'sought' } }),
      position: index + 1,
      of: fresh.length,
      plain: false,
      sending: { state: 'unsent' },
      reminded: false,
      version: 0,
      painted: 0,
    }),
  );
  const next = withReply(record, `${runId}:said:${step}`, said, now);
  const { earlier, dropped, ...read } = run;
  return {
    ...next,
    kept: [...next.kept, ...next.inbox],
    inbox: [],
    run: { ...read, taken: [], step, phase: { name: 'asking' } },
    questions: [...next.questions, ...questions],
  };
}

/** The agent is done: its reply is owed to the thread. */
export function finished(record: ThreadRecord, runId: string, reply: Settled, now: number): ThreadRecord {
  if (!working(record, runId)) return record;
  const next = withReply(record, `${runId}:reply`, reply, now, { runId });
  return withPhase(next, { name: 'ending', how: 'finished' });
}

/** Each part is a post; one that stands in the thread already is delivered. `feedback`: asked for with the last. */
function withReply(
  record: ThreadRecord,
  id: string,
  reply: Settled,
  now: number,
  feedback?: { runId: string },
): ThreadRecord {
  const next = withoutPreviews(record, reply, now);
  const last = reply.parts.length - 1;
  const parts = reply.parts.map(({ text, preview }, index) => ({
    id: `${id}:${index}`,
    body: { kind: 'reply' as const, text, ...(index === last && feedback && { feedback }) },
    preview,
  }));
  const posts = parts.flatMap(({ id, body, preview }) =>
    preview?.whole ? [] : { ...owed(id, body), ...(preview && { preview: preview.ts }) },
  );
  const delivered = parts.flatMap(({ id, preview }) => (preview?.whole ? { id, ts: preview.ts } : []));
  return { ...next, posts: [...next.posts, ...posts], delivered: [...next.delivered, ...delivered] };
}

/** The agent failed: one sentence. If trying again can help the run and its answers stay; else it is over. */
export function failed(
  record: ThreadRecord,
  runId: string,
  failure: RunFailure,
  now: number,
  phase: Extract<Phase, { name: 'failed' }> = { name: 'failed' },
): ThreadRecord {
  const run = working(record, runId);
  if (!run) return record;
  if (!failure.retryable) return giveUp(record, failure, now);
  const { message, code } = failure;
  const post = owed(`${runId}:failure:${run.failures}`, { kind: 'failure', message, code, retry: { runId } });
  return {
    ...record,
    run: { ...run, failures: run.failures + 1, phase },
    // While nothing can be posted, one failure that waits to be told is as good as many.
    posts: [...record.posts.filter((waiting) => !isUntoldFailure(waiting)), post],
  };
}

function isUntoldFailure({ body, sending }: PostRecord): boolean {
  return body.kind === 'failure' && body.retry !== undefined && sending.state === 'unsent';
}

/** The run ends without a reply; one sentence says why. */
export function giveUp(
  record: ThreadRecord,
  { message, code }: Pick<RunFailure, 'message' | 'code'>,
  now: number,
): ThreadRecord {
  const { run } = record;
  if (!run || run.phase.name === 'ending') return record;
  return end(record, undefined, owed(`${run.runId}:failure:${run.failures}`, { kind: 'failure', message, code }), now);
}

/** Somebody ends the run: open questions are cancelled, and what they had said for it waits as context. */
export function stopped(record: ThreadRecord, by: string, now: number): ThreadRecord {
  const { run } = record;
  if (!run || run.phase.name === 'ending') return record;
  const theirs = (message: Waiting) => message.by === by || message.by === run.requester;
  const next = end(record, by, owed(`${run.runId}:stopped`, { kind: 'stopped', by }), now);
  return {
    ...next,
    inbox: next.inbox.filter((message) => !theirs(message)),
    context: [...next.context, ...next.inbox.filter(theirs)],
  };
}

function end(record: ThreadRecord, by: string | undefined, post: PostRecord, now: number): ThreadRecord {
  const next = cancelOpen(record, by, now);
  return withPhase(
    { ...next, kept: [], context: [...next.context, ...next.kept], posts: [...next.posts, post] },
    { name: 'ending', how: 'given_up' },
  );
}

/** Nothing can be posted in the thread any more: all that is owed is void, and the run ends. */
export function gone(record: ThreadRecord, now: number): ThreadRecord {
  const next = cancelOpen(record, undefined, now);
  const void_: ThreadRecord = {
    ...next,
    posts: [],
    offers: [],
    strays: [],
    previews: [],
    unheard: undefined,
    inbox: [],
    kept: [],
    context: [...next.context, ...next.kept, ...next.inbox],
    questions: next.questions.map((q) => ({
      ...q,
      painted: q.version,
      sending: q.sending.state === 'sent' || q.sending.state === 'unsent' ? { state: 'dropped' } : q.sending,
    })),
  };
  const { run } = void_;
  return run && run.phase.name !== 'ending' ? withPhase(void_, { name: 'ending', how: 'given_up' }) : void_;
}

/** Back to the agent, with the answers if it has any. */
export function retried(record: ThreadRecord): ThreadRecord {
  const { run } = record;
  if (run?.phase.name !== 'failed') return record;
  const offers = record.offers.map((offer) => (offer.runId === run.runId ? { ...offer, used: true as const } : offer));
  return withPhase({ ...record, offers }, { name: 'working' });
}

/** Delivered and forgotten by the agent: the thread is free for the next run. */
export function closed(record: ThreadRecord, runId: string, now: number): ThreadRecord {
  const isOver = record.run?.runId === runId && record.run.phase.name === 'ending';
  return isOver ? { ...record, run: undefined, previews: [], touchedAt: now } : record;
}

function owed(id: string, body: Post['body']): PostRecord {
  return { id, body, sending: { state: 'unsent' } };
}
