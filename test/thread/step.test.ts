/** Several questions of one step: shown together, answered together, changed until the last is settled. */
import { expect, test } from 'vitest';
import { ask, type Line } from './story.ts';
import { ann, bob, createTown, type Town, thread } from './town.ts';

const two: Line[] = [[ask('Where?', ['staging', 'production']), ask('Why?')], 'Deployed.'];
const anyone = { answers: 'anyone', allowGuests: false, allowExternal: false } as const;
const shown = (town: Town, question: string) => town.card(question).shows;
const repaints = (town: Town) => town.slack.calls.filter((call) => call === 'repaint').length;

test('only the last card of several brings along all questions of its step', async () => {
  const town = createTown({ lines: two });
  await town.say('deploy it');
  expect(shown(town, 'Where?').step).toBeUndefined();
  expect(shown(town, 'Why?').step?.map((q) => q.question.question)).toEqual(['Where?', 'Why?']);
  const alone = createTown({ lines: [[ask('Why?')], 'Done.'] });
  await alone.say('deploy it');
  expect(shown(alone, 'Why?').step).toBeUndefined();
});

test('a settled card says that its answer can be changed, until the last of the step is settled', async () => {
  const town = createTown({ lines: two, deps: { policy: anyone } });
  await town.say('deploy it');
  const { id } = town.card('Where?');
  await town.click('Where?', [0]);
  expect(shown(town, 'Where?').settled).toMatchObject({ by: ann.id, changeable: true });
  expect(await town.dispatcher.look(thread, id, ann)).toMatchObject({ status: 'open', question: { settled: {} } });
  expect(await town.dispatcher.look(thread, id, bob)).toMatchObject({ status: 'already_settled', by: ann.id });

  await town.click('Where?', [1]);
  expect(shown(town, 'Where?').settled?.settlement).toEqual({ outcome: 'answered', labels: ['production'] });
  await town.click('Why?', [], ann, 'because');
  for (const question of ['Where?', 'Why?']) expect(shown(town, question).settled).not.toHaveProperty('changeable');
  expect(await town.dispatcher.look(thread, id, ann)).toMatchObject({ status: 'already_settled' });
  expect(town.replies()).toEqual(['Deployed.']);
  expect(repaints(town)).toBe(4);
});

test('an answer that was alone is repainted once', async () => {
  const town = createTown({ lines: [[ask('Why?')], 'Done.'] });
  await town.say('deploy it');
  await town.click('Why?', [], ann, 'because');
  expect(repaints(town)).toBe(1);
});

test('what nobody gave cannot be changed', async () => {
  const timing = { retention: 90 * 86_400_000, expireAfter: 3_600_000 };
  const town = createTown({ lines: two, deps: { timing } });
  await town.say('deploy it');
  await town.click('Where?', [0]);
  await town.pass(3_700_000);
  expect(shown(town, 'Where?').settled).not.toHaveProperty('changeable');
  expect(shown(town, 'Why?').settled).toMatchObject({ settlement: { outcome: 'expired' } });
  expect(shown(town, 'Why?').settled).not.toHaveProperty('changeable');
});

test('a form is given what waits for its reader in the step, whichever question they come from', async () => {
  const town = createTown({ lines: [[ask('Where?', ['a', 'b']), ask('Why?'), ask('When?')], 'Done.'] });
  await town.say('deploy it');
  const last = town.card('When?').id;
  const waiting = async () => {
    const looked = await town.dispatcher.lookAtStep(thread, last, ann);
    return looked.status === 'open' ? looked.questions.map((q) => q.question.question) : looked.status;
  };
  expect(await waiting()).toEqual(['Where?', 'Why?', 'When?']);
  expect(await town.dispatcher.lookAtStep(thread, last, bob)).toMatchObject({ status: 'not_allowed' });
  await town.click('When?', [], ann, 'now');
  expect(await waiting()).toEqual(['Where?', 'Why?']);
  await town.click('Where?', [0]);
  await town.click('Why?', [], ann, 'because');
  expect(await waiting()).toBe('already_settled');
  expect(await town.dispatcher.lookAtStep(thread, 'forged' as typeof last, ann)).toEqual({ status: 'unknown' });
});
