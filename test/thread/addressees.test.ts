/** A question that is put to others, by the record: they are sought, told once each, and alone may answer. */
import { expect, test } from 'vitest';
import { defaultLimits } from '../../src/thread/limits.ts';
import type { Delivery, QuestionId } from '../../src/thread/ports.ts';
import { ask } from './story.ts';
import { ann, bob, createTown, type Town, thread } from './town.ts';

const where = ask('Where?', ['staging', 'production'], { to: [bob.id] });
const bobs = { named: [bob.id] };

async function askingBob(town: Town = createTown({ lines: [[where], 'Done.'] })): Promise<Town> {
  await town.say('ask Bob', { root: true, ...bobs });
  return town;
}

const states = async (town: Town) => {
  const [question] = (await town.record())?.questions ?? [];
  return question?.addressees?.state === 'found'
    ? question.addressees.invitations.map(({ sending }) => sending.state)
    : question?.addressees?.state;
};
const withdraw = async (town: Town, by = ann) => {
  const answered = await town.dispatcher.withdraw({ thread, question: town.card('Where?').id, by });
  await town.pass();
  return answered.status;
};

test('whoever was named is found, told by one message, and is the only one who may answer', async () => {
  const town = await askingBob();
  expect(town.addressees.requests).toEqual([{ thread, requester: ann.id, to: [bob.id], named: [bob.id] }]);
  expect(town.card('Where?').shows).toMatchObject({ requester: ann.id, asked: [bob.id] });
  expect(town.addressees.standing()).toMatchObject([{ person: bob.id }]);
  expect(await town.click('Where?', [0])).toEqual({
    status: 'not_allowed',
    reason: 'not_asked',
    requester: ann.id,
    asked: [bob.id],
  });
  expect(await town.click('Where?', [1], bob)).toMatchObject({ status: 'accepted' });
  expect(town.replies()).toEqual(['Done.']);
  expect(town.addressees.standing()).toMatchObject([{ shows: { settled: { by: bob.id } } }]);
  expect(town.addressees.calls).toEqual(['invite', 'repaint']);
});

test('while it is in the record, a build that knows nothing of it cannot read that', async () => {
  const why = Array.from({ length: 4 }, () => [ask('Why?')]);
  const limits = { ...defaultLimits, past: 2 };
  const town = createTown({ lines: [[ask('When?')], [where], ...why, 'Done.'], deps: { limits } });
  await town.say('ask Bob', { root: true, ...bobs });
  expect((await town.record())?.v).toBe(1);
  await town.click('When?', [], ann, 'now');
  expect((await town.record())?.v).toBe(2);
  await town.click('Where?', [0], bob);
  for (let step = 0; step < 2; step += 1) {
    expect((await town.record())?.v).toBe(2);
    await town.click('Why?', [], ann, 'because');
  }
  expect((await town.record())?.v).toBe(1);
});

test('ANSWER_POLICY opens nothing that is put to others', async () => {
  const policy = { answers: 'anyone' as const, allowGuests: false, allowExternal: false };
  const town = await askingBob(createTown({ lines: [[where], 'Done.'], deps: { policy } }));
  const cleo = { id: 'UCLEO', standing: 'member' as const };
  expect(await town.click('Where?', [0], cleo)).toMatchObject({ status: 'not_allowed', reason: 'not_asked' });
  // One who became a guest since may not either.
  const guest = { ...bob, standing: 'guest' as const };
  expect(await town.click('Where?', [0], guest)).toMatchObject({ status: 'not_allowed', reason: 'guest' });
});

test('only what the requester named counts, wherever in the thread they did', async () => {
  const town = createTown({ lines: [[ask('Who?')], [where], 'Done.'] });
  await town.say('who decides?', { root: true });
  await town.say('me', { by: bob, mention: false, named: ['UEVE'] });
  await town.say('ask Bob', { mention: false, ...bobs });
  expect(town.addressees.requests).toMatchObject([{ named: [bob.id] }]);
});

test('however many people others mention, those whom the requester did may be asked', async () => {
  const town = createTown({ lines: [[ask('When?')], [where], 'Done.'] });
  await town.say('ask Bob', { root: true, ...bobs });
  const crowd = Array.from({ length: 150 }, (_, n) => `UCROWD${n}`);
  await town.say('hello all', { by: bob, mention: false, named: crowd });
  expect((await town.record())?.named).toHaveLength(101);
  await town.say('now', { mention: false });
  expect(town.addressees.requests).toMatchObject([{ named: [bob.id] }]);
  expect(town.card('Where?').shows.asked).toEqual([bob.id]);
});

test('typed answers are theirs; what the requester types is kept, and their stop ends the run', async () => {
  const town = await askingBob();
  await town.say('1', { mention: false });
  expect(town.slack.whispers).toEqual([
    { person: ann.id, whisper: { kind: 'kept_for_later', open: 1, asked: [bob.id] } },
  ]);
  await town.say('stop', { by: bob, mention: false });
  expect((await town.record())?.run?.phase.name).toBe('asking');
  await town.say('production', { by: bob, mention: false });
  expect(JSON.stringify(await town.transcript())).toContain('User selected: production');

  const other = await askingBob();
  await other.say('stop', { mention: false });
  expect((await other.record())?.run).toBeUndefined();
  expect(other.addressees.standing()).toMatchObject([{ shows: { settled: { settlement: { outcome: 'cancelled' } } } }]);
});

test('what they type before the place of the card is known is judged when it is', async () => {
  const town = createTown({ lines: [[ask('Why?', undefined, { to: [bob.id] })], 'Done.'] });
  town.slack.fault('ask', 'lost');
  town.slack.weather = (method) => (method === 'find' ? 'lost' : method === 'ask' ? 'lost' : undefined);
  await askingBob(town);
  await town.say('because', { by: bob, mention: false });
  await town.say('no, I say', { mention: false });
  town.slack.weather = undefined;
  await town.pass(20_000);
  expect(JSON.stringify(await town.transcript())).toContain('User responded: because');
});

test('a refusal goes back to the model, and the other question of the step is asked', async () => {
  const lines = [[ask('Who?', undefined, { to: ['UEVE'] }), ask('Why?')], 'Done.'];
  const town = await askingBob(createTown({ lines }));
  expect(town.slack.standing('card').map((m) => m.card?.shows.question.question)).toEqual(['Why?']);
  await town.click('Why?', [], ann, 'because');
  expect(JSON.stringify(await town.transcript())).toContain('The question could not be shown: Nobody named them.');
  expect(town.replies()).toEqual(['Done.']);
});

test('what the model wrote of people is in no line of the log above debug', async () => {
  const lines: string[] = [];
  const kept = (fields: object, text: string) => void lines.push(JSON.stringify({ ...fields, text }));
  const log = { debug() {}, info: kept, warn: kept, error: kept };
  const town = createTown({
    lines: [[ask('Who?', undefined, { to: ['the one who leaks'] })], 'Done.'],
    deps: { log },
  });
  town.addressees.answers = [{ status: 'refused', reason: '"the one who leaks" is nobody.' }];
  await askingBob(town);
  expect(town.replies()).toEqual(['Done.']);
  expect(lines.join('\n')).toContain('a question cannot be put to those whom it is for');
  expect(lines.join('\n')).not.toContain('leaks');
});

test('what cannot be told now is asked again, and holds up no other card', async () => {
  const lines = [[where, ask('Why?')], 'Done.'];
  const town = createTown({ lines });
  town.addressees.answers = [
    { status: 'later', reason: 'timeout' },
    { status: 'later', reason: 'ratelimited', retryAfter: 30_000 },
  ];
  await askingBob(town);
  expect(town.slack.standing('card')).toHaveLength(1);
  expect(await states(town)).toBe('sought');
  await town.pass(20_000);
  expect(town.addressees.requests).toHaveLength(2);
  await town.pass(20_000);
  expect(town.slack.standing('card')).toHaveLength(2);
});

test('answers that say nothing end as a refusal, which the model reads; an outage is waited for', async () => {
  const lines: string[] = [];
  const kept = (_: object, text: string) => void lines.push(text);
  const log = { debug() {}, info() {}, warn: kept, error: kept };
  const town = createTown({ lines: [[where], 'Done.'], deps: { log } });
  town.addressees.answers = [
    ...Array.from({ length: 4 }, () => ({ status: 'later', reason: 'not readable', unreadable: true }) as const),
    { status: 'later', reason: 'timeout' },
    { status: 'later', reason: 'not readable', unreadable: true },
  ];
  await askingBob(town);
  await town.pass(20_000);
  expect(await states(town)).toBe('sought');
  await town.pass(120_000);
  expect(town.replies()).toEqual(['Done.']);
  expect(town.addressees.requests).toHaveLength(6);
  expect(JSON.stringify(await town.transcript())).toContain(
    'It could not be checked whether these people can be asked',
  );
  expect(lines.filter((line) => line === 'nobody is asked yet')).toHaveLength(6);
});

test.for([['lost'], ['dropped'], ['lost', 'dropped'], [{ retryAfter: 2_000 }, 'lost']] as const)(
  'an invitation that meets %j is there once',
  async (faults) => {
    const town = createTown({ lines: [[where], 'Done.'] });
    town.addressees.fault('invite', ...faults);
    await askingBob(town);
    await town.pass(30_000);
    expect(town.addressees.standing()).toHaveLength(1);
    expect(await states(town)).toEqual(['posted']);
    town.addressees.fault('repaint', 'dropped', { retryAfter: 3_000 });
    await town.click('Where?', [1], bob);
    await town.pass(30_000);
    expect(town.addressees.standing()).toMatchObject([{ shows: { settled: { by: bob.id } } }]);
  },
);

test.for(['refused', 'gone'] as const)('who cannot be written to (%s) holds up nothing', async (fault) => {
  const town = createTown({ lines: [[where], 'Done.'] });
  town.addressees.fault('invite', fault);
  await askingBob(town);
  expect(await states(town)).toEqual(['dropped']);
  await town.click('Where?', [1], bob);
  expect(town.replies()).toEqual(['Done.']);
});

test('one that waits to be sent again is not sent for a question that has ended meanwhile', async () => {
  const answer = Promise.withResolvers<Delivery>();
  const town = createTown({ lines: [[where], 'Done.'] });
  const calls: string[] = [];
  const busy = {
    ...town.addressees,
    invite: (_: unknown, person: string) => {
      calls.push(person);
      return answer.promise;
    },
  };
  town.restart({ addressees: busy });
  await askingBob(town);
  await town.click('Where?', [1], bob);
  answer.resolve({ ok: false, error: 'later', retryAfter: 2_000, reason: 'ratelimited' });
  await town.pass(30_000);
  expect(town.replies()).toEqual(['Done.']);
  expect(calls).toEqual([bob.id]);
  expect(await states(town)).toEqual(['dropped']);
});

test('a second invitation is deleted: the first that was heard of stands', async () => {
  const answer = Promise.withResolvers<void>();
  const town = createTown({ lines: [[where], 'Done.'] });
  const slow = {
    ...town.addressees,
    async invite(...args: Parameters<typeof town.addressees.invite>) {
      const delivery = await town.addressees.invite(...args);
      await answer.promise;
      return delivery;
    },
  };
  town.restart({ addressees: slow });
  await askingBob(town);
  // Nobody finds the first one, and another process sends it again.
  const { find } = town.addressees;
  town.restart({
    addressees: { ...town.addressees, find: async () => undefined },
    holders: { token: () => 'second', isGone: () => true },
  });
  await town.say('hm', { by: { id: 'UCLEO', standing: 'member' }, mention: false });
  await town.pass(60_000);
  expect(town.addressees.standing()).toHaveLength(2);
  town.addressees.find = find;
  answer.resolve();
  await town.pass(10_000);
  expect(town.addressees.standing()).toHaveLength(1);
});

test('its requester takes it back, nobody else, and not twice; the run goes on', async () => {
  const town = await askingBob();
  expect(await withdraw(town, bob)).toBe('not_allowed');
  expect(await withdraw(town)).toBe('accepted');
  expect(await withdraw(town)).toBe('accepted');
  expect(town.replies()).toEqual(['Done.']);
  expect(JSON.stringify(await town.transcript())).toContain('The question was cancelled.');
  expect(await town.click('Where?', [1], bob)).toMatchObject({ status: 'already_settled', by: ann.id });
  const unknown = { thread, question: 'q' as QuestionId, by: ann };
  expect(await town.dispatcher.withdraw(unknown)).toEqual({ status: 'unknown' });
});

test('what was taken back beside another question is no answer that could be changed', async () => {
  const town = await askingBob(createTown({ lines: [[where, ask('Why?')], 'Done.'] }));
  await withdraw(town);
  expect(town.card('Where?').shows.settled).not.toHaveProperty('changeable');
  expect(await town.click('Where?', [1], bob)).toMatchObject({ status: 'already_settled' });
});

test('a reminder names them all; Home shows it to each who is asked, and for whom it waits to who asks', async () => {
  const timing = { remindAfter: 60_000, expireAfter: 600_000, retention: 90 * 86_400_000 };
  const eve = { id: 'UEVE', standing: 'member' as const };
  const lines = [[ask('Where?', ['staging'], { to: [bob.id, eve.id] })], 'Done.'];
  const town = createTown({ lines, deps: { timing } });
  await town.say('ask them', { root: true, named: [bob.id, eve.id] });
  await town.pass(61_000);
  expect(town.slack.standing('reminder')).toMatchObject([{ post: { who: bob.id, others: [eve.id] } }]);
  for (const by of [bob, eve]) expect((await town.dispatcher.home('T1', by)).waiting).toHaveLength(1);
  expect(await town.dispatcher.home('T1', ann)).toMatchObject({
    waiting: [],
    asked: [{ state: 'asking', waits: 1, others: [bob.id, eve.id] }],
  });
  await town.pass(600_000);
  expect(town.addressees.standing()).toMatchObject([
    { person: bob.id, shows: { settled: { settlement: { outcome: 'expired' } } } },
    { person: eve.id, shows: { settled: { settlement: { outcome: 'expired' } } } },
  ]);
  expect((await town.dispatcher.home('T1', bob)).waiting).toEqual([]);
});

test('to the requester alone it is a question like any other; among others they get no message', async () => {
  const town = createTown({
    lines: [[ask('Me?', ['yes'], { to: [ann.id] })], [ask('Us?', ['yes'], { to: [ann.id, bob.id] })], 'Done.'],
  });
  await askingBob(town);
  expect(town.card('Me?').shows).not.toHaveProperty('asked');
  await town.click('Me?', [0]);
  expect(town.card('Us?').shows.asked).toEqual([ann.id, bob.id]);
  expect(town.addressees.standing().map(({ person }) => person)).toEqual([bob.id]);
  expect(await town.click('Us?', [0])).toMatchObject({ status: 'accepted' });
});
