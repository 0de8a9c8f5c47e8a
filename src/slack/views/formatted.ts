/**
 * A question's words as rich text. Models write Markdown, so its code blocks, inline code and bold are drawn; every other
 * character stays as it was written, and nothing in it is alive.
 */
import type { RichTextBlock, RichTextText } from '@slack/types';

type Elements = RichTextBlock['elements'];

const FENCED = /^(`{3,}|~{3,})[^`\n]*\n([\s\S]*?)\n\1[ \t]*$/m;
const INLINE = /(?<![`\w])`([^`\n]+)`(?![`\w])|(?<![*\w])\*\*(?=\S)([^*\n]+)(?<=\S)\*\*(?![*\w])/g;

export function formatted(markdown: string): Elements {
  const fence = FENCED.exec(markdown);
  const code = fence?.[2] ?? '';
  if (fence === null || code.trim() === '') return section(markdown);
  const after = markdown.slice(fence.index + fence[0].length);
  const preformatted = { type: 'rich_text_preformatted' as const, elements: [{ type: 'text' as const, text: code }] };
  return [
    ...section(markdown.slice(0, fence.index).trimEnd()),
    preformatted,
    ...formatted(after.replace(/^\s*\n/, '')),
  ];
}

function section(text: string): Elements {
  if (text === '') return [];
  const elements: RichTextText[] = [];
  let at = 0;
  for (const match of text.matchAll(INLINE)) {
    const [whole, code, bold] = match;
    if (match.index > at) elements.push({ type: 'text', text: text.slice(at, match.index) });
    const style = code === undefined ? { bold: true } : { code: true };
    elements.push({ type: 'text', text: code ?? bold ?? whole, style });
    at = match.index + whole.length;
  }
  if (at < text.length) elements.push({ type: 'text', text: text.slice(at) });
  return [{ type: 'rich_text_section', elements }];
}
