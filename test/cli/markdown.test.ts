import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { markdownLines } from '../../src/cli/markdown.ts';
import { createTerminal } from '../../src/cli/terminal.ts';

const shown = (text: string, size = text.length) => {
  const lines = markdownLines();
  let all = '';
  for (let at = 0; at < text.length; at += size) all += lines.push(text.slice(at, at + size));
  return all + lines.end();
};

test.each([
  ['plain', 'Nothing of note: 2 * 3 * 4, snake_case_name, a * b', undefined],
  ['bold', '**Staging** it is', '\u001b[1mStaging\u001b[22m it is'],
  [
    'italic around bold and code',
    '_a **b** `c_d`_',
    '\u001b[3ma \u001b[1mb\u001b[22m \u001b[36mc_d\u001b[39m\u001b[23m',
  ],
  ['bold and italic', '***b***', '\u001b[1m\u001b[3mb\u001b[23m\u001b[22m'],
  ['struck', '~~no~~', '\u001b[9mno\u001b[29m'],
  ['marks in code stay', '`**x**`', '\u001b[36m**x**\u001b[39m'],
  ['escaped marks', String.raw`\*not\* bold`, '*not* bold'],
  ['a link', '[docs](https://example.com/a)', '\u001b[4mdocs\u001b[24m (https://example.com/a)'],
  ['a heading', '## What *now*? ##', '\u001b[1mWhat \u001b[3mnow\u001b[23m?\u001b[22m'],
  ['a list', '- one\n  * two\n1. three', '• one\n  • two\n1. three'],
  ['a quote', '> said', '\u001b[2m│\u001b[22m said'],
  ['code', '```sh\nrm **\n```\nafter', '\u001b[36m  rm **\u001b[39m\nafter'],
  ['an open mark', 'a ** b and `c', undefined],
])('%s', (_name, text, expected) => {
  expect(shown(text)).toBe(expected ?? text);
  expect(shown(text, 1)).toBe(expected ?? text);
});

test('a long line of marks takes no time', () => {
  const start = performance.now();
  for (const mark of ['*', '_', '**', '`', '~~', '[', '*a', '_a ', '> ', '# ']) shown(mark.repeat(5_000));
  expect(performance.now() - start).toBeLessThan(5_000);
});

test.each([
  ['a terminal', { isTTY: true, hasColors: () => true }, '• \u001b[1mb\u001b[22m[31m\n'],
  ['a terminal without colours', { isTTY: true, hasColors: () => false }, '- **b**[31m\n'],
  ['a pipe', {}, '- **b**[31m\n'],
])('a reply on %s: nothing of the model’s steers it', (_name, kind, expected) => {
  const output = Object.assign(new PassThrough(), kind);
  const terminal = createTerminal({ input: new PassThrough(), output, onInterrupt: () => {} });
  output.read();
  const reply = terminal.reply();
  for (const piece of ['- *', '*b*', '*\u001b[31m']) reply.write(piece);
  reply.end();
  expect(String(output.read())).toBe(expected);
  terminal.close();
});
