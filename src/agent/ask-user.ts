/** `ask_user`: the question tool, the one place that judges answers, and what the model reads of how a question ended. */
import type { AnswerProblem } from './answer-problem.ts';
import { askUserInputSchema, parseAskUser } from './ask-user-input.ts';
import type { Answer, Question, Settlement } from './question.ts';
import { schemaOf, type Tool } from './tool.ts';
import { limited } from './transcript.ts';

/** An answer's text is refused beyond this many characters. */
export const maxAnswerChars = 20_000;

const description =
  'Ask a person and wait for the answer, for as long as it takes. Use it when the request is ambiguous, a decision is theirs ' +
  'to make, or something only they know is missing; do not guess and do not ask in plain text. Ask one question per call. ' +
  'Offer options wherever the answers can be foreseen. Other calls in the same step that change anything are not executed. ' +
  'The person you work for is asked unless "to" says otherwise: use it only when they want somebody whom they mention to be ' +
  'asked, or when the decision is plainly the part of ';

export const askUserTool: Tool = {
  id: 'ask_user',
  description: `${description}such a person.`,
  parameters: schemaOf(askUserInputSchema),
  readOnly: true,
  ask: parseAskUser,
  /** Outside a run nobody can be asked: the question as text, for whoever reads the tool's result. */
  async execute(args) {
    const asked = parseAskUser(args);
    return asked.ok ? fallbackText(asked.question) : `The question cannot be asked: ${asked.problem}`;
  },
};

/** The tool where there are names for people who can be asked besides those who were mentioned. */
export function askUserToolWith(names: readonly string[]): Tool {
  if (names.length === 0) return askUserTool;
  const list = names.map((name) => JSON.stringify(name)).join(', ');
  return { ...askUserTool, description: `${description}one of these, who can be asked by name too: ${list}.` };
}

export type CheckedAnswer = { ok: true; settlement: Settlement } | { ok: false; problem: AnswerProblem };

/**
 * Whether `answer` answers `question`. Labels count exactly, then without regard to case and outer blanks as long as only one
 * is meant. Labels come back whole, once each, in the question's order.
 */
export function checkAnswer(question: Question, answer: Answer): CheckedAnswer {
  if (typeof answer === 'string') return checkTexts(question, [answer]);
  if (isTexts(answer)) return checkTexts(question, answer);
  if (typeof answer !== 'object' || answer === null) return problem({ kind: 'unreadable' });
  if ('options' in answer) return checkIndexes(question, answer.options, answer.text);
  if (typeof answer.answer === 'string') {
    // What was written stays what was written, even if it reads like a label; where nothing may be written, it can only be one.
    const written = answer.wasFreeform === true && question.allowFreeform;
    return written ? accept(question, [], answer.answer) : checkTexts(question, [answer.answer]);
  }
  return isTexts(answer.answer) ? checkTexts(question, answer.answer) : problem({ kind: 'unreadable' });
}

/** Texts, each a label or, one at most and only where free text is allowed, something else. */
function checkTexts(question: Question, texts: string[]): CheckedAnswer {
  const given = texts.filter((text) => text.trim() !== '');
  if (given.length < texts.length && texts.length > 1) return problem({ kind: 'part_blank' });
  const indexes: number[] = [];
  const others: string[] = [];
  for (const text of given) {
    const found = findLabel(question, text);
    if (found.length > 1) return problem({ kind: 'ambiguous', text: text.trim() });
    if (found[0] === undefined) others.push(text);
    else indexes.push(found[0]);
  }
  if (others.length > 1) return problem({ kind: 'not_options', texts: others });
  return accept(question, indexes, others[0]);
}

function checkIndexes(question: Question, indexes: unknown, text: unknown): CheckedAnswer {
  const count = question.options?.length ?? 0;
  const known = (index: unknown): index is number =>
    Number.isInteger(index) && Number(index) >= 0 && Number(index) < count;
  if (!Array.isArray(indexes) || !indexes.every(known)) return problem({ kind: 'no_such_option' });
  if (text !== undefined && typeof text !== 'string') return problem({ kind: 'unreadable' });
  return accept(question, indexes, text);
}

/** The rules that hold for every way of answering. */
function accept(question: Question, indexes: number[], given: string | undefined): CheckedAnswer {
  const picked = new Set(indexes);
  const labels = (question.options ?? []).flatMap(({ label }, index) => (picked.has(index) ? label : []));
  const text = given?.trim() ?? '';
  const several = question.selectionMode === 'multi_select';
  if (labels.length === 0 && text === '') {
    return problem(question.options ? { kind: 'nothing_picked', several } : { kind: 'blank' });
  }
  if (labels.length > 1 && !several) return problem({ kind: 'too_many' });
  if (text !== '' && !question.allowFreeform) return problem({ kind: 'options_only' });
  if (text.length > maxAnswerChars) return problem({ kind: 'too_long', max: maxAnswerChars });
  return { ok: true, settlement: { outcome: 'answered', labels, ...(text === '' ? {} : { text }) } };
}

function findLabel(question: Question, text: string): number[] {
  const options = question.options ?? [];
  const exact = options.findIndex(({ label }) => label === text);
  if (exact !== -1) return [exact];
  return options.flatMap(({ label }, index) => (plain(label) === plain(text) ? index : []));
}

const plain = (text: string): string => text.normalize('NFC').trim().toLowerCase();

const problem = (what: AnswerProblem): CheckedAnswer => ({ ok: false, problem: what });

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

/** What the model reads (DESIGN §6). */
export function outcomeText(settlement: Settlement, question: Question): string {
  switch (settlement.outcome) {
    case 'answered': {
      const { labels, text } = settlement;
      const note = text === undefined ? undefined : limited(text, maxAnswerChars, 'The answer');
      if (labels.length === 0) return `User responded: ${note ?? ''}`;
      const selected = labels.length === 1 ? labels[0] : JSON.stringify(inOrder(labels, question));
      return `User selected: ${selected}${note === undefined ? '' : `\nUser note: ${note}`}`;
    }
    case 'dismissed':
      return 'User dismissed the question without answering.';
    case 'superseded':
      return `User did not pick an option. They wrote: ${limited(settlement.text, maxAnswerChars, 'The text')}`;
    case 'expired':
      return `Nobody answered within ${settlement.after}.`;
    case 'cancelled':
      return 'The question was cancelled.';
    case 'failed':
      return `The question could not be shown: ${settlement.reason}${/[.!?]$/.test(settlement.reason) ? '' : '.'}`;
  }
}

function inOrder(labels: string[], question: Question): string[] {
  const known = (question.options ?? []).flatMap(({ label }) => (labels.includes(label) ? label : []));
  return known.length === labels.length ? known : labels;
}

/** The same end of a question, whoever reports it. */
export function sameSettlement(a: Settlement, b: Settlement): boolean {
  switch (a.outcome) {
    case 'answered':
      return (
        b.outcome === 'answered' &&
        (a.text ?? '') === (b.text ?? '') &&
        JSON.stringify(a.labels.toSorted()) === JSON.stringify(b.labels.toSorted())
      );
    case 'superseded':
      return b.outcome === 'superseded' && a.text === b.text;
    case 'dismissed':
    case 'expired':
    case 'cancelled':
    case 'failed':
      // When and why it ended so is told once; that it did is what a second report must agree on.
      return a.outcome === b.outcome;
  }
}

/** The answer for a caller: whole labels (several: an array) or the text; undefined: the question was not answered. */
export function answerValue(question: Question, settlement: Settlement): string | string[] | undefined {
  if (settlement.outcome !== 'answered') return undefined;
  if (settlement.labels.length === 0) return settlement.text;
  return question.selectionMode === 'multi_select' ? settlement.labels : settlement.labels[0];
}

/** JSON Schema, as text, of what answers the question. */
export function resumeSchema(question: Question): string {
  const labels = question.options?.map(({ label }) => label);
  const text = { type: 'string', minLength: 1 };
  const label = labels && !question.allowFreeform ? { type: 'string', enum: labels } : text;
  if (question.selectionMode !== 'multi_select') return JSON.stringify(label);
  return JSON.stringify({ type: 'array', items: label, minItems: 1 });
}

function fallbackText({ question, options, selectionMode, allowFreeform, to = ['user'] }: Question): string {
  const asked = `[Question for ${to.join(', ')}]: ${question}`;
  if (!options) return asked;
  const lines = options.map(({ label, description }) => (description ? `- ${label}: ${description}` : `- ${label}`));
  const free = allowFreeform ? 'A free text answer is welcome too.' : 'Only these options can be picked.';
  return [asked, 'Options:', ...lines, `Selection mode: ${selectionMode}`, free].join('\n');
}
