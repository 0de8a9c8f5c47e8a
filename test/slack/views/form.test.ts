import type { InputBlock, KnownBlock, ModalView } from '@slack/types';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Question, Settlement } from '../../../src/agent/question.ts';
import { checkModal } from '../../../src/slack/limits.ts';
import { fitsForm, questionForm } from '../../../src/slack/views/form.ts';
import { questionCard } from '../../../src/slack/views/question.ts';
import { wordsIn } from '../../../src/slack/words/catalogue.ts';
import { en } from '../../../src/slack/words/en.ts';
import { LANGUAGES } from '../../../src/slack/words/language.ts';
import type { QuestionId, QuestionView } from '../../../src/thread/ports.ts';
import { anyView, labelled, many, QUESTION, textsIn, viewOf, wordsOf } from './questions.ts';

const inputs = (form: ModalView) => form.blocks.filter((block): block is InputBlock => block.type === 'input');
const kinds = (form: ModalView) => inputs(form).map(({ element }) => element.type);
const settledWith = (settlement: Settlement) => ({ settled: { settlement, by: 'U0ADA', at: 1_767_323_045_000 } });

/** Questions of one step. */
const step = (...questions: Partial<Question>[]): QuestionView[] =>
  questions.map((question, index) =>
    viewOf(question, { id: `q${index + 1}` as QuestionId, position: index + 1, of: questions.length }),
  );

describe('of one question', () => {
  test('every form passes the validator and shows the question and its options in full', () => {
    fc.assert(
      fc.property(anyView, (view) => {
        const form = questionForm([view], en);
        expect(checkModal(form)).toEqual([]);
        const [shown, written] = wordsOf(form.blocks as KnownBlock[], view.question.question);
        expect(shown).toBe(written);
        const labels = view.question.options?.map(({ label }) => label) ?? [];
        expect(textsIn(form.blocks)).toEqual(expect.arrayContaining(labels));
      }),
    );
  });

  const single = { options: many(10), selectionMode: 'single_select' } as const;
  const multi = { options: many(10), selectionMode: 'multi_select' } as const;
  test.for<[string, Partial<Question>, string[]]>([
    ['text', { allowFreeform: true }, ['plain_text_input']],
    ['one of ten', single, ['radio_buttons']],
    ['one of eleven', { ...single, options: many(11) }, ['static_select']],
    ['some of ten', multi, ['checkboxes']],
    ['some of a hundred', { ...multi, options: many(100) }, ['multi_static_select']],
    ['one of ten, or one’s own words', { ...single, allowFreeform: true }, ['radio_buttons', 'plain_text_input']],
  ])('%s', ([, question, expected]) => expect(kinds(questionForm([viewOf(question)], en))).toEqual(expected));

  test('text takes several lines, at most 3,000 characters, and must be given', () => {
    const [field] = inputs(questionForm([viewOf({ allowFreeform: true })], en));
    expect(field).toMatchObject({ element: { multiline: true, max_length: 3_000, focus_on_load: true } });
    expect(field).not.toHaveProperty('optional');
  });

  test('a choice and own words beside it need not both be given', () => {
    const form = questionForm([viewOf({ options: labelled('A', 'B'), allowFreeform: true })], en);
    expect(inputs(form)).toMatchObject([{ optional: true }, { optional: true }]);
  });

  test('what was ticked on its card is ticked in the form', () => {
    const view = viewOf({ ...multi, allowFreeform: true });
    const form = questionForm([view], en, { question: QUESTION, options: [1, 9, 10] });
    const element = inputs(form)[0]?.element as { options: unknown[]; initial_options: unknown[] };
    expect(element.initial_options).toEqual([element.options[1], element.options[9]]);
  });

  test('to be changed, it begins with what was given', () => {
    const answered = (labels: string[], text?: string): Settlement => ({
      outcome: 'answered',
      labels,
      ...(text && { text }),
    });
    const change = (question: Partial<Question>, settlement: Settlement) => {
      const form = questionForm([viewOf(question, settledWith(settlement))], en);
      expect(checkModal(form)).toEqual([]);
      return inputs(form).map(({ element }) => element);
    };
    expect(change({ ...single, allowFreeform: true }, answered(['Option 2'], 'if it rains'))).toMatchObject([
      { initial_option: { value: '1' } },
      { initial_value: 'if it rains' },
    ]);
    expect(change(multi, answered(['Option 1', 'Option 3']))).toMatchObject([
      { initial_options: [{ value: '0' }, { value: '2' }] },
    ]);
    expect(change({ ...single, options: many(11) }, answered(['Option 11']))).toMatchObject([
      { initial_option: { value: '10' } },
    ]);
    for (const settlement of [answered([], 'x'.repeat(3_001)), { outcome: 'dismissed' } as const])
      expect(change({ allowFreeform: true }, settlement)[0]).not.toHaveProperty('initial_value');
  });
});

describe('of several questions', () => {
  const three = step(
    { options: labelled('A', 'B') },
    { question: 'Why?', allowFreeform: true },
    { options: many(20), selectionMode: 'multi_select', allowFreeform: true },
  );

  test.for(LANGUAGES)(
    'each has its fields, none must be given, and it says that the rest stays open, in %s',
    (language) => {
      const words = wordsIn(language);
      const form = questionForm(three, words);
      expect(checkModal(form)).toEqual([]);
      expect(kinds(form)).toEqual(['radio_buttons', 'plain_text_input', 'multi_static_select', 'plain_text_input']);
      for (const field of inputs(form)) expect(field.optional).toBe(true);
      expect(new Set(inputs(form).map(({ block_id }) => block_id)).size).toBe(4);
      expect(textsIn(form.blocks)[0]).toBe(words.form.mayStayEmpty);
      expect(textsIn(form.blocks)).toContain(words.card.place(2, 3));
    },
  );

  test('a form without questions is a bug', () => expect(() => questionForm([], en)).toThrow('needs a question'));

  test('what is more than Slack takes is no form: a hundred blocks, a quarter of a megabyte', () => {
    const texts = (count: number) => step(...Array.from({ length: count }, () => ({ allowFreeform: true })));
    // A line above, then four blocks each, the first without its divider.
    expect(questionForm(texts(25), en).blocks).toHaveLength(100);
    expect(fitsForm(texts(25), en)).toBe(true);
    expect(fitsForm(texts(26), en)).toBe(false);
    const long = { question: '字'.repeat(11_000), allowFreeform: true };
    expect(fitsForm(step(long, long, long, long, long, long, long), en)).toBe(true);
    expect(fitsForm(step(long, long, long, long, long, long, long, long), en)).toBe(false);
  });

  const buttonsOf = (view: QuestionView) =>
    (questionCard(view, en, { plain: false }).blocks ?? []).flatMap((block) =>
      block.type === 'actions' ? block.elements.map((element) => ('text' in element ? element.text?.text : '')) : [],
    );

  test('the last card leads to it, if it fits', () => {
    const last = three[2] as QuestionView;
    expect(buttonsOf(last)).toEqual(['Submit', 'Other…', 'Skip']);
    expect(buttonsOf({ ...last, step: three })).toEqual(['Submit', 'Other…', 'Answer all…', 'Skip']);
    const tooMany = step(...Array.from({ length: 26 }, () => ({ allowFreeform: true })));
    expect(buttonsOf({ ...(tooMany[25] as QuestionView), step: tooMany })).toEqual(['Answer…', 'Skip']);
  });

  test('a receipt whose answer may still be changed has a button for it, and no other', () => {
    const settled = { settlement: { outcome: 'dismissed' }, by: 'U0ADA', at: 1 } as const;
    expect(buttonsOf(viewOf({}, { settled }))).toEqual([]);
    expect(buttonsOf(viewOf({}, { settled: { ...settled, changeable: true } }))).toEqual(['Change…']);
  });
});
