import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { growing, sectionEnd } from '../../src/slack/stream-text.ts';
import { harmless, REPLY_CHARS, splitReply } from '../../src/slack/text.ts';

/** All that is shown of the text while it comes in pieces: each message as it grew, in order. */
function shownOf(pieces: string[]): string[][] {
  const shown: string[][] = [];
  let text = '';
  for (const piece of pieces) {
    text += piece;
    const { whole, open } = growing(text);
    for (const [index, now] of [...whole, open].entries()) {
      const seen = shown[index] ?? [];
      if (seen.at(-1) !== now) seen.push(now);
      shown[index] = seen;
    }
  }
  return shown;
}

const chars = (text: string) => [...text];

describe('text that grows', () => {
  test.for<[string, string, string]>([
    ['a word that is not finished waits', 'Deploying to stag', 'Deploying to'],
    ['a broadcast that may be in the making waits', 'Hello <!chan', 'Hello'],
    ['so does one with a space in it', 'Hello <!subteam^S1|the team', 'Hello'],
    ['a finished one is dead', 'Hello <!channel> and ', 'Hello @\u2060channel and'],
    ['a bare one too', 'Ask @here now ', 'Ask @\u2060here now'],
    ['a lone sign is text after a while', `1 < 2 ${'and '.repeat(100)}`, `1 < 2 ${'and '.repeat(100)}`.trimEnd()],
    ['an open code block has no end yet', '```ts\nconst a = 1;\nconst b', '```ts\nconst a = 1;\nconst '],
    ['a line that may head a table waits', 'So:\n\n| a | b |\n', 'So:'],
    ['a table grows by its rows', '| a | b |\n|---|---|\n| 1 | 2 |\n', '| a | b |\n|---|---|\n| 1 | 2 |'],
    ['nothing visible is nothing', ' \n ', ''],
  ])('%s', ([, text, open]) => {
    expect(growing(text)).toEqual({ whole: [], open });
  });

  test('a message is whole when what follows has decided where it ends', () => {
    const lines = Array.from({ length: 300 }, (_, n) => `Line ${n} of a long reply that has to be cut somewhere.`);
    const text = lines.join('\n');
    const { whole, open } = growing(text);
    expect(whole).toEqual(splitReply(text).slice(0, -1));
    expect(splitReply(text).at(-1)?.startsWith(open)).toBe(true);
  });

  test('a code block that is cut is closed, and opened again', () => {
    const text = `Here:\n\n\`\`\`ts\n${'const x = 1;\n'.repeat(1_000)}`;
    const { whole, open } = growing(text);
    expect(whole.map((message) => message.slice(-5))).toEqual(['Here:', ';\n```']);
    expect(open.startsWith('```ts\nconst')).toBe(true);
    expect(open.endsWith('```')).toBe(false);
  });
});

const paragraph = fc
  .array(
    fc.constantFrom('word', 'two words', '**bold**', '`code`', '@channel', '<!here>', '<@U1>', '&', '<', 'a|b', '😀'),
    {
      minLength: 1,
      maxLength: 60,
    },
  )
  .map((words) => words.join(' '));
const block = fc.oneof(
  paragraph,
  paragraph.map((text) => `## ${text}`),
  fc.array(paragraph, { minLength: 1, maxLength: 8 }).map((items) => items.map((item) => `- ${item}`).join('\n')),
  fc.array(paragraph, { minLength: 1, maxLength: 30 }).map((rows) => `\`\`\`\n${rows.join('\n')}\n\`\`\``),
);
const markdown = fc.array(block, { minLength: 1, maxLength: 60 }).map((blocks) => blocks.join('\n\n'));

test('whatever is said, what is shown is the beginning of what is posted', () => {
  fc.assert(
    fc.property(markdown, fc.integer({ min: 7, max: 400 }), (text, size) => {
      const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, n) =>
        text.slice(n * size, (n + 1) * size),
      );
      const posted = splitReply(text).map(harmless);
      const shown = shownOf(pieces);
      expect(shown.length).toBeLessThanOrEqual(posted.length);
      for (const [index, states] of shown.entries()) {
        for (const state of states) expect(posted[index]?.startsWith(state)).toBe(true);
      }
    }),
    { numRuns: 60 },
  );
});

test('a paragraph that may not fit its message waits, so that no message has to be taken back', () => {
  const sentences = (n: number) => `${n}. ${'All of this is said in words. '.repeat(8 + (n % 5))}`.trim();
  const text = Array.from({ length: 90 }, (_, n) => sentences(n)).join('\n\n');
  const posted = splitReply(text);
  for (const size of [37, 400]) {
    const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, n) =>
      text.slice(n * size, (n + 1) * size),
    );
    for (const [index, states] of shownOf(pieces).entries()) {
      for (const state of states) expect(posted[index]?.startsWith(state)).toBe(true);
    }
  }
});

test('no broadcast is ever alive on the way, however it is cut', () => {
  for (const text of ['<!channel> ', '<!here|here> ', '@everyone ', '<!subteam^S1|@ops> ', '<! channel> ']) {
    for (const states of shownOf(chars(`Hi ${text}there `))) {
      for (const state of states) expect(state).not.toMatch(/<!\s*(channel|here|subteam)|@(channel|here|everyone)/);
    }
  }
});

describe('where a section may end', () => {
  test.for<[string, string, number, string, number | undefined]>([
    ['after the last paragraph', 'One.\n\nTwo.\n\nThr', 0, 'One.', 12],
    ['not before what is shown', 'One.\n\nTwo and', 0, 'One.\n\nTwo', undefined],
    ['not within code', 'One.\n\n```\na\n\nb\n', 0, 'One.', 6],
    ['nowhere in one paragraph', 'One and two', 0, 'One', undefined],
  ])('%s', ([, text, index, shown, at]) => {
    expect(sectionEnd(text, index, shown)).toBe(at);
  });

  test('in a text of several messages it ends the one that grows', () => {
    const first = `${'word '.repeat(1_700)}\n\n`;
    const text = `${first}${'more '.repeat(1_000)}\n\nend`;
    const at = sectionEnd(text, 1, 'more more');
    expect(at).toBe(text.length - 3);
    expect(splitReply(text.slice(0, at))).toHaveLength(2);
    expect(text.length).toBeGreaterThan(REPLY_CHARS);
  });
});
