/** A question's card, open or settled, and the plain text that stands in for a card that Slack refused. */
import type { KnownBlock } from '@slack/types';
import type { Question } from '../../agent/question.ts';
import type { QuestionView } from '../../thread/ports.ts';
import { encodeBlock } from '../ids.ts';
import { LIMITS } from '../limits.ts';
import { literal, literalWithin, mention } from '../text.ts';
import type { TypedReply, Words } from '../words/words.ts';
import { choiceBlocks, planControls } from './controls.ts';
import { fitsForm } from './form.ts';
import { button, note, optionsText, questionText, when } from './parts.ts';
import { givenIn, heading, outcomeLine, receiptBlocks } from './receipt.ts';

type Settled = NonNullable<QuestionView['settled']>;

export type Card = { text: string; blocks?: KnownBlock[] };

/** For notifications and screen readers; a card's blocks say it all. */
const FALLBACK_CHARS = 3_000;

/**
 * The question as it is now. `plain`: text without blocks, to be answered by a reply; its settled form is short enough to
 * be an edit.
 */
export function questionCard(view: QuestionView, words: Words, { plain }: { plain: boolean }): Card {
  if (view.settled === undefined) return plain ? { text: plainQuestion(view, words) } : openCard(view, words);
  return plain ? { text: receiptText(view, view.settled, words) } : settledCard(view, view.settled, words);
}

function openCard(view: QuestionView, words: Words): Card {
  const { question } = view;
  const controls = planControls(question);
  const inOneForm = view.step !== undefined && fitsForm(view.step, words);
  const all = inOneForm ? [button({ kind: 'answer_all' }, words.form.answerAll)] : [];
  // Who asks waits for others, and may have enough of it.
  const withdraw = view.asked ? [button({ kind: 'withdraw' }, words.card.withdraw)] : [];
  const title = view.asked ? heading(view, words) : words.card.question;
  return {
    text: title + literalWithin(words.colon + inWords(question), FALLBACK_CHARS),
    blocks: [
      note(heading(view, words)),
      questionText(question.question),
      ...(question.options && controls.listed ? [optionsText(question.options)] : []),
      ...choiceBlocks(view, controls, words, { others: all, last: withdraw }),
      // A typed answer counts only while one question is open: beside others the hint would mislead.
      ...(view.of === 1 ? [note(words.card.alsoByReply(typedReply(question, controls.listed)))] : []),
    ],
  };
}

function settledCard(view: QuestionView, settled: Settled, words: Words): Card {
  const blocks = receiptBlocks(view, words);
  const change = settled.changeable ? [changeButton(view, words)] : [];
  return { text: receiptText(view, settled, words), blocks: [...blocks, ...change] };
}

function changeButton({ id, thread }: QuestionView, { form }: Words): KnownBlock {
  const block_id = encodeBlock({ kind: 'question', part: 'buttons', thread, question: id });
  return { type: 'actions', block_id, elements: [button({ kind: 'change' }, form.change)] };
}

function plainQuestion(view: QuestionView, words: Words): string {
  const written = boldAsMrkdwn(inWords(view.question));
  const escaped = literal(written);
  // Text that is nearly all `&<>` grows past what Slack takes; it then gets letters that look alike and need no escape.
  const body = escaped.length <= LIMITS.message.text - 1_000 ? escaped : literal(lookAlike(written));
  const how = words.card.onlyByReply(typedReply(view.question, true), view.asked && mention(view.requester));
  return [heading(view, words), body, how].join('\n\n');
}

/** All of a receipt: where there are no blocks, and for those who have them read to them. */
function receiptText(view: QuestionView, { settlement, by, at }: Settled, words: Words): string {
  const { labels, text } = givenIn(settlement);
  const given = [...labels, text].filter((part) => part.trim() !== '').join('\n');
  const [questionRoom, givenRoom] = [2_000, 1_500];
  return [
    heading(view, words),
    literalWithin(view.question.question, questionRoom),
    ...(given === '' ? [] : [literalWithin(given, givenRoom)]),
    `${outcomeLine(settlement, by, words)} · ${when(at, words)}`,
  ].join('\n\n');
}

/** The question with its options numbered from 1, as plain words. */
function inWords({ question, options = [] }: Question): string {
  const lines = options.map(
    ({ label, description }, index) => `${index + 1}. ${label}${description ? ` — ${description}` : ''}`,
  );
  return [question, ...(lines.length > 0 ? [lines.join('\n')] : [])].join('\n\n');
}

/** How it can be answered in words; `numbered`: its options are seen with their numbers. */
export function typedReply({ options, selectionMode, allowFreeform }: Question, numbered: boolean): TypedReply {
  if (options === undefined) return { as: 'text' };
  const number = selectionMode === 'multi_select' ? 'numbers' : 'number';
  return { as: numbered ? number : 'label', orText: allowFreeform };
}

/** What Markdown has bold, so that no stars are left about it; where there is code, all stays as it is. */
function boldAsMrkdwn(text: string): string {
  if (text.includes('`')) return text;
  return text.replace(/(?<![\w*\\])\*\*(?! )([^*\n]+)(?<! )\*\*(?![\w*])/g, '*$1*');
}

function lookAlike(text: string): string {
  return text.replaceAll('&', '＆').replaceAll('<', '‹').replaceAll('>', '›');
}
