import { expect, test } from 'vitest';
import { strangers } from '../../src/thread/holders.ts';
import { LEASE } from '../../src/thread/lease.ts';
import { defaultLimits } from '../../src/thread/limits.ts';
import { createMailbox } from '../../src/thread/mailbox.ts';
import { newThread, type ThreadRecord, threadRecordSchema } from '../../src/thread/thread.ts';
import { createMemoryRecords } from './memory-records.ts';
import { createTown, thread } from './town.ts';
import { createVirtualClock, settled } from './virtual-clock.ts';

test('who has lost the lease writes nothing, whichever way', async () => {
  const clock = createVirtualClock();
  const records = createMemoryRecords(threadRecordSchema);
  let drawn = 0;
  const id = () => `id${++drawn}`;
  const timing = { retention: 90 * 86_400_000 };
  const mailbox = createMailbox({
    ...{ records, clock, id, timing, holders: strangers(id), limits: defaultLimits },
  });
  const waiting = { id: '1800000000.000001', by: 'UANN', text: 'do it' };
  const begin = (record: ThreadRecord | undefined, now: number) => ({
    next: { ...(record ?? newThread(thread, now)), inbox: record?.inbox ?? [waiting] },
    result: undefined,
  });
  const { claim: first } = await mailbox.change(thread, begin, { hold: true });
  await clock.advance(LEASE + 1);
  const { claim: second } = await mailbox.change(thread, begin, { hold: true });
  expect(first?.token).not.toBe(second?.token);

  const before = (await records.read(thread))?.raw;
  const lost = first?.token ?? '';
  const change = (record: ThreadRecord) => ({ ...record, requester: 'UBOB' });
  expect(first && (await mailbox.advance(first, change, { release: false, progress: true }))).toBe('lost');
  expect(await mailbox.renew(thread, lost)).toBe(false);
  await mailbox.falter(thread, lost);
  await mailbox.remove(thread, lost);
  expect((await records.read(thread))?.raw).toBe(before);
  expect(await mailbox.renew(thread, second?.token ?? '')).toBe(true);
});

test('a process that stood still for longer than its lease before it sends, does not send', async () => {
  const town = createTown({ lines: ['Done.'] });
  const { clock } = town;
  let stood = false;
  town.restart({
    records: {
      ...town.records,
      async swap(key, previous, next, due) {
        const swapped = await town.records.swap(key, previous, next, due);
        if (!stood && next?.posts[0]?.sending.state === 'sent') {
          stood = true;
          for (const end = clock.now() + 40_000; clock.now() < end; ) clock.step(1_000);
        }
        return swapped;
      },
    },
  });
  await town.dispatcher.receive(town.message('do it', { root: true }));
  for (let turn = 0; turn < 10; turn++) await settled();
  expect(stood).toBe(true);
  expect(town.slack.calls.filter((call) => call === 'post')).toEqual([]);
  await town.pass(60_000);
  expect(town.replies()).toEqual(['Done.']);
});
