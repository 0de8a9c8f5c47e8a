/** What people write in direct messages about a question that is put to them. */
import { expect, test } from 'vitest';
import type { Delivery, Person, ThreadId, Whisper } from '../../src/thread/ports.ts';
import { ask } from './story.ts';
import { ann, bob, createTown, type Town, thread } from './town.ts';

const eve: Person = { id: 'UEVE', standing: 'member' };
const where = ask('Where?', ['staging', 'production'], { to: [bob.id], allowFreeform: false });
const why = ask('Why?', undefined, { to: [bob.id] });
const other = 'T1:C2:1800000000.000000' as ThreadId;

async function asks(line = where, options: Parameters<typeof createTown>[0] = {}): Promise<Town> {
  const town = createTown({ lines: [[line], 'Done.'], ...options });
  await town.say('ask them', { root: true, named: [bob.id, eve.id] });
  return town;
}

const dm = { by: bob, direct: true, mention: false };
const below = (town: Town, person = bob) => {
  const ts = town.addressees.standing().find((one) => one.person === person.id)?.ts;
  return { ...dm, by: person, thread: `T1:D${person.id}:${ts}` as ThreadId };
};
/** A message of its own: its thread hangs on itself. */
const alone = (town: Town, text: string) => {
  const message = town.message(text, { ...dm, root: true });
  return { ...message, thread: `T1:D${bob.id}:${message.id}` as ThreadId };
};
const send = async (town: Town, message: ReturnType<Town['message']>) => {
  const received = town.dispatcher.receive(message);
  await town.pass();
  return await received;
};
const heard = async (town: Town) => JSON.stringify(await town.transcript());
const directThreads = (town: Town) => [...town.records.rows.keys()].filter((key) => key.includes(':D'));
const whispers = (town: Town) => town.slack.whispers.map(({ whisper }) => whisper);

test.for([
  ['production', where, 'User selected: production'],
  ['2.', where, 'User selected: production'],
  ['help', ask('What?', ['help', 'stop'], { to: [bob.id] }), 'User selected: help'],
  ['stop', ask('What?', ['help', 'stop'], { to: [bob.id] }), 'User selected: stop'],
  ['because', why, 'User responded: because'],
] as const)('below the message that tells of it, "%s" is the answer', async ([text, question, result]) => {
  const town = await asks(question);
  expect(await town.say(text, below(town))).toEqual({ status: 'accepted' });
  expect(await heard(town)).toContain(result);
  expect(town.replies()).toEqual(['Done.']);
  expect(town.addressees.standing()).toMatchObject([{ shows: { settled: { by: bob.id } } }]);
  expect([directThreads(town), whispers(town)]).toEqual([[], []]);
  // Who only answered has not written in the thread.
  expect((await town.record())?.participants).toEqual([ann.id]);
});

test.for<[text: string, told: Whisper]>([
  ['both', { kind: 'invalid', problem: { kind: 'options_only' } }],
  ['3', { kind: 'invalid', problem: { kind: 'options_only' } }],
  ['stop', { kind: 'not_allowed', reason: 'not_requester', requester: ann.id }],
])('"%s" is none, is told so, and begins nothing', async ([text, whisper]) => {
  const town = await asks();
  expect(await town.say(text, below(town))).toEqual({ status: 'accepted' });
  expect(town.slack.whispers).toEqual([{ person: bob.id, whisper }]);
  expect((await town.record())?.run?.phase.name).toBe('asking');
  expect(directThreads(town)).toEqual([]);
});

test('who asks for help gets it, and the question stays', async () => {
  const town = await asks(why);
  await town.say('help', below(town));
  expect(town.slack.standing('help')).toHaveLength(1);
  expect((await town.record())?.run?.phase.name).toBe('asking');
});

test('each of several questions has its own place, and its own answer', async () => {
  const town = createTown({ lines: [[where, ask('When?', ['now', 'later'], { to: [bob.id] })], 'Done.'] });
  await town.say('ask them', { root: true, named: [bob.id] });
  const [first, second] = town.addressees.standing().map(({ ts }) => ({ ...dm, thread: `T1:DBOB:${ts}` as ThreadId }));
  await town.say('2', second);
  await town.say('2', first);
  expect(await heard(town)).toContain('User selected: production');
  expect(await heard(town)).toContain('User selected: later');
});

test('what comes too late is told what it ended with; also when the run is long over', async () => {
  const town = await asks(ask('Where?', ['staging', 'production'], { to: [bob.id, eve.id] }));
  await town.say('1', below(town, eve));
  for (const _ of ['at once', 'with Home looked at since']) {
    await town.say('2', below(town));
    expect(whispers(town).at(-1)).toMatchObject({ kind: 'already_settled', by: eve.id });
    await town.dispatcher.home('T1', bob);
  }
  expect(directThreads(town)).toEqual([]);
});

test('who may not answer any more is told so', async () => {
  const town = await asks();
  await town.say('1', { ...below(town), by: { ...bob, standing: 'guest' } });
  expect(whispers(town)).toMatchObject([{ kind: 'not_allowed', reason: 'guest' }]);
  expect((await town.record())?.questions[0]?.settled).toBeUndefined();
});

test('each counts once, however often and wherever it comes; an answer that was changed stays changed', async () => {
  const town = createTown({ lines: [[where, ask('Why?')], 'Done.'] });
  await town.say('ask them', { root: true, named: [bob.id] });
  const [first, second] = [town.message('1', below(town)), town.message('2', below(town))];
  const replica = town.open();
  const received = Promise.all([town.dispatcher.receive(first), replica.receive(first)]);
  await town.pass();
  expect(await received).toEqual(expect.arrayContaining([{ status: 'accepted' }, { status: 'duplicate' }]));
  expect(await send(town, second)).toEqual({ status: 'accepted' });
  expect(await send(town, first)).toEqual({ status: 'duplicate' });
  expect((await town.record())?.questions[0]?.settled?.settlement).toMatchObject({ labels: ['production'] });
});

test('the message is seen before it is known where it is: the reply waits for that', async () => {
  const answer = Promise.withResolvers<void>();
  const town = createTown({ lines: [[where], 'Done.'] });
  town.restart({
    addressees: {
      ...town.addressees,
      async invite(...args: Parameters<typeof town.addressees.invite>): Promise<Delivery> {
        const delivery = await town.addressees.invite(...args);
        await answer.promise;
        return delivery;
      },
    },
  });
  await town.say('ask Bob', { root: true, named: [bob.id] });
  const received = town.dispatcher.receive(town.message('2', below(town)));
  answer.resolve();
  await town.pass();
  expect(await received).toEqual({ status: 'accepted' });
  expect(await heard(town)).toContain('User selected: production');
});

test('a store that does not save where the message is has it found again, and saved', async () => {
  const town = createTown({ lines: [[where], 'Done.'] });
  const { swap } = town.people;
  let fails = 2;
  town.people.swap = async (key, previous, next, due) => {
    if (next?.invited.length && fails-- > 0) throw new Error('The store is down.');
    return swap(key, previous, next, due);
  };
  await town.say('ask Bob', { root: true, named: [bob.id] });
  await town.pass(30_000);
  expect(town.addressees.standing()).toHaveLength(1);
  await town.say('2', below(town));
  expect(await heard(town)).toContain('User selected: production');
});

test('an option alone, by its words or its number, answers the only question that waits', async () => {
  for (const text of ['Production!', '2']) {
    const town = await asks();
    expect(await send(town, alone(town, text))).toEqual({ status: 'accepted' });
    expect(await heard(town)).toContain('User selected: production');
    expect(directThreads(town)).toEqual([]);
  }
});

test('it is none twice: sent again when all is over it begins nothing', async () => {
  const town = await asks();
  const message = alone(town, '2');
  await send(town, message);
  expect(town.replies()).toEqual(['Done.']);
  expect(await send(town, message)).toEqual({ status: 'duplicate' });
  expect(directThreads(town)).toEqual([]);
});

test.for(['production of what?', 'help', ''])('all else is a message like any other: "%s"', async (text) => {
  const town = await asks();
  await send(town, alone(town, text));
  expect((await town.record())?.run?.phase.name).toBe('asking');
  expect(directThreads(town)).toHaveLength(1);
});

test('with more than one waiting it is asked which is meant, and nothing begins', async () => {
  const town = createTown({ lines: () => [where] });
  await town.say('ask Bob', { root: true, named: [bob.id] });
  await town.say('ask Bob', { root: true, named: [bob.id], thread: other });
  await send(town, alone(town, '2'));
  expect(whispers(town)).toEqual([{ kind: 'several_wait' }]);
  expect(directThreads(town)).toEqual([]);
});

test('sent again when only one of them waits yet, it is still not an answer to that one', async () => {
  const town = createTown({ lines: () => [where] });
  await town.say('ask Bob', { root: true, named: [bob.id] });
  await town.say('ask Bob', { root: true, named: [bob.id], thread: other });
  const message = alone(town, '2');
  await send(town, message);
  await town.say('1', below(town));
  expect(await send(town, message)).toEqual({ status: 'duplicate' });
  expect([thread, other].map((id) => town.records.rows.get(id)?.raw.includes('"labels":["production"]'))).toEqual([
    false,
    false,
  ]);
  expect(directThreads(town)).toEqual([]);
});

test('what was written before the question was put to them is no answer to it, however late it comes', async () => {
  const town = createTown({ lines: () => [where] });
  const message = alone(town, '2');
  await town.clock.advance(60_000);
  await town.say('ask Bob', { root: true, named: [bob.id] });
  await send(town, message);
  expect((await town.record())?.questions[0]?.settled).toBeUndefined();
  expect(directThreads(town)).toHaveLength(1);
});

test('a message that began a run is not an answer too when it is sent again', async () => {
  const town = await asks();
  const messages = [alone(town, '2'), town.message('2', below(town))];
  const { read } = town.people;
  town.people.read = async () => {
    throw Object.assign(new Error('broken'), { name: 'UnreadableRecordError' });
  };
  for (const message of messages) await send(town, message);
  expect(directThreads(town)).toHaveLength(2);
  town.people.read = read;
  for (const message of messages) expect(await send(town, message)).toEqual({ status: 'duplicate' });
  expect((await town.record())?.questions[0]?.settled).toBeUndefined();
});

test('who was never asked, and whose own question it is, are heard as before', async () => {
  const town = createTown({ lines: () => [ask('Where?', ['staging', 'production'])] });
  await send(town, alone(town, 'deploy it'));
  await send(town, alone(town, '2'));
  expect(directThreads(town)).toHaveLength(2);
  expect(whispers(town)).toEqual([]);
});

test('what cannot be read of the person leaves their messages to the bot', async () => {
  const town = await asks();
  const { read } = town.people;
  town.people.read = async () => {
    throw Object.assign(new Error('broken'), { name: 'UnreadableRecordError' });
  };
  await send(town, alone(town, '2'));
  expect(directThreads(town)).toHaveLength(1);
  town.people.read = async () => {
    throw new Error('The store is down.');
  };
  await expect(town.dispatcher.receive(alone(town, '2'))).rejects.toThrow('down');
  town.people.read = read;
});

test('a thread that leaves the store leaves what is known of its people', async () => {
  const town = await asks();
  await town.say('1', below(town));
  expect(town.people.rows.get(`T1:${bob.id}`)?.raw).toContain('"invited":[{');
  await town.pass(1_000);
  await town.clock.advance(91 * 86_400_000);
  await town.pass(5_000);
  expect((await town.records.read(thread))?.value).toBeUndefined();
  expect(town.people.rows.size).toBe(0);
});
