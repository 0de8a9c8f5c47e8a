/** A reply's Markdown as a terminal shows it. It comes in pieces; what is shown are whole lines, since only a whole line tells what its marks mean. */
import { styleText } from 'node:util';

export type MarkdownLines = {
  /** The lines that are whole now, with their ends; '' if none is. */
  push(text: string): string;
  /** What is left of the last line. */
  end(): string;
};

const style = (format: Parameters<typeof styleText>[0], text: string) =>
  styleText(format, text, { validateStream: false });

export function markdownLines(): MarkdownLines {
  let rest = '';
  /** The fence that ends the code block we are in. */
  let fence: string | undefined;

  const show = (line: string): string | undefined => {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence === undefined && mark !== undefined) {
      fence = mark;
      return undefined;
    }
    if (fence === undefined) return styled(line);
    if (mark?.startsWith(fence) && line.trim() === mark) {
      fence = undefined;
      return undefined;
    }
    return style('cyan', `  ${line}`);
  };

  return {
    push(text) {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      return lines
        .map(show)
        .filter((line) => line !== undefined)
        .map((line) => `${line}\n`)
        .join('');
    },
    end() {
      const last = rest === '' ? '' : (show(rest) ?? '');
      rest = '';
      fence = undefined;
      return last;
    },
  };
}

function styled(line: string): string {
  const heading = /^#{1,6}\s+(.+?)[\s#]*$/.exec(line)?.[1];
  if (heading !== undefined) return style('bold', inline(heading));
  if (/^\s*([-*_])(\s*\1){2,}\s*$/.test(line)) return style('dim', '─'.repeat(40));
  const [, quote = '', indent = '', bullet = '', text = ''] = /^((?:\s*>)*)(\s*)([-*+]\s+)?(.*)$/.exec(line) ?? [];
  return `${quote && style('dim', quote.replaceAll('>', '│'))}${indent}${bullet && '• '}${inline(text)}`;
}

/** An escaped mark, code, bold, struck, italic (by either mark), a link: what comes first on the line counts, and what is in it is read in turn. */
const MARKS =
  /\\(?<escaped>[!-/:-@[-`{-~])|(?<ticks>`+)(?<code>.+?)\k<ticks>(?!`)|(?<three>\*{3}|(?<!\w)___)(?=\S)(?<both>.+?)(?<=\S)\k<three>|(?<two>\*\*|(?<!\w)__)(?=\S)(?<bold>.+?)(?<=\S)\k<two>|~~(?<struck>.+?)~~|(?<![\p{L}\p{N}*_])(?<one>[*_])(?=[^\s*_]|\*\*)(?<italic>.+?)(?<=\S)\k<one>(?![\p{L}\p{N}*_])|\[(?<label>[^\]]+)\]\((?<url>[^\s()]+)\)/gu;

function inline(text: string): string {
  return text.replace(MARKS, (...found) => {
    const { escaped, code, both, bold, struck, italic, label, url } = found.at(-1) as Record<
      string,
      string | undefined
    >;
    if (code !== undefined) return style('cyan', code);
    if (both !== undefined) return style(['bold', 'italic'], inline(both));
    if (bold !== undefined) return style('bold', inline(bold));
    if (struck !== undefined) return style('strikethrough', inline(struck));
    if (italic !== undefined) return style('italic', inline(italic));
    if (label !== undefined) return `${style('underline', inline(label))} (${url})`;
    return escaped ?? '';
  });
}
