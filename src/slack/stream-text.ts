/** Text that still grows, as the messages that it will be: of each only what no further word can change. Pure. */
import { scanMarkdown } from './markdown.ts';
import { harmless, REPLY_CHARS, splitReply } from './text.ts';

/** An unfinished `<…` longer than this is no mention or broadcast of Slack's. */
const LONGEST_TOKEN = 300;
/** So far a message grows by the word. */
const FREE_CHARS = REPLY_CHARS * 0.6;
/** So many lines have not more blocks than a message may. */
const FREE_LINES = 20;
/** The worst that may follow, each of which moves the end of a message back: a line that fits none and cannot be cut, … */
const ENDLESS = 'x'.repeat(REPLY_CHARS);
/** … more blocks than Slack draws, a second table, and more rows than a table may have. */
const HEADINGS = '# x\n'.repeat(50);
const TABLE = '| x | y |\n|---|---|\n';
const ROWS = '| x | y |\n'.repeat(101);

/**
 * The messages of the text so far, neutralised as posts are; all but the last are whole. `open`: how the last one stands now.
 * What is appended to `open` must begin with it: whoever streams checks that, and edits the message where it does not hold.
 */
export function growing(text: string): { whole: string[]; open: string } {
  // Where a message ends is decided by what follows it: only by lines that are complete.
  const decided = messagesOf(beforeLine(text, 2)).length;
  const settled = settledPart(text);
  const messages = messagesOf(settled);
  const whole = Math.min(Math.max(0, decided - 1), Math.max(0, messages.length - 1));
  const open = messages[whole] ?? '';
  // Near its end a message may be cut before the paragraph that is being written: that then waits until it is decided.
  const { unclosed } = scanMarkdown(settled, REPLY_CHARS);
  const lines = settled.endsWith('\n') ? settled : `${settled}\n`;
  // What follows a code block that is open now comes when it is closed.
  const line = unclosed === undefined ? lines : `${lines}${unclosed.close}\n`;
  const worst = [
    ...(open.length < FREE_CHARS ? [] : [settled + ENDLESS]),
    ...(open.split('\n').length < FREE_LINES ? [] : [line + HEADINGS]),
    ...(open.includes('|') ? [line + TABLE, line + ROWS] : []),
  ];
  const certain = worst.reduce((sure, text) => commonStart(sure, messagesOf(text)[whole] ?? ''), open);
  return { whole: messages.slice(0, whole).map(harmless), open: harmless(certain) };
}

function commonStart(a: string, b: string): string {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  return a.slice(0, at);
}

/** As posts are split, but the last message is not closed yet. */
function messagesOf(text: string): string[] {
  if (text.trim() === '') return [];
  const messages = splitReply(text);
  const { unclosed } = scanMarkdown(text, REPLY_CHARS);
  const last = messages.pop() ?? '';
  const closing = unclosed === undefined ? '' : `\n${unclosed.close}`;
  return [...messages, closing !== '' && last.endsWith(closing) ? last.slice(0, -closing.length) : last];
}

/**
 * Without the word that is being written; without the beginning of a mention, for a broadcast may come in two pieces; and
 * without a line that the next may make the head of a table.
 */
function settledPart(text: string): string {
  let settled = text.slice(0, text.search(/\S*$/));
  const token = settled.lastIndexOf('<');
  const isOpen = token >= settled.length - LONGEST_TOKEN && !settled.includes('>', token);
  if (token !== -1 && isOpen) settled = settled.slice(0, token);
  const [, head] = /(?:^|\n)([^\n|]*\|[^\n]*\n?)$/.exec(settled) ?? [];
  if (head === undefined) return settled;
  const before = settled.slice(0, -head.length);
  return before.slice(before.lastIndexOf('\n', before.length - 2) + 1).includes('|') ? settled : before;
}

/** The text up to the start of the `n`th line from its end. */
function beforeLine(text: string, n: number): string {
  let end = text.length;
  for (let line = 0; line < n && end > 0; line += 1) end = text.lastIndexOf('\n', end - 1);
  return text.slice(0, Math.max(0, end));
}

/**
 * The last place where the text may go on in a new message although this one has room: after a paragraph, outside of code, and
 * not before what is shown already (`shown`, the end of the text's message number `index`). undefined: nowhere yet.
 */
export function sectionEnd(text: string, index: number, shown: string): number | undefined {
  const breaks = [...text.matchAll(/\n[ \t]*\n\s*/g)].map((match) => match.index + match[0].length);
  return breaks.findLast((at) => {
    const section = text.slice(0, at);
    if (scanMarkdown(section, REPLY_CHARS).unclosed !== undefined) return false;
    const messages = messagesOf(section).map(harmless);
    return messages.length === index + 1 && messages[index]?.startsWith(shown);
  });
}
