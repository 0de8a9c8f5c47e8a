import type { ActionsBlock, Button, KnownBlock, PlainTextOption } from '@slack/types';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Question, Settlement } from '../../../src/agent/question.ts';
import { readBlockActions } from '../../../src/slack/interaction.ts';
import { checkMessage, LIMITS } from '../../../src/slack/limits.ts';
import { literal } from '../../../src/slack/text.ts';
import { questionCard } from '../../../src/slack/views/question.ts';
import { en } from '../../../src/slack/words/en.ts';
import type { QuestionView } from '../../../src/thread/ports.ts';
import { anyView, labelled, many, QUESTION, THREAD, textsIn, viewOf, wordsOf } from './questions.ts';

const open = (view: QuestionView): KnownBlock[] => questionCard(view, en, { plain: false }).blocks ?? [];
const buttonsIn = (blocks: KnownBlock[]): Button[] =>
  blocks
    .filter((block): block is ActionsBlock => block.type === 'actions')
    .flatMap((block) => block.elements)
    .filter((element): element is Button => element.type === 'button');
const buttonTexts = (blocks: KnownBlock[]): string[] => buttonsIn(blocks).map((button) => button.text.text);
/** The menus and checkboxes: their type, the type of their block, their options. */
const menusIn = (
  blocks: KnownBlock[],
): { type: string; within: string; options: PlainTextOption[]; block: KnownBlock }[] =>
  blocks.flatMap((block) => {
    const elements = block.type === 'actions' ? block.elements : block.type === 'input' ? [block.element] : [];
    return elements.flatMap((element) =>
      'options' in element && element.options
        ? [{ type: element.type, within: block.type, options: element.options as PlainTextOption[], block }]
        : [],
    );
  });
const isListed = (blocks: KnownBlock[]): boolean => JSON.stringify(blocks).includes('"style":"ordered"');

const LONG = 'Deploy to the production cluster in the data centre of Frankfurt am Main, region eu-central-1';

describe('an open card', () => {
  const single = { selectionMode: 'single_select' } as const;
  const multi = { selectionMode: 'multi_select' } as const;
  const rows: [string, Partial<Question>, { buttons: string[]; menu?: string; listed?: boolean }][] = [
    ['free text', { allowFreeform: true }, { buttons: ['Answer…', 'Skip'] }],
    ['one short label', { ...single, options: labelled('Yes') }, { buttons: ['Yes', 'Skip'] }],
    [
      'five short labels',
      { ...single, options: labelled('A', 'B', 'C', 'D', 'E') },
      { buttons: ['A', 'B', 'C', 'D', 'E', 'Skip'] },
    ],
    [
      'labels and free text',
      { ...single, options: labelled('A', 'B'), allowFreeform: true },
      { buttons: ['A', 'B', 'Other…', 'Skip'] },
    ],
    [
      'labels with descriptions',
      { ...single, options: [{ label: 'A', description: 'the first' }] },
      { buttons: ['A', 'Skip'], listed: true },
    ],
    [
      'labels that a button may cut on the screen',
      { ...single, options: labelled('A choice of more than thirty characters') },
      { buttons: ['A choice of more than thirty characters', 'Skip'], listed: true },
    ],
    [
      'a label over a button’s limit',
      { ...single, options: labelled(LONG, 'No') },
      { buttons: ['Skip'], menu: 'static_select in actions', listed: true },
    ],
    [
      'a label of two lines',
      { ...single, options: labelled('Yes\nplease', 'No') },
      { buttons: ['Skip'], menu: 'static_select in actions', listed: true },
    ],
    [
      'six labels',
      { ...single, options: many(6) },
      { buttons: ['Skip'], menu: 'static_select in actions', listed: true },
    ],
    [
      'a hundred labels',
      { ...single, options: many(100), allowFreeform: true },
      { buttons: ['Other…', 'Skip'], menu: 'static_select in actions', listed: true },
    ],
    [
      'several of two',
      { ...multi, options: labelled('A', 'B') },
      { buttons: ['Submit', 'Skip'], menu: 'checkboxes in input' },
    ],
    [
      'several of ten, and free text',
      { ...multi, options: many(10), allowFreeform: true },
      { buttons: ['Submit', 'Other…', 'Skip'], menu: 'checkboxes in input' },
    ],
    [
      'several of long labels',
      { ...multi, options: labelled(LONG, 'No') },
      { buttons: ['Submit', 'Skip'], menu: 'checkboxes in input', listed: true },
    ],
    [
      'several with long descriptions',
      { ...multi, options: [{ label: 'A', description: LONG }] },
      { buttons: ['Submit', 'Skip'], menu: 'checkboxes in input', listed: true },
    ],
    [
      'several of eleven',
      { ...multi, options: many(11) },
      { buttons: ['Submit', 'Skip'], menu: 'multi_static_select in input', listed: true },
    ],
    [
      'several of a hundred',
      { ...multi, options: many(100) },
      { buttons: ['Submit', 'Skip'], menu: 'multi_static_select in input', listed: true },
    ],
  ];
  test.each(rows)('%s', (_, question, expected) => {
    const blocks = open(viewOf(question));
    const menus = menusIn(blocks).map(({ type, within }) => `${type} in ${within}`);
    expect({ buttons: buttonTexts(blocks), menus, listed: isListed(blocks) }).toEqual({
      buttons: expected.buttons,
      menus: expected.menu ? [expected.menu] : [],
      listed: expected.listed ?? false,
    });
  });

  test('says who is asked, and which of how many it is only among several', () => {
    expect(textsIn(open(viewOf({}, { position: 2, of: 3 })))[0]).toBe('💬 Question for <@U0ADA> · 2 of 3');
    expect(textsIn(open(viewOf({})))[0]).toBe('💬 Question for <@U0ADA>');
  });

  test('offers a typed reply only while it is the only question', () => {
    const hint = (of: number) =>
      textsIn(open(viewOf({ options: many(3) }, { of }))).some((text) => text.includes('reply in this thread'));
    expect([hint(1), hint(2)]).toEqual([true, false]);
  });

  test('shows short descriptions at the checkboxes themselves', () => {
    const options = [{ label: 'EU', description: 'Frankfurt' }, { label: 'US' }];
    const [boxes] = menusIn(open(viewOf({ options, selectionMode: 'multi_select' })));
    expect(boxes?.options.map(({ description }) => description?.text)).toEqual(['Frankfurt', undefined]);
  });

  test('shortened labels differ by their numbers', () => {
    const [menu] = menusIn(
      open(viewOf({ options: labelled(`${LONG} one`, `${LONG} two`), selectionMode: 'single_select' })),
    );
    const texts = menu?.options.map(({ text }) => text.text) ?? [];
    expect(texts).toEqual([expect.stringMatching(/^1\. Deploy to .*…$/), expect.stringMatching(/^2\. Deploy to .*…$/)]);
  });

  test('its fallback text names the question and its options, escaped', () => {
    const card = questionCard(viewOf({ question: 'A & B?', options: labelled('<!here>', 'B') }), en, { plain: false });
    expect(card.text).toBe('Question: A &amp; B?\n\n1. @\u2060here\n2. B');
  });
});

describe('every open card that can be built', () => {
  const strings = (view: QuestionView) => textsIn(open(view));

  test('passes the validator', () => {
    fc.assert(
      fc.property(anyView, (view) => {
        expect(checkMessage(questionCard(view, en, { plain: false }))).toEqual([]);
      }),
    );
  });

  test('shows the question, every label and every description in full', () => {
    fc.assert(
      fc.property(anyView, (view) => {
        const shown = strings(view);
        const [question, written] = wordsOf(open(view), view.question.question);
        expect(question).toBe(written);
        for (const { label, description } of view.question.options ?? []) {
          expect(shown).toContain(label);
          if (description) expect(shown.some((text) => text.endsWith(description))).toBe(true);
        }
      }),
    );
  });

  test('has Skip, and Other… exactly where free text is allowed beside options', () => {
    fc.assert(
      fc.property(anyView, (view) => {
        const actions = buttonsIn(open(view)).map((button) => button.action_id);
        expect(actions).toContain('askback:skip');
        expect(actions.includes('askback:write')).toBe(view.question.allowFreeform);
      }),
    );
  });

  test('keeps labels out of its ids', () => {
    fc.assert(
      fc.property(anyView, (view) => {
        const ids = JSON.stringify(open(view), (key, value) =>
          ['text', 'description', 'label', 'accessibility_label'].includes(key) ? undefined : value,
        );
        for (const id of ids.match(/"(?:block_id|action_id|value)":"[^"]*"/g) ?? [])
          expect(id).toMatch(
            /^"value":"\d+"$|^"action_id":"askback:[a-z]+(:\d+)?"$|^"block_id":"askback\|[a-z]+\|T0001:C0001:1700000000\.000100\|q_Zm9vYmFy"$/,
          );
      }),
    );
  });

  test('every control of it reads back as the option that it shows', () => {
    const click = (block_id: string | undefined, action: object, values: object = {}) =>
      readBlockActions({
        type: 'block_actions',
        trigger_id: 't',
        channel: { id: 'C0001' },
        container: { type: 'message', message_ts: '1700000001.000200' },
        state: { values },
        actions: [{ block_id, ...action }],
      });
    const answered = (given: object) => ({
      kind: 'answer',
      thread: THREAD,
      question: QUESTION,
      channel: 'C0001',
      cardTs: '1700000001.000200',
      given,
    });
    fc.assert(
      fc.property(anyView, (view) => {
        const blocks = open(view);
        const count = view.question.options?.length ?? 0;
        const picked: number[] = [];
        for (const block of blocks.filter((block): block is ActionsBlock => block.type === 'actions'))
          for (const element of block.elements.filter((element): element is Button => element.type === 'button')) {
            const said = click(block.block_id, { action_id: element.action_id });
            if (said?.kind === 'answer' && said.given.kind === 'answer') picked.push(...said.given.options);
            if (element.action_id === 'askback:skip') expect(said).toEqual(answered({ kind: 'skip' }));
            if (element.action_id === 'askback:write')
              expect(said).toMatchObject({ kind: 'open_form', triggerId: 't' });
          }
        for (const { type, options, block } of menusIn(blocks)) {
          if (type === 'static_select')
            options.forEach((option, index) => {
              const said = click(block.block_id, { action_id: 'askback:menu', selected_option: option });
              expect(said).toEqual(answered({ kind: 'answer', options: [index] }));
              picked.push(index);
            });
          else {
            const values = {
              [block.block_id ?? '']: { 'askback:choices': { type, selected_options: options.toReversed() } },
            };
            const buttons = block.block_id?.replace('|choices|', '|buttons|');
            const said = click(buttons, { action_id: 'askback:submit' }, values);
            const all = options.map((_, index) => index);
            expect(said).toEqual(answered({ kind: 'answer', options: all }));
            picked.push(...all);
          }
        }
        expect(picked.filter((option) => option >= 0)).toEqual(Array.from({ length: count }, (_, index) => index));
      }),
    );
  });
});

const neutral = (text: string): string => text.replace('<!here>', '@\u2060here');

/** What was escaped, or replaced because its escapes grew too long, as it was written. */
const asWritten = (text: string): string => {
  const decoded = text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
  return decoded.replaceAll('＆', '&').replaceAll('‹', '<').replaceAll('›', '>');
};

describe('the plain text of a question', () => {
  test.for([
    ['about the **new invoices**?', 'about the *new invoices*?'],
    ['**Deploy** or **wait**', '*Deploy* or *wait*'],
    ['2 ** 3 and f(**args, **more)', '2 ** 3 and f(**args, **more)'],
    ['x**y**z', 'x**y**z'],
    ['run `a **b** c`, **now**', 'run `a **b** c`, **now**'],
    ['***', '***'],
  ] as const)('%s reads %s', ([question, expected]) => {
    expect(questionCard(viewOf({ question }), en, { plain: true }).text).toContain(`\n\n${expected}\n\n`);
  });

  test('says how it is taken back, and by whom, when it is put to others: it has no Withdraw', () => {
    const view = { ...viewOf({ options: labelled('A', 'B') }), asked: ['U0TOMAS'] };
    const { text, blocks } = questionCard(view, en, { plain: true });
    expect(blocks).toBeUndefined();
    expect(text).toContain(`<@${view.requester}> can end the whole run, and take this question back with it, by`);
    expect(questionCard(viewOf({}), en, { plain: true }).text).toContain('To end the whole run, reply `stop`.');
  });

  test('has no blocks, the options numbered, and how to answer', () => {
    const options = [{ label: 'EU', description: 'Frankfurt' }, { label: 'US <1>' }];
    expect(
      questionCard(viewOf({ options, selectionMode: 'single_select', allowFreeform: true }), en, { plain: true }),
    ).toEqual({
      text: [
        '💬 Question for <@U0ADA>',
        'Where to?',
        '1. EU — Frankfurt\n2. US &lt;1&gt;',
        'Please reply in this thread with the number of a choice, or in your own words. To end the whole run, reply `stop`.',
      ].join('\n\n'),
    });
  });

  test('passes the validator whole, whatever the question', () => {
    fc.assert(
      fc.property(anyView, (view) => {
        const card = questionCard(view, en, { plain: true });
        expect(card.blocks).toBeUndefined();
        expect(checkMessage(card)).toEqual([]);
        const shown = asWritten(card.text);
        expect(shown).toContain(asWritten(literal(view.question.question)));
        for (const { label } of view.question.options ?? []) expect(shown).toContain(asWritten(literal(label)));
      }),
    );
  });
});

describe('a settled card', () => {
  const at = Date.UTC(2026, 0, 2, 3, 4, 5);
  const settledBy = (settlement: Settlement, by?: string) => ({ settlement, at, ...(by === undefined ? {} : { by }) });
  const DATE = '<!date^1767323045^{date_short_pretty} at {time}|2026-01-02 03:04 UTC>';
  const rows: [string, Settlement, string | undefined, string[]][] = [
    ['one option', { outcome: 'answered', labels: ['EU'] }, 'U0BOB', ['EU', `✅ Answered by <@U0BOB> · ${DATE}`]],
    [
      'several options',
      { outcome: 'answered', labels: ['EU', 'US'] },
      'U0BOB',
      ['EU', 'US', `✅ Answered by <@U0BOB> · ${DATE}`],
    ],
    [
      'free text',
      { outcome: 'answered', labels: [], text: 'Neither <!here>' },
      'U0BOB',
      ['Neither <!here>', `✅ Answered by <@U0BOB> · ${DATE}`],
    ],
    [
      'an option and a note',
      { outcome: 'answered', labels: ['EU'], text: 'for now' },
      'U0BOB',
      ['EU', 'for now', `✅ Answered by <@U0BOB> · ${DATE}`],
    ],
    ['dismissed', { outcome: 'dismissed' }, 'U0BOB', [`⏭️ Skipped by <@U0BOB> · ${DATE}`]],
    [
      'superseded',
      { outcome: 'superseded', text: 'do this first' },
      'U0BOB',
      ['do this first', `💬 Not answered; <@U0BOB> changed course · ${DATE}`],
    ],
    ['expired', { outcome: 'expired', after: '2 hours' }, undefined, [`⌛ Nobody answered within 2 hours · ${DATE}`]],
    [
      'expired after a time that can be said in any language',
      { outcome: 'expired', after: 'a while', ms: 7_500_000 },
      undefined,
      [`⌛ Nobody answered within 2 hours, 5 minutes · ${DATE}`],
    ],
    ['cancelled', { outcome: 'cancelled' }, undefined, [`🚫 Cancelled · ${DATE}`]],
    ['cancelled by somebody', { outcome: 'cancelled' }, 'U0BOB', [`🚫 Cancelled by <@U0BOB> · ${DATE}`]],
    [
      'failed',
      { outcome: 'failed', reason: 'the server went away' },
      undefined,
      ['the server went away', `⚠️ Could not be completed · ${DATE}`],
    ],
  ];
  test.each(rows)(
    '%s: keeps the question, shows the outcome, who and when, and has no controls',
    (_, settlement, by, ending) => {
      const view = viewOf({ options: labelled('EU', 'US') }, { settled: settledBy(settlement, by) });
      const { blocks = [] } = questionCard(view, en, { plain: false });
      expect(textsIn(blocks)).toEqual(['💬 Question for <@U0ADA>', 'Where to?', ...ending]);
      expect(blocks.map((block) => block.type).filter((type) => type === 'actions' || type === 'input')).toEqual([]);
      for (const plain of [true, false])
        expect(questionCard(view, en, { plain }).text.split(/\n+/).map(asWritten)).toEqual(
          ['💬 Question for <@U0ADA>', 'Where to?', ...ending].map(neutral),
        );
    },
  );

  const anySettlement = (view: QuestionView): fc.Arbitrary<Settlement> => {
    const text = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 50 }), fc.constant('<!channel> & '.repeat(4_000)));
    const labels = fc.subarray((view.question.options ?? []).map(({ label }) => label));
    return fc.oneof(
      fc.record({ outcome: fc.constant('answered' as const), labels, text }),
      fc.record({ outcome: fc.constant('superseded' as const), text }),
      fc.record({ outcome: fc.constant('failed' as const), reason: text }),
      fc.record({ outcome: fc.constant('expired' as const), after: text }),
      fc.constantFrom<Settlement>({ outcome: 'dismissed' }, { outcome: 'cancelled' }),
    );
  };
  test('whatever was asked and answered, it passes the validator, and its plain form can be an edit', () => {
    const anySettled = anyView.chain((view) =>
      anySettlement(view).map((settlement): QuestionView => ({ ...view, settled: settledBy(settlement, 'U0BOB') })),
    );
    fc.assert(
      fc.property(anySettled, (view) => {
        const card = questionCard(view, en, { plain: false });
        expect(checkMessage(card)).toEqual([]);
        const settlement = view.settled?.settlement;
        const labels = settlement?.outcome === 'answered' ? settlement.labels : [];
        expect(textsIn(card.blocks)).toEqual(expect.arrayContaining(labels));
        const [question, written] = wordsOf(card.blocks ?? [], view.question.question);
        expect(question).toBe(written);
        const plain = questionCard(view, en, { plain: true });
        expect(checkMessage(plain)).toEqual([]);
        expect(plain.text.length).toBeLessThanOrEqual(LIMITS.message.updatedText);
        expect(card.text.length).toBeLessThanOrEqual(LIMITS.message.updatedText);
      }),
    );
  });
});
