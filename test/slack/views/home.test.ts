import type { HomeView, KnownBlock } from '@slack/types';
import { expect, test } from 'vitest';
import { type HomeOptions, homeView } from '../../../src/slack/views/home.ts';
import { en } from '../../../src/slack/words/en.ts';
import type { Home } from '../../../src/thread/home.ts';
import type { QuestionId, ThreadId } from '../../../src/thread/ports.ts';
import { labelled, many, THREAD, textsIn, viewOf } from './questions.ts';

const nothing: Home = { waiting: [], asked: [] };
const shown = (home: Partial<Home>, more: Partial<HomeOptions> = {}) =>
  homeView({ ...nothing, ...home }, { words: en, page: 0, linkTo: () => undefined, ...more });
const buttonsOf = (view: HomeView) =>
  (view.blocks as KnownBlock[]).flatMap((block) =>
    block.type === 'actions' ? block.elements.map((element) => ('text' in element ? element.text?.text : '')) : [],
  );

test('nothing waits: a Home says so, and how to begin', () => {
  expect(textsIn(shown({}).blocks)).toEqual(['Waiting for you', expect.stringContaining('mention me')]);
});

test.for<[string, Parameters<typeof viewOf>[0], string[]]>([
  ['a few short labels', { options: labelled('A', 'B') }, ['A', 'B', 'Skip']],
  ['own words beside them', { options: labelled('A', 'B'), allowFreeform: true }, ['A', 'B', 'Other…', 'Skip']],
  ['words', { allowFreeform: true }, ['Answer…', 'Skip']],
  ['six options', { options: many(6) }, ['Answer…', 'Skip']],
  ['descriptions', { options: [{ label: 'A', description: 'first' }] }, ['Answer…', 'Skip']],
  ['several of two', { options: labelled('A', 'B'), selectionMode: 'multi_select' }, ['Answer…', 'Skip']],
  ['a long question', { question: 'x'.repeat(501), options: labelled('A') }, ['Answer…', 'Skip']],
])('%s: picked on Home where all that there is to know fits, else in the form', ([, question, expected]) => {
  expect(buttonsOf(shown({ waiting: [viewOf(question)] }))).toEqual(expected);
});

test('a question that is too long is shortened, and nothing of it is alive', () => {
  const texts = textsIn(shown({ waiting: [viewOf({ question: `<!channel> ${'word '.repeat(200)}` })] }).blocks);
  const question = texts.find((text) => text.startsWith('<!channel>'));
  expect(question?.length).toBeLessThanOrEqual(500);
  expect(question?.endsWith('…')).toBe(true);
});

test('several open questions of a step have their form, while there are several', () => {
  const views = ['q1', 'q2'].map((id, index) =>
    viewOf({ allowFreeform: true }, { id: id as QuestionId, position: index + 1, of: 2 }),
  );
  const last = { ...views[1], step: views } as (typeof views)[number];
  expect(buttonsOf(shown({ waiting: [last] }))).toEqual(['Answer…', 'Answer all…', 'Skip']);
  const settled = { settlement: { outcome: 'dismissed' }, by: 'U0ADA', at: 1 } as const;
  const step = [{ ...views[0], settled }, views[1]] as typeof views;
  expect(buttonsOf(shown({ waiting: [{ ...last, step }] }))).toEqual(['Answer…', 'Skip']);
});

test('each run says where it stands, and can be stopped; one that failed can be retried', () => {
  const run = (state: Home['asked'][number]['state'], waits = 0) => ({
    thread: THREAD,
    runId: `r_${state}`,
    state,
    waits,
    others: state === 'asking' ? ['U0TOM', 'U0EVE'] : [],
  });
  const view = shown({ asked: [run('working'), run('asking', 2), run('failed')] });
  expect(textsIn(view.blocks).join('\n')).toMatch(
    /working on it\*.*Waiting for 2 answers\*\nQuestion for <@U0TOM> and <@U0EVE>\n.*you can retry\*/s,
  );
  expect(buttonsOf(view)).toEqual(['Stop', 'Stop', 'Retry', 'Stop']);
});

test('a direct message is called that; a link has its signs escaped', () => {
  const direct = 'T0001:D0001:1700000000.000100' as ThreadId;
  const texts = textsIn(
    shown({ waiting: [viewOf({}, { thread: direct })] }, { linkTo: () => 'https://x.test/?a=1&b=2' }).blocks,
  );
  expect(texts).toContain('💬 Question for <@U0ADA> · Direct message · <https://x.test/?a=1&amp;b=2|Open the thread>');
});

test('the page after the last is the last; what is told stands first', () => {
  const waiting = Array.from({ length: 11 }, (_, n) =>
    viewOf({ question: `Question ${n}` }, { id: `q${n}` as QuestionId }),
  );
  const last = shown({ waiting }, { page: 7, notice: 'Told.' });
  expect(last.private_metadata).toBe('askback|page|1');
  expect(textsIn(last.blocks)).toEqual(expect.arrayContaining(['Told.', 'Question 10', 'Page 2 of 2', 'Previous']));
  expect(textsIn(last.blocks)[0]).toBe('Told.');
  expect(textsIn(last.blocks)).not.toContain('Question 9');
});
