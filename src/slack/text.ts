/** Text on its way to Slack and from it: escaping, mentions, shortening, and replies cut into messages. */
import { shorten } from './cut.ts';
import { type Line, scanMarkdown } from './markdown.ts';

/** Invisible and without width: put behind `@`, it leaves a mention readable and dead. */
const WORD_JOINER = '\u2060';
const BROADCAST = /<!\s*(channel|here|everyone|group)\s*(?:\|[^<>]*)?>/gi;
const USER_GROUP = /<!\s*subteam\^[^<>|]*(?:\|@?([^<>]*))?>/gi;
/** The beginning of one, which a cut may have parted from its end. */
const BROADCAST_START = /<!(?=\s*(?:channel|here|everyone|group|subteam))/gi;
/** Not within an address or a name, such as `ops@here.example`. */
const BARE_BROADCAST = /(?<![\p{L}\p{N}])@(?=(?:channel|here|everyone)(?![\p{L}\p{N}]))/giu;

/** What is left to say when the agent ended without a word: the view says so, since Slack takes no empty message. */
export const EMPTY_REPLY = '';

/** Makes text literal in mrkdwn. Slack's three characters and no others, and once only: twice shows `&amp;`. */
export function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/**
 * Markdown or mrkdwn with no broadcast in it that would notify a channel: also within code, where Slack still reads its
 * control sequences. A person's mention (`<@U1>`) stays: a reply may address who it is for.
 */
export function harmless(markdown: string): string {
  return markdown
    .replace(BROADCAST, (_, who: string) => `@${WORD_JOINER}${who}`)
    .replace(USER_GROUP, (_, name: string | undefined) => `@${WORD_JOINER}${name?.trim() || 'group'}`)
    .replace(BROADCAST_START, `<!${WORD_JOINER}`)
    .replace(BARE_BROADCAST, `@${WORD_JOINER}`);
}

/** What somebody wrote, literal and harmless in mrkdwn. */
export function literal(text: string): string {
  return escapeText(harmless(text));
}

/** A person's mention; what is no user id of Slack's is shown as it is. */
export function mention(user: string): string {
  return /^[A-Za-z0-9]+$/.test(user) ? `<@${user}>` : escapeText(user);
}

/**
 * A message's `text` for notifications and screen readers, from Markdown: without the marks that mean nothing there, literal,
 * harmless, at most `max` characters.
 */
export function fallbackText(markdown: string, max: number): string {
  const plain = markdown
    .replace(/^ {0,3}#{1,6}[ \t]+/gm, '')
    .replace(/(\*\*|__)(?=\S)(.+?)(?<=\S)\1/g, '$2')
    .replace(/!?\[([^[\]\n]+)\]\((https?:[^\s()]+)\)/g, (_, label: string, url: string) =>
      label === url ? url : `${label} (${url})`,
    )
    .trim();
  // Text of nothing but marks is said with them: Slack takes no empty text.
  return literalWithin(plain === '' ? markdown : plain, max);
}

/** `literal`, cut so that it has at most `max` characters *after* escaping; no entity is cut in two. */
export function literalWithin(text: string, max: number): string {
  const whole = literal(text);
  if (whole.length <= max) return whole;
  let fits = 0;
  let tooMany = Math.min(text.length, max);
  while (tooMany - fits > 1) {
    const middle = (fits + tooMany) >> 1;
    if (literal(shorten(text, middle)).length <= max) fits = middle;
    else tooMany = middle;
  }
  return literal(shorten(text, fits));
}

/** Whom a message's text mentions, as Slack sends it: ids of people and of user groups. What people type is escaped, and none. */
export function namedIn(text: string): string[] {
  return [...text.matchAll(/<(?:@|!subteam\^)([A-Z0-9]+)(?:\|[^<>]*)?>/g)].flatMap(([, id]) => id ?? []);
}

/** A message's text as Slack sends it, as the model reads it: the bot's own mention taken out, everything else decoded. Mentions keep their ids (`<@U1>`, `<!subteam^S1>`): by them the agent can name people again. */
export function readMessageText(text: string, botUserId: string): string {
  return (
    text
      // From the first blank of a run only: from each of them, a message of nothing but blanks would take seconds.
      .replace(/(?<![ \t])[ \t]*<@([A-Za-z0-9]+)(?:\|[^<>]*)?>[ \t]*/g, (all, user) => (user === botUserId ? ' ' : all))
      .split(/(<[^<>]+>)/)
      .map((part, index) => (index % 2 === 0 ? decodeEntities(part) : readToken(part.slice(1, -1))))
      .join('')
      .trim()
  );
}

function readToken(token: string): string {
  const [target = '', ...rest] = token.split('|');
  const label = decodeEntities(rest.join('|'));
  const name = target.slice(1);
  switch (target[0]) {
    case '@':
      return `<@${name}>`;
    case '#':
      return label === '' ? `<#${name}>` : `#${label.replace(/^#/, '')}`;
    case '!':
      if (name.startsWith('date^') && label !== '') return label;
      if (!name.startsWith('subteam^')) return `@${name}`;
      return label === '' ? `<!${name}>` : `@${label.replace(/^@/, '')} (<!${name}>)`;
    default: {
      const url = decodeEntities(target);
      const bare = url.replace(/^(mailto:|tel:|https?:\/\/)/, '');
      if (label === '' || label === url) return url;
      return label === bare ? (url.startsWith('http') ? url : bare) : `[${label}](${url})`;
    }
  }
}

function decodeEntities(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

/** A reply's limit in one message: under the markdown block's 12,000, with room for what `harmless` adds and Slack expands. */
export const REPLY_CHARS = 9_000;
/** Slack expands a markdown block into blocks of its own and counts those (50). */
const REPLY_BLOCKS = 40;
/** Slack takes one table a message, of at most 100 rows. */
const REPLY_TABLES = 1;
const REPLY_ROWS = 99;

/**
 * A reply as the messages that it is posted as: at least one, each within Slack's limits, together the whole of what is
 * visible. A code block or a table is cut only if it alone is over the limit, and then goes on as one: the fence is closed
 * and opened again with its language, the table's head repeated. Deterministic.
 */
export function splitReply(markdown: string, chars: number = REPLY_CHARS): string[] {
  const { lines, unclosed } = scanMarkdown(markdown, chars);
  const messages: string[] = [];
  let from = nextVisible(lines, 0);
  while (from < lines.length) {
    const to = cutAfter(lines, from, chars);
    messages.push(assemble(lines, from, to, to < lines.length ? lines[to]?.open : unclosed));
    from = nextVisible(lines, to);
  }
  return messages.length === 0 ? [EMPTY_REPLY] : messages;
}

/** Where the message that begins at `from` ends: the best cut among those that fit, of equal ones the last. */
function cutAfter(lines: readonly Line[], from: number, limit: number): number {
  const first = lines[from];
  const repeated = lead(first);
  let chars = repeated === '' ? 0 : repeated.length + 1;
  let [blocks, tables, rows] = [1, first?.kind === 'table' ? 1 : 0, first?.tableHead === undefined ? 0 : 1];
  let best = from + 1;
  for (let at = from; at < lines.length; at += 1) {
    const line = lines[at] as Line;
    // A fence that is at the margin now may end with more marks of a quote than it did.
    chars += line.closes ? Math.max(line.text.length, line.open?.close.length ?? 0) : line.text.length;
    if (at > from) chars += line.glue.length;
    if (at > from && line.startsBlock) blocks += 1;
    if (at > from && line.startsBlock && line.kind === 'table') [tables, rows] = [tables + 1, 0];
    if (line.kind === 'table') rows += 1;
    const closing = lines[at + 1]?.open;
    const fits =
      chars + (closing === undefined ? 0 : closing.close.length + 1) <= limit &&
      blocks <= REPLY_BLOCKS &&
      tables <= REPLY_TABLES &&
      rows <= REPLY_ROWS;
    if (at > from && line.cut >= (lines[best]?.cut ?? 0)) best = at;
    if (!fits) return best;
  }
  return lines.length;
}

function assemble(lines: readonly Line[], from: number, to: number, openAtEnd: Line['open']): string {
  const first = lines[from] as Line;
  let reopened = first.open;
  let text = lead(first);
  for (const [index, line] of lines.slice(from, to).entries()) {
    // A fence that was opened again stands at the margin, and so must its end.
    const closes = reopened !== undefined && line.closes === true;
    const glue = index > 0 ? line.glue : text === '' ? '' : '\n';
    text += glue + (closes ? reopened?.close : line.text);
    if (closes) reopened = undefined;
  }
  if (openAtEnd !== undefined) return `${text}\n${openAtEnd.close}`;
  // What was nested in a list would, at the top of a message, read as indented code.
  const inside = first.open !== undefined || from === 0;
  return (inside ? text : text.trimStart()).trimEnd();
}

/** What a message that begins in the middle of a code block or a table must say first. */
function lead(line: Line | undefined): string {
  if (line?.open !== undefined) return line.open.reopen;
  return line?.tableHead ?? '';
}

function nextVisible(lines: readonly Line[], from: number): number {
  let at = from;
  while (at < lines.length && lines[at]?.kind === 'blank') at += 1;
  return at;
}
