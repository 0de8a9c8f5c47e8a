import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  escapeText,
  fallbackText,
  harmless,
  literal,
  literalWithin,
  mention,
  readMessageText,
  splitReply,
} from '../../src/slack/text.ts';

/** What Slack turns into a notification of a whole channel or group, and what could become one. */
const LIVE = /<!\s*(channel|here|everyone|group|subteam)|(?<![\p{L}\p{N}])@(channel|here|everyone)(?![\p{L}\p{N}])/iu;
const dead = (who: string) => `@\u2060${who}`;

describe('escaping', () => {
  test('escapes what Slack reads as markup, and nothing else, once', () => {
    expect(escapeText('a < b && c > "d" &amp;')).toBe('a &lt; b &amp;&amp; c &gt; "d" &amp;amp;');
  });

  test('a cut text is within its limit after escaping, and cuts no entity', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('&', '<', '>', 'a', '@here ', '🏳️‍🌈'), { maxLength: 200 }),
        fc.integer({ min: 1, max: 300 }),
        (parts, max) => {
          const text = literalWithin(parts.join(''), max);
          expect(text.length).toBeLessThanOrEqual(max);
          expect(text).not.toMatch(/&(?!amp;|lt;|gt;)|[<>]/);
          if (literal(parts.join('')).length <= max) expect(text).toBe(literal(parts.join('')));
        },
      ),
    );
  });

  test.each([
    ['U0ADA', '<@U0ADA>'],
    ['not an id <!here>', 'not an id &lt;!here&gt;'],
  ])('the mention of %j is %j', (user, expected) => expect(mention(user)).toBe(expected));
});

describe('harmless', () => {
  test.each([
    ['<!channel> look', `${dead('channel')} look`],
    ['<!here|@here>', dead('here')],
    ['<!everyone>', dead('everyone')],
    ['<!group>', dead('group')],
    ['<!subteam^S012|@devs>', dead('devs')],
    ['<!subteam^S012>', dead('group')],
    ['ping @channel, @Here and @everyone!', `ping ${dead('channel')}, ${dead('Here')} and ${dead('everyone')}!`],
    ['`<!channel>` in code', `\`${dead('channel')}\` in code`],
    ['**@here** _@channel_', `**${dead('here')}** _${dead('channel')}_`],
    ['<!channel', '<!\u2060channel'],
    ['<!<!here>channel>', `<!${dead('here')}channel>`],
    ['mail ops@here.example', 'mail ops@here.example'],
    ['@channels and @hereby', '@channels and @hereby'],
    ['<@U0ADA> and <#C012> and <https://a.example|a>', '<@U0ADA> and <#C012> and <https://a.example|a>'],
    ['<!date^1^{date}|then> <!DOCTYPE html>', '<!date^1^{date}|then> <!DOCTYPE html>'],
  ])('%j becomes %j', (text, expected) => expect(harmless(text)).toBe(expected));

  test('leaves nothing alive, changes nothing else and is idempotent', () => {
    const part = fc.constantFrom(
      '<!',
      'channel',
      '>',
      '@',
      'here',
      'everyone',
      '|',
      'subteam^S1',
      ' ',
      'a',
      '<',
      '!',
      '`',
    );
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 30 }).map((parts) => parts.join('')),
        (text) => {
          const safe = harmless(text);
          expect(safe).not.toMatch(LIVE);
          expect(harmless(safe)).toBe(safe);
        },
      ),
    );
  });
});

describe('reading a message', () => {
  test.each([
    ['<@UBOT> deploy it', 'deploy it'],
    ['hey <@UBOT|askback>, deploy', 'hey , deploy'],
    ['deploy <@UBOT> please', 'deploy please'],
    ['<@UBOT>', ''],
    ['<@UBOT>\nline one\n  line two', 'line one\n  line two'],
    ['ask <@U0ADA|ada> or <@U0BOB>', 'ask <@U0ADA> or <@U0BOB>'],
    ['in <#C012|general> or <#C013|> or <#C014>', 'in #general or <#C013> or <#C014>'],
    ['<https://a.example/x?a=1&amp;b=2>', 'https://a.example/x?a=1&b=2'],
    ['<https://a.example/x|the x>', '[the x](https://a.example/x)'],
    ['<http://a.example|a.example>', 'http://a.example'],
    ['<mailto:a@b.example|a@b.example>', 'a@b.example'],
    ['<!here> <!subteam^S1|@devs> <!subteam^S1>', '@here @devs (<!subteam^S1>) <!subteam^S1>'],
    ['<!date^1767323045^{date}|2 January>', '2 January'],
    ['1 &lt; 2 &amp;&amp; 3 &gt; 2 &amp;lt;', '1 < 2 && 3 > 2 &lt;'],
    ['a < b and <>', 'a < b and <>'],
  ])('%j reads %j', (text, expected) => expect(readMessageText(text, 'UBOT')).toBe(expected));

  test('what a person wrote comes back as it was, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(readMessageText(escapeText(text), 'UBOT')).toBe(text.trim());
      }),
    );
  });
});

describe('a fallback text', () => {
  test('is without the marks that mean nothing there', () => {
    expect(
      fallbackText(
        '## Title\n\n**bold** and __strong__, [label](https://a.example) & [https://a.example](https://a.example)',
        300,
      ),
    ).toBe('Title\n\nbold and strong, label (https://a.example) &amp; https://a.example');
  });

  test('keeps arithmetic and names with underscores', () => {
    expect(fallbackText('2 ** 3 ** 4, snake__case', 300)).toBe('2 ** 3 ** 4, snake__case');
  });
});

describe('what is long and odd takes no time', () => {
  const took = (work: () => unknown): number => {
    const began = performance.now();
    work();
    return performance.now() - began;
  };

  test('a message that is nearly all blanks', () => {
    const text = `hi${' '.repeat(40_000)}<@UBOT>${' '.repeat(40_000)}there`;
    expect(readMessageText(text, 'UBOT')).toBe('hi there');
    expect(took(() => readMessageText(`hi${' '.repeat(80_000)}there`, 'UBOT'))).toBeLessThan(500);
  });

  test('a reply with a row that is nearly the end of a table head', () => {
    expect(took(() => splitReply(`a|b\n-${' '.repeat(60_000)}|x`))).toBeLessThan(500);
  });
});

test('a reply of nothing but marks still has a text', () => {
  expect(fallbackText('# ', 100)).toBe('# ');
});
