/** The controls of an open question (DESIGN §7), and what of its options they can show in full. */
import type { Button, KnownBlock, PlainTextOption } from '@slack/types';
import type { Question } from '../../agent/question.ts';
import type { QuestionView } from '../../thread/ports.ts';
import { oneLine, shorten } from '../cut.ts';
import { encodeAction, encodeBlock, encodeOption } from '../ids.ts';
import { LIMITS } from '../limits.ts';
import type { Words } from '../words/words.ts';
import { button, plainText } from './parts.ts';

/**
 * `listed`: the controls do not show every label and description in full, so the body lists them, numbered. `labels`: what
 * each option's control says; with its number before it where a label had to be shortened or is found by its number.
 */
export type Controls = {
  kind: 'write' | 'buttons' | 'menu' | 'checkboxes' | 'multi_menu';
  listed: boolean;
  labels: readonly string[];
};

const MAX_BUTTONS = 5;
/** Slack may cut a button's text on the screen from about here on (docs.slack.dev, button element). */
const SURELY_SEEN = 30;
/** Heading with the names of who is asked, hint, and the words on our own buttons, together. */
const OWN_WORDS = 800;

export function planControls(question: Question): Controls {
  const { options = [], selectionMode } = question;
  if (options.length === 0) return { kind: 'write', listed: false, labels: [] };

  const multi = selectionMode === 'multi_select';
  const whole = options.every(({ label }) => fitsControl(label));
  const described = options.some(({ description }) => description);
  if (!multi && whole && options.length <= MAX_BUTTONS) {
    const listed = described || options.some(({ label }) => label.length > SURELY_SEEN);
    return { kind: 'buttons', listed, labels: options.map(({ label }) => label) };
  }
  if (multi && options.length <= LIMITS.checkboxes) {
    const listed = !whole || options.some(({ description = '' }) => description !== '' && !fitsControl(description));
    return { kind: 'checkboxes', listed, labels: whole ? options.map(({ label }) => label) : numbered(question) };
  }
  return { kind: multi ? 'multi_menu' : 'menu', listed: true, labels: numbered(question) };
}

/** The controls as blocks: the choices, and beneath them the buttons that every card has, with `others` among them, and `last`. */
export function choiceBlocks(
  view: QuestionView,
  controls: Controls,
  { card }: Words,
  { others, last }: { others: readonly Button[]; last: readonly Button[] },
): KnownBlock[] {
  const block_id = encodeBlock({ kind: 'question', part: 'choices', thread: view.thread, question: view.id });
  const buttons = (...more: Button[]): KnownBlock => ({
    type: 'actions',
    block_id: encodeBlock({ kind: 'question', part: 'buttons', thread: view.thread, question: view.id }),
    elements: [
      ...more,
      ...(free ? [button({ kind: 'write' }, card.other)] : []),
      ...others,
      button({ kind: 'skip' }, card.skip),
      ...last,
    ],
  });
  const free = view.question.allowFreeform && controls.kind !== 'write';
  const options = () => optionsOf(view.question, controls);

  switch (controls.kind) {
    case 'write':
      return [buttons(button({ kind: 'write' }, card.answer, 'primary'))];
    case 'buttons': {
      const picks = controls.labels.map((label, option) => button({ kind: 'pick', option }, { text: label, label }));
      return [{ type: 'actions', block_id, elements: picks }, buttons()];
    }
    case 'menu': {
      const action_id = encodeAction({ kind: 'menu' });
      const placeholder = plainText(card.pickOne);
      const menu = { type: 'static_select' as const, action_id, placeholder, options: options() };
      return [{ type: 'actions', block_id, elements: [menu] }, buttons()];
    }
    case 'checkboxes':
    case 'multi_menu': {
      const action_id = encodeAction({ kind: 'choices' });
      const element =
        controls.kind === 'checkboxes'
          ? { type: 'checkboxes' as const, action_id, options: options() }
          : {
              type: 'multi_static_select' as const,
              action_id,
              placeholder: plainText(card.pickSome),
              options: options(),
            };
      const submit = button({ kind: 'submit' }, card.submit, 'primary');
      return [{ type: 'input', block_id, label: plainText(card.pickAll), element }, buttons(submit)];
    }
  }
}

export function optionsOf(question: Question, { kind, listed, labels }: Controls): PlainTextOption[] {
  return labels.map((label, index) => {
    const description = question.options?.[index]?.description;
    const beside = kind === 'checkboxes' && !listed && description ? { description: plainText(description) } : {};
    return { text: plainText(label), value: encodeOption(index), ...beside };
  });
}

/** "12. Deploy to pro…": as much of each label as a control takes and as the whole message leaves for it. */
function numbered({ question, options = [] }: Question): string[] {
  const body = options.reduce((sum, { label, description = '' }) => sum + label.length + description.length + 3, 0);
  const left = LIMITS.message.allText - OWN_WORDS - question.length - body;
  const room = Math.min(LIMITS.option.text, Math.floor(left / options.length));
  return options.map(({ label }, index) => {
    const number = String(index + 1);
    const labelRoom = room - number.length - 2;
    return labelRoom < 3 ? number : `${number}. ${shorten(oneLine(label), labelRoom)}`;
  });
}

function fitsControl(text: string): boolean {
  return text.length <= LIMITS.option.text && oneLine(text) === text;
}
