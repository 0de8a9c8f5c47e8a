/** What tells a person, in a direct message, that a question is put to them: who asks, what, and the way to its card. */
import type { KnownBlock } from '@slack/types';
import type { QuestionView } from '../../thread/ports.ts';
import { oneLine, shorten } from '../cut.ts';
import { encodeBlock, threadParts } from '../ids.ts';
import { literal, literalWithin, mention } from '../text.ts';
import type { Words } from '../words/words.ts';
import { button, note, optionsText, questionText, when } from './parts.ts';
import { type Card, typedReply } from './question.ts';
import { outcomeLine } from './receipt.ts';

/** Characters of the question; its card has the rest. */
const GLIMPSE = 2_500;
const FALLBACK = 500;

/**
 * `link`: to the card; undefined: its channel is named instead. The controls stand on the card, and in the form that opens from here; what
 * is typed below counts, so the options are told.
 */
export function invitation(view: QuestionView, link: string | undefined, words: Words): Card {
  const { thread, question, requester, settled } = view;
  const asks = words.post.invitation(mention(requester));
  const channel = `<#${threadParts(thread).channel}>`;
  const where = link === undefined ? channel : `${channel} · <${literal(link)}|${words.home.openThread}>`;
  const ended = settled && `${outcomeLine(settled.settlement, settled.by, words)} · ${when(settled.at, words)}`;
  return {
    text: [`💬 ${asks}`, literalWithin(oneLine(question.question), FALLBACK), ...(ended ? [ended] : [])].join('\n'),
    blocks: [
      note(`💬 ${asks}`),
      questionText(shorten(question.question, GLIMPSE)),
      ...(ended ? [note(ended)] : openBlocks(view, words)),
      note(where),
    ],
  };
}

function openBlocks({ id, thread, question }: QuestionView, words: Words): KnownBlock[] {
  const block_id = encodeBlock({ kind: 'question', part: 'buttons', thread, question: id });
  return [
    ...(question.options ? [optionsText(question.options)] : []),
    { type: 'actions', block_id, elements: [button({ kind: 'write' }, words.card.answer, 'primary')] },
    note(words.card.alsoByReply(typedReply(question, true))),
  ];
}
