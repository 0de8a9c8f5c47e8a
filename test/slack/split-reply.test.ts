import fc from 'fast-check';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import Markdown from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { describe, expect, test } from 'vitest';
import { checkMessage } from '../../src/slack/limits.ts';
import { REPLY_CHARS, splitReply } from '../../src/slack/text.ts';
import { postMessage } from '../../src/slack/views/notice.ts';
import { en } from '../../src/slack/words/en.ts';
import { THREAD } from './views/questions.ts';

const lines = (count: number, line: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => line(n)).join('\n');
const fence = (mark: string, info: string, code: string) => `${mark}${info}\n${code}\n${mark}`;

/** By a real Markdown parser: what is read, and what stands in code blocks. */
function rendered(markdown: string): { text: string; code: string[] } {
  const html = renderToStaticMarkup(createElement(Markdown, { remarkPlugins: [remarkGfm] }, markdown));
  const code = [...html.matchAll(/<pre><code[^>]*>([\s\S]*?)<\/code><\/pre>/g)].map(([, inner = '']) => inner);
  return { text: html.replace(/<[^>]*>/g, '').replace(/\s/g, ''), code };
}
const joined = (pieces: string[]) => {
  const parts = pieces.map(rendered);
  return { text: parts.map(({ text }) => text).join(''), code: parts.flatMap(({ code }) => code) };
};

describe('a reply as messages', () => {
  test('a reply that fits is one message, as it is', () => {
    const text =
      '# Title\n\n- a\n  - b\n\n```ts\nconst x = 1;\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n[link](https://a.example)';
    expect(splitReply(text)).toEqual([text]);
  });

  test('a reply without words says so', () => {
    for (const text of ['', ' \n\t\n']) expect(splitReply(text)).toEqual(['']);
  });

  test('is cut between paragraphs, and no heading stays behind alone', () => {
    const paragraph = (name: string) => `${name} `.repeat(2_200).slice(0, 4_400).trim();
    const pieces = splitReply(`${paragraph('a')}\n\n${'b '.repeat(1_000)}\n\n## Next\n\n${paragraph('c')}`);
    expect(pieces.map((piece) => piece.slice(0, 7))).toEqual(['a a a a', '## Next']);
  });

  test('a code block that fits one message is never cut', () => {
    const code = fence(
      '```',
      'ts',
      lines(400, (n) => `line ${n} of code`),
    );
    const pieces = splitReply(`${'word '.repeat(1_000)}\nand then:\n${code}\nafter`);
    expect(pieces.length).toBe(2);
    expect(pieces[1]?.startsWith(code)).toBe(true);
  });

  test.each([
    ['backticks', '```', 'python'],
    ['tildes', '~~~', 'sh'],
    ['a longer fence around a fence', '`````', 'md'],
  ])('a code block over the limit is closed and opened again with its language: %s', (_, mark, info) => {
    const code = lines(900, (n) => (n % 50 === 0 ? '```js' : `line ${n} of code`)).replaceAll(
      '```js',
      mark === '```' ? '# js' : '```',
    );
    const pieces = splitReply(`before\n\n${fence(mark, info, code)}\n\nafter`);
    expect(pieces.length).toBeGreaterThan(2);
    const inside = pieces.filter((piece) => piece.includes(' of code'));
    for (const piece of inside)
      expect([piece.startsWith(`${mark}${info}\n`), piece.includes(`\n${mark}`)]).toEqual([true, true]);
    expect(joined(pieces).code.join('')).toBe(rendered(fence(mark, info, code)).code[0]);
    expect(pieces.at(-1)).toMatch(/after$/);
  });

  test('a code block in a quote or a list goes on as code', () => {
    const quoted = splitReply(`> \`\`\`sh\n${lines(1_000, (n) => `> echo ${n} and on`)}\n> \`\`\``);
    const listed = splitReply(`1. do\n   \`\`\`sh\n${lines(1_000, (n) => `   echo ${n} and on`)}\n   \`\`\`\n2. done`);
    for (const pieces of [quoted, listed]) {
      expect(pieces.length).toBeGreaterThan(1);
      const { code } = joined(pieces);
      expect(code.join('').match(/echo \d+ and on/g)?.length).toBe(1_000);
    }
    expect(listed.at(-1)).toMatch(/2\. done$/);
  });

  test('a code block that is never closed is closed', () => {
    expect(splitReply('```js\nx')).toEqual(['```js\nx\n```']);
    for (const piece of splitReply(`~~~\n${lines(2_000, (n) => `line ${n}`)}`))
      expect(piece).toMatch(/^~~~\n[\s\S]*\n~~~$/);
  });

  test('a table over the limit goes on under its head, and each message has one table', () => {
    const head = '| n | name |\n|--:|:-----|';
    const pieces = splitReply(`${head}\n${lines(250, (n) => `| ${n} | row |`)}\n\nbetween\n\n${head}\n| x | y |`);
    expect(pieces.length).toBe(4);
    for (const piece of pieces) {
      expect(piece.split(head).length).toBe(2);
      expect(piece.split('\n').filter((line) => line.startsWith('|')).length).toBeLessThanOrEqual(101);
    }
    expect(pieces.join('\n').match(/\| row \|/g)?.length).toBe(250);
  });

  test('a message has no more blocks than Slack draws', () => {
    const pieces = splitReply(Array.from({ length: 120 }, (_, n) => `Paragraph ${n}.`).join('\n\n'));
    for (const piece of pieces) expect(piece.split('\n\n').length).toBeLessThanOrEqual(40);
    expect(joined(pieces).text.match(/Paragraph/g)?.length).toBe(120);
  });

  test('one endless line is cut at spaces, and never within a character', () => {
    const flags = '🇨🇭🏳️‍🌈👩‍👩‍👧‍👦e\u0301'.repeat(1_500);
    const pieces = splitReply(`${'word '.repeat(5_000)}\n\n${flags}`);
    expect(joined(pieces).text).toBe(rendered(`${'word '.repeat(5_000)}\n\n${flags}`).text);
    const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
    const whole = (text: string) => [...segmenter.segment(text)].length;
    const count = pieces.reduce((sum, piece) => sum + whole(piece.replace(/\s/g, '')), 0);
    expect(count).toBe(whole(('word '.repeat(5_000) + flags).replace(/\s/g, '')));
  });

  test('Windows line ends are line ends', () => {
    expect(splitReply('a\r\n\r\n```\r\nb\r\n```')).toEqual(['a\n\n```\nb\n```']);
  });
});

describe('any Markdown', () => {
  /** Small messages cut as large ones do, and a parser reads them sooner. */
  const CHARS = 1_500;
  const word = fc.constantFrom(
    'alpha',
    'beta',
    '`code`',
    '**bold**',
    '[link](https://a.example)',
    'γάμμα',
    '👩‍👩‍👧‍👦',
    'x<y',
    'a&b',
  );
  const sentence = (maxLength: number) => fc.array(word, { minLength: 1, maxLength }).map((words) => words.join(' '));
  const block = fc.oneof(
    sentence(50),
    sentence(8).map((text) => `## ${text}`),
    fc.array(sentence(6), { minLength: 1, maxLength: 12 }).map((items) => items.map((item) => `- ${item}`).join('\n')),
    fc
      .array(sentence(6), { minLength: 1, maxLength: 12 })
      .map((items) => items.map((item, n) => `${n + 1}. ${item}\n   - nested`).join('\n')),
    sentence(20).map((text) => `> ${text}`),
    fc
      .record({
        mark: fc.constantFrom('```', '~~~', '````'),
        info: fc.constantFrom('', 'ts', 'sh x=1'),
        count: fc.integer({ min: 1, max: 120 }),
      })
      .map(({ mark, info, count }) =>
        fence(
          mark,
          info,
          lines(count, (n) => (n % 7 === 0 ? '' : `  if (x) { line(${n}) }`)),
        ),
      ),
  );
  const document = fc.array(block, { minLength: 1, maxLength: 8 }).map((blocks) => blocks.join('\n\n'));

  test('keeps every word and every line of code, and code blocks that fit stay whole', () => {
    fc.assert(
      fc.property(document, (markdown) => {
        const pieces = splitReply(markdown, CHARS);
        const [before, after] = [rendered(markdown), joined(pieces)];
        expect(after.text).toBe(before.text);
        expect(after.code.join('')).toBe(before.code.join(''));
        const fits = (code: string) => code.length < CHARS - 100;
        expect(after.code).toEqual(expect.arrayContaining(before.code.filter(fits)));
      }),
      { numRuns: 15 },
    );
  });

  test('even broken Markdown becomes messages that Slack takes, with all its characters in order', () => {
    const shard = fc.constantFrom(
      '```',
      '~~~',
      '````',
      '\n',
      '\n\n',
      '|',
      '|---|---|',
      '| a | b |\n|---|---|\n',
      '# ',
      '- ',
      '> ',
      '    ',
      '1. ',
      '<!channel>',
      '@here ',
      '🏳️‍🌈',
      'word '.repeat(300),
      'x'.repeat(4_000),
      '🇨🇭'.repeat(900),
      '---',
    );
    fc.assert(
      fc.property(
        fc.array(shard, { maxLength: 25 }).map((shards) => shards.join('')),
        (markdown) => {
          const pieces = splitReply(markdown);
          expect(splitReply(markdown)).toEqual(pieces);
          for (const text of pieces) {
            expect(text.length).toBeLessThanOrEqual(REPLY_CHARS);
            expect(checkMessage(postMessage({ id: 'p', body: { kind: 'reply', text } }, THREAD, en))).toEqual([]);
            expect(text.isWellFormed()).toBe(true);
          }
          // Fences, quote marks and table heads may be repeated; all else is there once, in order.
          const bare = (text: string) => text.replace(/[\s`~>|:-]/g, '');
          const [whole, all] = [bare(markdown), bare(pieces.join(''))];
          if (markdown.trim() !== '') expect(isWithin(whole, all)).toBe(true);
        },
      ),
      { numRuns: 30 },
    );
  });
});

/** All characters of `part` are in `whole`, in the same order. */
function isWithin(part: string, whole: string): boolean {
  let at = 0;
  for (let index = 0; index < whole.length && at < part.length; index += 1) if (whole[index] === part[at]) at += 1;
  return at === part.length;
}
