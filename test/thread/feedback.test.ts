/** What people think of a reply: kept in its thread, one word a person and run, and no use of the thread. */
import { expect, test } from 'vitest';
import { bounded } from '../../src/thread/bounds.ts';
import { giveFeedback } from '../../src/thread/feedback.ts';
import { defaultLimits } from '../../src/thread/limits.ts';
import type { Policy } from '../../src/thread/policy.ts';
import type { Person, ThreadId } from '../../src/thread/ports.ts';
import { finished } from '../../src/thread/run.ts';
import { newThread, type ThreadRecord, threadRecordSchema } from '../../src/thread/thread.ts';
import { dueAt } from '../../src/thread/work.ts';

const policy: Policy = { answers: 'requester', allowGuests: false, allowExternal: false };
const ann: Person = { id: 'UANN', standing: 'member' };
const bob: Person = { id: 'UBOB', standing: 'member' };
const thread = newThread('T1:C1:100.000000' as ThreadId, 1_000);

function give(record: ThreadRecord | undefined, by: Person, is: 'good' | 'bad', now: number, runId = 'r1') {
  return giveFeedback(record, { thread: thread.id, runId, by, is }, policy, now);
}
const given = (record: ThreadRecord, ...more: Parameters<typeof give> extends [unknown, ...infer R] ? R : never) =>
  give(record, ...more).record as ThreadRecord;

test('the last one of a person counts, of each run and each person their own', () => {
  let record = given(thread, ann, 'good', 2_000);
  record = given(record, bob, 'good', 3_000);
  record = given(record, ann, 'good', 4_000, 'r2');
  record = given(record, ann, 'bad', 5_000);
  expect(record.feedback).toEqual([
    { runId: 'r1', by: 'UBOB', is: 'good', at: 3_000 },
    { runId: 'r2', by: 'UANN', is: 'good', at: 4_000 },
    { runId: 'r1', by: 'UANN', is: 'bad', at: 5_000 },
  ]);
  expect(threadRecordSchema.parse(record)).toEqual(record);
});

test('said again it writes nothing', () => {
  const record = given(thread, ann, 'good', 2_000);
  expect(give(record, ann, 'good', 9_000)).toEqual({ record, given: { status: 'accepted' } });
  expect(give(record, ann, 'good', 9_000).record).toBe(record);
});

test('who may not use the bot may not; and a thread that is gone is said to be', () => {
  const guest: Person = { id: 'UGUEST', standing: 'guest' };
  expect(give(thread, guest, 'bad', 2_000)).toEqual({
    record: thread,
    given: { status: 'not_allowed', reason: 'guest' },
  });
  expect(give(undefined, ann, 'bad', 2_000)).toEqual({ record: undefined, given: { status: 'unknown' } });
});

test('it leaves with its thread: it keeps the thread no longer, and is bounded', () => {
  const timing = { retention: 60_000 };
  let record = given(thread, ann, 'good', 50_000);
  expect(dueAt(record, timing)).toBe(dueAt(thread, timing));
  for (let n = 0; n < 150; n += 1) record = given(record, { ...ann, id: `U${n}` }, 'bad', 2_000 + n);
  const kept = bounded(record, defaultLimits, 3_000).feedback;
  expect([kept.length, kept.at(-1)?.by]).toEqual([100, 'U149']);
});

test('a record from before is read', () => {
  const { feedback: _, ...before } = thread;
  expect(threadRecordSchema.parse(before).feedback).toEqual([]);
});

test('the last part of a run’s reply asks for it, and nothing else does', () => {
  const run = { runId: 'r1', requester: 'UANN', taken: [], step: 0, failures: 0, phase: { name: 'working' as const } };
  const parts = [{ text: 'One' }, { text: 'Two' }];
  const { posts } = finished({ ...thread, run }, 'r1', { parts, strays: [] }, 2_000);
  expect(posts.map(({ body }) => body)).toEqual([
    { kind: 'reply', text: 'One' },
    { kind: 'reply', text: 'Two', feedback: { runId: 'r1' } },
  ]);
});
