import { existsSync, readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readBlockActions, readViewSubmission } from '../../src/slack/interaction.ts';
import { questionForm } from '../../src/slack/views/form.ts';
import { en } from '../../src/slack/words/en.ts';
import type { QuestionId } from '../../src/thread/ports.ts';
import { labelled, QUESTION, THREAD, viewOf } from './views/questions.ts';

const CHOICES = `askback|choices|${THREAD}|${QUESTION}`;
const BUTTONS = `askback|buttons|${THREAD}|${QUESTION}`;
const CARD = '1700000001.000200';

/** A click as Slack sends one. */
const click = (action: object, more: object = {}) => ({
  type: 'block_actions',
  user: { id: 'U0BOB' },
  trigger_id: '1.2.3',
  channel: { id: 'C0001', name: 'general' },
  container: { type: 'message', message_ts: CARD, channel_id: 'C0001', is_ephemeral: false },
  state: { values: {} },
  actions: [{ type: 'button', action_ts: '1700000002.000000', ...action }],
  ...more,
});
const ticked = (...values: unknown[]) => ({
  state: {
    values: {
      [CHOICES]: { 'askback:choices': { type: 'checkboxes', selected_options: values.map((value) => ({ value })) } },
    },
  },
});
const answer = (given: object) => ({
  kind: 'answer',
  thread: THREAD,
  question: QUESTION,
  channel: 'C0001',
  cardTs: CARD,
  given,
});
const form = (more: object) => ({ kind: 'open_form', thread: THREAD, question: QUESTION, triggerId: '1.2.3', ...more });
const unread = { kind: 'not_arrived', thread: THREAD, question: QUESTION };

describe('a click', () => {
  const submit = { action_id: 'askback:submit', block_id: BUTTONS };
  const rows: [string, object, object | undefined][] = [
    [
      'a button picks its option',
      click({ action_id: 'askback:pick:2', block_id: CHOICES }),
      answer({ kind: 'answer', options: [2] }),
    ],
    [
      'a menu picks its option',
      click({ action_id: 'askback:menu', block_id: CHOICES, selected_option: { value: '41' } }),
      answer({ kind: 'answer', options: [41] }),
    ],
    [
      'a menu that was cleared picks nothing',
      click({ action_id: 'askback:menu', block_id: CHOICES, selected_option: null }),
      { kind: 'none' },
    ],
    [
      'a menu with a forged value',
      click({ action_id: 'askback:menu', block_id: CHOICES, selected_option: { value: 'EU' } }),
      unread,
    ],
    [
      'an option out of range is passed on',
      click({ action_id: 'askback:pick:99999', block_id: CHOICES }),
      answer({ kind: 'answer', options: [99_999] }),
    ],
    [
      'ticking a box',
      click({ action_id: 'askback:choices', block_id: CHOICES, selected_options: [{ value: '0' }] }),
      { kind: 'none' },
    ],
    [
      'Submit with two boxes ticked, once each and in order',
      click(submit, ticked('2', '0', '2')),
      answer({ kind: 'answer', options: [0, 2] }),
    ],
    ['Submit with nothing ticked', click(submit, ticked()), answer({ kind: 'answer', options: [] })],
    [
      'Submit with a null state',
      click(submit, {
        state: {
          values: { [CHOICES]: { 'askback:choices': { type: 'multi_static_select', selected_options: null } } },
        },
      }),
      answer({ kind: 'answer', options: [] }),
    ],
    ['Submit with a forged value', click(submit, ticked('-1')), unread],
    ['Submit without its state', click(submit), unread],
    ['Skip', click({ action_id: 'askback:skip', block_id: BUTTONS }), answer({ kind: 'skip' })],
    ['Other…', click({ action_id: 'askback:write', block_id: BUTTONS }), form({ all: false, ticked: [] })],
    [
      'Other… with boxes ticked',
      click({ action_id: 'askback:write', block_id: BUTTONS }, ticked('2', 'forged', '0')),
      form({ all: false, ticked: [2, 0] }),
    ],
    ['Change…', click({ action_id: 'askback:change', block_id: BUTTONS }), form({ all: false, ticked: [] })],
    ['Answer all…', click({ action_id: 'askback:answer_all', block_id: BUTTONS }), form({ all: true, ticked: [] })],
    ['words in a form', click({ action_id: 'askback:words', block_id: CHOICES }), { kind: 'none' }],
    ['a page of Home', click({ action_id: 'askback:page:2', block_id: 'askback|home' }), { kind: 'page', page: 2 }],
    ['Skip in a block of Home', click({ action_id: 'askback:skip', block_id: 'askback|home' }), undefined],
    ['a page in a question’s block', click({ action_id: 'askback:page:2', block_id: BUTTONS }), undefined],
    [
      'Stop of a run',
      click({ action_id: 'askback:stop', block_id: `askback|run|${THREAD}|run_1` }),
      { kind: 'stop', thread: THREAD },
    ],
    [
      'Retry',
      click({ action_id: 'askback:retry', block_id: `askback|run|${THREAD}|run_1` }),
      { kind: 'retry', thread: THREAD, runId: 'run_1' },
    ],
    [
      'Stop',
      click({ action_id: 'askback:stop', block_id: `askback|thread|${THREAD}` }),
      { kind: 'stop', thread: THREAD },
    ],
    ['a control in a foreign block', click({ action_id: 'askback:skip', block_id: 'XH72R' }), undefined],
    ['a foreign control in a block of ours', click({ action_id: 'feedback', block_id: BUTTONS }), undefined],
    ['Retry in a question’s block', click({ action_id: 'askback:retry', block_id: BUTTONS }), undefined],
    ['Skip in a run’s block', click({ action_id: 'askback:skip', block_id: `askback|run|${THREAD}|run_1` }), undefined],
    [
      'Retry in a thread’s block',
      click({ action_id: 'askback:retry', block_id: `askback|thread|${THREAD}` }),
      undefined,
    ],
    ['no action', click({}, { actions: [] }), undefined],
    ['another type', click({ action_id: 'askback:skip', block_id: BUTTONS }, { type: 'view_submission' }), undefined],
    ['no trigger', click({ action_id: 'askback:write', block_id: BUTTONS }, { trigger_id: undefined }), undefined],
  ];
  test.each(rows)('%s', (_, body, expected) => expect(readBlockActions(body)).toEqual(expected));

  test('outside a message it has no card, and the thread’s channel', () => {
    const body = click(
      { action_id: 'askback:skip', block_id: BUTTONS },
      { channel: undefined, container: { type: 'view', view_id: 'V1' } },
    );
    expect(readBlockActions(body)).toEqual({
      kind: 'answer',
      thread: THREAD,
      question: QUESTION,
      channel: 'C0001',
      given: { kind: 'skip' },
    });
  });

  test('a message that one person sees is no card', () => {
    const body = click(
      { action_id: 'askback:skip', block_id: BUTTONS },
      { container: { type: 'message', message_ts: CARD, is_ephemeral: true } },
    );
    expect(readBlockActions(body)).not.toHaveProperty('cardTs');
  });
});

describe('a submitted form', () => {
  const [one, two] = ['q1', 'q2'] as [QuestionId, QuestionId];
  const choice = { options: labelled('A', 'B', 'C'), allowFreeform: true };
  const form = questionForm([viewOf(choice, { id: one, of: 2 }), viewOf({}, { id: two, position: 2, of: 2 })], en);
  const fieldOf = (part: string, question: string) => `askback|${part}|${THREAD}|${question}`;
  const picked = (value: object) => ({ [fieldOf('choices', one)]: { 'askback:choices': value } });
  const written = (question: string, value: unknown) => ({
    [fieldOf('words', question)]: { 'askback:words': { type: 'plain_text_input', value } },
  });
  const empty = {
    ...picked({ type: 'radio_buttons', selected_option: null }),
    ...written(one, null),
    ...written(two, null),
  };
  const submission = (values: object, more: object = {}) => ({
    type: 'view_submission',
    user: { id: 'U0BOB' },
    view: { ...form, id: 'V1', state: { values: { ...empty, ...values } }, ...more },
  });
  const answers = (first?: object, second?: object) => ({
    thread: THREAD,
    answers: [
      {
        question: one,
        field: fieldOf('choices', one),
        choice: true,
        ...(first && { given: { kind: 'answer', ...first } }),
      },
      {
        question: two,
        field: fieldOf('words', two),
        choice: false,
        ...(second && { given: { kind: 'answer', ...second } }),
      },
    ],
  });

  const rows: [string, unknown, object | undefined][] = [
    [
      'a choice and text, as it was written',
      submission({
        ...picked({ type: 'radio_buttons', selected_option: { value: '2' } }),
        ...written(two, ' a\n<b> '),
      }),
      answers({ options: [2] }, { options: [], text: ' a\n<b> ' }),
    ],
    [
      'several choices, once each and in order, and a note beside them',
      submission({
        ...picked({ type: 'checkboxes', selected_options: [{ value: '1' }, { value: '0' }, { value: '1' }] }),
        ...written(one, 'both'),
      }),
      answers({ options: [0, 1], text: 'both' }),
    ],
    ['words instead of a choice', submission(written(one, 'neither')), answers({ options: [], text: 'neither' })],
    ['nothing', submission({}), answers()],
    ['blanks', submission({ ...written(one, ' \n\t '), ...written(two, '  ') }), answers()],
    [
      'a forged option is one that the question does not have',
      submission(picked({ type: 'radio_buttons', selected_option: { value: 'EU' } })),
      answers({ options: [-1] }),
    ],
    ['another modal', submission({}, { callback_id: 'feedback_form' }), undefined],
    ['forged metadata', submission({}, { private_metadata: 'd57850a7-5bab-414d-b11e-ca355b55d629' }), undefined],
    ['a number for a text', submission(written(two, 5)), undefined],
    ['no view', { type: 'view_submission' }, undefined],
  ];
  test.each(rows)('%s', (_, body, expected) => expect(readViewSubmission(body)).toEqual(expected));

  test('errors are shown at fields that the form has', () => {
    const fields = form.blocks.filter((block) => block.type === 'input').map((block) => block.block_id);
    const shown = readViewSubmission(submission({}))?.answers.map(({ field }) => field);
    expect(fields).toEqual(expect.arrayContaining(shown as string[]));
  });
});

test('no payload at all breaks the readers', () => {
  fc.assert(
    fc.property(fc.anything(), fc.jsonValue(), (anything, json) => {
      for (const body of [anything, json, click(Object(json)), { type: 'view_submission', view: json }]) {
        readBlockActions(body);
        readViewSubmission(body);
      }
    }),
  );
});

const RECORDED = new URL('../../../shared/data/payloads/', import.meta.url);
test.skipIf(!existsSync(RECORDED))('recorded payloads of other apps are not ours (needs ../shared/data)', () => {
  const bodies: unknown[] = [];
  const collect = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    if ('type' in value && (value.type === 'block_actions' || value.type === 'view_submission')) bodies.push(value);
    else Object.values(value).forEach(collect);
  };
  for (const file of readdirSync(RECORDED).filter((name) => name.endsWith('.json')))
    collect(JSON.parse(readFileSync(new URL(file, RECORDED), 'utf8')));
  expect(bodies.length).toBeGreaterThan(3);
  for (const body of bodies) expect([readBlockActions(body), readViewSubmission(body)]).toEqual([undefined, undefined]);
});
