/**
 * A message that must not double: marked before each attempt, looked for after a doubtful one, recorded when its `ts` is
 * known. Pure; the rules are those of DESIGN "The post".
 */
import { withEarlyAnswer } from './early-answers.ts';
import type { QuestionId } from './ports.ts';
import { withStray } from './previewed.ts';
import { backoff, retryLater } from './retry.ts';
import {
  type Invitation,
  invitationsOf,
  type PostRecord,
  type Sending,
  type ThreadRecord,
  withInvitation,
  withQuestion,
} from './thread.ts';

/** A message that landed but is not in the thread's history yet: how long until the second look. */
const SECOND_LOOK = 5_000;

function change(record: ThreadRecord, id: string, by: (sending: Sending) => Sending): ThreadRecord {
  const cards = withQuestion(record, id as QuestionId, (q) => ({ ...q, sending: by(q.sending) }));
  const next = withInvitation(cards, id, (invitation) => ({ ...invitation, sending: by(invitation.sending) }));
  return { ...next, posts: next.posts.map((post) => (post.id === id ? { ...post, sending: by(post.sending) } : post)) };
}

/** Before the attempt: from now on it may have landed. */
export function attempted(record: ThreadRecord, id: string, now: number): ThreadRecord {
  return change(record, id, (s) =>
    s.state === 'unsent'
      ? { state: 'sent', since: s.since ?? now, looks: 0, retry: { at: 0, tries: s.retry?.tries ?? 0 } }
      : s,
  );
}

/** The attempt certainly failed and may work later; `after` ms, when Slack said so. What nobody awaits any more is dropped. */
export function postponed(record: ThreadRecord, id: string, now: number, after?: number): ThreadRecord {
  const settled = isOfSettled(record, id);
  return change(record, id, (s) => {
    if (s.state !== 'sent') return s;
    return settled ? { state: 'dropped' } : { state: 'unsent', since: s.since, retry: retryLater(s.retry, now, after) };
  });
}

/** A card, or an invitation to one, whose question has ended meanwhile. */
function isOfSettled(record: ThreadRecord, id: string): boolean {
  return record.questions.some((q) => q.settled && (q.id === id || invitationsOf(q).some((one) => one.id === id)));
}

/** It is refused for good, and nothing depends on it. */
export function dropped(record: ThreadRecord, id: string): ThreadRecord {
  return change(record, id, (s) => (s.state === 'sent' ? { state: 'dropped' } : s));
}

/** Looked for in the thread, and not there. After the second time it may be sent again; what nobody awaits is dropped. */
export function notFound(record: ThreadRecord, id: string, now: number): ThreadRecord {
  const settled = isOfSettled(record, id);
  return change(record, id, (s) => {
    if (s.state !== 'sent') return s;
    if (s.looks === 0) return { ...s, looks: 1, retry: { at: now + SECOND_LOOK, tries: s.retry.tries } };
    if (settled) return { state: 'dropped' };
    const tries = s.retry.tries + 1;
    return { state: 'unsent', since: s.since, retry: { at: tries < 3 ? now : now + backoff(tries), tries } };
  });
}

/** The thread could not be read, which says nothing. */
export function unreadable(record: ThreadRecord, id: string, now: number): ThreadRecord {
  return change(record, id, (s) => (s.state === 'sent' ? { ...s, retry: retryLater(s.retry, now) } : s));
}

/**
 * A message with this id is in the thread: a fact, whoever brings it, holder or not. The first stands; another is a stray.
 */
export function posted(record: ThreadRecord, id: string, ts: string, now: number): ThreadRecord {
  const invitation = record.questions.flatMap(invitationsOf).find((one) => one.id === id);
  const known = postedTs(record, id, invitation);
  if (known !== undefined) return known === ts ? record : withStray(record, ts, invitation?.person);
  if (invitation) return withInvitation(record, id, (one) => ({ ...one, sending: { state: 'posted', ts } }));
  const post = record.posts.find((post) => post.id === id);
  if (post) {
    return {
      ...withOffer(record, post, ts),
      posts: record.posts.filter((post) => post.id !== id),
      delivered: [...record.delivered, { id, ts }],
    };
  }
  const shown = withQuestion(record, id as QuestionId, (q) => ({
    ...q,
    sending: { state: 'posted', ts },
    shownAt: Number(ts) > 0 ? Number(ts) * 1000 : now,
  }));
  return withEarlyAnswer(shown, id as QuestionId, now);
}

function withOffer(record: ThreadRecord, { id, body }: PostRecord, ts: string): ThreadRecord {
  if (body.kind !== 'failure' || body.retry === undefined) return record;
  const { message, code, retry } = body;
  const offer = { id, ts, runId: retry.runId, message, ...(code !== undefined && { code }) };
  return { ...record, offers: [...record.offers, offer] };
}

function postedTs(record: ThreadRecord, id: string, invitation: Invitation | undefined): string | undefined {
  const card = (invitation ?? record.questions.find((q) => q.id === id))?.sending;
  if (card?.state === 'posted') return card.ts;
  return record.delivered.find((post) => post.id === id)?.ts;
}
