/** A question's card, open or settled, and the plain text that stands in for a card that Slack refused. */
import type { KnownBlock } from '@slack/types';
import type { Question } from '../../agent/question.ts';
import type { QuestionView } from '../../thread/ports.ts';
import { LIMITS } from '../limits.ts';
import { literal, literalWithin } from '../text.ts';
import { choiceBlocks, planControls } from './controls.ts';
import { note, optionsText, questionText, when } from './parts.ts';
import { givenIn, heading, outcomeLine, receiptBlocks } from './receipt.ts';

export type Card = { text: string; blocks?: KnownBlock[] };

/** For notifications and screen readers; a card's blocks say it all. */
const FALLBACK_CHARS = 3_000;

/**
 * The question as it is now. `plain`: text without blocks, to be answered by a reply; its settled form is short enough to
 * be an edit.
 */
export function questionCard(view: QuestionView, { plain }: { plain: boolean }): Card {
  if (view.settled === undefined) return plain ? { text: plainQuestion(view) } : openCard(view);
  return plain ? { text: plainReceipt(view, view.settled) } : settledCard(view, view.settled);
}

function openCard(view: QuestionView): Card {
  const { question } = view;
  const controls = planControls(question);
  return {
    text: literalWithin(`Question: ${inWords(question)}`, FALLBACK_CHARS),
    blocks: [
      note(heading(view)),
      questionText(question.question),
      ...(question.options && controls.listed ? [optionsText(question.options)] : []),
      ...choiceBlocks(view, controls),
      // A typed answer counts only while one question is open: beside others the hint would mislead.
      ...(view.of === 1 ? [note(`You can also ${replyHint(question, controls.listed)}`)] : []),
    ],
  };
}

function settledCard(view: QuestionView, { settlement, by }: NonNullable<QuestionView['settled']>): Card {
  const ending = outcomeLine(settlement, by);
  const question = literalWithin(view.question.question, FALLBACK_CHARS - ending.length - 2);
  return { text: `${ending}: ${question}`, blocks: receiptBlocks(view) };
}

function plainQuestion(view: QuestionView): string {
  const written = inWords(view.question);
  const escaped = literal(written);
  // Text that is nearly all `&<>` grows past what Slack takes; it then gets letters that look alike and need no escape.
  const body = escaped.length <= LIMITS.message.text - 1_000 ? escaped : literal(lookAlike(written));
  const reply = replyHint(view.question, true);
  return `${heading(view)}\n\n${body}\n\nPlease ${reply} To end the whole run, reply \`stop\`.`;
}

function plainReceipt(view: QuestionView, { settlement, by, at }: NonNullable<QuestionView['settled']>): string {
  const { labels, words } = givenIn(settlement);
  const given = [...labels, words].filter((part) => part.trim() !== '').join('\n');
  const [questionRoom, givenRoom] = [2_000, 1_500];
  return [
    heading(view),
    literalWithin(view.question.question, questionRoom),
    ...(given === '' ? [] : [literalWithin(given, givenRoom)]),
    `${outcomeLine(settlement, by)} · ${when(at)}`,
  ].join('\n\n');
}

/** The question with its options numbered from 1, as plain words. */
function inWords({ question, options = [] }: Question): string {
  const lines = options.map(
    ({ label, description }, index) => `${index + 1}. ${label}${description ? ` — ${description}` : ''}`,
  );
  return [question, ...(lines.length > 0 ? [lines.join('\n')] : [])].join('\n\n');
}

/** Ends a sentence that begins with "Please" or "You can also". */
function replyHint({ options, selectionMode, allowFreeform }: Question, numbered: boolean): string {
  if (options === undefined) return 'reply in this thread with your answer.';
  const number =
    selectionMode === 'multi_select' ? 'the numbers of your choices, such as 1, 2' : 'the number of a choice';
  const choice = numbered ? number : 'the words of a choice';
  return `reply in this thread with ${choice}${allowFreeform ? ', or in your own words' : ''}.`;
}

function lookAlike(text: string): string {
  return text.replaceAll('&', '＆').replaceAll('<', '‹').replaceAll('>', '›');
}
