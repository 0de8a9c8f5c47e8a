import type { KnownBlock } from '@slack/types';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkModal } from '../../../src/slack/limits.ts';
import { modalErrors, questionModal, settledModal } from '../../../src/slack/views/modal.ts';
import { en } from '../../../src/slack/words/en.ts';
import { anyView, labelled, textsIn, viewOf, wordsOf } from './questions.ts';

test('every modal that can be built passes the validator and shows the question and its options in full', () => {
  fc.assert(
    fc.property(anyView, (view) => {
      const modal = questionModal(view, en);
      expect(checkModal(modal)).toEqual([]);
      const [shown, written] = wordsOf(modal.blocks as KnownBlock[], view.question.question);
      expect(shown).toBe(written);
      const labels = view.question.options?.map(({ label }) => label) ?? [];
      expect(textsIn(modal.blocks)).toEqual(expect.arrayContaining(labels));
    }),
  );
});

test('a modal asks for one answer of several lines, at most 3,000 characters', () => {
  const inputs = questionModal(viewOf({ options: labelled('A', 'B') }), en).blocks.filter(
    (block) => block.type === 'input',
  );
  expect(inputs).toMatchObject([{ element: { type: 'plain_text_input', multiline: true, max_length: 3_000 } }]);
  expect(inputs[0]).not.toHaveProperty('optional');
});

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

test('an error at the field is one line of plain words, without entities', () => {
  expect(modalErrors('Only *that* person may do that.\nA &amp; B.')).toEqual({
    'askback:answer-field': 'Only *that* person may do that. A & B.',
  });
  expect(modalErrors('« Passer »\u00a0:\n ici')).toEqual({ 'askback:answer-field': '« Passer »\u00a0: ici' });
  expect(modalErrors('x'.repeat(5_000))['askback:answer-field']?.length).toBeLessThanOrEqual(300);
});
