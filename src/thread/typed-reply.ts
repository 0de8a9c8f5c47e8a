/** What a message typed beside questions means: DESIGN "Typed replies". Pure. */
import type { Question } from '../agent/question.ts';
import { isLater } from './thread.ts';

export type TypedReply =
  | { kind: 'options'; options: number[] }
  | { kind: 'stop' }
  | { kind: 'text' }
  | { kind: 'supersede' }
  /** It is no answer: a message like any other. */
  | { kind: 'none' };

export type Typed = {
  text: string;
  /** The message's `ts`. */
  ts: string;
  /** Its writer may answer the question, if exactly one is open. */
  mayAnswer: boolean;
  /** It is for them that the question is: the requester, unless it is put to others. */
  isAsked: boolean;
  /** Its writer may end the run. */
  mayStop: boolean;
  /** It names the bot, or needs not to (a DM). */
  addressed: boolean;
};

/** `open`: the questions that are open; `cardTs`: absent while the card is not known to be in the thread. */
export function typedReply(message: Typed, open: { question: Question; cardTs?: string | undefined }[]): TypedReply {
  if (!message.mayAnswer) return message.mayStop && isStop(message.text) ? { kind: 'stop' } : { kind: 'none' };
  const only = open.length === 1 ? open[0] : undefined;
  const asked = only?.cardTs !== undefined && isLater(message.ts, only.cardTs) ? only.question : undefined;
  const options = asked && chosen(message.text, asked);
  if (options) return { kind: 'options', options };
  if (isStop(message.text)) return { kind: message.mayStop ? 'stop' : 'none' };
  if (message.addressed && isHelp(message.text)) return { kind: 'none' };
  if (!asked || message.text.trim() === '') return { kind: 'none' };
  if (asked.allowFreeform) return message.isAsked || message.addressed ? { kind: 'text' } : { kind: 'none' };
  return message.isAsked && message.addressed ? { kind: 'supersede' } : { kind: 'none' };
}

/** The word alone. */
export function isStop(text: string): boolean {
  return fold(text) === 'stop';
}

/** The word alone, or nothing at all: who only calls the bot wants to know what it can do. */
export function isHelp(text: string): boolean {
  return /^(help|\?)?$/.test(fold(text));
}

/** Option indexes, by label or by number from 1; of a multiple choice also several, with commas. */
export function chosen(text: string, question: Question): number[] | undefined {
  const one = option(text, question);
  if (one !== undefined) return [one];
  if (question.selectionMode !== 'multi_select') return undefined;
  // Numbers alone need no commas; a label may have a blank in it.
  const parts = /^[\d\s]+$/.test(text.trim()) ? text.trim().split(/\s+/) : text.split(/[,;\n]/);
  const several = parts.map((part) => option(part, question));
  return several.every((index) => index !== undefined) ? [...new Set(several)].sort((a, b) => a - b) : undefined;
}

/**
 * A label as it is written wins over one that differs in case, that over one that differs in the marks around it, and all over
 * a number: a label may be "2". What could be two labels is none.
 */
function option(text: string, question: Question): number | undefined {
  const labels = (question.options ?? []).map((o) => o.label);
  const exact = labels.indexOf(text.trim());
  if (exact !== -1) return exact;
  for (const likeness of [fold, bare]) {
    const given = likeness(text);
    if (given === '') return undefined;
    const alike = labels.flatMap((label, index) => (likeness(label) === given ? [index] : []));
    if (alike.length > 0) return alike.length === 1 ? alike[0] : undefined;
  }
  const number = /^#?(\d{1,3})$/.exec(bare(text))?.[1];
  const index = number === undefined ? -1 : Number(number) - 1;
  return index >= 0 && index < labels.length ? index : undefined;
}

const AROUND = ' "\'“”„‘’«»‹›「」『』()[]*_~`';
const AT_THE_END = `${AROUND}.,;:!。、`;

/** Without what people put around words that they quote or stress, and at their end. A question mark is none of it: it asks. */
function bare(text: string): string {
  const folded = fold(text);
  let start = 0;
  let end = folded.length;
  while (start < end && AROUND.includes(folded.charAt(start))) start += 1;
  while (end > start && AT_THE_END.includes(folded.charAt(end - 1))) end -= 1;
  return folded.slice(start, end);
}

function fold(text: string): string {
  return text.normalize('NFKC').trim().replace(/\s+/g, ' ').replace(/[.!]$/, '').trim().toLowerCase();
}
