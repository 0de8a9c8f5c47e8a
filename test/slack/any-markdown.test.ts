/** Whatever Markdown the model writes, what is posted is valid, whole and harmless, at once or as it grows. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createIds } from '../../src/playground/ids.ts';
import type { JsonObject } from '../../src/playground/json.ts';
import { isRefusal, readContent } from '../../src/playground/message-content.ts';
import { checkChunks } from '../../src/playground/validator/payloads.ts';
import { checkMessage } from '../../src/slack/limits.ts';
import { growing } from '../../src/slack/stream-text.ts';
import { harmless, REPLY_CHARS, splitReply } from '../../src/slack/text.ts';
import { postMessage } from '../../src/slack/views/notice.ts';
import { en } from '../../src/slack/words/en.ts';
import { anyMarkdown } from './any-markdown.ts';
import { THREAD } from './views/questions.ts';

const posted = (text: string) => postMessage({ id: 'p', body: { kind: 'reply', text } }, THREAD, en);
function markdownOf(text: string): string {
  const [said] = posted(text).blocks ?? [];
  return said?.type === 'markdown' ? said.text : '';
}
const LIVE = /<!\s*(channel|here|everyone|subteam)|(?<![\p{L}\p{N}])@(channel|here|everyone)(?![\p{L}\p{N}])/iu;

/** Without what may be repeated, or may change its look, where a text is cut: blanks, fences, marks of quotes, tables. */
const bare = (text: string) => text.replace(/[\s\u2060`~>|:-]/g, '');

function isWithin(part: string, whole: string): boolean {
  let at = 0;
  for (let index = 0; index < whole.length && at < part.length; index += 1) if (whole[index] === part[at]) at += 1;
  return at === part.length;
}

test('is taken by both validators, and notifies nobody but whom it addresses', () => {
  fc.assert(
    fc.property(anyMarkdown, (markdown) => {
      for (const text of splitReply(markdown)) {
        expect(text.length).toBeLessThanOrEqual(REPLY_CHARS);
        expect(text.isWellFormed()).toBe(true);
        const message = posted(text);
        expect(checkMessage(message)).toEqual([]);
        const content = readContent(JSON.parse(JSON.stringify(message)) as JsonObject, createIds('any'));
        expect(isRefusal(content) ? content : content.warnings).toEqual([]);
        expect(markdownOf(text)).not.toMatch(LIVE);
        expect(message.text).not.toMatch(LIVE);
      }
    }),
    { numRuns: 60 },
  );
});

test('has all its characters, in order', () => {
  fc.assert(
    fc.property(anyMarkdown, (markdown) => {
      const all = splitReply(markdown, 1_200).map(harmless).join('');
      expect(isWithin(bare(harmless(markdown)), bare(all))).toBe(true);
    }),
    { numRuns: 60 },
  );
});

test('has its code line by line, however it is cut', () => {
  const lineOfCode = fc.constantFrom(
    'if (x) {',
    '  y(); // `z`',
    '}',
    '',
    '\tmake',
    '- a',
    '# b',
    '> c',
    '| d | e |',
    '***',
    '<T>',
    'a & b',
    '\\n',
  );
  fc.assert(
    fc.property(
      fc.array(lineOfCode, { minLength: 1, maxLength: 300 }),
      fc.constantFrom('', 'ts', 'c++ {1,2}', 'языка'),
      fc.constantFrom('```', '~~~', '`````'),
      fc.constantFrom('', 'Before.\n\n', '# Head\n- item\n\n'),
      (lines, info, mark, before) => {
        const pieces = splitReply(`${before}${mark}${info}\n${lines.join('\n')}\n${mark}\n\nAfter.`, 1_200).map(
          markdownOf,
        );
        const code = pieces.flatMap((piece) => {
          const inside: string[] = [];
          let open = false;
          for (const line of piece.split('\n')) {
            if (line === `${mark}${info}` && !open) open = true;
            else if (line === mark && open) open = false;
            else if (open) inside.push(line);
          }
          expect(open).toBe(false);
          return inside;
        });
        expect(code).toEqual(lines);
      },
    ),
    { numRuns: 60 },
  );
});

/** A second table behind a code block takes the block with it into its message. */
const CODE_BETWEEN_TABLES =
  '| a | b |\n|---|---|\n| c | d |\n\n```\nif (x) {\n```\n| a | b |\n|---|---|\n| c | d |\n\n---\n\n';

test('grows, in whatever pieces it comes, into just what would be posted', () => {
  fc.assert(
    fc.property(
      anyMarkdown,
      fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1, maxLength: 9 }),
      (text, sizes) => {
        const whole = splitReply(text).map(harmless);
        const shown: string[] = [];
        for (let at = 0, n = 0; at < text.length; n += 1) {
          at += sizes[n % sizes.length] ?? 1;
          const now = growing(text.slice(0, at));
          for (const [index, message] of [...now.whole, now.open].entries()) {
            if (message === '') continue;
            expect(message).not.toMatch(LIVE);
            expect(whole[index]?.startsWith(message)).toBe(true);
            const seen = shown[index] ?? '';
            // A line that may head a table waits; nothing is taken back for that.
            if (seen.startsWith(message)) continue;
            expect(message.startsWith(seen)).toBe(true);
            expect(checkChunks([{ type: 'markdown_text', text: message.slice(seen.length) }])).toEqual([]);
            shown[index] = message;
          }
        }
      },
    ),
    { numRuns: 60, examples: [[CODE_BETWEEN_TABLES, [1]]] },
  );
});
