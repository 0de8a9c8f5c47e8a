/** What a click or a modal does to its thread: authorise, check, claim, in that order. Pure. */
import { type CheckedAnswer, checkAnswer, sameSettlement } from '../agent/ask-user.ts';
import type { Answer, Question, Settlement } from '../agent/question.ts';
import type { Answered, AnswerRequest, Given, Looked } from './dispatcher-api.ts';
import { mayNotAnswer, mayNotUse, type Policy } from './policy.ts';
import type { Person, QuestionId, QuestionView } from './ports.ts';
import { posted } from './sending.ts';
import { isReplaceable, settle, viewOf } from './settling.ts';
import { askedPeople, channelOf, openQuestions, type QuestionRecord, type ThreadRecord } from './thread.ts';

/** `record` is what was found, when nothing changes. */
export type AnsweredQuestion = { record: ThreadRecord | undefined; answered: Answered };

export function answer(
  found: ThreadRecord | undefined,
  request: AnswerRequest,
  policy: Policy,
  now: number,
): AnsweredQuestion {
  if (!found?.questions.some((q) => q.id === request.question)) {
    return { record: found, answered: { status: 'unknown' } };
  }
  const record = request.cardTs === undefined ? found : knownCard(found, request.question, request.cardTs, now);
  const question = record.questions.find((q) => q.id === request.question) as QuestionRecord;

  const refused = refusal(record, question, request.by, policy);
  if (refused) return { record, answered: refused };

  const checked = settlementFor(question.question, request.given);
  const { settled } = question;
  if (settled) {
    const own = settled.by === request.by.id;
    if (own && checked.ok && sameSettlement(settled.settlement, checked.settlement)) {
      return { record, answered: { status: 'accepted', question: viewOf(record, question) } };
    }
    if (!isReplaceable(record, question, request.by.id)) return { record, answered: alreadySettled(record, question) };
  } else if (record.run?.runId !== question.runId || record.run.phase.name !== 'asking') {
    return { record, answered: { status: 'unknown' } };
  }
  if (!checked.ok) return { record, answered: { status: 'invalid', problem: checked.problem } };

  return settledBy(record, question, checked.settlement, request.by.id, now);
}

/** Its requester does not want it answered any more: the run goes on without. */
export function withdraw(
  found: ThreadRecord | undefined,
  { question: id, by, cardTs }: Omit<AnswerRequest, 'given'>,
  policy: Policy,
  now: number,
): AnsweredQuestion {
  const record = found && cardTs !== undefined ? knownCard(found, id, cardTs, now) : found;
  const question = record?.questions.find((q) => q.id === id);
  if (!record || !question) return { record, answered: { status: 'unknown' } };
  const { requester, settled } = question;
  const outside = mayNotUse(policy, by, channelOf(record.id));
  const reason = outside ?? (by.id === requester ? undefined : 'not_requester');
  if (reason) return { record, answered: { status: 'not_allowed', reason, requester } };
  if (settled?.settlement.outcome === 'cancelled' && settled.by === by.id) {
    return { record, answered: { status: 'accepted', question: viewOf(record, question) } };
  }
  if (settled) return { record, answered: alreadySettled(record, question) };
  if (!openQuestions(record).includes(question)) return { record, answered: { status: 'unknown' } };
  return settledBy(record, question, { outcome: 'cancelled' }, by.id, now);
}

function settledBy(
  record: ThreadRecord,
  question: QuestionRecord,
  settlement: Settlement,
  by: string,
  now: number,
): AnsweredQuestion {
  const next = { ...settle(record, question.id, settlement, by, now), touchedAt: now };
  const after = next.questions.find((q) => q.id === question.id) ?? question;
  return { record: next, answered: { status: 'accepted', question: viewOf(next, after) } };
}

/** Where the card is is a fact, whoever clicked it and whatever becomes of the click. */
function knownCard(record: ThreadRecord, id: QuestionId, cardTs: string, now: number): ThreadRecord {
  return record.questions.some((q) => q.id === id) ? posted(record, id, cardTs, now) : record;
}

/** The question as it is for this person, who may want to answer it. */
export function look(record: ThreadRecord | undefined, id: QuestionId, by: Person, policy: Policy): Looked {
  const question = record?.questions.find((q) => q.id === id);
  if (!record || !question) return { status: 'unknown' };
  const refused = refusal(record, question, by, policy);
  if (refused) return refused;
  if (question.settled && !isReplaceable(record, question, by.id)) return alreadySettled(record, question);
  return { status: 'open', question: viewOf(record, question) };
}

/** All that waits for this person in the question's step; what is to be said of the question itself when nothing does. */
export function lookAtStep(
  record: ThreadRecord | undefined,
  id: QuestionId,
  by: Person,
  policy: Policy,
): { status: 'open'; questions: QuestionView[] } | Exclude<Looked, { status: 'open' }> {
  const questions = record?.questions.some(
    (q) => q.id === id && q.runId === record.run?.runId && q.step === record.run.step,
  )
    ? openQuestions(record).filter((q) => !refusal(record, q, by, policy))
    : [];
  if (record && questions.length > 0) return { status: 'open', questions: questions.map((q) => viewOf(record, q)) };
  const looked = look(record, id, by, policy);
  return looked.status === 'open' ? { status: 'open', questions: [looked.question] } : looked;
}

/** undefined: this person may answer it. */
export function refusal(
  record: ThreadRecord,
  question: QuestionRecord,
  by: Person,
  policy: Policy,
): Extract<Answered, { status: 'not_allowed' }> | undefined {
  const { requester } = question;
  const { participants } = record;
  const people = question.addressees && askedPeople(question);
  const asked = { channel: channelOf(record.id), requester, participants, ...(people && { people }) };
  const reason = mayNotAnswer(policy, by, asked);
  return reason && { status: 'not_allowed', reason, requester, ...(people && { asked: people }) };
}

function alreadySettled(
  record: ThreadRecord,
  question: QuestionRecord,
): Extract<Answered, { status: 'already_settled' | 'unknown' }> {
  const { settled } = question;
  if (!settled) return { status: 'unknown' };
  const by = settled.by === undefined ? {} : { by: settled.by };
  return { status: 'already_settled', question: viewOf(record, question), settlement: settled.settlement, ...by };
}

function settlementFor(question: Question, given: Given): CheckedAnswer {
  if (given.kind === 'skip') return { ok: true, settlement: { outcome: 'dismissed' } };
  const { options, text } = given;
  const freeform = options.length === 0 && text !== undefined;
  const value: Answer = freeform
    ? { answer: text, wasFreeform: true }
    : text === undefined
      ? { options }
      : { options, text };
  return checkAnswer(question, value);
}
