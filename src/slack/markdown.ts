/** Where Markdown may be cut: its lines, each with what a cut before it would break. */
import { cutPoint } from './cut.ts';

type LineKind = 'blank' | 'heading' | 'rule' | 'list' | 'quote' | 'table' | 'code' | 'text';

/** A code fence: how it is opened again after a cut, and how it is closed. Both at the margin, with their quote marks. */
type Fence = { readonly reopen: string; readonly close: string; readonly mark: string };

export type Line = {
  readonly text: string;
  /** What joins it to the line before it: nothing when both are parts of one overlong line. */
  readonly glue: '' | '\n';
  readonly kind: LineKind;
  /** It begins what Slack would draw as a block of its own. */
  readonly startsBlock: boolean;
  /** How good a cut before this line is. */
  readonly cut: Cut;
  /** The fence that it is in: a cut before it closes and reopens that. */
  readonly open?: Fence;
  /** It ends the fence that it is in. */
  readonly closes?: true;
  /** The head of the table whose row it is: a cut before it repeats that. */
  readonly tableHead?: string;
};

/** From the worst to the best. */
type Cut = (typeof CUT)[keyof typeof CUT];
const CUT = { withinLine: 0, withinBlock: 1, afterHeading: 2, line: 3, nested: 4, paragraph: 5 } as const;

/** A longer fence or table head is not carried over a cut: it would eat the message that it is repeated in. */
const MAX_CARRIED = 500;
const FENCE = /^([ \t>]*)((?:[-*+]|\d{1,9}[.)])[ \t]+)?(`{3,}|~{3,})(.*)$/;

/**
 * The lines of a Markdown text, none longer than two thirds of `limit`, so that each fits a message beside what it must
 * repeat. `unclosed`: the fence that the text leaves open.
 */
export function scanMarkdown(markdown: string, limit: number): { lines: Line[]; unclosed: Fence | undefined } {
  const source = markdown.replace(/\r\n?/g, '\n').split('\n');
  const lines: Line[] = [];
  let fence: Fence | undefined;
  let tableHead: string | undefined;
  let previous: LineKind = 'blank';
  let lastVisible: LineKind = 'blank';

  const push = (text: string, kind: LineKind, more: Partial<Line>) => {
    const nested = /^[ \t]{2,}/.test(text);
    const boundary = previous === 'blank' ? (nested ? CUT.nested : CUT.paragraph) : CUT.line;
    const cut = lastVisible === 'heading' ? CUT.afterHeading : kind === 'blank' ? CUT.nested : boundary;
    const alone = kind === 'heading' || kind === 'rule';
    const startsBlock = kind !== 'blank' && (alone || kind !== previous);
    const [head = '', ...rest] = inPieces(text, Math.floor((limit * 2) / 3));
    lines.push({ text: head, glue: '\n', kind, startsBlock, cut, ...more });
    for (const piece of rest) {
      const { closes: _, ...same } = more;
      lines.push({ text: piece, glue: '', kind, startsBlock: false, ...same, cut: CUT.withinLine });
    }
    previous = kind;
    if (kind !== 'blank') lastVisible = kind;
  };

  for (let at = 0; at < source.length; at += 1) {
    const text = source[at] as string;
    if (fence !== undefined) {
      const closes = endsFence(text, fence);
      const within = { open: fence, startsBlock: false, cut: CUT.withinBlock };
      push(text, 'code', closes ? { ...within, closes } : within);
      if (closes) fence = undefined;
      continue;
    }
    fence = beginsFence(text);
    if (fence !== undefined) {
      push(text, 'code', { startsBlock: true });
      continue;
    }
    if (tableHead !== undefined && text.includes('|')) {
      push(text, 'table', { tableHead, startsBlock: false, cut: CUT.withinBlock });
      continue;
    }
    tableHead = beginsTable(text, source[at + 1]);
    if (tableHead !== undefined) {
      push(tableHead, 'table', { startsBlock: true });
      at += 1;
      continue;
    }
    push(text, kindOf(text), {});
  }
  return { lines, unclosed: fence };
}

function beginsFence(text: string): Fence | undefined {
  const [, prefix = '', , mark, info = ''] = FENCE.exec(text) ?? [];
  if (mark === undefined || text.length > MAX_CARRIED || (mark.startsWith('`') && info.includes('`'))) return undefined;
  const quote = prefix.replaceAll(/[^>]/g, '');
  const margin = quote === '' ? '' : `${quote} `;
  return { reopen: `${margin}${mark}${info.trimEnd()}`, close: `${margin}${mark}`, mark };
}

function endsFence(text: string, fence: Fence): true | undefined {
  const mark = text.replace(/^[ \t>]*/, '').trimEnd();
  const same = mark.length >= fence.mark.length && [...mark].every((char) => char === fence.mark[0]);
  return same ? true : undefined;
}

function beginsTable(text: string, next: string | undefined): string | undefined {
  if (next === undefined || !text.includes('|') || !isDelimiterRow(next)) return undefined;
  const head = `${text}\n${next}`;
  return head.length > MAX_CARRIED ? undefined : head;
}

/** By its cells: one pattern for the whole row would try every way to share out a long run of blanks. */
function isDelimiterRow(text: string): boolean {
  if (!text.includes('|')) return false;
  const cells = text.trim().replace(/^\|/, '').replace(/\|$/, '').split('|');
  return cells.every((cell) => /^:?-+:?$/.test(cell.trim()));
}

function kindOf(text: string): LineKind {
  if (text.trim() === '') return 'blank';
  if (/^ {0,3}#{1,6}([ \t]|$)/.test(text)) return 'heading';
  if (/^ {0,3}([-*_])[ \t]*(\1[ \t]*){2,}$/.test(text)) return 'rule';
  if (/^[ \t]*([-*+]|\d{1,9}[.)])[ \t]/.test(text)) return 'list';
  if (/^ {0,3}>/.test(text)) return 'quote';
  return 'text';
}

/** An overlong line in pieces: cut behind a space where there is one in the second half, and never within a character. */
function inPieces(text: string, max: number): string[] {
  const pieces: string[] = [];
  let rest = text;
  while (rest.length > max) {
    const window = rest.slice(0, cutPoint(rest, max));
    const space = window.search(/\s\S*$/);
    const cut = space >= max / 2 ? space + 1 : window.length;
    pieces.push(rest.slice(0, cut));
    rest = rest.slice(cut);
  }
  return [...pieces, rest];
}
