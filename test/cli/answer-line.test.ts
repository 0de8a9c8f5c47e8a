import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Question } from '../../src/agent/question.ts';
import { type Given, readAnswerLine } from '../../src/cli/answer-line.ts';

const options = ['Red', 'Green', 'Dark blue', 'Red, dark'].map((label) => ({ label }));
const single: Question = { question: 'q', options, selectionMode: 'single_select', allowFreeform: false };
const multi: Question = { question: 'q', options, selectionMode: 'multi_select', allowFreeform: false };
const open: Question = { question: 'q', allowFreeform: true };
const own = (question: Question): Question => ({ ...question, allowFreeform: true });
const odd: Question = {
  question: 'q',
  options: [{ label: '2' }, { label: 's' }, { label: '10' }],
  selectionMode: 'single_select',
  allowFreeform: false,
};

const picked = (answer: string | string[]): Given => ({ kind: 'answer', answer, wasFreeform: false });
const written = (answer: string): Given => ({ kind: 'answer', answer, wasFreeform: true });
const skip: Given = { kind: 'skip' };

test.for<{ what: string; question: Question; line: string; gives: Given | RegExp }>([
  { what: 'a number of the list', question: single, line: '2', gives: picked('Green') },
  { what: 'a label', question: single, line: 'green', gives: picked('Green') },
  { what: 'blanks around it', question: single, line: '  3 ', gives: picked('Dark blue') },
  { what: 'a label with a comma', question: single, line: 'red, dark', gives: picked('Red, dark') },
  { what: 'two numbers for a single choice', question: single, line: '1,2', gives: /one option only/ },
  { what: 'a number beside the list', question: single, line: '5', gives: /no option 5.*1 to 4/ },
  { what: 'zero', question: single, line: '0', gives: /no option 0/ },
  { what: 'a text where none is allowed', question: single, line: 'pink', gives: /no option pink/ },
  { what: 'a quoted text where none is allowed', question: single, line: '"pink"', gives: /only its options|Pick/ },
  { what: 'nothing', question: single, line: '', gives: /number from 1 to 4/ },
  { what: 's', question: single, line: 's', gives: skip },
  { what: 'skip', question: open, line: 'Skip', gives: skip },
  { what: 'several numbers', question: multi, line: '1,3', gives: picked(['Red', 'Dark blue']) },
  { what: 'numbers with blanks between them', question: multi, line: '1 3', gives: picked(['Red', 'Dark blue']) },
  { what: 'labels and numbers', question: multi, line: 'green, 1', gives: picked(['Green', 'Red']) },
  { what: 'one label', question: multi, line: 'Green', gives: picked(['Green']) },
  { what: 'one that is wrong among several', question: multi, line: '1,9', gives: /no option 9/ },
  { what: 'a text of its own', question: own(single), line: 'pink', gives: written('pink') },
  { what: 'a text of its own with a comma', question: own(multi), line: 'pink, or so', gives: written('pink, or so') },
  {
    what: 'a number beside the list where text is allowed: a slip',
    question: own(single),
    line: '7',
    gives: /no option 7.*in quotes: "7"/,
  },
  { what: 'the same in quotes: meant', question: own(single), line: '"7"', gives: written('7') },
  { what: 's in quotes: meant', question: open, line: '"s"', gives: written('s') },
  { what: 'a line', question: open, line: 'because, 2 reasons', gives: written('because, 2 reasons') },
  { what: 'a blank line', question: open, line: '   ', gives: /line of text/ },
  { what: 'a label that is a number: the label', question: odd, line: '2', gives: picked('2') },
  { what: 'a label that is s: the label', question: odd, line: 's', gives: picked('s') },
  { what: 'a label that is a number beside the list', question: odd, line: '10', gives: picked('10') },
])('a line: $what', ({ question, line, gives }) => {
  const given = readAnswerLine(question, line);
  if (!(gives instanceof RegExp)) return expect(given).toEqual(gives);
  expect(given.kind).toBe('wrong');
  expect(given.kind === 'wrong' && given.problem).toMatch(gives);
});

test('every option of every list can be picked by its number, unless its number is the label of another', () => {
  const labels = fc.uniqueArray(
    fc.string({ minLength: 1 }).filter((label) => label.trim() !== ''),
    {
      minLength: 1,
      maxLength: 30,
      selector: (label) => label.trim().toLowerCase(),
    },
  );
  fc.assert(
    fc.property(labels, fc.nat(), (all, n) => {
      const index = n % all.length;
      fc.pre(!all.some((label) => label.trim() === String(index + 1)));
      const question: Question = { ...single, options: all.map((label) => ({ label })) };
      expect(readAnswerLine(question, String(index + 1))).toEqual(picked(all[index] as string));
    }),
  );
});
