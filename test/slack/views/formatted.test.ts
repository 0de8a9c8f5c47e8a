import { expect, test } from 'vitest';
import { formatted } from '../../../src/slack/views/formatted.ts';

const text = (words: string, style?: object) => ({ type: 'text', text: words, ...(style ? { style } : {}) });
const section = (...elements: object[]) => ({ type: 'rich_text_section', elements });
const code = (words: string) => ({ type: 'rich_text_preformatted', elements: [text(words)] });

test.each([
  ['Plain, two\nlines.', [section(text('Plain, two\nlines.'))]],
  [
    'Deploy `api` to **prod**?',
    [section(text('Deploy '), text('api', { code: true }), text(' to '), text('prod', { bold: true }), text('?'))],
  ],
  ['**Careful**', [section(text('Careful', { bold: true }))]],
  [
    'Run this?\n```sql\nDROP **all**;\n\n-- yes\n```\nNow?',
    [section(text('Run this?')), code('DROP **all**;\n\n-- yes'), section(text('Now?'))],
  ],
  ['~~~\na\n~~~\n\n````\n```\nb\n````', [code('a'), code('```\nb')]],
  ['```\nnever closed', [section(text('```\nnever closed'))]],
  ['```\n\n```', [section(text('```\n\n```'))]],
  ['2**3**4, a ** b **, *one*, ``two``, snake`s', [section(text('2**3**4, a ** b **, *one*, ``two``, snake`s'))]],
  ['<!channel> & <@U1>', [section(text('<!channel> & <@U1>'))]],
])('%j', (markdown, expected) => expect(formatted(markdown)).toEqual(expected));
