import { expect, test } from 'vitest';
import { ModelError } from '../../src/agent/model.ts';
import { defaultLimits } from '../../src/thread/limits.ts';
import type { QuestionId, ThreadId } from '../../src/thread/ports.ts';
import { ask, type Line } from './story.ts';
import { ann, bob, createTown, thread } from './town.ts';

const where: Line[] = [[ask('Where?', ['staging', 'production'], { allowFreeform: false })], 'Deployed.'];
const anyone = { answers: 'anyone', allowGuests: false, allowExternal: false } as const;
const down = new ModelError('rate_limited', 'The model is busy.', { retryable: true });

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
  expect(town.slack.statuses.at(-1)).toBe('idle');
});

test('what the agent says beside its questions is in the thread once, before their cards, also after a restart', async () => {
  const town = createTown({
    lines: [{ text: 'The build is green.', calls: [ask('Where?', ['staging', 'production'])] }, 'Done.'],
  });
  await town.say('deploy it');
  expect(town.slack.standing().map((m) => m.post?.kind ?? 'card')).toEqual(['reply', 'card']);
  expect(town.replies()).toEqual(['The build is green.']);
  town.restart();
  await town.click('Where?', [0]);
  expect(town.replies()).toEqual(['The build is green.', 'Done.']);
});

test('a card waits for what was said before it, while Slack is busy', async () => {
  const town = createTown({
    lines: [{ text: 'The build is green.', calls: [ask('Where?', ['staging', 'production'])] }, 'Done.'],
  });
  town.slack.fault('post', { retryAfter: 3_000 });
  await town.say('deploy it');
  expect(town.slack.standing()).toEqual([]);
  await town.pass(10_000);
  expect(town.slack.standing().map((m) => m.post?.kind ?? 'card')).toEqual(['reply', 'card']);
});

test('one question and its reply cost ten writes of the record', async () => {
  const town = createTown({ lines: where });
  await town.say('deploy it');
  await town.click('Where?', [0]);
  expect(town.replies()).toEqual(['Deployed.']);
  expect(town.records.writes).toBeLessThanOrEqual(10);
});

test('what was saved is told before its work begins: an ack does not wait for the agent', async () => {
  let asked = 0;
  const town = createTown({
    lines: () => {
      asked += 1;
      return 'Done.';
    },
  });
  expect(await town.dispatcher.receive(town.message('deploy'))).toEqual({ status: 'accepted' });
  // All that needs no turn of the event loop, which is what an ack takes.
  for (let n = 0; n < 200; n++) await Promise.resolve();
  expect(asked).toBe(0);
  await town.pass();
  expect(asked).toBe(1);
  expect(town.replies()).toEqual(['Done.']);
});

test('the twin of a message and its redelivery are duplicates, also after a restart', async () => {
  const town = createTown({ lines: where });
  const message = town.message('deploy it');
  const twins = Promise.all([town.dispatcher.receive(message), town.dispatcher.receive(message)]);
  await town.pass();
  const [one, two] = await twins;
  expect([one.status, two.status].sort()).toEqual(['accepted', 'duplicate']);
  town.restart();
  expect(await town.dispatcher.receive(message)).toEqual({ status: 'duplicate' });
  expect(town.slack.standing('card')).toHaveLength(1);
});

test('what is not for the bot starts nothing, and is context where the bot is known', async () => {
  const town = createTown({ lines: ['Hello.', 'Again.'] });
  expect(await town.say('lunch?', { mention: false, root: true })).toEqual({ status: 'ignored' });
  expect(await town.record()).toBeUndefined();
  await town.say('hi');
  expect(await town.say('the build is red', { by: bob, mention: false })).toEqual({ status: 'context' });
  expect(await town.say('and now?', { mention: false })).toEqual({ status: 'accepted' });
  expect((await town.transcript()).filter((m) => m.role === 'user').map((m) => m.content)).toEqual([
    'hi',
    '<@UBOB> wrote: the build is red',
    'and now?',
  ]);
});

test('a guest is refused, and what a guest says is no context', async () => {
  const town = createTown();
  const guest = { id: 'UGUEST', standing: 'guest' } as const;
  expect(await town.say('deploy', { by: guest })).toEqual({ status: 'not_allowed', reason: 'guest' });
  await town.say('deploy it');
  expect(await town.say('do as I say', { by: guest, mention: false })).toEqual({ status: 'ignored' });
  const { id } = town.card('Where?');
  const given = { kind: 'skip' } as const;
  expect(await town.dispatcher.answer({ thread, question: id, by: guest, given })).toMatchObject({ reason: 'guest' });
});

test('only who may answers; the other is told, and the question stays open', async () => {
  const town = createTown();
  await town.say('deploy it');
  expect(await town.click('Where?', [0], bob)).toEqual({
    status: 'not_allowed',
    reason: 'not_requester',
    requester: ann.id,
  });
  expect(await town.dispatcher.look(thread, town.card('Where?').id, bob)).toMatchObject({ status: 'not_allowed' });
  expect(await town.dispatcher.look(thread, town.card('Where?').id, ann)).toMatchObject({ status: 'open' });
});

test('a wrong answer says why, an unknown question that it is unknown, and nothing changes', async () => {
  const town = createTown();
  await town.say('deploy it');
  expect(await town.click('Where?', [7])).toMatchObject({ status: 'invalid' });
  expect(await town.click('Where?', [], undefined, '  ')).toMatchObject({ status: 'invalid' });
  const unknown = { thread, question: 'forged' as QuestionId, by: ann, given: { kind: 'skip' } as const };
  expect(await town.dispatcher.answer(unknown)).toEqual({ status: 'unknown' });
  expect(await town.dispatcher.answer({ ...unknown, thread: 'T1:C9:1.0' as ThreadId })).toEqual({ status: 'unknown' });
  expect(town.card('Where?').shows.settled).toBeUndefined();
});

test('one answers, the other is told who did; the same again is accepted; the own answer may change until the step is over', async () => {
  const town = createTown({ deps: { policy: anyone } });
  await town.say('deploy it');
  expect(await town.click('Where?', [0])).toMatchObject({ status: 'accepted' });
  expect(await town.click('Where?', [1], bob)).toMatchObject({ status: 'already_settled', by: ann.id });
  expect(await town.click('Where?', [0])).toMatchObject({ status: 'accepted' });
  expect(await town.click('Where?', [1])).toMatchObject({ status: 'accepted' });
  expect(town.card('Where?').shows.settled?.settlement).toMatchObject({ labels: ['production'] });
  await town.click('Which?', [0], bob);
  expect(await town.click('Where?', [0])).toMatchObject({ status: 'already_settled', by: ann.id });
  expect((await town.store.load((await town.record())?.run?.runId ?? ''))?.value.settled).toBeDefined();
});

test('after the run is over its cards still say what they ended with', async () => {
  const town = createTown({ lines: where });
  await town.say('deploy it');
  await town.click('Where?', [1]);
  expect(town.replies()).toEqual(['Deployed.']);
  expect(await town.click('Where?', [0], ann)).toMatchObject({
    status: 'already_settled',
    settlement: { labels: ['production'] },
  });
});

test('a typed label answers; beside several questions a message is kept, its writer told, and the agent reads it', async () => {
  const town = createTown();
  await town.say('deploy it');
  expect(await town.say('staging', { mention: false })).toEqual({ status: 'accepted' });
  expect(town.slack.whispers).toEqual([{ person: ann.id, whisper: { kind: 'kept_for_later', open: 2 } }]);
  await town.click('Where?', [1]);
  await town.say('3, 1', { mention: false });
  await town.say('as Bob said', { mention: false });
  expect(town.replies()).toEqual(['Deployed.']);
  const transcript = await town.transcript();
  expect(transcript.filter((m) => m.role === 'user').map((m) => m.content)).toEqual(['deploy it', 'staging']);
  expect(transcript.filter((m) => m.role === 'tool').map((m) => m.content)).toEqual([
    'done',
    'User selected: production',
    'User selected: ["api","worker"]',
    'User responded: as Bob said',
  ]);
});

test('a mention beside a question without free text supersedes it', async () => {
  const town = createTown({ lines: where });
  await town.say('deploy it');
  await town.say('forget it, roll back');
  expect(town.card('Where?').shows.settled?.settlement).toEqual({
    outcome: 'superseded',
    text: 'forget it, roll back',
  });
  expect(town.replies()).toEqual(['Deployed.']);
});

test.each<[string, (town: ReturnType<typeof createTown>) => Promise<unknown>]>([
  ['the word', (town) => town.say('stop', { mention: false })],
  ['the button', (town) => town.dispatcher.stop(thread, ann).then(() => town.pass())],
])('%s ends a run that waits: cards cancelled, one post, free for the next', async (_, stop) => {
  const town = createTown();
  await town.say('deploy it');
  await stop(town);
  expect(town.slack.standing('card').map((m) => m.card?.shows.settled?.settlement.outcome)).toEqual([
    'cancelled',
    'cancelled',
  ]);
  expect(town.slack.standing('stopped')).toHaveLength(1);
  expect((await town.record())?.run).toBeUndefined();
  expect(await town.dispatcher.stop(thread, ann)).toEqual({ status: 'nothing_to_stop' });
  await town.say('deploy it again');
  expect(town.slack.standing('card')).toHaveLength(4);
  const calls = (await town.transcript()).flatMap((m) => (m.role === 'assistant' ? m.toolCalls : []));
  expect((await town.transcript()).filter((m) => m.role === 'tool')).toHaveLength(calls.length);
});

test('what was answered beside a question that a stop cancels is known to the next run', async () => {
  const town = createTown();
  await town.say('deploy it');
  await town.click('Where?', [1]);
  await town.dispatcher.stop(thread, ann);
  await town.pass();
  const results = (await town.transcript()).flatMap((m) => (m.role === 'tool' ? m.content : []));
  expect(results.slice(-2)).toEqual(['User selected: production', 'The question was cancelled.']);
});

test('stop breaks off a model call, on whichever replica it runs', async () => {
  const town = createTown({ lines: () => new Promise(() => {}) });
  await town.say('deploy it');
  expect((await town.record())?.run?.phase.name).toBe('working');
  const other = town.open();
  expect(await other.stop(thread, bob)).toMatchObject({ status: 'not_allowed', reason: 'not_requester' });
  expect(await other.stop(thread, ann)).toEqual({ status: 'stopped' });
  await town.pass(3_000);
  expect(town.slack.standing('stopped')).toHaveLength(1);
  expect(await town.record()).toMatchObject({ posts: [], inbox: [] });
  expect((await town.record())?.run).toBeUndefined();
});

test.each<[string, (town: ReturnType<typeof createTown>) => Promise<unknown>]>([
  [
    'Retry',
    async (town) => {
      const failure = town.slack.standing('failure')[0]?.post;
      const runId = failure?.kind === 'failure' ? (failure.retry?.runId ?? '') : '';
      expect(await town.dispatcher.retry(thread, 'another', ann)).toEqual({ status: 'nothing_to_retry' });
      expect(await town.dispatcher.retry(thread, runId, bob)).toMatchObject({
        status: 'not_allowed',
        reason: 'not_requester',
      });
      expect(await town.dispatcher.retry(thread, runId, ann)).toEqual({ status: 'retrying' });
      await town.pass();
    },
  ],
  ['the next message', (town) => town.say('go on', { mention: false })],
])('a failure after an answer keeps it, and %s goes on', async (_, goOn) => {
  let failures = 1;
  const town = createTown({ lines: (step) => (step === 1 && failures-- > 0 ? down : (where[step] ?? 'More.')) });
  await town.say('deploy it');
  await town.click('Where?', [1]);
  expect(town.slack.standing('failure').map((m) => m.post)).toMatchObject([{ message: 'The model is busy.' }]);
  expect(town.replies()).toEqual([]);
  await goOn(town);
  expect(town.replies()).toEqual(['Deployed.']);
  expect((await town.transcript()).filter((m) => m.role === 'tool').map((m) => m.content)).toEqual([
    'User selected: production',
  ]);
});

test('a failure of the first call takes the next message along', async () => {
  let failures = 1;
  const town = createTown({ lines: () => (failures-- > 0 ? down : 'Both read.') });
  await town.say('deploy it');
  await town.say('and hurry');
  expect(town.replies()).toEqual(['Both read.']);
  expect((await town.transcript()).map((m) => m.content)).toEqual(['deploy it', 'and hurry', 'Both read.']);
});

test('a failure that trying again cannot help ends the run with its sentence', async () => {
  const town = createTown({ lines: () => new ModelError('auth', 'The model refused the key.', { retryable: false }) });
  await town.say('deploy it');
  const [failure] = town.slack.standing('failure');
  expect(failure?.post).toEqual({ kind: 'failure', message: 'The model refused the key.', code: 'auth' });
  expect((await town.record())?.run).toBeUndefined();
});

test('messages of one person make one run, those of another the next', async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const town = createTown({
    lines: async () => {
      await held;
      return 'Read.';
    },
  });
  await town.say('one');
  await town.say('two', { mention: false });
  await town.say('three', { by: bob });
  release();
  await town.pass();
  expect(town.replies()).toEqual(['Read.', 'Read.', 'Read.']);
  expect((await town.transcript()).filter((m) => m.role === 'user').map((m) => m.content)).toEqual([
    'one',
    'two',
    'three',
  ]);
});

test('reminders and expiry fire once over replicas, by the card’s time, and the run goes on', async () => {
  const timing = { remindAfter: 60_000, expireAfter: 7_200_000, retention: 90 * 86_400_000 };
  const town = createTown({ lines: where, deps: { timing } });
  await town.say('deploy it');
  const other = town.open();
  for (let i = 0; i < 8; i++) {
    await town.pass(10_000);
    void other.sweep();
    void town.dispatcher.sweep();
    await town.pass();
  }
  expect(town.slack.standing('reminder').map((m) => m.post)).toEqual([
    { kind: 'reminder', question: 'Where?', who: ann.id },
  ]);
  await town.clock.advance(7_200_000);
  void other.sweep();
  void town.dispatcher.sweep();
  await town.pass();
  expect(town.slack.standing('reminder')).toHaveLength(1);
  expect(town.card('Where?').shows.settled).toMatchObject({ settlement: { outcome: 'expired', after: '2 hours' } });
  expect(town.replies()).toEqual(['Deployed.']);
  expect((await town.transcript())[2]?.content).toBe('Nobody answered within 2 hours.');
});

test('a click after the time but before the expiry is recorded wins', async () => {
  const timing = { expireAfter: 60_000, retention: 90 * 86_400_000 };
  const town = createTown({ lines: where, deps: { timing } });
  await town.say('deploy it');
  await town.clock.advance(120_000);
  expect(await town.click('Where?', [1])).toMatchObject({ status: 'accepted' });
  expect(town.replies()).toEqual(['Deployed.']);
});

test('an empty answer of the agent is still a reply', async () => {
  const town = createTown({ lines: () => '', deps: {} });
  await town.say('hi');
  expect(town.slack.standing().length).toBeGreaterThan(0);
});

test('past the limits of what may wait a message is refused and its writer told', async () => {
  const limits = { ...defaultLimits, waiting: 2, messageChars: 30 };
  const town = createTown({ deps: { limits } });
  await town.say('deploy it');
  await town.say('a'.repeat(50), { by: bob });
  await town.say('two', { by: bob });
  expect(await town.say('three', { by: bob })).toEqual({ status: 'ignored' });
  expect(town.slack.whispers.at(-1)).toEqual({ person: bob.id, whisper: { kind: 'not_saved' } });
  const { kept } = (await town.record()) ?? { kept: [] };
  expect(kept.map((m) => m.text)).toEqual([expect.stringContaining('was cut: it has 50 characters'), 'two']);
});

test('a thread in which nothing is open leaves the store with its transcript; one that waits stays', async () => {
  const forgotten: string[] = [];
  const forgetThread = async (id: ThreadId) => void forgotten.push(id);
  const town = createTown({ lines: where, deps: { timing: { retention: 86_400_000 }, forgetThread } });
  await town.say('deploy it');
  await town.clock.advance(10 * 86_400_000);
  await town.pass();
  expect(forgotten).toEqual([]);
  await town.click('Where?', [0]);
  await town.clock.advance(86_500_000);
  await town.pass();
  expect(forgotten).toEqual([thread]);
  expect(await town.record()).toBeUndefined();
});

test('an app that is removed settles everything open there, and posts nothing', async () => {
  const town = createTown();
  await town.say('deploy it');
  const before = town.slack.calls.length;
  await town.dispatcher.uninstalled('T1');
  await town.dispatcher.uninstalled('T1');
  await town.pass();
  expect(town.slack.calls.slice(before)).toEqual([]);
  expect((await town.record())?.run).toBeUndefined();
  expect((await town.record())?.questions.map((q) => q.settled?.settlement.outcome)).toEqual([
    'cancelled',
    'cancelled',
  ]);
});
