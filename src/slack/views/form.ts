/** The form that takes answers: of one question ("Answer…", "Other…", "Change"), or of all that are open in a step. */
import type { InputBlock, KnownBlock, ModalView, PlainTextOption } from '@slack/types';
import type { Question, Settlement } from '../../agent/question.ts';
import type { QuestionId, QuestionView } from '../../thread/ports.ts';
import { ANSWER_MODAL, encodeAction, encodeBlock, encodeForm } from '../ids.ts';
import { checkModal, LIMITS } from '../limits.ts';
import type { Words } from '../words/words.ts';
import { type Controls, optionsOf, planControls } from './controls.ts';
import { note, optionsText, plainText, questionText } from './parts.ts';

/** What a field shows before anything is entered: option indexes, from 0, and words. */
type Entered = { options: readonly number[]; text: string };

/** Options that were picked on a question's card, and not sent yet. */
export type Ticked = { question: QuestionId; options: readonly number[] };

/** Of several questions each may be left empty, and stays open; of one that has options, the choice or the words may be. */
export function questionForm(views: readonly QuestionView[], words: Words, ticked?: Ticked): ModalView {
  const [first] = views;
  if (first === undefined) throw new Error('A form needs a question.');
  const several = views.length > 1;
  const blocks = views.map((view) =>
    fields(view, words, several, { options: view.id === ticked?.question ? ticked.options : [], text: '' }),
  );
  return {
    type: 'modal',
    callback_id: ANSWER_MODAL,
    private_metadata: encodeForm(
      first.thread,
      views.map(({ id }) => id),
    ),
    title: plainText(several ? words.form.title : titleOf(first, words)),
    submit: plainText(words.modal.send),
    close: plainText(words.modal.cancel),
    blocks: [
      ...(several ? [note(words.form.mayStayEmpty)] : []),
      ...blocks.flatMap((own, index): KnownBlock[] => (index === 0 ? own : [{ type: 'divider' }, ...own])),
    ],
  };
}

/** Slack takes a form of these questions. */
export function fitsForm(views: readonly QuestionView[], words: Words): boolean {
  return checkModal(questionForm(views, words)).length === 0;
}

function titleOf({ question, settled }: QuestionView, { form, modal }: Words): string {
  if (settled !== undefined) return form.changeTitle;
  return question.options === undefined ? modal.answer : modal.otherAnswer;
}

function fields(view: QuestionView, words: Words, several: boolean, ticked: Entered): KnownBlock[] {
  const { question, settled, position, of } = view;
  const { options } = question;
  const entered = settled === undefined ? ticked : enteredIn(settled.settlement, question);
  // Ten options can be seen at once, be it by one or by several; more are a menu.
  const plan = planControls({ ...question, selectionMode: 'multi_select' });
  const free = options === undefined || question.allowFreeform;
  const focus = !several && settled === undefined;
  return [
    ...(several ? [note(words.card.place(position, of))] : []),
    questionText(question.question),
    ...(options && plan.listed ? [optionsText(options)] : []),
    ...(options ? [choiceField(view, plan, entered, words, { optional: several || free })] : []),
    ...(free ? [wordsField(view, entered, words, { optional: several || options !== undefined, focus })] : []),
  ];
}

function choiceField(
  view: QuestionView,
  plan: Controls,
  entered: Entered,
  { card }: Words,
  { optional }: { optional: boolean },
): InputBlock {
  const options = optionsOf(view.question, plan);
  const picked = entered.options.flatMap((index) => options[index] ?? []);
  const several = view.question.selectionMode === 'multi_select';
  return {
    type: 'input',
    block_id: encodeBlock({ kind: 'question', part: 'choices', thread: view.thread, question: view.id }),
    label: plainText(several ? card.pickSome : card.pickOne),
    ...(optional && { optional }),
    element: several ? manyOf(plan, options, picked, card.pickSome) : oneOf(plan, options, picked[0], card.pickOne),
  };
}

const action_id = encodeAction({ kind: 'choices' });

function oneOf(
  { kind }: Controls,
  options: PlainTextOption[],
  picked: PlainTextOption | undefined,
  hint: string,
): InputBlock['element'] {
  const initial = picked && { initial_option: picked };
  if (kind === 'checkboxes') return { type: 'radio_buttons', action_id, options, ...initial };
  return { type: 'static_select', action_id, placeholder: plainText(hint), options, ...initial };
}

function manyOf(
  { kind }: Controls,
  options: PlainTextOption[],
  picked: PlainTextOption[],
  hint: string,
): InputBlock['element'] {
  const initial = picked.length > 0 && { initial_options: picked };
  if (kind === 'checkboxes') return { type: 'checkboxes', action_id, options, ...initial };
  return { type: 'multi_static_select', action_id, placeholder: plainText(hint), options, ...initial };
}

function wordsField(
  { id, thread, question }: QuestionView,
  { text }: Entered,
  { form, modal }: Words,
  { optional, focus }: { optional: boolean; focus: boolean },
): InputBlock {
  const max = LIMITS.plainTextInput.value;
  return {
    type: 'input',
    block_id: encodeBlock({ kind: 'question', part: 'words', thread, question: id }),
    label: plainText(question.options ? form.ownWords : modal.answerField),
    ...(optional && { optional }),
    element: {
      type: 'plain_text_input',
      action_id: encodeAction({ kind: 'words' }),
      multiline: true,
      max_length: max,
      // Half an answer to begin with would be worse than none.
      ...(text !== '' && text.length <= max && { initial_value: text }),
      ...(focus && { focus_on_load: true }),
    },
  };
}

function enteredIn(settlement: Settlement, { options = [] }: Question): Entered {
  if (settlement.outcome !== 'answered') return { options: [], text: '' };
  const picked = new Set(settlement.labels);
  return {
    options: options.flatMap(({ label }, index) => (picked.has(label) ? [index] : [])),
    text: settlement.text ?? '',
  };
}
