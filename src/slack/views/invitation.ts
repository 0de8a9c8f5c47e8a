/** What tells a person, in a direct message, that a question is put to them: who asks, what, and the way to its card. */
import type { QuestionView } from '../../thread/ports.ts';
import { oneLine, shorten } from '../cut.ts';
import { encodeBlock, threadParts } from '../ids.ts';
import { literal, literalWithin, mention } from '../text.ts';
import type { Words } from '../words/words.ts';
import { button, note, questionText, when } from './parts.ts';
import type { Card } from './question.ts';
import { outcomeLine } from './receipt.ts';

/** Characters of the question; its card has the rest. */
const GLIMPSE = 2_500;
const FALLBACK = 500;

/** `link`: to the card; undefined: its channel is named instead. The controls stand on the card, and in the form that opens from here. */
export function invitation(view: QuestionView, link: string | undefined, words: Words): Card {
  const { id, thread, question, requester, settled } = view;
  const asks = words.post.invitation(mention(requester));
  const channel = `<#${threadParts(thread).channel}>`;
  const where = link === undefined ? channel : `${channel} · <${literal(link)}|${words.home.openThread}>`;
  const ended = settled && `${outcomeLine(settled.settlement, settled.by, words)} · ${when(settled.at, words)}`;
  const block_id = encodeBlock({ kind: 'question', part: 'buttons', thread, question: id });
  return {
    text: [`💬 ${asks}`, literalWithin(oneLine(question.question), FALLBACK), ...(ended ? [ended] : [])].join('\n'),
    blocks: [
      note(`💬 ${asks}`),
      questionText(shorten(question.question, GLIMPSE)),
      ended
        ? note(ended)
        : { type: 'actions', block_id, elements: [button({ kind: 'write' }, words.card.answer, 'primary')] },
      note(where),
    ],
  };
}
