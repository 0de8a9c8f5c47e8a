/** Who only calls the bot is told how to use it. */
import { expect, test } from 'vitest';
import { ModelError } from '../../src/agent/model.ts';
import { ask, type Line } from './story.ts';
import { ann, bob, createTown } from './town.ts';

const why: Line[] = [[ask('Why?')], 'I see.'];
const down = new ModelError('server', 'The model is away.', { retryable: true });
const helps = (town: ReturnType<typeof createTown>) => town.slack.standing('help').map((m) => m.post);

test.each(['help', 'Help!', '?', ''])(
  'a mention of nothing but %j is answered with help, and no run begins',
  async (text) => {
    const town = createTown({ lines: ['Hello.'] });
    expect(await town.say(text)).toEqual({ status: 'accepted' });
    expect(helps(town)).toEqual([{ kind: 'help', who: ann.id }]);
    expect((await town.record())?.run).toBeUndefined();
    expect(await town.transcript()).toEqual([]);
  },
);

test('who was helped needs no mention for what comes next', async () => {
  const town = createTown({ lines: ['Hello.'] });
  await town.say('help');
  expect(await town.say('deploy it then', { mention: false })).toEqual({ status: 'accepted' });
  expect(town.replies()).toEqual(['Hello.']);
});

test('help is posted once: its message may come twice, and its post may be lost on the way', async () => {
  const town = createTown({ lines: ['Hello.'] });
  const message = town.message('help');
  town.slack.fault('post', 'lost');
  await town.dispatcher.receive(message);
  await town.pass(10_000);
  town.restart();
  expect(await town.dispatcher.receive(message)).toEqual({ status: 'duplicate' });
  await town.pass(10_000);
  expect(helps(town)).toHaveLength(1);
});

test('beside an open question help is no answer and no context: the question waits on', async () => {
  const town = createTown({ lines: why });
  await town.say('deploy it');
  await town.say('help');
  await town.say('help', { by: bob });
  expect(helps(town)).toEqual([
    { kind: 'help', who: ann.id },
    { kind: 'help', who: bob.id },
  ]);
  expect(town.card('Why?').shows.settled).toBeUndefined();
  await town.say('help', { mention: false });
  expect(town.card('Why?').shows.settled).toMatchObject({ settlement: { outcome: 'answered', text: 'help' } });
  expect(town.replies()).toEqual(['I see.']);
  expect(JSON.stringify(await town.transcript())).not.toContain('wrote: help');
});

test('help does not try a failed run again', async () => {
  const town = createTown({ lines: [down, 'Deployed.'] });
  await town.say('deploy it');
  await town.say('help');
  expect(helps(town)).toHaveLength(1);
  expect(town.replies()).toEqual([]);
  expect((await town.record())?.run?.phase.name).toBe('failed');
});
