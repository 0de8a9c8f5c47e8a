/** Retry is offered while it can be used: the failure's post is edited when it was, or when there is nothing to go on with. */
import { expect, test } from 'vitest';
import { newThread, staleOffers, type ThreadRecord, threadRecordSchema } from '../../src/thread/thread.ts';
import { ann, createTown, thread } from './town.ts';

const failing = () => {
  const down = { is: true };
  const town = createTown({
    lines: () => {
      if (down.is) throw new Error('The model is away.');
      return 'Done.';
    },
  });
  return { town, down };
};
const post = (town: ReturnType<typeof createTown>) => town.slack.standing('failure')[0]?.post;

test('used, it says so, once, and before the agent has its turn', async () => {
  const { town, down } = failing();
  await town.say('deploy');
  await town.pass();
  const offered = post(town);
  expect(offered).toMatchObject({ kind: 'failure', retry: { runId: expect.any(String) } });
  down.is = false;
  const { runId } = (offered as { retry: { runId: string } }).retry;
  expect(await town.dispatcher.retry(thread, runId, ann)).toEqual({ status: 'retrying' });
  await town.pass();
  expect(post(town)).toMatchObject({ kind: 'failure', retried: true });
  expect(post(town)).not.toHaveProperty('retry');
  expect(town.slack.standing('reply')).toHaveLength(1);
  expect(town.slack.calls.filter((call) => call === 'amend')).toHaveLength(1);
});

test('a run that is stopped instead offers nothing any more, and says nothing of a try', async () => {
  const { town } = failing();
  await town.say('deploy');
  await town.pass();
  expect(await town.dispatcher.stop(thread, ann)).toEqual({ status: 'stopped' });
  await town.pass();
  expect(post(town)).not.toHaveProperty('retry');
  expect(post(town)).not.toHaveProperty('retried');
});

test('a post that cannot be edited now is edited later', async () => {
  const { town, down } = failing();
  await town.say('deploy');
  await town.pass();
  down.is = false;
  town.slack.fault('amend', 'dropped', { retryAfter: 20_000 });
  await town.say('again');
  await town.pass();
  await town.pass(60_000);
  expect(post(town)).toMatchObject({ retried: true });
  expect(town.slack.standing('reply')).toHaveLength(1);
});

test('a record from before is read, and what it failed at is let be', () => {
  const { offers: _, ...before } = newThread(thread, 1_000);
  const record: ThreadRecord = threadRecordSchema.parse(before);
  expect([record.offers, staleOffers(record)]).toEqual([[], []]);
});
