import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Inline, type MrkdwnBlock, parseInline, parseMrkdwn } from '../../../src/playground/page/mrkdwn.ts';

const t = (text: string): Inline => ({ type: 'text', text });
const b = (...children: Inline[]): Inline => ({ type: 'bold', children });

describe('inline mrkdwn', () => {
  it.each<[string, Inline[]]>([
    [
      '*bold* _it_ ~no~',
      [b(t('bold')), t(' '), { type: 'italic', children: [t('it')] }, t(' '), { type: 'strike', children: [t('no')] }],
    ],
    ['*_both_*', [b({ type: 'italic', children: [t('both')] })]],
    ['snake_case_name and 2 * 3 * 4', [t('snake_case_name and 2 * 3 * 4')]],
    ['* not bold*', [t('* not bold*')]],
    ['**', [t('**')]],
    ['`a *b* &lt;c&gt;`', [{ type: 'code', text: 'a *b* <c>' }]],
    ['*a `b*` c*', [b(t('a '), { type: 'code', text: 'b*' }, t(' c'))]],
    ['a &amp;&lt;b&gt; &amp;lt;', [t('a &<b> &lt;')]],
    ['<@U123> <@W9|ann>', [{ type: 'user', id: 'U123' }, t(' '), { type: 'user', id: 'W9', text: 'ann' }]],
    ['<#C1|general>', [{ type: 'channel', id: 'C1', text: 'general' }]],
    ['<!here> <!subteam^S1|@ops>', [{ type: 'broadcast', text: '@here' }, t(' '), { type: 'broadcast', text: '@ops' }]],
    ['<https://a.b/?x=1&amp;y=2|the *link*>', [{ type: 'link', url: 'https://a.b/?x=1&y=2', text: 'the *link*' }]],
    ['<mailto:a@b.c>', [{ type: 'link', url: 'mailto:a@b.c', text: 'a@b.c' }]],
    [
      'see https://a.b/c_d_e.',
      [t('see '), { type: 'link', url: 'https://a.b/c_d_e', text: 'https://a.b/c_d_e' }, t('.')],
    ],
    ['<javascript:alert(1)|x>', [t('<javascript:alert(1)|x>')]],
    [
      '<!date^1700000000^{date} at {time}|then>',
      [{ type: 'date', seconds: 1_700_000_000, format: '{date} at {time}', fallback: 'then' }],
    ],
    ['<!date^soon^{date}|then>', [t('then')]],
    [
      ':tada: 10:30:00 :+1::skin-tone-2:',
      [{ type: 'emoji', name: 'tada' }, t(' 10:30:00 '), { type: 'emoji', name: '+1::skin-tone-2' }],
    ],
    ['<unclosed', [t('<unclosed')]],
  ])('reads %s', (source, expected) => {
    expect(parseInline(source)).toEqual(expected);
  });
});

describe('blocks of mrkdwn', () => {
  it.each<[string, MrkdwnBlock[]]>([
    [
      'a\nb',
      [
        { type: 'line', children: [t('a')] },
        { type: 'line', children: [t('b')] },
      ],
    ],
    [
      '&gt; one\n> two\nthree',
      [
        { type: 'quote', lines: [[t('one')], [t('two')]] },
        { type: 'line', children: [t('three')] },
      ],
    ],
    ['&gt;&gt;&gt; one\n\ntwo', [{ type: 'quote', lines: [[t('one')], [], [t('two')]] }]],
    [
      '• one\n1. two',
      [
        { type: 'item', marker: '• ', children: [t('one')] },
        { type: 'item', marker: '1. ', children: [t('two')] },
      ],
    ],
    [
      'a\n```\nx < &lt;y\n  z\n```\nb',
      [
        { type: 'line', children: [t('a')] },
        { type: 'pre', text: 'x < <y\n  z' },
        { type: 'line', children: [t('b')] },
      ],
    ],
    ['```never closed', [{ type: 'line', children: [t('```never closed')] }]],
  ])('reads %j', (source, expected) => {
    expect(parseMrkdwn(source)).toEqual(expected);
  });

  it('shows text without any markup exactly as it is', () => {
    const plain = fc.string({ unit: 'grapheme' }).filter((text) => !/[<>&*_~`:•◦▪\n-]|https?:|\d/.test(text));
    fc.assert(
      fc.property(plain, (text) => {
        expect(visible(parseMrkdwn(text))).toBe(text);
      }),
    );
  });

  it('never throws, and loses no letter of whatever was written', () => {
    const pieces = fc.constantFrom(
      '*',
      '_',
      '~',
      '`',
      '```',
      '<',
      '>',
      '|',
      '@U1',
      '!here',
      '\n',
      ' ',
      ':',
      'word',
      'é漢',
      '1.',
      '&gt;',
      '#C1',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 25 }), (parts) => {
        const source = parts.join('');
        const shown = visible(parseMrkdwn(source));
        const count = (text: string): number => text.split('é漢').length;
        // A link's target may go unshown, where it has a label; nothing here is a valid one with the letters in it.
        expect(count(shown)).toBe(count(source));
      }),
      { numRuns: 500 },
    );
  });
});

function visible(blocks: MrkdwnBlock[]): string {
  return blocks
    .map((block) => {
      switch (block.type) {
        case 'pre':
          return block.text;
        case 'quote':
          return block.lines.map(words).join('\n');
        case 'item':
          return block.marker + words(block.children);
        default:
          return words(block.children);
      }
    })
    .join('\n');
}

function words(nodes: Inline[]): string {
  return nodes
    .map((node) => {
      if ('children' in node) return words(node.children);
      if (node.type === 'emoji') return `:${node.name}:`;
      if (node.type === 'date') return node.fallback;
      if (node.type === 'user' || node.type === 'channel') return node.text ?? node.id;
      return node.text;
    })
    .join('');
}
