import type { ModalView } from '@slack/types';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Settlement } from '../../../src/agent/question.ts';
import { checkModal } from '../../../src/slack/limits.ts';
import { fieldError, settledMeanwhile, settledModal } from '../../../src/slack/views/modal.ts';
import { wordsIn } from '../../../src/slack/words/catalogue.ts';
import { en } from '../../../src/slack/words/en.ts';
import { LANGUAGES } from '../../../src/slack/words/language.ts';
import { anyView, textsIn, viewOf } from './questions.ts';

test('every modal of a settled question passes the validator, says what happened and has no inputs', () => {
  fc.assert(
    fc.property(anyView, (view) => {
      const settlement = {
        outcome: 'answered',
        labels: view.question.options?.slice(0, 1).map(({ label }) => label) ?? [],
        text: 'so',
      } as const;
      const modal = settledModal({ ...view, settled: { settlement, by: 'U0BOB', at: 1_767_323_045_000 } }, en);
      expect(checkModal(modal)).toEqual([]);
      expect(modal.submit).toBeUndefined();
      expect(modal.blocks.filter((block) => block.type === 'input' || block.type === 'actions')).toEqual([]);
      expect(textsIn(modal.blocks).at(-1)).toMatch(/^✅ Answered by <@U0BOB>/);
    }),
  );
});

test('a receipt of an open question is a bug', () => {
  expect(() => settledModal(viewOf({}), en)).toThrow('is open');
});

test('who came too late for several reads of each, or of as many as Slack shows', () => {
  const settlement: Settlement = { outcome: 'answered', labels: [], text: '字'.repeat(3_000) };
  const late = (count: number, question: string) =>
    Array.from({ length: count }, () =>
      viewOf({ question }, { settled: { settlement, by: 'U0BOB', at: 1_767_323_045_000 } }),
    );
  const receipts = (modal: ModalView) => textsIn(modal.blocks).filter((text) => text.startsWith('✅')).length;
  for (const language of LANGUAGES) {
    const some = settledMeanwhile(late(3, 'Why?'), wordsIn(language));
    expect(checkModal(some)).toEqual([]);
    expect(textsIn(some.blocks)[0]).toBe(wordsIn(language).form.settledMeanwhile);
    expect(receipts(some)).toBe(3);
  }
  const most = settledMeanwhile(late(20, '問'.repeat(8_000)), en);
  expect(checkModal(most)).toEqual([]);
  expect(receipts(most)).toBeGreaterThan(5);
  expect(receipts(most)).toBeLessThan(20);
});

test('an error at the field is one line of plain words, without entities', () => {
  expect(fieldError('Only *that* person may do that.\nA &amp; B.')).toBe('Only *that* person may do that. A & B.');
  expect(fieldError('x'.repeat(5_000)).length).toBeLessThanOrEqual(300);
});
