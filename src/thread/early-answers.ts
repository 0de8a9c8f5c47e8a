/**
 * An answer typed while it is not known yet where its card is. People see a card before its place is recorded, so what they type
 * is kept, and judged when the place is known: it is an answer if it is later than the card, like any other. Pure.
 */
import { checkAnswer } from '../agent/ask-user.ts';
import type { Settlement } from '../agent/question.ts';
import { settle } from './settling.ts';
import { askedPeople, isLater, type QuestionRecord, type ThreadRecord, type Waiting } from './thread.ts';
import { typedReply } from './typed-reply.ts';
import { addressable } from './work.ts';

/** A message here may be an answer, though nobody can say so yet: the only open card has left, and its place is not known. */
export function mayBeEarly(record: ThreadRecord): boolean {
  const open = addressable(record);
  return open.length === 1 && open[0]?.sending.state === 'sent';
}

/** The place of the question's card has become known. */
export function withEarlyAnswer(record: ThreadRecord, id: QuestionRecord['id'], now: number): ThreadRecord {
  const [question, ...others] = addressable(record);
  if (question?.id !== id || others.length > 0) return record;
  const said = [...record.context, ...record.kept].toSorted((a, b) => (isLater(a.id, b.id) ? 1 : -1));
  for (const message of said) {
    const settlement = settlementBy(message, question);
    if (!settlement) continue;
    const isOther = (other: Waiting) => other.id !== message.id;
    const rest = { ...record, kept: record.kept.filter(isOther), context: record.context.filter(isOther) };
    return settle(rest, id, settlement, message.by, now);
  }
  return record;
}

function settlementBy(message: Waiting, record: QuestionRecord): Settlement | undefined {
  const { question, sending } = record;
  if (!message.early || sending.state !== 'posted') return undefined;
  const { text, id: ts, by, early } = message;
  const isAsked = askedPeople(record).includes(by);
  const typed = { text, ts, mayAnswer: true, isAsked, mayStop: true, addressed: early.addressed };
  const reply = typedReply(typed, [{ question, cardTs: sending.ts }]);
  switch (reply.kind) {
    case 'options': {
      const checked = checkAnswer(question, { options: reply.options });
      return checked.ok ? checked.settlement : undefined;
    }
    case 'text': {
      const checked = checkAnswer(question, { answer: text, wasFreeform: true });
      return checked.ok ? checked.settlement : undefined;
    }
    case 'supersede':
      return { outcome: 'superseded', text };
    case 'stop':
    case 'none':
      return undefined;
    default:
      return reply satisfies never;
  }
}
