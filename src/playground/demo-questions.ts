/** How the demo model asks, and how it speaks of what it was told. */
import type { Errand, Outcome } from './demo-transcript.ts';

export type Question = {
  question: string;
  options?: { label: string; description?: string }[];
  selectionMode?: 'single_select' | 'multi_select';
  allowFreeform?: boolean;
  /** Who is asked, when it is not the person who wrote. */
  to?: string[];
};

export type Call = { tool: string; args: unknown };

/** What the script does next. `think` and `pace` in ms, where they are not the usual ones. */
export type Next = { text?: string; calls?: Call[]; think?: number; pace?: number };

export const ask = (question: Question): Call => ({ tool: 'ask_user', args: question });

export function outcomesOf(errand: Errand, questions: readonly Question[]) {
  const all = questions.map((question) => ({ question, outcome: errand.outcomes.get(question.question) }));
  return {
    open: all.flatMap(({ question, outcome }) => (outcome ? [] : [question])),
    known: all.flatMap(({ question, outcome }) => (outcome ? [{ question, outcome }] : [])),
  };
}

/** One line of Markdown that shows what a person wrote as it is, and does not break the table or the quotation that it stands in. */
export function inWords(text: string): string {
  const line = text.trim().replace(/\s+/g, ' ').replaceAll('|', '/').replaceAll('`', "'");
  const short = line.length > 300 ? `${line.slice(0, 300)}…` : line;
  return short.replace(/[\\*_~[\]#]/g, '\\$&');
}

/** The answer alone, for lists and tables. */
export function answerOf(outcome: Outcome | undefined): string {
  switch (outcome?.kind) {
    case 'answered': {
      const labels = outcome.labels.map(inWords).join(', ');
      const text = outcome.text === undefined ? '' : `“${inWords(outcome.text)}”`;
      return [labels, text].filter((part) => part !== '').join(' and ');
    }
    case 'skipped':
      return 'skipped';
    case 'superseded':
      return `in your words: “${inWords(outcome.text)}”`;
    case 'expired':
      return `no answer within ${outcome.after}`;
    case 'cancelled':
      return 'cancelled';
    case 'failed':
      return 'could not be asked';
    case undefined:
      return 'not asked';
  }
}

/** A sentence that says how the question ended. */
export function ended(outcome: Outcome): string {
  switch (outcome.kind) {
    case 'answered':
      return `You said: ${answerOf(outcome)}.`;
    case 'skipped':
      return 'You skipped the question, which is an answer too.';
    case 'superseded':
      return `You did not pick an option, you wrote: “${inWords(outcome.text)}”.`;
    case 'expired':
      return `Nobody answered within ${outcome.after}, so I stopped waiting.`;
    case 'cancelled':
      return 'The question was cancelled, so I leave it.';
    case 'failed':
      return `I could not ask: ${inWords(outcome.reason)}`;
  }
}
