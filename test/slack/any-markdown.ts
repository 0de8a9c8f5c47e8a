/** Markdown as models write it, and as they should not: for the properties of what is posted. */
import fc from 'fast-check';

const word = fc.constantFrom(
  'alpha',
  'beta,',
  '`code`',
  '`a | b`',
  '**bold**',
  '_it_',
  '~~gone~~',
  'x<y',
  'a&b',
  '&amp;',
  '<b>html</b>',
  '<br/>',
  'γάμμα',
  'مرحبا بالعالم',
  'שלום',
  'zero\u200bwidth',
  '\u202ereversed\u202c',
  '👩‍👩‍👧‍👦',
  '🇨🇭🇫🇷',
  'e\u0301\u0323',
  ':tada:',
  '<@U0ADA>',
  '<#C0DEV>',
  '<!channel>',
  '<!here|here>',
  '<!subteam^S1|@ops>',
  '@here',
  '@everyone',
  'ops@here.example',
  '[link](https://a.example/x_(y)?q=<1>&r=|)',
  '<https://b.example/?a=1&b=2>',
  '[dangling](',
  '![image](https://a.example/i.png)',
  '\\*',
  '*',
  '`',
  '|',
  'https://a.example/a/very/long/path?with=many&parts=of#it',
  'longword'.repeat(40),
);
const sentence = (maxLength: number) => fc.array(word, { minLength: 1, maxLength }).map((words) => words.join(' '));

const code = fc.array(
  fc.constantFrom(
    'if (x) {',
    '  y();',
    '}',
    '',
    '\t# no heading',
    '- no item',
    '> no quote',
    '| no | table |',
    '@here',
    '<!channel>',
    '~~~',
    'a `b` c',
    '<div>',
  ),
  { minLength: 1, maxLength: 60 },
);
const fence = fc
  .record({
    mark: fc.constantFrom('```', '~~~~', '````'),
    info: fc.constantFrom('', 'ts', 'sh x=1 {2,3}', 'c++', 'языка', ' spaced'),
    code,
    indent: fc.constantFrom('', '', '  '),
    closed: fc.constantFrom(true, true, true, false),
  })
  .map(({ mark, info, code, indent, closed }) =>
    [`${mark}${info}`, ...code, ...(closed ? [mark] : [])].map((line) => indent + line).join('\n'),
  );
const list = fc
  .array(fc.tuple(fc.constantFrom('- ', '1. ', '  - ', '    * ', '- [ ] ', '  10) '), sentence(6)), {
    minLength: 1,
    maxLength: 12,
  })
  .map((items) => items.map(([mark, text]) => mark + text).join('\n'));
const table = fc
  .array(fc.tuple(sentence(2), sentence(2)), { minLength: 1, maxLength: 120 })
  .map((rows) =>
    [
      '| a | b |',
      '|:--|--:|',
      ...rows.map(([a, b]) => `| ${a.replaceAll('|', '/')} | ${b.replaceAll('|', '/')} |`),
    ].join('\n'),
  );

const block = fc.oneof(
  { weight: 4, arbitrary: sentence(40) },
  sentence(5).map((text) => `## ${text}`),
  sentence(3).map((text) => `${text}\n===`),
  sentence(12).map((text) => `> ${text}\n> > deeper`),
  list,
  table,
  { weight: 2, arbitrary: fence },
  fc.constantFrom(
    '---',
    '<details>\n<summary>More</summary>\n\nhidden\n\n</details>',
    '    indented code',
    '\\',
    '[a]: https://a.example',
  ),
);

/** A whole text of a model's. */
export const anyMarkdown = fc
  .array(fc.tuple(block, fc.constantFrom('\n\n', '\n\n', '\n', '\r\n\r\n')), { minLength: 1, maxLength: 14 })
  .map((blocks) => blocks.flat().join(''));
