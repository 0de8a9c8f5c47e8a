/** How a question of the record ends, and what a card's reminder and expiry do. Pure. */
import type { Settlement } from '../agent/question.ts';
import { inWords } from './duration.ts';
import type { QuestionId, QuestionView } from './ports.ts';
import {
  askedPeople,
  openQuestions,
  type QuestionRecord,
  type Sending,
  stepQuestions,
  type ThreadRecord,
  withPhase,
  withQuestion,
} from './thread.ts';
import { isAnswered } from './work.ts';

/** Settles the question, or replaces what it ended with; the last of a step gives the run back to the agent. */
export function settle(
  record: ThreadRecord,
  id: QuestionId,
  settlement: Settlement,
  by: string | undefined,
  now: number,
): ThreadRecord {
  const next = withQuestion(record, id, (q) => ({
    ...q,
    settled: { settlement, by, at: now },
    version: q.version + 1,
    repaint: undefined,
    sending: unlessUnsent(q.sending),
    ...(q.addressees && { addressees: withoutUnsent(q.addressees) }),
  }));
  const posts = next.posts.filter((post) => post.question !== id || post.sending.state !== 'unsent');
  const settled = { ...next, posts };
  return settled.run?.phase.name === 'asking' && isAnswered(settled)
    ? withPhase(final(settled, id), { name: 'working', takes: true })
    : settled;
}

/** Nobody needs to see it any more. */
function unlessUnsent(sending: Sending): Sending {
  return sending.state === 'unsent' ? { state: 'dropped' } : sending;
}

function withoutUnsent(addressees: NonNullable<QuestionRecord['addressees']>): typeof addressees {
  if (addressees.state === 'sought') return addressees;
  const invitations = addressees.invitations.map((one) => ({ ...one, sending: unlessUnsent(one.sending) }));
  return { ...addressees, invitations };
}

/** No answer of the step can be changed any more, and the cards of the others still say that theirs can. */
function final(record: ThreadRecord, last: QuestionId): ThreadRecord {
  const offering = stepQuestions(record).filter((q) => q.id !== last && q.settled?.by !== undefined);
  return offering.reduce((r, { id }) => withQuestion(r, id, (q) => ({ ...q, version: q.version + 1 })), record);
}

export function cancelOpen(record: ThreadRecord, by: string | undefined, now: number): ThreadRecord {
  return openQuestions(record).reduce((r, q) => settle(r, q.id, { outcome: 'cancelled' }, by, now), record);
}

export function expire(record: ThreadRecord, id: QuestionId, after: number, now: number): ThreadRecord {
  return settle(record, id, { outcome: 'expired', after: inWords(after), ms: after }, undefined, now);
}

/** Owes the thread one message that names who is asked. */
export function remind(record: ThreadRecord, id: QuestionId): ThreadRecord {
  const question = record.questions.find((q) => q.id === id);
  if (!question) return record;
  const next = withQuestion(record, id, (q) => ({ ...q, reminded: true }));
  const [who = question.requester, ...others] = askedPeople(question);
  const about = { kind: 'reminder', question: question.question.question, who } as const;
  const body = others.length > 0 ? { ...about, others } : about;
  return {
    ...next,
    posts: [...next.posts, { id: `${id}:reminder`, body, sending: { state: 'unsent' }, question: id }],
  };
}

/** The person's own answer, while another question of the step keeps the run waiting. */
export function isReplaceable(record: ThreadRecord, question: QuestionRecord, by: string): boolean {
  return isChangeable(record, question) && question.settled?.by === by;
}

function isChangeable(record: ThreadRecord, question: QuestionRecord): boolean {
  const withdrawn = question.settled?.settlement.outcome === 'cancelled';
  return !withdrawn && record.run?.phase.name === 'asking' && stepQuestions(record).includes(question);
}

export function viewOf(record: ThreadRecord, question: QuestionRecord): QuestionView {
  const step = stepQuestions(record);
  const isLast = question.of > 1 && question.position === question.of && step.includes(question);
  return { ...plainView(record, question), ...(isLast && { step: step.map((q) => plainView(record, q)) }) };
}

function plainView(record: ThreadRecord, question: QuestionRecord): QuestionView {
  const { settled } = question;
  return {
    id: question.id,
    thread: record.id,
    question: question.question,
    requester: question.requester,
    ...(question.addressees && { asked: askedPeople(question) }),
    position: question.position,
    of: question.of,
    ...(settled && {
      settled: {
        settlement: settled.settlement,
        ...(settled.by !== undefined && { by: settled.by }),
        at: settled.at,
        ...(settled.by !== undefined && isChangeable(record, question) && { changeable: true as const }),
      },
    }),
  };
}
