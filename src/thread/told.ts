/** What a person is told of what became of their answer. Pure. */
import type { Answered } from './dispatcher-api.ts';
import type { Whisper } from './ports.ts';

/** undefined: nothing; they see it. */
export function toldOfAnswer(answered: Answered): Whisper | undefined {
  switch (answered.status) {
    case 'accepted':
      return undefined;
    case 'already_settled': {
      const { settlement, by } = answered;
      return { kind: 'already_settled', settlement, ...(by !== undefined && { by }) };
    }
    case 'not_allowed': {
      const { status: _, ...refused } = answered;
      return { kind: 'not_allowed', ...refused };
    }
    case 'invalid':
      return { kind: 'invalid', problem: answered.problem };
    case 'unknown':
      return { kind: 'unknown_question' };
    default:
      return answered satisfies never;
  }
}
