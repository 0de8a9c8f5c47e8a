/** A settled question: what was asked, how it ended, by whom and when. No controls. */
import type { KnownBlock } from '@slack/types';
import type { Settlement } from '../../agent/question.ts';
import type { QuestionView } from '../../thread/ports.ts';
import { oneLine, shorten } from '../cut.ts';
import { LIMITS } from '../limits.ts';
import { literal, mention } from '../text.ts';
import { labelsText, note, questionText, quoted, when } from './parts.ts';

/** What the receipt's own words, names and dates may take beside the question's and the answer's. */
const OWN_WORDS = 600;

export function receiptBlocks(view: QuestionView): KnownBlock[] {
  const { settled, question } = view;
  if (settled === undefined) throw new Error(`Question ${view.id} is open: there is no receipt of it yet.`);
  const { settlement, by, at } = settled;
  return [
    note(heading(view)),
    questionText(question.question),
    ...outcomeBlocks(settlement, LIMITS.message.allText - OWN_WORDS - question.question.length),
    note(`${outcomeLine(settlement, by)} · ${when(at)}`),
  ];
}

/** Who is asked, and which of how many questions it is. mrkdwn. */
export function heading({ requester, position, of }: QuestionView): string {
  return `💬 Question for ${mention(requester)}${of > 1 ? ` · ${position} of ${of}` : ''}`;
}

/** How a question ended, in one line of mrkdwn without anything that a person or a model wrote. */
export function outcomeLine(settlement: Settlement, by: string | undefined): string {
  const who = by === undefined ? '' : ` by ${mention(by)}`;
  switch (settlement.outcome) {
    case 'answered':
      return `✅ Answered${who}`;
    case 'dismissed':
      return `⏭️ Skipped${who}`;
    case 'superseded':
      return `💬 Not answered; ${by === undefined ? 'a message' : mention(by)} changed course`;
    case 'expired':
      return `⌛ Nobody answered within ${literal(shorten(oneLine(settlement.after), 60))}`;
    case 'cancelled':
      return `🚫 Cancelled${who}`;
    case 'failed':
      return '⚠️ Could not be completed';
  }
}

/** The answer's own words, at most `room` characters of them; the agent has them whole. */
function outcomeBlocks(settlement: Settlement, room: number): KnownBlock[] {
  const { labels, words } = givenIn(settlement);
  const left = room - labels.join('').length;
  return [
    ...(labels.length > 0 ? [labelsText(labels)] : []),
    ...(words.trim() === '' ? [] : [quoted(shorten(words, left))]),
  ];
}

/** What people or a failure put into a settlement: labels that were picked, and words. */
export function givenIn(settlement: Settlement): { labels: readonly string[]; words: string } {
  switch (settlement.outcome) {
    case 'answered':
      return { labels: settlement.labels, words: settlement.text ?? '' };
    case 'superseded':
      return { labels: [], words: settlement.text };
    case 'failed':
      return { labels: [], words: settlement.reason };
    case 'dismissed':
    case 'expired':
    case 'cancelled':
      return { labels: [], words: '' };
  }
}
