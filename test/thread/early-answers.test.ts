import { expect, test } from 'vitest';
import type { Messenger } from '../../src/thread/ports.ts';
import { ask } from './story.ts';
import { ann, bob, createTown, type Town } from './town.ts';
import { settled } from './virtual-clock.ts';

/** The card is in the thread, and the answer of Slack that says where has not come yet. */
async function unplaced(question: ReturnType<typeof ask>, deps: Parameters<Town['open']>[0] = {}) {
  const town = createTown({ lines: [[question], 'Done.'], lag: 0 });
  const answer = Promise.withResolvers<void>();
  const messenger: Messenger = {
    ...town.slack,
    async ask(...args) {
      const delivery = await town.slack.ask(...args);
      await answer.promise;
      return delivery;
    },
  };
  town.restart({ messenger, ...deps });
  await town.say('do it', { root: true });
  expect((await town.record())?.questions[0]?.sending.state).toBe('sent');
  const type = (text: string, by = ann) => town.say(text, { by, mention: false });
  const place = () => {
    answer.resolve();
    return town.pass();
  };
  const outcomes = async () =>
    (await town.record())?.questions.map((q) => [q.settled?.settlement.outcome, q.settled?.by]);
  return { town, type, outcomes, place };
}

const where = ask('Where?', ['staging', 'production'], { allowFreeform: false });

test('an answer typed before the place of its card is known counts when it is', async () => {
  const { town, type, outcomes, place } = await unplaced(where);
  await type('what does it cost?');
  expect(await type('Staging')).toEqual({ status: 'accepted' });
  expect(await outcomes()).toEqual([[undefined, undefined]]);
  await place();
  expect(await outcomes()).toEqual([['answered', ann.id]]);
  expect(town.replies()).toEqual(['Done.']);
  const read = (await town.transcript()).map((m) => m.content);
  expect(read).toContain('User selected: staging');
  expect(read.filter((text) => text === 'what does it cost?')).toHaveLength(1);
  expect(read).not.toContain('Staging');
});

test('it counts for the next process too, when the first one died with the answer of Slack', async () => {
  const { town, type, outcomes } = await unplaced(where);
  let drawn = 0;
  town.restart({ holders: { token: () => `next${++drawn}`, isGone: (token) => !token.startsWith('next') } });
  await type('2');
  await town.pass(10_000);
  expect(await outcomes()).toEqual([['answered', ann.id]]);
  expect(town.replies()).toEqual(['Done.']);
});

test('words answer a question in words, of who may answer', async () => {
  const { type, outcomes, place } = await unplaced(ask('Why?'));
  await type('because of me', bob);
  await type('because of the ledger');
  await place();
  expect(await outcomes()).toEqual([['answered', ann.id]]);
});

test('what was said before the card is no answer to it', async () => {
  const { town, outcomes, place } = await unplaced(where);
  const before = town.message('staging', { mention: false });
  await town.dispatcher.receive({ ...before, id: `${Number(before.id) - 3_600}` });
  await settled();
  await place();
  expect(await outcomes()).toEqual([[undefined, undefined]]);
  expect((await town.record())?.kept).toHaveLength(1);
});
