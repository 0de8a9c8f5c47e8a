import { expect, test } from 'vitest';
import { ANSWER_MODAL, encodeAction, encodeBlock, encodeForm } from '../../src/slack/ids.ts';
import { createInFlight } from '../../src/slack/in-flight.ts';
import { createAnswerListeners } from '../../src/slack/listeners/answers.ts';
import { createWebClient } from '../../src/slack/web-client.ts';
import type { Language } from '../../src/slack/words/language.ts';
import type { Dispatcher } from '../../src/thread/dispatcher-api.ts';
import type { Clock, QuestionId } from '../../src/thread/ports.ts';
import { fakeSlack, TEAM } from '../support/fake-slack.ts';
import {
  identity,
  memoryLog,
  openQuestion,
  QUESTION,
  scripted,
  settledQuestion,
  THREAD,
  wallClock,
  whispers,
} from './parts.ts';

type Replies = Partial<{ [K in keyof Dispatcher]: (...args: never[]) => unknown }>;

/** `pace`: how much faster than the wall this clock's waits end. */
async function setUp(replies: Replies = {}, pace = 1, language: Language = 'en') {
  const slack = await fakeSlack();
  const log = memoryLog();
  const { dispatcher, called } = scripted(replies);
  const { heard, messenger } = whispers();
  const inFlight = createInFlight();
  const homes: unknown[][] = [];
  const clock: Clock = { now: wallClock.now, sleep: (ms, signal) => wallClock.sleep(ms / pace, signal) };
  const acks: unknown[] = [];
  const listeners = createAnswerListeners({
    client: createWebClient({ token: 'xoxb-1', apiUrl: slack.api, log, timeoutMs: 300 }),
    dispatcher,
    directory: {
      person: async (id) => ({ id, standing: 'member' }),
      language: async () => language,
    },
    identity,
    messenger,
    home: {
      pageOf: (body) => (body as { home?: number }).home,
      show: async (...args) => void homes.push(['show', ...args]),
      touch: async (...args) => void homes.push(['touch', ...args]),
    },
    inFlight,
    clock,
    log,
  });
  const ack = async (response?: unknown) => void acks.push(response ?? 'ok');
  return {
    slack,
    log,
    called,
    heard,
    homes,
    acks,
    inFlight,
    click: (body: { user: { id: string } }) => listeners.action(body, ack),
    submit: (body: { user: { id: string } }) => listeners.submission(body, ack),
    listeners,
  };
}

const container = { type: 'message', message_ts: '7.000000', thread_ts: '100.000000', channel_id: 'C1' };
const click = (block: Parameters<typeof encodeBlock>[0], action: Parameters<typeof encodeAction>[0], more = {}) => ({
  type: 'block_actions',
  user: { id: 'U2' },
  trigger_id: 'trigger',
  channel: { id: 'C1' },
  container,
  actions: [{ type: 'button', block_id: encodeBlock(block), action_id: encodeAction(action) }],
  ...more,
});
const buttons = { kind: 'question', part: 'buttons', thread: THREAD, question: QUESTION } as const;
const choices = { ...buttons, part: 'choices' } as const;
const pick = click(choices, { kind: 'pick', option: 1 });
const write = click(buttons, { kind: 'write' });
const WORDS = encodeBlock({ kind: 'question', part: 'words', thread: THREAD, question: QUESTION });
const submission = (text: string, metadata = encodeForm(THREAD, [QUESTION])) => ({
  type: 'view_submission',
  user: { id: 'U2' },
  view: {
    callback_id: ANSWER_MODAL,
    private_metadata: metadata,
    state: { values: { [WORDS]: { 'askback:words': { type: 'plain_text_input', value: text } } } },
  },
});
const settlement = { outcome: 'answered', labels: ['eu-west'] } as const;
const settled = { status: 'already_settled', question: settledQuestion, settlement, by: 'U9' };

test('a click is settled with the card that was clicked, then acked, and nothing more is said', async () => {
  const order: string[] = [];
  const {
    slack,
    called,
    heard,
    acks,
    click: press,
  } = await setUp({
    answer: async () => {
      await wallClock.sleep(30);
      order.push('settled');
      return { status: 'accepted', question: settledQuestion };
    },
  });
  await using _ = slack;
  const pressed = press(pick);
  await wallClock.sleep(5);
  expect(acks).toEqual([]);
  await pressed;
  expect(acks).toEqual(['ok']);
  expect(order).toEqual(['settled']);
  expect(heard).toEqual([]);
  expect(called('answer')).toEqual([
    [
      {
        thread: THREAD,
        question: QUESTION,
        by: { id: 'U2', standing: 'member' },
        given: { kind: 'answer', options: [1] },
        cardTs: '7.000000',
      },
    ],
  ]);
});

test.for<[string, object, object]>([
  ['settled', settled, { kind: 'already_settled', settlement, by: 'U9' }],
  [
    'not theirs',
    { status: 'not_allowed', reason: 'not_requester', requester: 'U1' },
    { kind: 'not_allowed', reason: 'not_requester', requester: 'U1' },
  ],
  [
    'answered badly',
    { status: 'invalid', problem: { kind: 'too_many' } },
    { kind: 'invalid', problem: { kind: 'too_many' } },
  ],
  ['unknown', { status: 'unknown' }, { kind: 'unknown_question' }],
])('who clicks on a question that is %s is told so, where they clicked', async ([, answered, whisper]) => {
  const { slack, heard, acks, click: press } = await setUp({ answer: () => answered });
  await using _ = slack;
  await press(pick);
  expect(acks).toEqual(['ok']);
  expect(heard).toEqual([{ thread: THREAD, person: 'U2', whisper }]);
});

test('a click on a control that is not ours is acked, and its person told; nothing is edited', async () => {
  const { slack, heard, acks, called, click: press } = await setUp();
  await using _ = slack;
  await press({ ...pick, actions: [{ block_id: 'x', action_id: 'y', type: 'button' }] } as typeof pick);
  expect(acks).toEqual(['ok']);
  expect(heard).toEqual([{ thread: `${TEAM}:C1:100.000000`, person: 'U2', whisper: { kind: 'unknown_question' } }]);
  expect(called('answer')).toEqual([]);
  expect(slack.calls).toEqual([]);
});

test('ticking a box is acked and means nothing yet', async () => {
  const { slack, heard, acks, called, click: press } = await setUp();
  await using _ = slack;
  await press(click(choices, { kind: 'choices' }));
  expect([acks, heard, called('answer')]).toEqual([['ok'], [], []]);
});

test.for<[string, Replies, object]>([
  ['that fails', { answer: () => Promise.reject(new Error('disk full')) }, { kind: 'not_saved' }],
  ['that hangs', { answer: () => new Promise(() => {}) }, { kind: 'not_saved' }],
])('a store %s: acked in time, and told that nothing was saved', async ([, replies, whisper]) => {
  const { slack, heard, acks, click: press } = await setUp(replies, 20);
  await using _ = slack;
  await press(pick);
  expect(acks).toEqual(['ok']);
  expect(heard).toMatchObject([{ person: 'U2', whisper }]);
});

test('an answer that lands after its ack counts, and one that is refused then is told then', async () => {
  const late = (outcome: object) => async () => {
    await wallClock.sleep(200);
    return outcome;
  };
  for (const [outcome, after] of [
    [{ status: 'accepted', question: settledQuestion }, []],
    [settled, [{ kind: 'already_settled', settlement, by: 'U9' }]],
  ] as const) {
    const { slack, heard, click: press, inFlight } = await setUp({ answer: late(outcome) }, 20);
    await using _ = slack;
    await press(pick);
    await inFlight.settled();
    expect(heard.map(({ whisper }) => whisper)).toEqual([{ kind: 'not_saved' }, ...after]);
  }
});

test.for<[string, ReturnType<typeof click>, Replies, object[]]>([
  ['Stop', click({ kind: 'thread', thread: THREAD }, { kind: 'stop' }), {}, []],
  [
    'Stop when nothing runs',
    click({ kind: 'thread', thread: THREAD }, { kind: 'stop' }),
    { stop: () => ({ status: 'nothing_to_stop' }) },
    [{ kind: 'nothing_to_stop' }],
  ],
  [
    'another’s Stop',
    click({ kind: 'thread', thread: THREAD }, { kind: 'stop' }),
    { stop: () => ({ status: 'not_allowed', reason: 'guest' }) },
    [{ kind: 'not_allowed', reason: 'guest' }],
  ],
  ['Retry', click({ kind: 'run', thread: THREAD, runId: 'r1' }, { kind: 'retry' }), {}, []],
  [
    'Retry twice',
    click({ kind: 'run', thread: THREAD, runId: 'r1' }, { kind: 'retry' }),
    { retry: () => ({ status: 'nothing_to_retry' }) },
    [{ kind: 'nothing_to_retry' }],
  ],
])('%s', async ([, body, replies, told]) => {
  const { slack, heard, acks, called, click: press } = await setUp(replies);
  await using _ = slack;
  await press(body);
  expect(acks).toEqual(['ok']);
  expect([...called('stop'), ...called('retry')]).toHaveLength(1);
  expect(heard.map(({ whisper }) => whisper)).toEqual(told);
});

test('the modal is opened with its trigger, and the click acked', async () => {
  const { slack, heard, acks, called, click: press } = await setUp();
  await using _ = slack;
  await press(write);
  expect(acks).toEqual(['ok']);
  expect(called('look')).toEqual([[THREAD, QUESTION, { id: 'U2', standing: 'member' }]]);
  expect(slack.called('views.open')).toMatchObject([
    { trigger_id: 'trigger', view: { type: 'modal', callback_id: ANSWER_MODAL } },
  ]);
  expect(heard).toEqual([]);
});

test('of a settled question a modal says what happened, and takes nothing', async () => {
  const { slack, click: press } = await setUp({ look: () => settled });
  await using _ = slack;
  await press(write);
  const [opened] = slack.called('views.open');
  expect(opened?.view).not.toHaveProperty('submit');
});

test.for<[string, Replies, object]>([
  [
    'not theirs',
    { look: () => ({ status: 'not_allowed', reason: 'not_requester' }) },
    { kind: 'not_allowed', reason: 'not_requester' },
  ],
  ['unknown', { look: () => ({ status: 'unknown' }) }, { kind: 'unknown_question' }],
  ['slow to be found', { look: () => new Promise(() => {}) }, { kind: 'form_late' }],
  ['unreadable', { look: () => Promise.reject(new Error('disk')) }, { kind: 'form_refused' }],
])('no modal of a question that is %s, but a word', async ([, replies, whisper]) => {
  const { slack, heard, acks, click: press } = await setUp(replies, 20);
  await using _ = slack;
  await press(write);
  expect(acks).toEqual(['ok']);
  expect(slack.calls).toEqual([]);
  expect(heard).toEqual([{ thread: THREAD, person: 'U2', whisper }]);
});

test.for([
  ['expired_trigger_id', 'form_late'],
  ['invalid_arguments', 'form_refused'],
  ['internal_error', 'form_refused'],
] as const)('Slack’s %s: the person is told what to do', async ([error, kind]) => {
  const { slack, heard, click: press } = await setUp();
  await using _ = slack;
  slack.answer('views.open', { ok: false, error });
  await press(write);
  expect(heard).toMatchObject([{ whisper: { kind } }]);
});

test('the same click twice opens one modal and says nothing', async () => {
  const { slack, heard, click: press } = await setUp();
  await using _ = slack;
  slack.answer('views.open', { ok: false, error: 'exchanged_trigger_id' });
  await press(write);
  expect(heard).toEqual([]);
});

const inPlace = (words: RegExp) => ({
  response_action: 'errors',
  errors: { [WORDS]: expect.stringMatching(words) },
});

test.for<[string, string, Replies, unknown]>([
  ['accepted closes it', 'Frankfurt', {}, 'ok'],
  ['blank is shown at the field', ' \n ', {}, inPlace(/answer/i)],
  [
    'invalid is shown at the field',
    'x',
    { answer: () => ({ status: 'invalid', problem: { kind: 'ambiguous', text: '*a* & b' } }) },
    inPlace(/^“\*a\* & b” fits several options/),
  ],
  [
    'not allowed is shown at the field',
    'x',
    { answer: () => ({ status: 'not_allowed', reason: 'guest' }) },
    inPlace(/guest/i),
  ],
  ['unknown is shown at the field', 'x', { answer: () => ({ status: 'unknown' }) }, inPlace(/question/)],
  [
    'settled becomes what happened',
    'x',
    { answer: () => settled },
    { response_action: 'update', view: expect.objectContaining({ type: 'modal' }) },
  ],
  ['not saved is shown at the field', 'x', { answer: () => Promise.reject(new Error('disk')) }, inPlace(/save/)],
  ['not saved in time is shown at the field', 'x', { answer: () => new Promise(() => {}) }, inPlace(/save/)],
])('a modal’s answer: %s', async ([, text, replies, response]) => {
  const { slack, acks, heard, submit } = await setUp(replies, 20);
  await using _ = slack;
  await submit(submission(text));
  expect(acks).toEqual([response]);
  expect(heard).toEqual([]);
});

const choicesOf = (question: QuestionId) => encodeBlock({ ...choices, question });
const [one, two, three] = ['q1', 'q2', 'q3'] as [QuestionId, QuestionId, QuestionId];
/** A form of three questions with a choice each; `picked` by question. */
const several = (picked: Record<string, string>) => ({
  ...submission(''),
  view: {
    callback_id: ANSWER_MODAL,
    private_metadata: encodeForm(THREAD, [one, two, three]),
    state: {
      values: Object.fromEntries(
        [one, two, three].map((id) => {
          const selected_option = picked[id] === undefined ? null : { value: picked[id] };
          return [choicesOf(id), { 'askback:choices': { type: 'radio_buttons', selected_option } }];
        }),
      ),
    },
  },
});
const answered =
  (outcomes: Record<string, unknown>) =>
  ({ question }: { question: QuestionId }) =>
    outcomes[question] ?? { status: 'accepted', question: settledQuestion };

test('a form of several settles what was entered, one after another, and leaves the rest open', async () => {
  let running = 0;
  const { slack, acks, called, homes, submit } = await setUp({
    answer: async () => {
      running += 1;
      expect(running).toBe(1);
      await wallClock.sleep(5);
      running -= 1;
      return { status: 'accepted', question: settledQuestion };
    },
  });
  await using _ = slack;
  await submit(several({ q1: '0', q3: '1' }));
  expect(acks).toEqual(['ok']);
  const given = (option: number) => ({ kind: 'answer', options: [option] });
  expect(called('answer')).toMatchObject([
    [{ question: one, given: given(0) }],
    [{ question: three, given: given(1) }],
  ]);
  expect(homes).toEqual([['touch', 'U2']]);
});

test.for<[string, Record<string, string>, Record<string, unknown>, unknown]>([
  [
    'nothing',
    {},
    {},
    { response_action: 'errors', errors: { [choicesOf(one)]: expect.stringMatching(/at least one/) } },
  ],
  [
    'one that is wrong: at its field',
    { q1: '0', q2: '7' },
    { q2: { status: 'invalid', problem: { kind: 'no_such_option' } } },
    { response_action: 'errors', errors: { [choicesOf(two)]: expect.stringMatching(/no such option/) } },
  ],
  [
    'one that is wrong and one that is late: at both fields',
    { q1: '0', q2: '7' },
    { q1: settled, q2: { status: 'unknown' } },
    {
      response_action: 'errors',
      errors: { [choicesOf(one)]: expect.stringMatching(/settled/), [choicesOf(two)]: expect.any(String) },
    },
  ],
  [
    'one that another settled meanwhile: the form says which, and that the others count',
    { q1: '0', q2: '1' },
    { q2: settled },
    {
      response_action: 'update',
      view: expect.objectContaining({
        blocks: expect.arrayContaining([expect.objectContaining({ type: 'context' }), expect.anything()]),
      }),
    },
  ],
])('a form of several with %s', async ([, picked, outcomes, response]) => {
  const { slack, acks, heard, submit } = await setUp({ answer: answered(outcomes) });
  await using _ = slack;
  await submit(several(picked));
  expect(acks).toEqual([response]);
  expect(heard).toEqual([]);
});

test('Answer all… opens one form with all that waits in the step', async () => {
  const {
    slack,
    acks,
    called,
    click: press,
  } = await setUp({
    lookAtStep: () => ({ status: 'open', questions: [openQuestion, { ...openQuestion, id: two }] }),
  });
  await using _ = slack;
  await press(click(buttons, { kind: 'answer_all' }));
  expect(acks).toEqual(['ok']);
  expect(called('look')).toEqual([]);
  expect(slack.called('views.open')).toMatchObject([
    { view: { private_metadata: encodeForm(THREAD, [QUESTION, two]) } },
  ]);
});

test('on Home, what became of a click is shown on Home; elsewhere a Home that is open is looked at again', async () => {
  const home = { home: 2, channel: undefined, container: { type: 'view', view_id: 'V1' } };
  const { slack, heard, homes, click: press } = await setUp({ look: () => settled });
  await using _ = slack;
  await press(click(choices, { kind: 'pick', option: 1 }, home));
  await press(click({ kind: 'home' }, { kind: 'page', page: 3 }, home));
  await press(pick);
  expect(homes).toEqual([
    ['show', 'U2', 2],
    ['show', 'U2', 3],
    ['touch', 'U2'],
  ]);
  const { slack: other, homes: told, click: late } = await setUp({ answer: () => settled });
  await using __ = other;
  await late(click(choices, { kind: 'pick', option: 1 }, home));
  expect(told).toEqual([['show', 'U2', 2, { kind: 'already_settled', settlement, by: 'U9' }]]);
  expect(heard).toEqual([]);
});

test('who was asked is no riddle in a modal’s error, which shows no mentions', async () => {
  const { slack, acks, submit } = await setUp({
    answer: () => ({ status: 'not_allowed', reason: 'not_requester', requester: 'U77' }),
  });
  await using _ = slack;
  await submit(submission('x'));
  expect(JSON.stringify(acks)).not.toContain('U77');
});

test('a modal speaks its reader’s language', async () => {
  const { slack, acks, click: press, submit } = await setUp({}, 1, 'de');
  await using _ = slack;
  await press(write);
  await submit(submission(' '));
  expect(slack.called('views.open')).toMatchObject([{ view: { title: { text: 'Andere Antwort' } } }]);
  expect(acks).toEqual(['ok', inPlace(/^Schreib deine Antwort hierhin/)]);
});

test('a modal that is not ours is closed', async () => {
  const { slack, acks, called, submit } = await setUp();
  await using _ = slack;
  await submit(submission('x', 'forged'));
  expect([acks, called('answer')]).toEqual([['ok'], []]);
});

test('an ack that does not get through is logged and ends nothing', async () => {
  const { slack, log, listeners } = await setUp();
  await using _ = slack;
  await listeners.action(pick, () => Promise.reject(new Error('socket closed')));
  await listeners.submission(submission('x'), () => Promise.reject(new Error('socket closed')));
  expect(log.lines.filter(({ message }) => message === 'an ack did not reach Slack')).toHaveLength(2);
});
