import { expect, test } from 'vitest';
import type { QuestionId } from '../../src/thread/ports.ts';
import type { Fault } from './paper-slack.ts';
import { ask, type Line } from './story.ts';
import { ann, createTown, thread } from './town.ts';

const where: Line[] = [[ask('Where?', ['staging', 'production'])], 'Deployed.'];
const two: Line[] = [[ask('Where?', ['staging', 'production']), ask('Why?')], 'Deployed.'];

const rest = ['repaint', 'post'];

test.each<[string, 'ask' | 'post', Fault, string[]]>([
  ['a card that landed without an answer is found, not posted again', 'ask', 'lost', ['ask', 'find', ...rest]],
  [
    'a card that did not land is looked for twice, then posted',
    'ask',
    'dropped',
    ['ask', 'find', 'find', 'ask', ...rest],
  ],
  ['a card that was put off is posted later', 'ask', { retryAfter: 3_000 }, ['ask', 'ask', ...rest]],
  ['a reply that landed without an answer is found', 'post', 'lost', ['ask', 'repaint', 'post', 'find']],
  ['a reply that did not land is posted again', 'post', 'dropped', ['ask', 'repaint', 'post', 'find', 'find', 'post']],
  ['a reply that was put off is posted later', 'post', { retryAfter: 40_000 }, ['ask', 'repaint', 'post', 'post']],
])('%s', async (_, method, fault, calls) => {
  const town = createTown({ lines: where });
  town.slack.fault(method, fault);
  await town.say('deploy it');
  await town.pass(10_000);
  await town.click('Where?', [0]);
  await town.pass(50_000);
  expect(town.slack.calls).toEqual(calls);
  expect(town.slack.standing('card')).toHaveLength(1);
  expect(town.replies()).toEqual(['Deployed.']);
});

test('a message that shows late in the history is found at the second look', async () => {
  const town = createTown({ lines: where, lag: 4_000 });
  town.slack.fault('ask', 'lost');
  await town.say('deploy it');
  await town.pass(10_000);
  expect(town.slack.calls).toEqual(['ask', 'find', 'find']);
  expect(town.slack.standing('card')).toHaveLength(1);
});

test('a thread that cannot be read back is read again, and nothing is posted on a guess', async () => {
  const town = createTown({ lines: where });
  town.slack.fault('ask', 'lost');
  town.slack.fault('find', 'dropped', 'dropped');
  await town.say('deploy it');
  await town.pass(10_000);
  expect(town.slack.calls).toEqual(['ask', 'find', 'find', 'find']);
  expect(town.slack.standing('card')).toHaveLength(1);
});

test('a click tells where its card is before the record knows, and a second card of it is deleted', async () => {
  const town = createTown({ lines: where });
  town.slack.fault('ask', 'dropped');
  town.slack.fault('find', 'dropped');
  await town.say('deploy it');
  const [question] = (await town.record())?.questions ?? [];
  const { id } = question ?? { id: '' as QuestionId };
  await town.slack.ask(viewOf(id), { plain: false });
  const ts = town.slack.standing('card')[0]?.ts ?? '';
  const given = { kind: 'answer', options: [0] } as const;
  const request = { thread, question: id, by: ann, given: { ...given, options: [0] }, cardTs: ts };
  expect(await town.dispatcher.answer(request)).toMatchObject({ status: 'accepted' });
  await town.pass();
  expect(town.card('Where?')).toMatchObject({ ts, shows: { settled: { by: ann.id } } });
  expect(town.replies()).toEqual(['Deployed.']);

  await town.slack.ask(viewOf(id), { plain: false });
  const second = town.slack.standing('card').at(-1)?.ts ?? '';
  expect(second).not.toBe(ts);
  await town.dispatcher.answer({ ...request, cardTs: second });
  await town.pass();
  expect(town.slack.standing('card').map((m) => m.ts)).toEqual([ts]);
});

function viewOf(id: QuestionId) {
  const question = { question: 'Where?', options: [{ label: 'staging' }], allowFreeform: true };
  return { id, thread, question, requester: ann.id, position: 1, of: 1 };
}

test('a card that is refused becomes plain text, alone; a number answers it, and then the next is shown', async () => {
  const town = createTown({ lines: two });
  town.slack.fault('ask', 'refused', undefined);
  await town.say('deploy it');
  // The other card was posted first, so the plain one waits until that is settled.
  expect(town.slack.standing('card').map((m) => [m.card?.shows.question.question, m.card?.plain])).toEqual([
    ['Why?', false],
  ]);
  await town.say('because', { mention: false });
  expect(town.card('Where?').plain).toBe(true);
  await town.say('2', { mention: false });
  expect(town.card('Where?').shows.settled?.settlement).toMatchObject({ labels: ['production'] });
  expect(town.replies()).toEqual(['Deployed.']);
});

test('a question that cannot be shown at all settles as failed, and the agent reads why', async () => {
  const town = createTown({ lines: where });
  town.slack.fault('ask', 'refused', 'refused');
  await town.say('deploy it');
  expect(town.slack.standing('card')).toEqual([]);
  expect(town.replies()).toEqual(['Deployed.']);
  expect((await town.transcript())[2]?.content).toBe('The question could not be shown: invalid_blocks.');
});

test('where nothing can be posted any more the run ends, settled', async () => {
  const town = createTown({ lines: where });
  town.slack.fault('ask', 'gone');
  await town.say('deploy it');
  const record = await town.record();
  expect(record?.run).toBeUndefined();
  expect(record?.questions.map((q) => q.settled?.settlement.outcome)).toEqual(['cancelled']);
  expect(town.slack.standing()).toEqual([]);
});

test('a card that cannot be repainted now is repainted later, and holds up nothing', async () => {
  const town = createTown({ lines: where });
  town.slack.fault('repaint', { retryAfter: 20_000 }, 'dropped');
  await town.say('deploy it');
  await town.click('Where?', [0]);
  expect(town.replies()).toEqual(['Deployed.']);
  expect(town.card('Where?').shows.settled).toBeUndefined();
  await town.pass(40_000);
  expect(town.card('Where?').shows.settled?.by).toBe(ann.id);
});

test('a part of a reply that is refused is said to be missing; the others arrive in order', async () => {
  const town = createTown({ lines: ['one\n---\ntwo\n---\nthree'] });
  town.slack.fault('post', undefined, 'refused');
  await town.say('write');
  expect(town.slack.standing().map((m) => m.post?.kind)).toEqual(['reply', 'failure', 'reply']);
  expect(town.replies()).toEqual(['one', 'three']);
});
