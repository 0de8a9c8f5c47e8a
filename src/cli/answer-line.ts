/** A line typed at a terminal as the answer to a question. `checkAnswer` judges it; this only finds out what was meant. */
import { problemText } from '../agent/answer-problem.ts';
import { checkAnswer } from '../agent/ask-user.ts';
import type { Question } from '../agent/question.ts';

export type Given =
  | { kind: 'answer'; answer: string | string[]; wasFreeform: boolean }
  | { kind: 'skip' }
  /** `problem`: a sentence for the person, who is asked again. */
  | { kind: 'wrong'; problem: string };

/** A label, numbers from 1, `s` to skip; anything else, or what stands in quotes, is text where text is allowed. */
export function readAnswerLine(question: Question, line: string): Given {
  const text = line.trim();
  const options = question.options ?? [];
  const quoted = /^(["'“])(.+)["'”]$/s.exec(text)?.[2];
  if (quoted !== undefined) return judged(question, quoted, true);
  if (text === '') return wrong(howTo(question));

  const label = labelOf(options, text);
  if (label !== undefined) return judged(question, question.selectionMode === 'multi_select' ? [label] : label, false);
  if (/^s(kip)?$/i.test(text)) return { kind: 'skip' };

  const parts = /^[\d\s,;]+$/.test(text)
    ? text.split(/[\s,;]+/).filter(Boolean)
    : text.split(',').map((part) => part.trim());
  const picked = parts.map((part) => optionOf(options, part));
  const labels = picked.filter((found) => found !== undefined);
  if (options.length > 0 && labels.length === parts.length) {
    if (question.selectionMode === 'multi_select') return judged(question, labels, false);
    return labels[0] !== undefined && labels.length === 1
      ? judged(question, labels[0], false)
      : wrong('Pick one option only.');
  }

  const unknown = parts.filter((_, i) => picked[i] === undefined);
  // A number beside the list is far more often a slip than an answer.
  const slip = labels.length > 0 || unknown.every((part) => /^\d+$/.test(part));
  if (options.length > 0 && (slip || !question.allowFreeform)) {
    const quotes = question.allowFreeform ? ` If you mean it as it stands, put it in quotes: "${text}".` : '';
    return wrong(`There is no option ${unknown.join(', ')}. ${howTo(question)}${quotes}`);
  }
  return judged(question, text, true);
}

/** How the question can be answered here. */
export function howTo(question: Question): string {
  const count = question.options?.length ?? 0;
  if (count === 0) return 'Write a line of text, or s to skip.';
  const numbers =
    question.selectionMode === 'multi_select'
      ? `Write one or more numbers from 1 to ${count}, such as 1,${Math.min(3, count)}`
      : `Write a number from 1 to ${count}`;
  return `${numbers}${question.allowFreeform ? ', an answer of your own' : ''}, or s to skip.`;
}

function judged(question: Question, answer: string | string[], wasFreeform: boolean): Given {
  const checked = checkAnswer(question, { answer, wasFreeform });
  return checked.ok ? { kind: 'answer', answer, wasFreeform } : wrong(problemText(checked.problem, question));
}

function optionOf(options: { label: string }[], part: string): string | undefined {
  return labelOf(options, part) ?? (/^\d+$/.test(part) ? options[Number(part) - 1]?.label : undefined);
}

function labelOf(options: { label: string }[], text: string): string | undefined {
  const exact = options.find(({ label }) => label === text);
  const plain = text.toLowerCase();
  return (exact ?? options.find(({ label }) => label.trim().toLowerCase() === plain))?.label;
}

const wrong = (problem: string): Given => ({ kind: 'wrong', problem });
