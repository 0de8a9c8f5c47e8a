/** A settled question: what was asked, how it ended, by whom and when. No controls. */
import type { KnownBlock } from '@slack/types';
import type { Settlement } from '../../agent/question.ts';
import type { QuestionView } from '../../thread/ports.ts';
import { oneLine, shorten } from '../cut.ts';
import { LIMITS } from '../limits.ts';
import { literal, mention } from '../text.ts';
import type { Words } from '../words/words.ts';
import { labelsText, note, questionText, quoted, when } from './parts.ts';

/** What the receipt's own words, names and dates may take beside the question's and the answer's. */
const OWN_WORDS = 600;

export function receiptBlocks(view: QuestionView, words: Words): KnownBlock[] {
  const { settled, question } = view;
  if (settled === undefined) throw new Error(`Question ${view.id} is open: there is no receipt of it yet.`);
  const { settlement, by, at } = settled;
  const mentions = (view.asked ?? []).map(mention).join(', ').length;
  return [
    note(heading(view, words)),
    questionText(question.question),
    ...outcomeBlocks(settlement, LIMITS.message.allText - OWN_WORDS - mentions - question.question.length),
    note(`${outcomeLine(settlement, by, words)} · ${when(at, words)}`),
  ];
}

/** Who is asked, by whom if it is not for themselves, and which of how many questions it is. mrkdwn. */
export function heading({ requester, asked, position, of }: QuestionView, { card, list }: Words): string {
  const who = list((asked ?? [requester]).map(mention));
  const parts = [`💬 ${card.questionFor(who)}`];
  if (asked) parts.push(card.askedBy(mention(requester)));
  if (of > 1) parts.push(card.place(position, of));
  return parts.join(' · ');
}

/** How a question ended, in one line of mrkdwn without anything that a person or a model wrote. */
export function outcomeLine(settlement: Settlement, by: string | undefined, { receipt, duration }: Words): string {
  const who = by === undefined ? undefined : mention(by);
  switch (settlement.outcome) {
    case 'answered':
      return `✅ ${receipt.answered(who)}`;
    case 'dismissed':
      return `⏭️ ${receipt.skipped(who)}`;
    case 'superseded':
      return `💬 ${receipt.superseded(who)}`;
    case 'expired': {
      const { ms, after } = settlement;
      return `⌛ ${receipt.expired(ms === undefined ? literal(shorten(oneLine(after), 60)) : duration(ms))}`;
    }
    case 'cancelled':
      return `🚫 ${receipt.cancelled(who)}`;
    case 'failed':
      return `⚠️ ${receipt.failed}`;
  }
}

/** The answer's own words, at most `room` characters of them; the agent has them whole. */
function outcomeBlocks(settlement: Settlement, room: number): KnownBlock[] {
  const { labels, text } = givenIn(settlement);
  const left = room - labels.join('').length;
  return [
    ...(labels.length > 0 ? [labelsText(labels)] : []),
    ...(text.trim() === '' ? [] : [quoted(shorten(text, left))]),
  ];
}

/** What people or a failure put into a settlement: labels that were picked, and a text. */
export function givenIn(settlement: Settlement): { labels: readonly string[]; text: string } {
  switch (settlement.outcome) {
    case 'answered':
      return { labels: settlement.labels, text: settlement.text ?? '' };
    case 'superseded':
      return { labels: [], text: settlement.text };
    case 'failed':
      return { labels: [], text: settlement.reason };
    case 'dismissed':
    case 'expired':
    case 'cancelled':
      return { labels: [], text: '' };
  }
}
