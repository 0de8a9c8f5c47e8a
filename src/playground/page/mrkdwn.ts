/**
 * Slack's mrkdwn as a tree. Pure; `text.tsx` draws it. What is not markup stays as it was written, character by character
 * (but for the entities &amp; &lt; &gt;): a reader must be able to trust that nothing is hidden.
 */
export type Inline =
  | { type: 'text'; text: string }
  | { type: 'bold' | 'italic' | 'strike'; children: Inline[] }
  | { type: 'code'; text: string }
  | { type: 'link'; url: string; text: string }
  | { type: 'user'; id: string; text?: string }
  | { type: 'channel'; id: string; text?: string }
  | { type: 'broadcast'; text: string }
  | { type: 'date'; seconds: number; format: string; url?: string; fallback: string }
  | { type: 'emoji'; name: string };

export type MrkdwnBlock =
  | { type: 'line'; children: Inline[] }
  /** A line that begins with a bullet or a number: drawn with a hanging indent, its marker kept. */
  | { type: 'item'; marker: string; children: Inline[] }
  | { type: 'quote'; lines: Inline[][] }
  | { type: 'pre'; text: string };

export function parseMrkdwn(source: string): MrkdwnBlock[] {
  const parts = source.split(/```\n?([\s\S]*?)\n?```\n?/);
  return parts.flatMap((part, index): MrkdwnBlock[] => {
    if (index % 2 === 1) return [{ type: 'pre', text: readEntities(part.replace(/<([^>|]*\|)?([^>]*)>/g, '$2')) }];
    const before = index > 0 && part === '';
    return before || (part === '' && parts.length > 1) ? [] : parseLines(part.replace(/\n$/, ''));
  });
}

function parseLines(source: string): MrkdwnBlock[] {
  const blocks: MrkdwnBlock[] = [];
  const lines = source.split('\n');
  for (const [index, line] of lines.entries()) {
    // Slack quotes the whole rest after `>>>`. The sign arrives escaped from people and bare from apps.
    const rest = /^(?:&gt;|>){3} ?/.exec(line);
    if (rest) {
      const quoted = [line.slice(rest[0].length), ...lines.slice(index + 1)];
      return [...blocks, { type: 'quote', lines: quoted.map(parseInline) }];
    }
    const quote = /^(?:&gt;|>) ?/.exec(line);
    const last = blocks.at(-1);
    if (quote) {
      const children = parseInline(line.slice(quote[0].length));
      if (last?.type === 'quote') last.lines.push(children);
      else blocks.push({ type: 'quote', lines: [children] });
      continue;
    }
    const item = /^(\s*(?:[•◦▪-]|\d{1,3}[.)])\s+)(?=\S)/.exec(line);
    if (item?.[1]) blocks.push({ type: 'item', marker: item[1], children: parseInline(line.slice(item[1].length)) });
    else blocks.push({ type: 'line', children: parseInline(line) });
  }
  return blocks;
}

const STYLES = { '*': 'bold', _: 'italic', '~': 'strike' } as const;

export function parseInline(source: string): Inline[] {
  const nodes: Inline[] = [];
  let plain = '';
  const push = (node: Inline): void => {
    if (plain !== '') nodes.push({ type: 'text', text: readEntities(plain) });
    plain = '';
    nodes.push(node);
  };
  let at = 0;
  while (at < source.length) {
    const match = nextMarkup(source, at);
    if (match) {
      push(match.node);
      at += match.length;
    } else {
      plain += source[at];
      at += 1;
    }
  }
  if (plain !== '') nodes.push({ type: 'text', text: readEntities(plain) });
  return nodes;
}

type Match = { node: Inline; length: number };

function nextMarkup(source: string, at: number): Match | undefined {
  const char = source[at];
  switch (char) {
    case '<':
      return angle(source, at);
    case '`': {
      const end = source.indexOf('`', at + 1);
      if (end <= at + 1) return undefined;
      return { node: { type: 'code', text: readEntities(source.slice(at + 1, end)) }, length: end + 1 - at };
    }
    case ':': {
      const found = /^:([a-z0-9_+-]+(?:::skin-tone-\d)?):/.exec(source.slice(at, at + 60));
      // A time such as 10:30:00 is not an emoji.
      if (!found?.[1] || /^\d+$/.test(found[1]) || /[\p{L}\p{N}]/u.test(source[at - 1] ?? '')) return undefined;
      return { node: { type: 'emoji', name: found[1] }, length: found[0].length };
    }
    case 'h': {
      if (/[\p{L}\p{N}/]/u.test(source[at - 1] ?? '')) return undefined;
      const found = /^https?:\/\/[^\s<>|`]+[^\s<>|`.,;:!?)\]*_~'"]/.exec(source.slice(at, at + 3000));
      if (!found) return undefined;
      const url = readEntities(found[0]);
      return { node: { type: 'link', url, text: url }, length: found[0].length };
    }
    case '*':
    case '_':
    case '~':
      return styled(source, at, char);
    default:
      return undefined;
  }
}

/** A style opens after a non-word and closes before one, and hugs its text on both sides: `snake_case` and `2 * 3` are neither. */
function styled(source: string, at: number, mark: keyof typeof STYLES): Match | undefined {
  const next = source[at + 1] ?? ' ';
  if (/[\p{L}\p{N}]/u.test(source[at - 1] ?? '') || next === mark || /\s/.test(next)) return undefined;
  for (let end = source.indexOf(mark, at + 2); end !== -1; end = source.indexOf(mark, end + 1)) {
    const inside = source.slice(at + 1, end);
    if (inside.includes('\n')) return undefined;
    const closes = !/\s$/.test(inside) && !/[\p{L}\p{N}]/u.test(source[end + 1] ?? '') && !insideToken(source, at, end);
    if (closes) return { node: { type: STYLES[mark], children: parseInline(inside) }, length: end + 1 - at };
  }
  return undefined;
}

/** A mark inside `<…>` or a code span belongs to that. */
function insideToken(source: string, from: number, at: number): boolean {
  const before = source.slice(from + 1, at);
  const opensAngle = before.lastIndexOf('<') > before.lastIndexOf('>') && source.indexOf('>', at) !== -1;
  const ticks = before.split('`').length - 1;
  return opensAngle || (ticks % 2 === 1 && source.indexOf('`', at) !== -1);
}

function angle(source: string, at: number): Match | undefined {
  const end = source.indexOf('>', at);
  if (end === -1) return undefined;
  const inner = source.slice(at + 1, end);
  const length = end + 1 - at;
  const bar = inner.indexOf('|');
  const target = bar === -1 ? inner : inner.slice(0, bar);
  const label = bar === -1 ? undefined : readEntities(inner.slice(bar + 1));
  const labelled = label === undefined ? {} : { text: label };
  if (/^@[UW][A-Z0-9]+$/i.test(target)) return { node: { type: 'user', id: target.slice(1), ...labelled }, length };
  if (/^#[CGD][A-Z0-9]+$/i.test(target)) return { node: { type: 'channel', id: target.slice(1), ...labelled }, length };
  if (target.startsWith('!date^')) {
    const [, seconds = '', format = '', url] = target.split('^');
    const fallback = label ?? '';
    if (!/^\d+$/.test(seconds)) return { node: { type: 'text', text: fallback }, length };
    const node: Inline = {
      type: 'date',
      seconds: Number(seconds),
      format: readEntities(format),
      fallback,
      ...(url ? { url } : {}),
    };
    return { node, length };
  }
  if (/^![a-z]/.test(target)) return { node: { type: 'broadcast', text: label ?? `@${target.slice(1)}` }, length };
  if (/^(https?:|mailto:|tel:)/i.test(target)) {
    const url = readEntities(target);
    return { node: { type: 'link', url, text: label ?? url.replace(/^(mailto|tel):/, '') }, length };
  }
  return undefined;
}

function readEntities(text: string): string {
  return text.replace(/&(amp|lt|gt);/g, (_, name: string) => ({ amp: '&', lt: '<', gt: '>' })[name] ?? _);
}
