/** Cutting text where no character that a person sees as one is split. Lengths are UTF-16 units, never less than Slack's. */

const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** The text in one line, as a control shows it. A no-break space breaks no line and stays: French sets one before `?` and `:`. */
export function oneLine(text: string): string {
  return text.replace(/[^\S\u00a0\u202f]+/gu, ' ').trim();
}

/** The largest place to cut `text` at, not above `max`, that splits no character that a person sees as one. */
export function cutPoint(text: string, max: number): number {
  if (text.length <= max) return text.length;
  // What comes a little after tells where the last cluster ends; from the start, since flags pair up from there.
  const cut = GRAPHEMES.segment(text.slice(0, max + 128)).containing(max)?.index ?? 0;
  if (cut > 0) return cut;
  // One cluster longer than that (marks piled on a letter): at least no surrogate pair is split.
  return isLowSurrogate(text, max) && max > 1 ? max - 1 : max;
}

/** The text, or as much of it as fits `max` characters with an ellipsis. */
export function shorten(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, cutPoint(text, Math.max(0, max - 1))).trimEnd()}…`;
}

function isLowSurrogate(text: string, index: number): boolean {
  return (text.charCodeAt(index) & 0xfc00) === 0xdc00;
}
