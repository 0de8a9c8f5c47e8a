import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { problemText } from '../../src/agent/answer-problem.ts';
import {
  answerValue,
  askUserTool,
  checkAnswer,
  outcomeText,
  resumeSchema,
  sameSettlement,
} from '../../src/agent/ask-user.ts';
import { maxOptions, maxQuestionChars, parseAskUser } from '../../src/agent/ask-user-input.ts';
import type { Answer, Question, Settlement } from '../../src/agent/question.ts';

const single = { question: 'Q?', options: [{ label: 'a' }], selectionMode: 'single_select', allowFreeform: true };
const free = { question: 'Q?', allowFreeform: true };

describe('what a model may ask', () => {
  test.each<[string, unknown, unknown]>([
    ['an open question', { question: 'Q?' }, { question: 'Q?', allowFreeform: true }],
    [
      'null is absent',
      { question: 'Q?', options: null, selectionMode: null, allowFreeform: null },
      { question: 'Q?', allowFreeform: true },
    ],
    [
      'an empty list is no options',
      { question: 'Q?', options: [], choices: [] },
      { question: 'Q?', allowFreeform: true },
    ],
    ['one option', { question: 'Q?', options: [{ label: 'a' }] }, single],
    ['a null description', { question: 'Q?', options: [{ label: 'a', description: null }] }, single],
    ['options as strings', { question: 'Q?', options: ['a'] }, single],
    ['options as JSON text', { question: 'Q?', options: '[{"label":"a"}]' }, single],
    ['options as JSON text of strings', { question: 'Q?', options: '["a"]' }, single],
    ['choices', { question: 'Q?', choices: ['a'] }, single],
    ['choices as JSON text', { question: 'Q?', choices: '["a"]' }, single],
    ['options win over choices', { question: 'Q?', options: ['a'], choices: ['b'] }, single],
    [
      'the mode',
      { question: 'Q?', options: ['a'], selectionMode: 'multi_select' },
      { ...single, selectionMode: 'multi_select' },
    ],
    ['no free text', { question: 'Q?', options: ['a'], allowFreeform: false }, { ...single, allowFreeform: false }],
    [
      'no free text, in snake case',
      { question: 'Q?', choices: ['a'], allow_freeform: false },
      { ...single, allowFreeform: false },
    ],
    [
      'no free text, as text',
      { question: 'Q?', choices: ['a'], allow_freeform: 'false' },
      { ...single, allowFreeform: false },
    ],
    ['nobody in particular', { question: 'Q?', options: ['a'], to: null }, single],
    ['nobody in particular, as a list', { question: 'Q?', options: ['a'], to: [' '] }, single],
    ['one person', { question: 'Q?', options: ['a'], to: ' <@U1> ' }, { ...single, to: ['<@U1>'] }],
    ['several people, each once', { question: 'Q?', to: ['U1', 'ops', 'U1 '] }, { ...free, to: ['U1', 'ops'] }],
    ['several people, as JSON text', { question: 'Q?', to: '["U1","U2"]' }, { ...free, to: ['U1', 'U2'] }],
    [
      'labels that differ in case',
      { question: 'Q?', options: ['a', 'A'] },
      { ...single, options: [{ label: 'a' }, { label: 'A' }] },
    ],
  ])('%s', (_, args, question) => {
    expect(parseAskUser(args)).toEqual({ ok: true, question });
  });

  test.each<[string, unknown, RegExp]>([
    ['nothing', null, /object/],
    ['no question', {}, /"question"/],
    ['a blank question', { question: ' \n' }, /"question"/],
    ['a mode without options', { question: 'Q?', selectionMode: 'single_select' }, /requires "options"/],
    ['an unknown mode', { question: 'Q?', options: ['a'], selectionMode: 'any' }, /"selectionMode"/],
    ['neither options nor free text', { question: 'Q?', allowFreeform: false }, /Give "options", or allow free text/],
    ['people who are no texts', { question: 'Q?', to: [1] }, /"to"/],
    ['too many people', { question: 'Q?', to: Array.from({ length: 11 }, (_, i) => `U${i}`) }, /at most 10/],
    ['a name that is a story', { question: 'Q?', to: ['x'.repeat(201)] }, /"to"/],
    ['free text that is neither', { question: 'Q?', allowFreeform: 'maybe' }, /"allowFreeform"/],
    ['a blank label', { question: 'Q?', options: ['a', ' '] }, /not blank/],
    ['a duplicate label', { question: 'Q?', options: ['a', ' a'] }, /label "a"/],
    ['options that are no list', { question: 'Q?', options: 'red or blue' }, /"options" must be a list/],
    ['options that are numbers', { question: 'Q?', options: [1] }, /"options" must be a list/],
    ['choices that are no list', { question: 'Q?', choices: {} }, /"choices" must be a list/],
    [
      'too many options',
      { question: 'Q?', options: Array.from({ length: maxOptions + 1 }, (_, n) => `o${n}`) },
      /at most 100/,
    ],
    ['too many characters', { question: 'Q?', options: ['x'.repeat(maxQuestionChars)] }, /Shorten/],
  ])('%s is refused, and the model is told what to change', (_, args, problem) => {
    const asked = parseAskUser(args);
    expect(asked.ok).toBe(false);
    expect(asked.ok ? '' : asked.problem).toMatch(problem);
  });

  test('exactly the limits can be asked', () => {
    const options = Array.from({ length: maxOptions }, (_, n) => String(n).padStart(109, '0'));
    expect(parseAskUser({ question: 'x'.repeat(100), options }).ok).toBe(true);
    expect(parseAskUser({ question: 'x'.repeat(101), options }).ok).toBe(false);
  });

  test('any JSON is asked or refused, and never throws', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), fc.jsonValue(), (question, options, selectionMode) => {
        expect(typeof parseAskUser({ question, options, selectionMode }).ok).toBe('boolean');
        expect(typeof parseAskUser(question).ok).toBe('boolean');
      }),
    );
  });

  test('the model is told a plain schema with the question required', () => {
    const { properties, required } = askUserTool.parameters as { properties: object; required: string[] };
    expect(Object.keys(properties)).toEqual(['question', 'options', 'selectionMode', 'allowFreeform', 'to']);
    expect(required).toEqual(['question']);
  });
});

const open: Question = { question: 'Q?', allowFreeform: true };
const one: Question = {
  question: 'Q?',
  options: [{ label: 'Staging' }, { label: 'Prod' }, { label: 'prod, eu' }],
  selectionMode: 'single_select',
  allowFreeform: false,
};
const oneOrText: Question = { ...one, allowFreeform: true };
const many: Question = { ...one, selectionMode: 'multi_select' };
const manyOrText: Question = { ...many, allowFreeform: true };
const twins: Question = { ...one, options: [{ label: 'Yes' }, { label: 'yes' }] };

const picked = (...labels: string[]): Settlement => ({ outcome: 'answered', labels });
const wrote = (text: string, ...labels: string[]): Settlement => ({ outcome: 'answered', labels, text });

describe('which answers answer', () => {
  test.each<[string, Question, Answer, Settlement]>([
    ['a text', open, ' hello ', wrote('hello')],
    ['a text in a list', open, ['hello'], wrote('hello')],
    ['a text that was written', open, { answer: 'hello', wasFreeform: true }, wrote('hello')],
    ['a text by a control', open, { options: [], text: 'hello' }, wrote('hello')],
    ['a label', one, 'Prod', picked('Prod')],
    ['a label in another case', one, ' pROD ', picked('Prod')],
    ['a label with a comma', one, 'prod, eu', picked('prod, eu')],
    ['a label in a list', one, ['Prod'], picked('Prod')],
    ['the same label twice', one, ['Prod', 'prod'], picked('Prod')],
    ['an index', one, { options: [1] }, picked('Prod')],
    ['an index twice', one, { options: [1, 1] }, picked('Prod')],
    ['an index and a blank note', one, { options: [1], text: ' ' }, picked('Prod')],
    ['a choice, Copilot style', one, { answer: 'Prod', wasFreeform: false }, picked('Prod')],
    ['a choice, without the flag', one, { answer: 'Prod' }, picked('Prod')],
    ['a written label where only labels count', one, { answer: 'Prod', wasFreeform: true }, picked('Prod')],
    ['an exact label beside its twin', twins, 'yes', picked('yes')],
    ['a written label where text counts', oneOrText, { answer: 'Prod', wasFreeform: true }, wrote('Prod')],
    ['a label where text counts', oneOrText, 'prod', picked('Prod')],
    ['a text beside the options', oneOrText, 'neither', wrote('neither')],
    [
      'a text beside the options, said to be a choice',
      oneOrText,
      { answer: 'neither', wasFreeform: false },
      wrote('neither'),
    ],
    ['an option and a note', oneOrText, { options: [0], text: 'but later' }, wrote('but later', 'Staging')],
    ['several labels, in the order of the question', many, ['prod, eu', 'Staging'], picked('Staging', 'prod, eu')],
    ['several indexes, in the order of the question', many, { options: [2, 0, 2] }, picked('Staging', 'prod, eu')],
    ['one label of several', many, 'Prod', picked('Prod')],
    ['several, Copilot style', many, { answer: ['Prod', 'Staging'], wasFreeform: false }, picked('Staging', 'Prod')],
    ['labels and a text', manyOrText, ['Prod', 'and mine'], wrote('and mine', 'Prod')],
  ])('%s', (_, question, answer, settlement) => {
    expect(checkAnswer(question, answer)).toEqual({ ok: true, settlement });
  });

  test.each<[string, Question, unknown, RegExp]>([
    ['a blank text', open, ' \n', /blank/],
    ['two texts', open, ['a', 'b'], /not options/],
    ['an index of nothing', open, { options: [0] }, /no such option/],
    ['nothing picked', one, { options: [] }, /Pick one of: Staging, Prod/],
    ['an empty list', many, [], /Pick at least one of/],
    ['a text where only options count', one, 'Zebra', /only its options/],
    ['a written text where only options count', one, { answer: 'Zebra', wasFreeform: true }, /only its options/],
    ['a note where only options count', one, { options: [1], text: 'but' }, /only its options/],
    ['a text among labels', many, ['Prod', 'Zebra'], /only its options/],
    ['several of one', one, ['Prod', 'Staging'], /exactly one/],
    ['several indexes of one', oneOrText, { options: [0, 1] }, /exactly one/],
    ['an index beyond', one, { options: [3] }, /no such option/],
    ['a negative index', one, { options: [-1] }, /no such option/],
    ['a broken index', one, { options: [0.5] }, /no such option/],
    ['a text as index', one, { options: ['0'] }, /no such option/],
    ['a label that fits two', twins, 'YES', /several options/],
    ['a blank among labels', many, ['Prod', ''], /blank/],
    ['too long a text', open, 'x'.repeat(20_001), /too long/],
    ['a number', open, 3, /no answer/],
    ['null', open, null, /no answer/],
    ['an answer that is a number', open, { answer: 3 }, /no answer/],
    ['a note that is a number', open, { options: [], text: 3 }, /no answer/],
    ['a list of numbers', open, [3], /no answer/],
  ])('%s is refused with a sentence for the person', (_, question, answer, problem) => {
    const checked = checkAnswer(question, answer as Answer);
    expect(checked.ok ? checked.settlement : problemText(checked.problem, question)).toEqual(
      expect.stringMatching(problem),
    );
  });

  const label = fc.string({ minLength: 1, unit: 'grapheme' }).filter((text) => text.trim() !== '');
  const questions = fc
    .record({
      labels: fc.uniqueArray(label, { minLength: 1, maxLength: 20, selector: (text) => text.trim() }),
      mode: fc.constantFrom('single_select' as const, 'multi_select' as const),
      allowFreeform: fc.boolean(),
    })
    .map(({ labels, mode, allowFreeform }): Question => {
      return { question: 'Q?', options: labels.map((text) => ({ label: text })), selectionMode: mode, allowFreeform };
    });

  test('every option of every question can be picked by index and by its whole label, with the same end', () => {
    fc.assert(
      fc.property(questions, fc.nat(), (question, n) => {
        const options = question.options ?? [];
        const index = n % options.length;
        const name = options[index]?.label ?? '';
        const byIndex = checkAnswer(question, { options: [index] });
        expect(byIndex).toEqual({ ok: true, settlement: picked(name) });
        expect(checkAnswer(question, name)).toEqual(byIndex);
      }),
    );
  });

  test('whatever is accepted keeps the rules of the question', () => {
    const answers = fc.oneof(
      fc.string(),
      fc.array(fc.string()),
      fc.record({ options: fc.array(fc.integer({ min: -1, max: 20 })), text: fc.string() }),
    );
    fc.assert(
      fc.property(questions, answers, (question, answer) => {
        const checked = checkAnswer(question, answer);
        if (!checked.ok || checked.settlement.outcome !== 'answered') return;
        const { labels, text } = checked.settlement;
        const all = question.options?.map((option) => option.label) ?? [];
        expect(labels).toEqual(all.filter((name) => labels.includes(name)));
        if (question.selectionMode === 'single_select') expect(labels.length).toBeLessThan(2);
        if (!question.allowFreeform) expect(text).toBeUndefined();
        expect(labels.length > 0 || (text ?? '').trim() !== '').toBe(true);
      }),
    );
  });
});

describe('what the model reads of an outcome', () => {
  test.each<[Settlement, Question, string]>([
    [picked('Prod'), one, 'User selected: Prod'],
    [picked('Prod'), many, 'User selected: Prod'],
    [picked('Staging', 'prod, eu'), many, 'User selected: ["Staging","prod, eu"]'],
    [picked('prod, eu', 'Staging'), many, 'User selected: ["Staging","prod, eu"]'],
    [wrote('my own'), open, 'User responded: my own'],
    [wrote('but later', 'Prod'), oneOrText, 'User selected: Prod\nUser note: but later'],
    [{ outcome: 'dismissed' }, open, 'User dismissed the question without answering.'],
    [{ outcome: 'superseded', text: 'forget it' }, one, 'User did not pick an option. They wrote: forget it'],
    [{ outcome: 'expired', after: '2 hours' }, open, 'Nobody answered within 2 hours.'],
    [{ outcome: 'cancelled' }, open, 'The question was cancelled.'],
    [
      { outcome: 'failed', reason: 'the channel is archived' },
      open,
      'The question could not be shown: the channel is archived.',
    ],
  ])('%o', (settlement, question, text) => {
    expect(outcomeText(settlement, question)).toBe(text);
  });

  test('the caller gets a string, or an array of a multiple choice, or nothing of what was not answered', () => {
    expect(answerValue(one, picked('Prod'))).toBe('Prod');
    expect(answerValue(many, picked('Prod'))).toEqual(['Prod']);
    expect(answerValue(open, wrote('mine'))).toBe('mine');
    expect(answerValue(manyOrText, wrote('mine'))).toBe('mine');
    expect(answerValue(one, { outcome: 'dismissed' })).toBeUndefined();
  });

  test('the same end is the same, whoever reports it, and another is another', () => {
    const ends: Settlement[] = [
      picked('a'),
      picked('a', 'b'),
      wrote('a'),
      wrote('b', 'a'),
      { outcome: 'superseded', text: 'a' },
      { outcome: 'dismissed' },
      { outcome: 'expired', after: '1 hour' },
      { outcome: 'cancelled' },
      { outcome: 'failed', reason: 'x' },
    ];
    for (const [i, a] of ends.entries()) {
      for (const [j, b] of ends.entries()) expect(sameSettlement(a, structuredClone(b)), `${i} and ${j}`).toBe(i === j);
    }
    expect(sameSettlement(picked('a', 'b'), picked('b', 'a'))).toBe(true);
  });

  test('the schema of the answer follows the question', () => {
    const schema = (question: Question) => JSON.parse(resumeSchema(question));
    expect(schema(open)).toEqual({ type: 'string', minLength: 1 });
    expect(schema(one)).toEqual({ type: 'string', enum: ['Staging', 'Prod', 'prod, eu'] });
    expect(schema(many)).toEqual({ type: 'array', items: schema(one), minItems: 1 });
    expect(schema(manyOrText)).toEqual({ type: 'array', items: schema(open), minItems: 1 });
  });
});
