/** Why an answer does not fit its question. Whoever tells a person in another language has words of their own for each. */
import type { Question } from './question.ts';
import { limited } from './transcript.ts';

export type AnswerProblem =
  | { kind: 'unreadable' | 'blank' | 'part_blank' | 'no_such_option' | 'too_many' | 'options_only' }
  /** `several`: more than one could have been. */
  | { kind: 'nothing_picked'; several: boolean }
  /** Fits more than one label. */
  | { kind: 'ambiguous'; text: string }
  | { kind: 'not_options'; texts: string[] }
  /** `max`: characters. */
  | { kind: 'too_long'; max: number };

/** The sentence for a caller, a model and a terminal. */
export function problemText(problem: AnswerProblem, question: Question): string {
  switch (problem.kind) {
    case 'unreadable':
      return 'This is no answer.';
    case 'blank':
      return 'The answer is blank.';
    case 'part_blank':
      return 'One of the answers is blank.';
    case 'no_such_option':
      return 'The question has no such option.';
    case 'too_many':
      return 'Pick exactly one option.';
    case 'options_only':
      return `This question takes only its options. ${whatToPick(question)}`;
    case 'nothing_picked':
      return whatToPick(question);
    case 'ambiguous':
      return `"${problem.text}" fits several options. ${whatToPick(question)}`;
    case 'not_options':
      return `These are not options: ${problem.texts.join(', ')}. ${whatToPick(question)}`;
    case 'too_long':
      return `The answer is too long: at most ${problem.max} characters.`;
  }
}

function whatToPick({ options = [], selectionMode }: Question): string {
  const labels = options.map(({ label }) => label).join(', ');
  const list = limited(labels, 500, 'The list');
  return selectionMode === 'multi_select' ? `Pick at least one of: ${list}` : `Pick one of: ${list}`;
}
