import { expect, test } from 'vitest';
import type { Question } from '../../src/agent/question.ts';
import { type Typed, typedReply } from '../../src/thread/typed-reply.ts';

const options = ['Staging', 'Production', '3', 'stop'].map((label) => ({ label }));
const closed: Question = { question: 'Where?', options, selectionMode: 'single_select', allowFreeform: false };
const free: Question = { ...closed, allowFreeform: true };
const several: Question = {
  question: 'Which?',
  options: ['api', 'web, mobile', 'worker'].map((label) => ({ label })),
  selectionMode: 'multi_select',
  allowFreeform: false,
};
const words: Question = { question: 'Why?', allowFreeform: true };
const twins: Question = { ...closed, options: [{ label: 'A' }, { label: 'a' }] };
const wanted: Question = { ...closed, options: [{ label: 'money' }, { label: 'Help' }] };
const plainly: Question = { ...closed, options: [{ label: 'yes' }, { label: 'no' }] };

const yes: Question = { ...closed, options: [{ label: 'はい' }, { label: '"No way!"' }] };
const languages: Question = { ...closed, options: [{ label: 'C' }, { label: 'C#' }] };
const quotes: Question = { ...closed, options: [{ label: '(C)' }, { label: '[C]' }] };

const typed: Typed = { text: '', ts: '200.000001', mayAnswer: true, isAsked: true, mayStop: true, addressed: false };
const bystander = { isAsked: false };

test.each<[string, string, Question, Partial<Typed>, unknown]>([
  ['a label', 'Production', closed, {}, { kind: 'options', options: [1] }],
  [
    'a label in another case, with spaces and a full stop',
    '  production. ',
    closed,
    {},
    { kind: 'options', options: [1] },
  ],
  ['a number', '2', closed, {}, { kind: 'options', options: [1] }],
  ['a number as it is shown', '#2)', closed, {}, { kind: 'options', options: [1] }],
  ['a label that is a number, before the number', '3', closed, {}, { kind: 'options', options: [2] }],
  ['a label that is "stop", before the command', 'stop', closed, {}, { kind: 'options', options: [3] }],
  ['a number that is none of it', '7', plainly, {}, { kind: 'none' }],
  ['nought', '0', plainly, {}, { kind: 'none' }],
  ['a label that fits two in another case', 'A.', twins, {}, { kind: 'none' }],
  ['a label exactly, though another differs only in case', 'a', twins, {}, { kind: 'options', options: [1] }],
  ['a label by someone else who may answer', 'yes', plainly, bystander, { kind: 'options', options: [0] }],
  ['a label by someone who may not', 'yes', plainly, { mayAnswer: false }, { kind: 'none' }],
  ['a label in quotes', '“Production”', closed, {}, { kind: 'options', options: [1] }],
  ['a label that is stressed, in parentheses', '(*production*!)', closed, {}, { kind: 'options', options: [1] }],
  ['a label with a comma after it', 'production,', closed, {}, { kind: 'options', options: [1] }],
  ['a label in other quotes', '「はい」。', yes, {}, { kind: 'options', options: [0] }],
  ['a label without the marks that it has', 'no way', yes, {}, { kind: 'options', options: [1] }],
  ['a number in quotes', '"2".', closed, {}, { kind: 'options', options: [1] }],
  ['a label that is asked about', 'production?', closed, {}, { kind: 'none' }],
  ['a label with a minus before it', '-production', closed, {}, { kind: 'none' }],
  ['several labels, each in quotes', '"API", "worker"', several, {}, { kind: 'options', options: [0, 2] }],
  ['a label with its sign, beside one without', 'c#', languages, {}, { kind: 'options', options: [1] }],
  ['a label that fits two without its marks', '"c"', quotes, {}, { kind: 'none' }],
  ['nothing but marks', '"".', closed, {}, { kind: 'none' }],
  ['several numbers, each once, in order', '3, 1,3', several, {}, { kind: 'options', options: [0, 2] }],
  ['several numbers without commas', ' 1 3 ', several, {}, { kind: 'options', options: [0, 2] }],
  ['a number of no option among others', '1 9', { ...several, allowFreeform: true }, {}, { kind: 'text' }],
  ['a label that has a comma', 'web, mobile', several, {}, { kind: 'options', options: [1] }],
  ['several of a single choice', '1, 2', plainly, {}, { kind: 'none' }],
  ['several, one of them unknown', '1, 9', several, {}, { kind: 'none' }],
  ['stop', 'Stop!', plainly, {}, { kind: 'stop' }],
  ['stop by someone who may neither', 'stop', plainly, { mayAnswer: false, mayStop: false }, { kind: 'none' }],
  ['stop by the requester of a question for others', 'stop', plainly, { mayAnswer: false }, { kind: 'stop' }],
  ['a number by the requester of a question for others', '1', plainly, { mayAnswer: false }, { kind: 'none' }],
  ['stop by someone who is asked, and whose run it is not', 'stop', words, { mayStop: false }, { kind: 'none' }],
  ['help, said to the bot', 'Help!', words, { addressed: true }, { kind: 'none' }],
  ['help beside a closed question', '?', plainly, { addressed: true }, { kind: 'none' }],
  ['help as words of an answer', 'help', words, {}, { kind: 'text' }],
  ['a label that is "help"', 'help', wanted, { addressed: true }, { kind: 'options', options: [1] }],
  ['a sentence with help in it', 'help me first', plainly, { addressed: true }, { kind: 'supersede' }],
  ['a sentence with stop in it', 'stop the old one first', plainly, {}, { kind: 'none' }],
  ['words, where they are allowed, from the requester', 'the new one', free, {}, { kind: 'text' }],
  ['words from another person', 'the new one', free, bystander, { kind: 'none' }],
  [
    'words from another person with a mention',
    'the new one',
    free,
    { ...bystander, addressed: true },
    { kind: 'text' },
  ],
  ['words to a question in words', '2', words, {}, { kind: 'text' }],
  ['nothing but a mention', ' ', words, { addressed: true }, { kind: 'none' }],
  ['words beside a closed question', 'what is staging?', plainly, {}, { kind: 'none' }],
  ['a mention beside a closed question', 'what is it?', plainly, { addressed: true }, { kind: 'supersede' }],
  ['another person with a mention', 'what?', plainly, { ...bystander, addressed: true }, { kind: 'none' }],
  ['a label that was typed before the card was there', 'yes', plainly, { ts: '99.9' }, { kind: 'none' }],
])('%s: %j', (_, text, question, more, expected) => {
  expect(typedReply({ ...typed, text, ...more }, [{ question, cardTs: '100.000001' }])).toEqual(expected);
});

test.each([
  [
    'two questions are open',
    [
      { question: plainly, cardTs: '1.0' },
      { question: words, cardTs: '1.1' },
    ],
  ],
  ['the card is not known to be there', [{ question: plainly }]],
  ['no question is open', []],
])('while %s, a label is no answer, and stop is stop', (_, open) => {
  expect(typedReply({ ...typed, text: 'yes' }, open)).toEqual({ kind: 'none' });
  expect(typedReply({ ...typed, text: 'stop' }, open)).toEqual({ kind: 'stop' });
});
