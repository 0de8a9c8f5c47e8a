/** The end of Markdown that broke off: what closes the marks that it leaves open, so that none is seen as itself. Pure. */
import { scanMarkdown } from './markdown.ts';
import { REPLY_CHARS } from './text.ts';

/** A run of one mark; `left` of it is not closed yet. */
type Mark = { char: string; left: number };

const SPACE = /^$|\s/;
const PUNCTUATION = /[\p{P}\p{S}]/u;

/** To be written behind the text; nothing when all is closed. A mark closes only behind a word or a point: hence the dots. */
export function closing(text: string): string {
  const { lines, unclosed } = scanMarkdown(text, REPLY_CHARS);
  if (unclosed) return `${text.endsWith('\n') ? '' : '\n'}${unclosed.close}`;
  const goesOn = text.endsWith('\n');
  const said = goesOn ? lines.slice(0, -1) : lines;
  const last = said.at(-1);
  // After the end of its line only a paragraph goes on.
  if (last === undefined || last.kind === 'blank' || last.kind === 'code' || (goesOn && last.kind !== 'text'))
    return '';
  // Marks close within their paragraph, item or row.
  const from = said.findLastIndex(({ kind, startsBlock }) => startsBlock || kind === 'list' || kind === 'table');
  const marks = openMarks(
    said
      .slice(from)
      .map(({ text }) => text)
      .join('\n'),
  );
  return marks === '' ? '' : `…${marks}`;
}

/** The inner ones first, as they are to be closed. By the rules of CommonMark, for what stands at the edge of a word. */
function openMarks(text: string): string {
  const open: Mark[] = [];
  const runs = /\\[\s\S]|(`+)|(\*+|_+|~~)/g;
  for (let found = runs.exec(text); found; found = runs.exec(text)) {
    const [, ticks, run] = found;
    if (ticks !== undefined) {
      const end = codeEnd(text, runs.lastIndex, ticks);
      if (end === undefined) return ticks + written(open);
      runs.lastIndex = end;
    }
    if (run === undefined) continue;
    const before = text.slice(0, found.index).at(-1) ?? '';
    const after = text.charAt(runs.lastIndex);
    const mark = { char: run.charAt(0), left: run.length };
    if (closes(before, after)) close(open, mark);
    if (mark.left > 0 && opens(before, after)) open.push(mark);
  }
  return written(open);
}

const written = (open: readonly Mark[]): string =>
  open
    .toReversed()
    .map(({ char, left }) => char.repeat(left))
    .join('');

/** Where the code that these ticks begin is over. */
function codeEnd(text: string, from: number, ticks: string): number | undefined {
  const end = [...text.slice(from).matchAll(/`+/g)].find(([run]) => run === ticks);
  return end && from + end.index + ticks.length;
}

/** In the middle of a word a mark is more likely a letter, as in 2*3 or a_name. */
function opens(before: string, after: string): boolean {
  return !SPACE.test(after) && (SPACE.test(before) || PUNCTUATION.test(before));
}

function closes(before: string, after: string): boolean {
  return !SPACE.test(before) && (SPACE.test(after) || PUNCTUATION.test(after));
}

/** What stood open within is none. */
function close(open: Mark[], mark: Mark): void {
  while (mark.left > 0) {
    const at = open.findLastIndex(({ char }) => char === mark.char);
    const opener = open[at];
    if (!opener) return;
    const both = Math.min(opener.left, mark.left);
    opener.left -= both;
    mark.left -= both;
    open.splice(opener.left === 0 ? at : at + 1);
  }
}
