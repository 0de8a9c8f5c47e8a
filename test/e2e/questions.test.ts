/** Every row of DESIGN "How a question looks", each way to answer it and each outcome; over both modes, and a Slack without the newer methods. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Asked, options } from './asking.ts';
import { buttons, control, controls, hasButton, isCard, type Talk, talkOf, textOf } from './talk.ts';
import { startWorld, tomas, type World } from './world.ts';

const numbered = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ label: `Choice ${i + 1}`, description: `Means ${i + 1}` }));
const long = (name: string) => `${name}: ${'a label that no control can show in full, '.repeat(3)}and so on`;

type Card = Awaited<ReturnType<Talk['card']>>;
type Row = {
  name: string;
  asked: Asked;
  /** Types of the card's controls besides buttons, and its buttons. */
  shown: [string[], string[]];
  answer(talk: Talk, card: Card): Promise<unknown>;
  /** What the model reads. */
  heard: string;
};

const write = (label: string, text: string) => async (talk: Talk, card: Card) =>
  talk.write(await talk.modal(card, label), text);

const rows: Row[] = [
  {
    name: 'one of five, by a button',
    asked: { question: 'Where to?', options: options('a', 'b', 'c', 'd', 'e'), allowFreeform: false },
    shown: [[], ['a', 'b', 'c', 'd', 'e', 'Skip']],
    answer: (talk, card) => talk.click(card, 'c'),
    heard: 'User selected: c',
  },
  {
    name: 'one of two with descriptions, in words of one’s own',
    asked: { question: 'Where to?', options: [{ label: 'here', description: 'Near' }, { label: 'there' }] },
    shown: [[], ['here', 'there', 'Other…', 'Skip']],
    answer: write('Other…', 'neither <here> nor & there'),
    heard: 'User responded: neither <here> nor & there',
  },
  {
    name: 'one of three with long labels, by a menu',
    asked: { question: 'Which?', options: options(long('One'), long('Two'), long('Three')), allowFreeform: false },
    shown: [['static_select'], ['Skip']],
    answer: async (talk, card) => {
      expect(textOf(card)).toContain(long('Three'));
      const { options: shown = [] } = control(card, 'static_select');
      return talk.pick(card, shown[1]?.text.text.replace(/^2\. /, '') ?? '');
    },
    heard: `User selected: ${long('Two')}`,
  },
  {
    name: 'one of six, by a menu',
    asked: { question: 'Which?', options: numbered(6) },
    shown: [['static_select'], ['Other…', 'Skip']],
    answer: (talk, card) => talk.pick(card, 'Choice 6'),
    heard: 'User selected: Choice 6',
  },
  {
    name: 'one of a hundred, by a menu',
    asked: { question: 'Which?', options: numbered(100), allowFreeform: false },
    shown: [['static_select'], ['Skip']],
    answer: (talk, card) => talk.pick(card, 'Choice 100'),
    heard: 'User selected: Choice 100',
  },
  {
    name: 'some of ten, by checkboxes',
    asked: { question: 'Which?', options: numbered(10), selectionMode: 'multi_select', allowFreeform: false },
    shown: [['checkboxes'], ['Submit', 'Skip']],
    answer: (talk, card) => talk.submit(card, ['Choice 10', 'Choice 2']),
    heard: 'User selected: ["Choice 2","Choice 10"]',
  },
  {
    name: 'some of two, in words of one’s own',
    asked: { question: 'Which?', options: options('x', 'y'), selectionMode: 'multi_select' },
    shown: [['checkboxes'], ['Submit', 'Other…', 'Skip']],
    answer: write('Other…', 'z\nand then w'),
    heard: 'User responded: z\\nand then w',
  },
  {
    name: 'some of a hundred, by a menu',
    asked: { question: 'Which?', options: numbered(100), selectionMode: 'multi_select' },
    shown: [['multi_static_select'], ['Submit', 'Other…', 'Skip']],
    answer: (talk, card) => talk.submit(card, ['Choice 99']),
    heard: 'User selected: Choice 99',
  },
  {
    name: 'free text, by a form',
    asked: { question: 'Why?' },
    shown: [[], ['Answer…', 'Skip']],
    answer: write('Answer…', '  because *it* is `so`  '),
    heard: 'User responded: because *it* is `so`',
  },
  {
    name: 'free text, skipped',
    asked: { question: 'Why?' },
    shown: [[], ['Answer…', 'Skip']],
    answer: (talk, card) => talk.click(card, 'Skip'),
    heard: 'User dismissed the question without answering.',
  },
  {
    name: 'a choice, skipped',
    asked: { question: 'Which?', options: numbered(12), selectionMode: 'multi_select', allowFreeform: false },
    shown: [['multi_static_select'], ['Submit', 'Skip']],
    answer: (talk, card) => talk.click(card, 'Skip'),
    heard: 'User dismissed the question without answering.',
  },
];

const worlds = [
  ['Socket Mode', { mode: 'socket' }],
  ['HTTP', { mode: 'http' }],
  ['a Slack that knows only its long-standing methods', { mode: 'socket', legacy: true }],
] as const;

describe.for(worlds)('%s', ([, settings]) => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld(settings);
  });
  afterAll(async () => {
    await world?.[Symbol.asyncDispose]();
  });

  /** What was sent for the clicks on this card. */
  const clicksOn = ({ ts }: Card): string[] =>
    world.slack.state().traffic.flatMap(({ kind, request }) => {
      const sent = JSON.stringify(request);
      return kind === 'interaction' && sent.includes(`"message_ts":"${ts}"`) ? [sent] : [];
    });

  test.concurrent.for(rows)('$name', async ({ asked, shown, answer, heard }) => {
    const talk = await talkOf(world, world.place(), asked);
    const card = await talk.card();
    expect(controls(card.blocks).flatMap(({ type }) => (type === 'button' ? [] : [type]))).toEqual(shown[0]);
    expect(buttons(card)).toEqual(shown[1]);
    for (const { label, description } of asked.options ?? []) {
      expect(textOf(card)).toContain(label);
      if (description) expect(textOf(card)).toContain(description);
    }
    expect(textOf(card)).toContain(asked.question);
    expect(card.text).toContain(asked.question);

    expect(await answer(talk, card)).toMatchObject({ ok: true });
    const reply = await talk.reads(heard.startsWith('User dismissed') ? heard : heard.replaceAll('\\n', '\n'));
    const receipt = await talk.receipt(card);
    expect(textOf(receipt)).toContain(asked.question);
    expect(textOf(receipt)).toContain(heard.startsWith('User dismissed') ? 'Skipped' : 'Answered');
    expect(textOf(receipt)).toContain(`<@${talk.as}>`);
    expect(talk.posts().map(({ ts }) => ts)).toEqual([card.ts, reply.ts]);
  });

  test.concurrent('several questions of a step: a card each, in any order, an answer that is changed', async () => {
    const talk = await talkOf(
      world,
      world.place(),
      { question: 'Drink?', options: options('tea', 'water'), allowFreeform: false },
      { question: 'Cakes?', options: options('apple', 'carrot', 'none'), selectionMode: 'multi_select' },
      { question: 'When?' },
    );
    const [drink, cakes, when] = (await talk.cards(3)) as [Card, Card, Card];
    expect(talk.posts()[0]?.text).toBe('Let me ask 3 things.');
    expect(textOf(cakes)).toContain('2 of 3');

    expect(await talk.write(await talk.modal(when, 'Answer…'), 'at four')).toMatchObject({ ok: true });
    expect(await talk.click(drink, 'tea')).toMatchObject({ ok: true });
    expect(textOf(await talk.receipt(drink))).toContain('tea');
    // While another question keeps the run waiting, an answer may be replaced by who gave it: by what their screen still shows.
    const [picked = ''] = clicksOn(drink);
    expect(await world.slack.deliver(JSON.parse(picked.replaceAll('askback:pick:0', 'askback:pick:1')))).toEqual({
      acked: true,
    });
    await world.sees(talk.thread, 'the other drink', (m) => m.ts === drink.ts && textOf(m).includes('water'));
    expect(await talk.submit(cakes, ['none', 'apple'])).toMatchObject({ ok: true });

    await talk.reads('Heard: User selected: water | User selected: ["apple","none"] | User responded: at four');
    expect(talk.posts().filter(isCard)).toEqual([]);
  });

  test.concurrent('a form says in place what is wrong, and keeps the question open', async () => {
    const talk = await talkOf(world, world.place(), { question: 'Why?' });
    const card = await talk.card();
    const form = await talk.modal(card, 'Answer…');
    const problem = async (text: string) => {
      const done = await talk.write(form, text);
      const view = world.slack.state().views.find(({ id }) => id === form.id);
      return { sent: done.ok, errors: Object.values(view?.errors ?? {}) };
    };
    // Slack's own: never sent. Ours: the ack of what was sent.
    expect(await problem('')).toMatchObject({ sent: false, errors: [expect.stringMatching(/required/)] });
    expect(await problem('x'.repeat(3_001))).toMatchObject({ sent: false, errors: [expect.stringMatching(/3000/)] });
    expect(await problem(' \n\t ')).toMatchObject({ sent: true, errors: [expect.stringMatching(/Write your answer/)] });
    expect(hasButton(await talk.card(), 'Answer…')).toBe(true);
    expect(await talk.write(form, 'x'.repeat(3_000))).toMatchObject({ ok: true });
    await talk.reads(`Heard: User responded: ${'x'.repeat(3_000)}`);
  });

  test.concurrent('nothing ticked is no answer: the person is told, and the card stays', async () => {
    const asked = { question: 'Which?', options: options('a', 'b'), selectionMode: 'multi_select' } as const;
    const talk = await talkOf(world, world.place(), asked);
    const card = await talk.card();
    expect(await talk.submit(card, [])).toMatchObject({ ok: true });
    await talk.told('Pick at least one option.');
    expect(hasButton(await talk.card(), 'Submit')).toBe(true);
    expect(await talk.submit(card, ['a', 'b'])).toMatchObject({ ok: true });
    await talk.reads('User selected: ["a","b"]');
  });

  test.concurrent('a settled question: its form shows what happened, its buttons tell it', async () => {
    const asked = { question: 'Where to?', options: options('staging', 'production') };
    const talk = await talkOf(world, world.place(), asked);
    const card = await talk.card();
    const form = await talk.modal(card, 'Other…');
    expect(await talk.click(card, 'staging')).toMatchObject({ ok: true });
    await talk.receipt(card);

    expect(await talk.write(form, 'too late')).toMatchObject({ ok: true });
    const shown = world.slack.state().views.find(({ user }) => user === talk.as);
    expect(JSON.stringify(shown?.view)).toContain('Already settled');
    expect(controls(shown?.view.blocks as never)).toEqual([]);

    // As from a screen that has not caught up: the same clicks again.
    const [other = '', pick = ''] = clicksOn(card);
    expect(await world.slack.deliver(JSON.parse(pick.replaceAll('askback:pick:0', 'askback:pick:1')))).toEqual({
      acked: true,
    });
    await talk.told('settled already');
    expect(await world.slack.deliver(JSON.parse(pick.replaceAll(talk.as, tomas)))).toEqual({ acked: true });
    await talk.told('Only the person who started this', tomas);
    expect(other).toContain('askback:write');

    await talk.reads('Heard: User selected: staging');
    expect(talk.posts()).toHaveLength(2);
  });

  test('and nothing that Slack would object to', () => {
    // A method that this Slack lacks is asked for a few times at most, by those that were under way when that was learnt.
    const lacking = (text: string) =>
      'legacy' in settings && /^(assistant\.threads|agents\.sessions)\.setStatus/.test(text);
    expect(world.warnings().filter((warning) => !lacking(warning))).toEqual([]);
    const refused = world.slack.calls().filter(({ method, answer }) => lacking(method) && !answer?.ok);
    expect(refused.length).toBeLessThan(20);
  });
});
