/** A question that is put to others than the requester: what the record knows of them. Pure. */
import type { Addressed } from './addressees-port.ts';
import type { QuestionId } from './ports.ts';
import { retryLater } from './retry.ts';
import { settle } from './settling.ts';
import { type Invitation, openQuestions, type QuestionRecord, type ThreadRecord, withQuestion } from './thread.ts';

/** Looks that may bring an answer that says nothing, before nobody is asked. */
const UNREADABLE = 5;
const NOT_CHECKED = 'It could not be checked whether these people can be asked here. Ask the person you work for.';

/** Whom the requester of the question mentioned in the thread. */
export function namedBy(record: ThreadRecord, requester: string): string[] {
  return record.named.flatMap(({ by, who }) => (by === requester ? who : []));
}

/** What came of looking for them: people, no question at all, or another look later. */
export function addressed(record: ThreadRecord, id: QuestionId, found: Addressed, now: number): ThreadRecord {
  const question = openQuestions(record).find((q) => q.id === id);
  if (question?.addressees?.state !== 'sought') return record;
  const { retry } = question.addressees;
  switch (found.status) {
    case 'found':
      return withQuestion(record, id, (q) => put(q, found.people));
    case 'refused':
      return settle(record, id, { outcome: 'failed', reason: found.reason }, undefined, now);
    case 'later':
      if (found.unreadable && (retry?.tries ?? 0) + 1 >= UNREADABLE) {
        return settle(record, id, { outcome: 'failed', reason: NOT_CHECKED }, undefined, now);
      }
      return withQuestion(record, id, (q) => ({
        ...q,
        addressees: { state: 'sought', retry: retryLater(retry, now, found.retryAfter) },
      }));
    default:
      return found satisfies never;
  }
}

/** To the requester alone is what a question is anyway. Who asks knows of it, and needs no message. */
function put({ addressees: _, ...question }: QuestionRecord, people: readonly string[]): QuestionRecord {
  const others = people.filter((person) => person !== question.requester);
  if (others.length === 0) return question;
  const invitations = others.map(
    (person): Invitation => ({ id: `${question.id}:${person}`, person, sending: { state: 'unsent' }, painted: 0 }),
  );
  return { ...question, addressees: { state: 'found', people: [...people], invitations } };
}
