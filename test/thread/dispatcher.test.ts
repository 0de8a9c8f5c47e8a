import { expect, test } from 'vitest';
import { createTown } from './town.ts';

test('a mention leads through its questions to one reply, and the agent forgets the run', async () => {
  const town = createTown();
  expect(await town.say('deploy it')).toEqual({ status: 'accepted' });
  expect(town.slack.standing('card').map((m) => [m.card?.shows.question.question, m.card?.shows.position])).toEqual([
    ['Where?', 1],
    ['Which?', 2],
  ]);
  expect(await town.click('Where?', [0])).toMatchObject({ status: 'accepted' });
  expect(await town.click('Which?', [0, 2])).toMatchObject({ status: 'accepted' });
  expect(await town.click('Why?', [], undefined, 'because')).toMatchObject({ status: 'accepted' });
  expect(town.replies()).toEqual(['Deployed.']);
  expect([...town.effects.values()]).toEqual([1]);
  const record = await town.record();
  expect(record).toMatchObject({ inbox: [], kept: [], posts: [], strays: [] });
  expect(record?.run).toBeUndefined();
  expect(record?.lease).toBeUndefined();
  expect((await town.transcript()).map((m) => m.role)).toEqual(
    'user assistant tool assistant tool tool assistant tool assistant'.split(' '),
  );
});
