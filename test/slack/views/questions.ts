/** Questions for the tests of views: as the tool lets them pass, and as ugly as that allows. */
import type { KnownBlock } from '@slack/types';
import fc from 'fast-check';
import type { Option, Question } from '../../../src/agent/question.ts';
import { threadId } from '../../../src/slack/ids.ts';
import type { QuestionId, QuestionView } from '../../../src/thread/ports.ts';

/** What a question may have in all: its words, labels and descriptions. */
export const MAX_QUESTION = 11_000;
export const THREAD = threadId('T0001', 'C0001', '1700000000.000100');
export const QUESTION = 'q_Zm9vYmFy' as QuestionId;

export function viewOf(question: Partial<Question>, more: Partial<QuestionView> = {}): QuestionView {
  return {
    id: QUESTION,
    thread: THREAD,
    question: { question: 'Where to?', allowFreeform: false, ...question },
    requester: 'U0ADA',
    position: 1,
    of: 1,
    ...more,
  };
}

export const labelled = (...labels: string[]): Option[] => labels.map((label) => ({ label }));
export const many = (count: number): Option[] =>
  labelled(...Array.from({ length: count }, (_, n) => `Option ${n + 1}`));

/** Spans of text that have broken somebody's cards. */
const ugly = fc.constantFrom(
  '<@U0123456>',
  '<!channel>',
  '<!here|here>',
  '<!subteam^S0123|@devs>',
  '@everyone',
  'a & b < c > d',
  '&amp;',
  'two\nlines',
  '👩‍👩‍👧‍👦🏳️‍🌈🇨🇭',
  'مرحبا بالعالم',
  'e\u0301\u0323\u0323',
  '*it* **bold** _it_ `code`',
  '\n```\ncode\n```\n',
  '1. ',
  '"quoted", with, commas',
  'Deploy to the production cluster in the data centre of Frankfurt, region eu-central-1, number ',
);
const words = (maxLength: number) =>
  fc.oneof(
    { weight: 3, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }) },
    { weight: 3, arbitrary: fc.array(ugly, { minLength: 1, maxLength: 6 }).map((parts) => parts.join(' ')) },
    {
      weight: 1,
      arbitrary: fc.integer({ min: 1, max: maxLength }).map((length) => 'long & '.repeat(length).slice(0, length)),
    },
  );
const label = words(3_000).map((text) => (text.trim() === '' ? `x${text}` : text));

const options = fc
  .array(fc.record({ label, description: fc.option(words(300), { nil: undefined, freq: 2 }) }), {
    minLength: 1,
    maxLength: 100,
  })
  .map((drawn) => {
    const seen = new Set<string>();
    let left = MAX_QUESTION - 1_000;
    return drawn.flatMap(({ label, description }, index): Option[] => {
      // Alike up to where a control would cut them, and still different.
      const unique = seen.has(label.trim()) ? `${label} ${index}` : label;
      const size = unique.length + (description?.length ?? 0);
      if (seen.has(unique.trim()) || size > left) return [];
      left -= size;
      seen.add(unique.trim());
      return [description === undefined ? { label: unique } : { label: unique, description }];
    });
  })
  .filter((kept) => kept.length > 0);

/** The most that is allowed: 100 options and 11,000 characters, all of one kind. */
const full = fc
  .record({
    char: fc.constantFrom('x', '&', '<', '字', 'ا'),
    count: fc.constantFrom(1, 5, 6, 10, 11, 100),
    described: fc.boolean(),
  })
  .map(({ char, count, described }): { question: string; options: Option[] } => {
    const each = Math.min(3_000, Math.floor((MAX_QUESTION - 10) / count));
    const labels = Array.from({ length: count }, (_, n) => `${n}`.padStart(described ? each / 2 : each, char));
    const all = labels.map((label) =>
      described ? { label, description: char.repeat(Math.floor(each / 2)) } : { label },
    );
    const used = all.reduce((sum, option) => sum + option.label.length + (option.description?.length ?? 0), 0);
    return { question: char.repeat(MAX_QUESTION - used), options: all };
  });

export const anyQuestion: fc.Arbitrary<Question> = fc
  .record({
    content: fc.oneof(
      { weight: 3, arbitrary: fc.record({ question: words(1_000).map((text) => `${text}?`), options }) },
      { weight: 1, arbitrary: full },
      { weight: 1, arbitrary: fc.record({ question: words(MAX_QUESTION - 1).map((text) => `${text}?`) }) },
    ),
    selectionMode: fc.constantFrom('single_select' as const, 'multi_select' as const),
    allowFreeform: fc.boolean(),
  })
  .map(({ content, selectionMode, allowFreeform }) =>
    'options' in content ? { ...content, selectionMode, allowFreeform } : { ...content, allowFreeform: true },
  );

export const anyView: fc.Arbitrary<QuestionView> = fc
  .record({ question: anyQuestion, of: fc.integer({ min: 1, max: 12 }) })
  .map(({ question, of }) => viewOf(question, { of, position: of }));

/** Every text that a view shows, from wherever it stands. */
export function textsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === 'text' && typeof inner === 'string' ? [inner] : textsIn(inner),
  );
}

/** The question's words as the view's first rich text shows them, and as they were written, without marks and spaces. */
export function wordsOf(blocks: readonly KnownBlock[], question: string): [shown: string, written: string] {
  const bare = (text: string) => text.replace(/[`*~\s]/g, '');
  return [bare(textsIn(blocks.find((block) => block.type === 'rich_text')).join('')), bare(question)];
}
