/** What closes Markdown that broke off. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { closing } from '../../src/slack/markdown-end.ts';
import { anyMarkdown } from './any-markdown.ts';

test.for([
  ['', ''],
  ['All is *said* and **done**, `really`.', ''],
  ['This is **bold and ', '…**'],
  ['This is **bold', '…**'],
  ['so _it was ', '…_'],
  ['***both ', '…***'],
  ['**bold and _within ', '…_**'],
  ['**bold _within_ still ', '…**'],
  ['**bold and `code with * and _ ', '…`**'],
  ['``code ` still ', '…``'],
  ['~~gone ', '…~~'],
  ['(*as they say ', '…*'],
  ['An \\*escaped \\_mark ', ''],
  ['2 * 3 and a*b and a_name_of ', ''],
  ['**a\n\nand another paragraph ', ''],
  ['one\n\n**two\nlines ', '…**'],
  ['- **a\n- b ', ''],
  ['- a\n- **b ', '…**'],
  ['`code` and `more` ', ''],
  ['```ts\nconst a = "*";', '\n```'],
  ['```ts\nconst a = 1;\n', '```'],
  ['~~~~\n```\n', '~~~~'],
  ['> ```\n> a', '\n> ```'],
  ['```\ndone\n```\nand *more ', '…*'],
  ['**a\n', '…**'],
] as const)('%j ends with %j', ([text, end]) => {
  expect(closing(text)).toBe(end);
});

test('whatever is said, what is closed is closed', () => {
  fc.assert(
    fc.property(anyMarkdown, fc.nat(), (text, at) => {
      const cut = text.slice(0, at % (text.length + 1));
      expect(closing(cut + closing(cut))).toBe('');
    }),
    { numRuns: 500 },
  );
});
