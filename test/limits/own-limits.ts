/** Our own limits, each seen from outside: what the real code makes of what meets it, and of one more. */
import type { KnownBlock } from '@slack/types';
import { expect } from 'vitest';
import { Agent } from '../../src/agent/agent.ts';
import { checkAnswer, maxAnswerChars } from '../../src/agent/ask-user.ts';
import { maxOptions, maxQuestionChars, parseAskUser } from '../../src/agent/ask-user-input.ts';
import { maxQuestionsPerStep } from '../../src/agent/loop.ts';
import type { Option, Question } from '../../src/agent/question.ts';
import { maxMessageChars } from '../../src/agent/run.ts';
import { maxResultChars } from '../../src/agent/toolbox.ts';
import { askUserTool } from '../../src/agent/tools.ts';
import { limited } from '../../src/agent/transcript.ts';
import { createIds } from '../../src/playground/ids.ts';
import type { JsonObject } from '../../src/playground/json.ts';
import { isRefusal, readContent } from '../../src/playground/message-content.ts';
import { checkView } from '../../src/playground/validator/payloads.ts';
import { assertHome, assertMessage, assertModal, LIMITS } from '../../src/slack/limits.ts';
import { REPLY_CHARS, splitReply } from '../../src/slack/text.ts';
import { questionForm } from '../../src/slack/views/form.ts';
import { homeView } from '../../src/slack/views/home.ts';
import { fieldError } from '../../src/slack/views/modal.ts';
import { postMessage, whisperText } from '../../src/slack/views/notice.ts';
import { questionCard } from '../../src/slack/views/question.ts';
import { en } from '../../src/slack/words/en.ts';
import { bounded, hasRoom } from '../../src/thread/bounds.ts';
import { readFiles } from '../../src/thread/files.ts';
import { cutMessage, cutReply, defaultLimits } from '../../src/thread/limits.ts';
import type { FileRead, Post, QuestionId, QuestionView, Reader } from '../../src/thread/ports.ts';
import { newThread } from '../../src/thread/thread.ts';
import { memoryLog } from '../slack/parts.ts';
import { labelled, many, THREAD, textsIn, viewOf } from '../slack/views/questions.ts';
import { scriptedModel } from '../support/scripted-model.ts';
import { createVirtualClock } from '../thread/virtual-clock.ts';

export type OwnLimit = {
  what: string;
  limit: number;
  unit: string;
  /** What happens to one more, for the person who reads docs/limits.md. */
  beyond: string;
  see(size: number): unknown;
  /** What is seen of what meets it, and of one more. */
  exact: unknown;
  over: unknown;
};

const x = (length: number) => 'x'.repeat(length);
const sent = (view: object): JsonObject => JSON.parse(JSON.stringify(view));

/** Blocks of a message that both validators took. */
function taken<T extends { text: string; blocks?: KnownBlock[] }>(message: T): T {
  assertMessage(message);
  const content = readContent(sent(message), createIds('limits'));
  expect(isRefusal(content) ? content : content.warnings).toEqual([]);
  return message;
}

const card = (question: Partial<Question>, more: Partial<QuestionView> = {}) =>
  taken(questionCard(viewOf(question, more), en, { plain: false }));
const receipt = (question: Partial<Question>, text: string) => {
  const settled = { settlement: { outcome: 'answered' as const, labels: [], text }, by: 'U0ADA', at: 0 };
  return card(question, { settled });
};
function form(question: Partial<Question>, more: Partial<QuestionView> = {}) {
  const view = questionForm([viewOf(question, more)], en);
  assertModal(view);
  expect(checkView(sent(view))).toEqual([]);
  return view;
}
function home(waiting: QuestionView[]) {
  const view = homeView({ waiting, asked: [] }, { words: en, page: 0, linkTo: () => undefined });
  assertHome(view);
  expect(checkView(sent(view))).toEqual([]);
  return view;
}
const post = (body: Post['body']) => taken(postMessage({ id: 'p', body }, THREAD, en));

/** What is picked with. */
const control = (shown: { blocks?: readonly object[] }): string => {
  const types = ['static_select', 'multi_static_select', 'checkboxes', 'radio_buttons'];
  return types.find((type) => JSON.stringify(shown.blocks).includes(`"type":"${type}"`)) ?? 'buttons';
};
const isListed = (shown: object): boolean => JSON.stringify(shown).includes('"style":"ordered"');
const one = (options: Option[]): Partial<Question> => ({ options, selectionMode: 'single_select' });
const several = (options: Option[]): Partial<Question> => ({ options, selectionMode: 'multi_select' });
const has = (shown: object, text: string): boolean => textsIn(shown).some((shown) => shown.includes(text));
const waits = (count: number, question: Partial<Question> = {}) =>
  Array.from({ length: count }, (_, n) => viewOf(question, { id: `q${n}` as QuestionId }));
const line = (n: number) => `Line ${n}.`;
const lines = (count: number, of: (n: number) => string, between = '\n') =>
  Array.from({ length: count }, (_, n) => of(n)).join(between);
const waiting = (count: number, text = 'x') =>
  Array.from({ length: count }, (_, n) => ({ id: String(n), by: 'U1', text }));
async function filesRead(count: number, read: FileRead): Promise<FileRead[]> {
  const { signal } = new AbortController();
  const about = { clock: createVirtualClock(), limits: defaultLimits, log: memoryLog() };
  const wanted = Array.from({ length: count }, (_, n) => ({ id: `F${n}`, name: 'notes' }));
  const reader = { file: async () => read } as unknown as Reader;
  return [...(await readFiles(about, reader, wanted, signal)).values()];
}
const thread = newThread(THREAD, 0);

const question: OwnLimit[] = [
  {
    ...{ what: 'options of a question', limit: maxOptions, unit: '', beyond: 'not asked; its agent is told why' },
    see: (n) => {
      const asked = parseAskUser({ question: 'Which?', options: many(n) });
      if (asked.ok) card(asked.question);
      return asked.ok;
    },
    ...{ exact: true, over: false },
  },
  {
    what: 'a question, its labels and descriptions together',
    ...{ limit: maxQuestionChars, unit: 'characters', beyond: 'not asked; its agent is told why' },
    see: (n) => {
      const asked = parseAskUser({ question: x(n - 200), options: [{ label: x(100), description: x(100) }] });
      if (asked.ok) card(asked.question);
      return asked.ok;
    },
    ...{ exact: true, over: false },
  },
  {
    what: 'questions of one step',
    ...{ limit: maxQuestionsPerStep, unit: '', beyond: 'its agent is told to ask those later' },
    async see(n) {
      const calls = Array.from({ length: n }, () => ({ name: 'ask_user', args: { question: 'Who?' } }));
      const agent = new Agent({
        ...{ id: 'a', name: 'A', instructions: 'Ask.', model: scriptedModel([{ calls }]), tools: { askUserTool } },
      });
      const result = await (await agent.stream('Go.')).result;
      return result.status === 'suspended' && result.suspensions.length;
    },
    ...{ exact: maxQuestionsPerStep, over: maxQuestionsPerStep },
  },
  {
    what: 'people or groups whom a question is put to',
    ...{ limit: 10, unit: '', beyond: 'not asked; its agent is told why' },
    see: (n) => parseAskUser({ question: 'Who?', to: Array.from({ length: n }, (_, i) => `<@U${i}>`) }).ok,
    ...{ exact: true, over: false },
  },
  {
    what: 'characters of a question that is put to others',
    ...{ limit: maxQuestionChars - 500, unit: 'characters', beyond: 'not asked; its agent is told why' },
    see: (n) => parseAskUser({ question: x(n), to: ['<@U1>'] }).ok,
    ...{ exact: true, over: false },
  },
  {
    what: 'options as buttons',
    ...{ limit: 5, unit: '', beyond: 'a menu' },
    see: (n) => control(card(one(many(n)))),
    ...{ exact: 'buttons', over: 'static_select' },
  },
  {
    what: 'a label on a button',
    ...{ limit: LIMITS.button.text, unit: 'characters', beyond: 'whole in the card, shortened in a menu' },
    see(n) {
      const shown = card(one(labelled(x(n), 'b')));
      return [control(shown), has(shown, x(n))];
    },
    exact: ['buttons', true],
    over: ['static_select', true],
  },
  {
    what: 'a label that is surely seen whole on a button',
    ...{ limit: 30, unit: 'characters', beyond: 'listed in the card, too' },
    see: (n) => isListed(card(one(labelled(x(n), 'b')))),
    ...{ exact: false, over: true },
  },
  {
    what: 'options as checkboxes, in a form also as radio buttons',
    ...{ limit: LIMITS.checkboxes, unit: '', beyond: 'a menu' },
    see: (n) => [control(card(several(many(n)))), control(form(several(many(n)))), control(form(one(many(n))))],
    exact: ['checkboxes', 'checkboxes', 'radio_buttons'],
    over: ['multi_static_select', 'multi_static_select', 'static_select'],
  },
  {
    what: 'a description beside a checkbox',
    ...{ limit: LIMITS.option.description, unit: 'characters', beyond: 'listed in the card' },
    see(n) {
      const shown = card(several([{ label: 'a', description: x(n) }]));
      return [isListed(shown), has(shown, x(n))];
    },
    exact: [false, true],
    over: [true, true],
  },
  {
    what: 'what is read out of a card, besides its title',
    ...{ limit: 3_000, unit: 'characters', beyond: 'shortened; the card has it whole' },
    see(n) {
      const shown = card({ question: x(n - ': '.length) });
      return [shown.text.endsWith('…'), has(shown.blocks ?? [], x(n - ': '.length))];
    },
    exact: [false, true],
    over: [true, true],
  },
];

const answer: OwnLimit[] = [
  {
    what: 'an answer',
    ...{ limit: maxAnswerChars, unit: 'characters', beyond: 'refused, and the person told; the question stays open' },
    see(n) {
      const given = checkAnswer({ question: 'Why?', allowFreeform: true }, x(n));
      if (given.ok) receipt({}, x(n));
      return given.ok;
    },
    ...{ exact: true, over: false },
  },
  {
    what: 'an answer that a form begins with (**Change…**)',
    ...{
      limit: LIMITS.plainTextInput.value,
      unit: 'characters',
      beyond: 'an empty field: half an answer would be worse',
    },
    see: (n) => {
      const settled = { settlement: { outcome: 'answered' as const, labels: [], text: x(n) }, by: 'U0ADA', at: 0 };
      return JSON.stringify(form({}, { settled })).includes('initial_value');
    },
    ...{ exact: true, over: false },
  },
  {
    what: 'a question and its answer on a receipt',
    ...{ limit: 11_400, unit: 'characters', beyond: 'the answer is shortened there; its agent has it whole' },
    see: (n) => has(receipt({ question: 'Why?' }, x(n - 4)).blocks ?? [], '…'),
    ...{ exact: false, over: true },
  },
  {
    what: 'what is wrong, at a field of a form',
    ...{ limit: 300, unit: 'characters', beyond: 'shortened' },
    see: (n) => fieldError(x(n)).length,
    ...{ exact: 300, over: 300 },
  },
  {
    what: 'what a private note or a reminder quotes',
    ...{ limit: 300, unit: 'characters', beyond: 'shortened' },
    see: (n) => [
      whisperText({ kind: 'invalid', problem: { kind: 'ambiguous', text: x(n) } }, en).includes('…'),
      post({ kind: 'reminder', question: x(n), who: 'U0ADA' }).text.includes('…'),
    ],
    exact: [false, false],
    over: [true, true],
  },
];

const said: OwnLimit[] = [
  {
    what: 'a message of a reply',
    ...{ limit: REPLY_CHARS, unit: 'characters', beyond: 'the reply goes on in the next message' },
    see(n) {
      const pieces = splitReply(`${'word '.repeat(n / 5 - 1)}${x(n - 5 * Math.floor(n / 5 - 1))}`);
      for (const text of pieces) post({ kind: 'reply', text });
      return pieces.length;
    },
    ...{ exact: 1, over: 2 },
  },
  {
    what: 'blocks that Slack makes of a message of a reply',
    ...{ limit: 40, unit: '', beyond: 'the reply goes on in the next message' },
    see: (n) => splitReply(lines(n / 2, (i) => `## ${i}\n\n${line(i)}`, '\n\n') + (n % 2 ? '\n\n---' : '')).length,
    ...{ exact: 1, over: 2 },
  },
  {
    what: 'rows of a table, with its head',
    ...{ limit: 99, unit: '', beyond: 'the table goes on under its head in the next message' },
    see: (n) => splitReply(`| a | b |\n|---|---|\n${lines(n - 1, (i) => `| ${i} | x |`)}`).length,
    ...{ exact: 1, over: 2 },
  },
  {
    what: 'tables in a message',
    ...{ limit: 1, unit: '', beyond: 'the next message' },
    see: (n) => splitReply(lines(n, () => '| a | b |\n|---|---|\n| 1 | 2 |', '\n\n')).length,
    ...{ exact: 1, over: 2 },
  },
  {
    what: 'a reply',
    ...{ limit: defaultLimits.replyChars, unit: 'characters', beyond: 'cut, and the reply says so' },
    see: (n) => cutReply(x(n), defaultLimits).includes('cut here'),
    ...{ exact: false, over: true },
  },
  {
    what: 'the sentence of a failure',
    ...{ limit: 2_000, unit: 'characters', beyond: 'shortened' },
    see: (n) => post({ kind: 'failure', message: x(n) }).text.includes('…'),
    ...{ exact: false, over: true },
  },
  {
    what: 'questions and tasks on a page of Home',
    ...{ limit: 10, unit: '', beyond: 'the next page' },
    see: (n) => has(home(waits(n)), 'Page 1 of 2'),
    ...{ exact: false, over: true },
  },
  {
    what: 'a question on Home',
    ...{ limit: 500, unit: 'characters', beyond: 'shortened, and answered in the form' },
    see(n) {
      const shown = home(waits(1, { question: x(n), ...one(labelled('a', 'b')) }));
      return [has(shown, x(n)), has(shown, 'Answer…')];
    },
    exact: [true, false],
    over: [false, true],
  },
];

const kept: OwnLimit[] = [
  {
    what: 'a message to the bot',
    ...{ limit: defaultLimits.messageChars, unit: 'characters', beyond: 'cut, and the model reads that it was' },
    see: (n) => cutMessage(x(n), defaultLimits).includes('was cut'),
    ...{ exact: false, over: true },
  },
  {
    what: 'a message to an agent, used alone',
    ...{ limit: maxMessageChars, unit: 'characters', beyond: 'cut, and the model reads that it was' },
    see: (n) => limited(x(n), maxMessageChars, 'This message') === x(n),
    ...{ exact: true, over: false },
  },
  {
    what: 'the result of a tool',
    ...{ limit: maxResultChars, unit: 'characters', beyond: 'cut, and the model reads that it was' },
    see: (n) => limited(x(n), maxResultChars, 'The result') === x(n),
    ...{ exact: true, over: false },
  },
  {
    what: 'messages to the bot that wait in a thread',
    ...{ limit: defaultLimits.waiting, unit: '', beyond: 'not taken, and their writer told' },
    see: (n) => hasRoom({ ...thread, inbox: waiting(n - 1) }, 'x', defaultLimits),
    ...{ exact: true, over: false },
  },
  {
    what: 'their characters together',
    ...{ limit: defaultLimits.waitingChars, unit: 'characters', beyond: 'not taken, and their writer told' },
    see: (n) => hasRoom({ ...thread, inbox: waiting(1, x(n - 1)) }, 'x', defaultLimits),
    ...{ exact: true, over: false },
  },
  {
    what: 'messages beside them that the model reads as context',
    ...{ limit: defaultLimits.context, unit: '', beyond: 'the oldest leave, and the model reads how many' },
    see: (n) => bounded({ ...thread, context: waiting(n) }, defaultLimits, 0).dropped,
    ...{ exact: 0, over: 1 },
  },
  {
    what: 'characters of that context',
    ...{
      limit: defaultLimits.contextChars,
      unit: 'characters',
      beyond: 'the oldest leave, and the model reads how many',
    },
    see: (n) => bounded({ ...thread, context: waiting(2, x(n / 2)).concat(waiting(n % 2)) }, defaultLimits, 0).dropped,
    ...{ exact: 0, over: 1 },
  },
  {
    what: 'files that the model reads at once',
    ...{ limit: defaultLimits.files, unit: '', beyond: 'not read, and the model told which' },
    see: async (n) => (await filesRead(n, { ok: true, text: 'x' })).length,
    ...{ exact: defaultLimits.files, over: defaultLimits.files },
  },
  {
    what: 'images among them',
    ...{ limit: defaultLimits.images, unit: '', beyond: 'not shown, and the model told which' },
    see: async (n) =>
      (await filesRead(n, { ok: true, image: { name: 'a', mediaType: 'image/png', data: '' } })).filter(({ ok }) => ok)
        .length,
    ...{ exact: defaultLimits.images, over: defaultLimits.images },
  },
  {
    what: 'text of a file',
    ...{ limit: defaultLimits.messageChars, unit: 'characters', beyond: 'cut, and the model reads that it was' },
    see: async (n) => JSON.stringify(await filesRead(1, { ok: true, text: x(n) })).includes('was cut'),
    ...{ exact: false, over: true },
  },
];

export const ownLimits: readonly { title: string; rows: readonly OwnLimit[] }[] = [
  { title: 'A question', rows: question },
  { title: 'An answer', rows: answer },
  { title: 'What is said, and Home', rows: said },
  { title: 'What is kept for the model', rows: kept },
];
