/** What a record keeps, and what leaves it at each write. */
import { expect, test } from 'vitest';
import { bounded } from '../../src/thread/bounds.ts';
import { defaultLimits } from '../../src/thread/limits.ts';
import type { QuestionId, ThreadId } from '../../src/thread/ports.ts';
import { newThread, type QuestionRecord, type ThreadRecord, type Waiting } from '../../src/thread/thread.ts';

const NOW = 1_800_000_000_000;
const HOUR = 3_600_000;
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);
const ids = (items: readonly { id: string }[]) => items.map(({ id }) => id);

function kept(more: Partial<ThreadRecord>): ThreadRecord {
  return bounded({ ...newThread('T1:C1:1.0' as ThreadId, NOW), ...more }, defaultLimits, NOW);
}

function question(step: number, more: Partial<QuestionRecord> = {}): QuestionRecord {
  return {
    id: `q${step}` as QuestionId,
    runId: 'r1',
    step,
    toolCallId: `c${step}`,
    question: { question: 'Where?', options: [], selectionMode: 'single_select', allowFreeform: true },
    requester: 'U1',
    position: 1,
    of: 1,
    plain: false,
    sending: { state: 'posted', ts: `${step}.0` },
    reminded: false,
    version: 1,
    painted: 1,
    settled: { settlement: { outcome: 'answered', labels: [] }, by: 'U1', at: NOW },
    ...more,
  };
}

const steps = (count: number, more?: Partial<QuestionRecord>) => numbers(count).map((step) => question(step, more));

test('of earlier questions the latest twenty stay', () => {
  expect(ids(kept({ questions: steps(30) }).questions)).toEqual(numbers(20).map((n) => `q${n + 10}`));
});

test('of earlier questions as many stay as there is room for', () => {
  const long = { settlement: { outcome: 'answered' as const, labels: ['x'.repeat(10_000)] }, by: 'U1', at: NOW };
  expect(ids(kept({ questions: steps(10, { settled: long }) }).questions)).toEqual(['q7', 'q8', 'q9']);
});

test.for<[string, Partial<QuestionRecord>]>([
  ['may still arrive', { sending: { state: 'sent', since: NOW, looks: 0, retry: { at: 0, tries: 0 } } }],
  ['does not show yet how it ended', { painted: 0 }],
])('a question whose card %s stays, however many came after it', ([, more]) => {
  const questions = [question(0, more), ...steps(40).slice(1)];
  expect(ids(kept({ questions }).questions)).toEqual(['q0', ...numbers(20).map((n) => `q${n + 20}`)]);
});

test('the questions of the step that the run is at stay, all of them', () => {
  const questions = numbers(30).map((n) => question(7, { id: `q${n}` as QuestionId, settled: undefined }));
  const run = { runId: 'r1', requester: 'U1', taken: [], phase: { name: 'asking' as const }, step: 7, failures: 0 };
  expect(kept({ run, questions }).questions).toHaveLength(30);
});

test('what others said stays while there is room, the latest; the rest is counted', () => {
  const said = (text: string) => numbers(60).map((n): Waiting => ({ id: `${n}.0`, by: 'U2', text }));
  const many = kept({ context: said('hi'), dropped: 3 });
  expect([ids(many.context).at(0), many.context.length, many.dropped]).toEqual(['10.0', 50, 13]);
  const long = kept({ context: said('x'.repeat(9_000)) });
  expect([ids(long.context), long.dropped]).toEqual([['56.0', '57.0', '58.0', '59.0'], 56]);
});

test('a message is known again for three hours', () => {
  const seen = [1, 2.99, 3.01, 5].map((hours) => ({ id: `${hours}`, at: NOW - hours * HOUR }));
  expect(ids(kept({ seen }).seen)).toEqual(['1', '2.99']);
});

test('lists of what was have an end', () => {
  const all = numbers(300);
  const { delivered, offers, feedback, strays, previews } = kept({
    delivered: all.map((n) => ({ id: `p${n}`, ts: `${n}.0` })),
    offers: all.map((n) => ({ id: `f${n}`, ts: `${n}.0`, runId: 'r1', message: 'It failed.' })),
    feedback: all.map((n) => ({ runId: `r${n}`, by: 'U1', is: 'good' as const, at: NOW })),
    strays: all.map((n) => ({ ts: `${n}.0` })),
    previews: all.map((n) => `${n}.0`),
  });
  expect([delivered.length, delivered.at(-1)?.id]).toEqual([50, 'p299']);
  expect([offers.length, offers.at(-1)?.id]).toEqual([20, 'f299']);
  expect([feedback.length, feedback.at(-1)?.runId]).toEqual([100, 'r299']);
  expect(strays).toHaveLength(50);
  expect([previews.length, previews.at(-1)]).toEqual([50, '299.0']);
});

test('whom others mention never drives out whom the requester did', () => {
  const own = numbers(5).map((n) => ({ by: 'U1', who: `UOWN${n}` }));
  const others = numbers(300).map((n) => ({ by: 'U2', who: `U${n}` }));
  const { named } = kept({ requester: 'U1', named: [...own, ...others] });
  expect(named.filter(({ by }) => by === 'U1')).toEqual(own);
  expect(named).toHaveLength(105);
});
