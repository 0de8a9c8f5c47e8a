/** What happens beside the story: a look that takes long, limits that are met. */
import { expect, test } from 'vitest';
import { ModelError } from '../../src/agent/model.ts';
import { defaultLimits } from '../../src/thread/limits.ts';
import { ask, type Line } from './story.ts';
import { ann, bob, createTown, thread } from './town.ts';

const where: Line[] = [[ask('Where?', ['staging', 'production'], { allowFreeform: false })], 'Deployed.'];
const open: Line[] = [[ask('Why?')], 'Thank you.'];
const down = new ModelError('rate_limited', 'The model is busy.', { retryable: true });

test('a look at the record that took long does not stop the stretch that began meanwhile', async () => {
  const thinking = Promise.withResolvers<string>();
  const town = createTown({ lines: (step) => (step === 0 ? (where[0] as Line) : thinking.promise) });
  const posting = Promise.withResolvers<void>();
  const looking = Promise.withResolvers<void>();
  const looks: (Promise<void> | undefined)[] = [];
  town.restart({
    messenger: {
      ...town.slack,
      async ask(...card) {
        await posting.promise;
        return town.slack.ask(...card);
      },
    },
    records: {
      ...town.records,
      async read(key) {
        const found = await town.records.read(key);
        await looks.shift();
        return found;
      },
    },
  });
  await town.say('deploy it');
  // The holder, whose card is on its way, looks; the answer comes; the stretch that takes it begins; the look returns.
  looks.push(looking.promise);
  await town.clock.advance(1_000);
  const question = (await town.record())?.questions[0]?.id ?? ('' as never);
  const given = { kind: 'answer', options: [0] } as const;
  await town.dispatcher.answer({ thread, question, by: ann, given: { ...given, options: [0] } });
  posting.resolve();
  await town.clock.advance(0);
  expect((await town.record())?.run?.phase.name).toBe('working');
  looking.resolve();
  await town.clock.advance(0);
  thinking.resolve('Deployed.');
  await town.pass(10_000);
  expect(town.replies()).toEqual(['Deployed.']);
});

test('a reminder that could not be posted before the answer came is not posted after it', async () => {
  const town = createTown({ lines: where, deps: { timing: { remindAfter: 60_000, retention: 90 * 86_400_000 } } });
  await town.say('deploy it');
  town.slack.fault('post', { retryAfter: 30_000 }, { retryAfter: 30_000 });
  await town.pass(70_000);
  await town.click('Where?', [0]);
  await town.pass(90_000);
  expect(town.slack.standing('reminder')).toEqual([]);
  expect(town.replies()).toEqual(['Deployed.']);
});

test('a thread stays for its time after its run has ended, however long that had waited', async () => {
  const timing = { expireAfter: 100 * 86_400_000, retention: 90 * 86_400_000 };
  const town = createTown({ lines: [...where, 'Again.'], deps: { timing } });
  await town.say('deploy it');
  await town.clock.advance(101 * 86_400_000);
  await town.pass(10_000);
  expect(town.replies()).toEqual(['Deployed.']);
  await town.pass(10_000);
  expect(await town.record()).toBeDefined();
  expect(await town.say('and now?', { mention: false })).toEqual({ status: 'accepted' });
});

test('the writer of what is kept for later is told who is asked', async () => {
  const town = createTown({ lines: where });
  await town.say('deploy it');
  await town.say('is it done?', { by: bob });
  expect(town.slack.whispers).toEqual([
    { person: bob.id, whisper: { kind: 'kept_for_later', open: 1, asked: [ann.id] } },
  ]);
});

test('who may not stop a run is told whose it is', async () => {
  const town = createTown({ lines: where });
  await town.say('deploy it');
  const refused = { status: 'not_allowed', reason: 'not_requester', requester: ann.id };
  expect(await town.dispatcher.stop(thread, bob)).toEqual(refused);
});

test('a message without a text still says something to the model', async () => {
  const town = createTown({ lines: ['Hello.', 'Well?'] });
  await town.say('hi');
  await town.say('', { by: bob, mention: false });
  await town.say(' ', { mention: false });
  const said = (await town.transcript()).flatMap((m) => (m.role === 'user' ? m.content : []));
  expect(said).toEqual(['hi', '<@UBOB> wrote: (no text)', '(no text)']);
});

test('the longest message that Slack takes is an answer, cut with a notice', async () => {
  const town = createTown({ lines: open });
  await town.say('deploy it');
  await town.say('x'.repeat(40_000), { mention: false });
  expect(town.replies()).toEqual(['Thank you.']);
  const answer = (await town.transcript()).find((m) => m.role === 'tool')?.content ?? '';
  expect(answer).toMatch(/^User responded: x+\n\[The rest of this message was cut: it has 40000 characters\.\]$/);
});

test('a run that fails at every try does not grow with each message, nor does what is owed to the thread', async () => {
  const town = createTown({ lines: () => Promise.reject(down) });
  town.slack.weather = () => ({ retryAfter: 600_000 });
  for (let n = 0; n < 60; n++) await town.say('x'.repeat(20_000));
  const record = await town.record();
  expect(JSON.stringify(record).length).toBeLessThan(defaultLimits.waitingChars * 3);
  expect(record?.posts.length).toBeLessThanOrEqual(2);
});
