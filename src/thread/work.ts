/** What is to be done in a thread, and when: from its record alone, the same on every replica. Pure. */
import type { QuestionId } from './ports.ts';
import {
  invitationsOf,
  openQuestions,
  type QuestionRecord,
  type RunRecord,
  staleOffers,
  stepQuestions,
  type ThreadRecord,
} from './thread.ts';

/** ms; absent: never. */
export type Timing = { remindAfter?: number | undefined; expireAfter?: number | undefined; retention: number };

/** Changes of the record alone: whoever writes the record next makes them in the same write. */
export type Ripe =
  | { kind: 'begin' }
  | { kind: 'take' }
  | { kind: 'remind'; question: QuestionId }
  | { kind: 'expire'; question: QuestionId };

/** What only the holder does. `send` and `look`: `id` is a question's, a post's or an invitation's. */
export type Work =
  /** `person`: from the direct messages with them. */
  | { kind: 'remove'; ts: string; person?: string }
  | { kind: 'search' }
  | { kind: 'repaint'; question: QuestionId }
  | { kind: 'withdraw'; id: string }
  /** Whom the question is put to is to be found. */
  | { kind: 'address'; question: QuestionId }
  /** An invitation shows what is no longer so. */
  | { kind: 'renew'; id: string }
  | { kind: 'send' | 'look'; what: 'card' | 'post' | 'invitation'; id: string }
  | { kind: 'drive' }
  | { kind: 'close' }
  | { kind: 'retire' };

/** `at`: ms since the epoch, 0 for at once. */
type Item<T> = { at: number; work: T };

/** In order: what a person sees first, the model's turn later. */
function* agenda(record: ThreadRecord, timing: Timing): Generator<Item<Ripe | Work>> {
  const { run } = record;
  for (const { ts, person, retry } of record.strays) {
    yield { at: retry?.at ?? 0, work: { kind: 'remove', ts, ...(person !== undefined && { person }) } };
  }
  if (record.unheard) yield { at: record.unheard.at, work: { kind: 'search' } };
  // Of a turn that came to nothing, and is taken again.
  if (run?.phase.name === 'working') for (const ts of record.previews) yield { at: 0, work: { kind: 'remove', ts } };
  for (const q of record.questions) {
    if (q.sending.state === 'posted' && q.painted < q.version) {
      yield { at: q.repaint?.at ?? 0, work: { kind: 'repaint', question: q.id } };
    }
    if (q.sending.state === 'sent') {
      yield { at: q.sending.retry.at, work: { kind: 'look', what: 'card', id: q.id } };
    }
  }
  for (const { id, retry } of staleOffers(record)) yield { at: retry?.at ?? 0, work: { kind: 'withdraw', id } };
  yield* timers(record, timing);
  for (const { id, addressees } of openQuestions(record)) {
    if (addressees?.state === 'sought')
      yield { at: addressees.retry?.at ?? 0, work: { kind: 'address', question: id } };
  }
  for (const q of cardsToSend(record)) {
    if (q.sending.state === 'unsent') {
      yield { at: q.sending.retry?.at ?? 0, work: { kind: 'send', what: 'card', id: q.id } };
    }
  }
  const post = record.posts[0];
  if (post?.sending.state === 'unsent') {
    yield { at: post.sending.retry?.at ?? 0, work: { kind: 'send', what: 'post', id: post.id } };
  } else if (post?.sending.state === 'sent') {
    yield { at: post.sending.retry.at, work: { kind: 'look', what: 'post', id: post.id } };
  }
  if (run && takes(run, record)) yield { at: 0, work: { kind: 'take' } };
  yield* invitations(record);
  if (run?.phase.name === 'working') yield { at: 0, work: { kind: 'drive' } };
  if (run?.phase.name === 'ending' && !post) yield { at: 0, work: { kind: 'close' } };
  if (!run && record.inbox.length > 0) yield { at: 0, work: { kind: 'begin' } };
  if (isOver(record)) yield { at: record.touchedAt + timing.retention, work: { kind: 'retire' } };
}

/** Kept while the agent has its turn: a record of before what was said was taken with the last answer. */
function takes({ phase, step }: RunRecord, { kept }: ThreadRecord): boolean {
  return phase.name === 'working' && (phase.takes === true || (step > 0 && kept.length > 0));
}

/** After what the thread itself shows: a person is invited to a card that is there. */
function* invitations(record: ThreadRecord): Generator<Item<Work>> {
  for (const q of record.questions) {
    for (const { id, sending, painted, repaint } of invitationsOf(q)) {
      if (sending.state === 'posted' && painted < q.version)
        yield { at: repaint?.at ?? 0, work: { kind: 'renew', id } };
      if (sending.state === 'sent') yield { at: sending.retry.at, work: { kind: 'look', what: 'invitation', id } };
      if (sending.state === 'unsent' && q.sending.state === 'posted') {
        yield { at: sending.retry?.at ?? 0, work: { kind: 'send', what: 'invitation', id } };
      }
    }
  }
}

function* timers(record: ThreadRecord, timing: Timing): Generator<Item<Ripe>> {
  for (const q of openQuestions(record)) {
    if (q.shownAt === undefined) continue;
    if (timing.expireAfter !== undefined) {
      yield { at: q.shownAt + timing.expireAfter, work: { kind: 'expire', question: q.id } };
    }
    if (timing.remindAfter !== undefined && !q.reminded) {
      yield { at: q.shownAt + timing.remindAfter, work: { kind: 'remind', question: q.id } };
    }
  }
}

/**
 * What the agent said beside its questions comes before their cards. A plain question is alone on view, so that a typed number
 * can only be meant for it.
 */
function cardsToSend(record: ThreadRecord): QuestionRecord[] {
  if (record.posts.some((post) => post.body.kind === 'reply')) return [];
  const open = openQuestions(record);
  const shown = open.filter((q) => q.sending.state === 'sent' || q.sending.state === 'posted');
  if (shown.some((q) => q.plain)) return [];
  const waiting = open.filter((q) => q.sending.state === 'unsent' && q.addressees?.state !== 'sought');
  const cards = waiting.filter((q) => !q.plain);
  return cards.length > 0 ? cards : shown.length === 0 ? waiting.slice(0, 1) : [];
}

/** Open questions that a typed reply could be meant for: those that are on view, or about to be. */
export function addressable(record: ThreadRecord): QuestionRecord[] {
  const next = new Set(cardsToSend(record));
  return openQuestions(record).filter((q) => q.sending.state !== 'unsent' || next.has(q));
}

/** Nobody waits for anything here: the thread may leave the store when its time has come. */
function isOver(record: ThreadRecord): boolean {
  const unpainted = record.questions.some(isStale);
  const idle = !record.run || record.run.phase.name === 'failed';
  const owed = record.inbox.length + record.posts.length + record.strays.length + staleOffers(record).length;
  return idle && owed === 0 && !record.unheard && !unpainted;
}

/** Something of it is in Slack, or may be, and does not show how it ended. */
export function isStale(q: QuestionRecord): boolean {
  const views = [q, ...invitationsOf(q)];
  return views.some(({ sending, painted }) => sending.state === 'posted' && painted < q.version);
}

const RIPE: readonly (Ripe | Work)['kind'][] = ['begin', 'take', 'remind', 'expire'] satisfies Ripe['kind'][];

function isRipe(work: Ripe | Work): work is Ripe {
  return RIPE.includes(work.kind);
}

/** The first change of the record alone that is due. */
export function ripe(record: ThreadRecord, timing: Timing, now: number): Ripe | undefined {
  for (const { at, work } of agenda(record, timing)) {
    if (isRipe(work) && at <= now) return work;
  }
  return undefined;
}

/** What its holder does next; undefined: nothing now. */
export function work(record: ThreadRecord, timing: Timing, now: number): Work | undefined {
  if (record.retryAt !== undefined && record.retryAt > now) return undefined;
  for (const item of agenda(record, timing)) {
    if (!isRipe(item.work) && item.at <= now) return item.work;
  }
  return undefined;
}

/** When somebody must look at the record again: the lease's end, or the earliest of what waits. undefined: never. */
export function dueAt(record: ThreadRecord, timing: Timing): number | undefined {
  if (record.lease) return record.lease.until;
  let earliest: number | undefined;
  for (const { at } of agenda(record, timing)) {
    const then = Math.max(at, record.retryAt ?? 0);
    if (earliest === undefined || then < earliest) earliest = then;
  }
  return earliest;
}

/** All questions of the step are settled. */
export function isAnswered(record: ThreadRecord): boolean {
  const questions = stepQuestions(record);
  return questions.length > 0 && questions.every((q) => q.settled);
}
