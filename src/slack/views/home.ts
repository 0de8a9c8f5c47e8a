/** A person's Home: what waits for them, to be answered here, and what they asked, with the way to each thread. */
import type { Button, HomeView, KnownBlock } from '@slack/types';
import type { AskedRun, Home } from '../../thread/home.ts';
import type { QuestionView, ThreadId } from '../../thread/ports.ts';
import { shorten } from '../cut.ts';
import { encodeBlock, encodePage, threadParts } from '../ids.ts';
import { literal, mention } from '../text.ts';
import type { Words } from '../words/words.ts';
import { planControls } from './controls.ts';
import { fitsForm } from './form.ts';
import { button, note, plainText, questionText } from './parts.ts';
import { heading } from './receipt.ts';

/** Questions and runs on a page: each takes four blocks at most, and Slack draws a hundred. */
const PAGE = 10;
/** Characters of a question; the form and the thread have the rest. */
const GLIMPSE = 500;
/** People who are asked in a run, by name. */
const MOST_NAMED = 20;

export type HomeOptions = {
  words: Words;
  /** From 0; one that is past the last is the last. */
  page: number;
  /** Where a thread is to be found, for a browser and for Slack. */
  linkTo(thread: ThreadId): string | undefined;
  /** What became of a click, when it is not to be seen anyway. mrkdwn. */
  notice?: string | undefined;
};

type Item = { list: 'waiting'; view: QuestionView } | { list: 'asked'; run: AskedRun };

export function homeView(home: Home, { words, page, linkTo, notice }: HomeOptions): HomeView {
  const items: Item[] = [
    ...home.waiting.map((view) => ({ list: 'waiting' as const, view })),
    ...home.asked.map((run) => ({ list: 'asked' as const, run })),
  ];
  const pages = Math.max(1, Math.ceil(items.length / PAGE));
  const at = Math.min(page, pages - 1);
  const shown = items.slice(at * PAGE, (at + 1) * PAGE);
  const waiting = shown.flatMap((item) => (item.list === 'waiting' ? [item.view] : []));
  const asked = shown.flatMap((item) => (item.list === 'asked' ? [item.run] : []));
  const { title } = words.home;
  const hasWaiting = waiting.length > 0 || home.waiting.length === 0;
  return {
    type: 'home',
    private_metadata: encodePage(at),
    blocks: [
      ...(notice === undefined ? [] : [section(notice)]),
      ...(hasWaiting ? [header(title.waiting)] : []),
      ...(home.waiting.length === 0 ? [section(words.home.nothingWaits)] : []),
      ...apart(waiting.map((view) => questionBlocks(view, words, linkTo))),
      ...(asked.length > 0 && hasWaiting ? [{ type: 'divider' as const }] : []),
      ...(asked.length > 0 ? [header(title.asked)] : []),
      ...apart(asked.map((run) => runBlocks(run, words, linkTo))),
      ...(pages > 1 ? pageBlocks(at, pages, words) : []),
    ],
  };
}

function questionBlocks(view: QuestionView, words: Words, linkTo: HomeOptions['linkTo']): KnownBlock[] {
  const { id, thread, question } = view;
  return [
    note([heading(view, words), where(thread, words, linkTo)].join(' · ')),
    questionText(shorten(question.question, GLIMPSE)),
    {
      type: 'actions',
      block_id: encodeBlock({ kind: 'question', part: 'buttons', thread, question: id }),
      elements: [...answerButtons(view, words), button({ kind: 'skip' }, words.card.skip)],
    },
  ];
}

/** Picked here at once if all that there is to know fits here; else in the form. */
function answerButtons({ question, step }: QuestionView, words: Words): Button[] {
  const { card, form } = words;
  const { kind, listed, labels } = planControls(question);
  const open = step?.filter(({ settled }) => settled === undefined) ?? [];
  const all = open.length > 1 && fitsForm(open, words) ? [button({ kind: 'answer_all' }, form.answerAll)] : [];
  if (kind !== 'buttons' || listed || question.question.length > GLIMPSE) {
    return [button({ kind: 'write' }, card.answer, 'primary'), ...all];
  }
  const picks = labels.map((label, option) => button({ kind: 'pick', option }, { text: label, label }));
  return [...picks, ...(question.allowFreeform ? [button({ kind: 'write' }, card.other)] : []), ...all];
}

function runBlocks(
  { thread, runId, state, waits, others }: AskedRun,
  words: Words,
  linkTo: HomeOptions['linkTo'],
): KnownBlock[] {
  const { home, post } = words;
  const retry = state === 'failed' ? [button({ kind: 'retry' }, post.retry, 'primary')] : [];
  const what = { working: home.working, asking: home.asking(waits), failed: home.failed }[state];
  const asked = others.slice(0, MOST_NAMED).map(mention);
  const forWhom = asked.length > 0 ? [words.card.questionFor(words.list(asked))] : [];
  return [
    section([`*${what}*`, ...forWhom, where(thread, words, linkTo)].join('\n')),
    // A run's block names the run, for Retry; both are its own.
    {
      type: 'actions',
      block_id: encodeBlock({ kind: 'run', thread, runId }),
      elements: [...retry, stopButton(words)],
    },
  ];
}

function stopButton({ home }: Words): Button {
  const { title, text, confirm, deny } = home.stopConfirm;
  return {
    ...button({ kind: 'stop' }, home.stop),
    confirm: {
      title: plainText(title),
      text: plainText(text),
      confirm: plainText(confirm),
      deny: plainText(deny),
      style: 'danger',
    },
  };
}

function pageBlocks(page: number, pages: number, { home }: Words): KnownBlock[] {
  const previous = page > 0 ? [button({ kind: 'page', page: page - 1 }, home.previous)] : [];
  const next = page < pages - 1 ? [button({ kind: 'page', page: page + 1 }, home.next)] : [];
  return [
    { type: 'divider' },
    note(home.page(page + 1, pages)),
    { type: 'actions', block_id: encodeBlock({ kind: 'home' }), elements: [...previous, ...next] },
  ];
}

/** The channel, by a name that Slack fills in for whoever may see it, and the way to the thread. */
function where(thread: ThreadId, { home }: Words, linkTo: HomeOptions['linkTo']): string {
  const { channel } = threadParts(thread);
  const name = channel.startsWith('D') ? home.directMessage : `<#${channel}>`;
  const link = linkTo(thread);
  return link === undefined ? name : `${name} · <${literal(link)}|${home.openThread}>`;
}

function apart(items: readonly KnownBlock[][]): KnownBlock[] {
  return items.flatMap((blocks, index) => (index === 0 ? blocks : [{ type: 'divider' } as const, ...blocks]));
}

const header = (text: string): KnownBlock => ({ type: 'header', text: plainText(text) });
const section = (text: string): KnownBlock => ({ type: 'section', text: { type: 'mrkdwn', text } });
