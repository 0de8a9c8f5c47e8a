/** One form for several questions, a note beside a choice, an answer that is changed: through real Bolt and the playground. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Done, PlaygroundView, StateValues } from '../../src/playground/protocol.ts';
import { options } from './asking.ts';
import { buttons, controls, hasButton, isCard, type Talk, talkOf, textOf } from './talk.ts';
import { PATIENCE, startWorld, tomas, type World } from './world.ts';

const drink = { question: 'Drink?', options: options('tea', 'water') };
const cakes = {
  question: 'Cakes?',
  options: options('apple', 'carrot', 'plum'),
  selectionMode: 'multi_select',
} as const;
const tables = { question: 'Table?', options: options(...Array.from({ length: 12 }, (_, n) => `table ${n + 1}`)) };
const when = { question: 'When?' };

type Card = Awaited<ReturnType<Talk['card']>>;
/** What is entered, by the number of the question in the form: labels of its choice, words. */
type Entry = { pick?: string[]; words?: string };

/** The `state` of a form in which this is entered. */
function entered(view: PlaygroundView, entries: Entry[]): StateValues {
  const elements = controls((view.view as { blocks?: never }).blocks);
  const questions = [...new Set(elements.map(({ block_id }) => block_id.split('|').at(-1)))];
  const state: StateValues = {};
  for (const [index, { pick = [], words }] of entries.entries()) {
    for (const { block_id, action_id, type, options: known = [] } of elements) {
      if (block_id.split('|').at(-1) !== questions[index]) continue;
      const picked = known.filter(({ text }) => pick.includes(text.text.replace(/^\d+\. /, '')));
      const many = type === 'checkboxes' || type === 'multi_static_select';
      if (type === 'plain_text_input') state[block_id] = { [action_id]: { type, value: words ?? null } };
      else if (many) state[block_id] = { [action_id]: { type, selected_options: picked } };
      else state[block_id] = { [action_id]: { type, selected_option: picked[0] ?? null } };
    }
  }
  return state;
}

const submit = (world: World, view: PlaygroundView, ...entries: Entry[]): Promise<Done> =>
  world.slack.do({ do: 'submit_view', as: view.user, view: view.id, state: entered(view, entries) });

const openViews = (world: World, as: string) =>
  world.slack.state().views.filter((v) => v.user === as && v.type === 'modal');

describe.for(['socket', 'http'] as const)('in %s mode', (mode) => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld({ mode, env: { ANSWER_POLICY: 'anyone' } });
  });
  afterAll(async () => {
    await world?.[Symbol.asyncDispose]();
  });

  test.concurrent('all at once: each kind of field, own words beside a choice and instead of one', async () => {
    const talk = await talkOf(world, world.place(), drink, cakes, tables, when);
    const cards = await talk.cards(4);
    expect(cards.map((card) => hasButton(card, 'Answer all…'))).toEqual([false, false, false, true]);
    const form = await talk.modal(cards[3] as Card, 'Answer all…');
    expect(controls((form.view as never as { blocks: never }).blocks).map(({ type }) => type)).toEqual([
      'radio_buttons',
      'plain_text_input',
      'checkboxes',
      'plain_text_input',
      'static_select',
      'plain_text_input',
      'plain_text_input',
    ]);
    const entries = [
      { pick: ['tea'], words: 'with milk' },
      { pick: ['plum', 'apple'] },
      { words: 'outside <&> in the sun' },
      { words: 'at four' },
    ];
    expect(await submit(world, form, ...entries)).toMatchObject({ ok: true });
    await talk.reads(
      [
        'Heard: User selected: tea\nUser note: with milk',
        'User selected: ["apple","plum"]',
        'User responded: outside <&> in the sun',
        'User responded: at four',
      ].join(' | '),
    );
    expect(openViews(world, talk.as)).toEqual([]);
    await world.atRest(talk.channel, talk.thread);
    for (const post of talk.posts()) expect(buttons(post)).toEqual([]);
  });

  test.concurrent('what is left empty stays open and can be answered later, by its card or by the form', async () => {
    const talk = await talkOf(world, world.place(), drink, cakes, when);
    const cards = (await talk.cards(3)) as [Card, Card, Card];
    const form = await talk.modal(cards[2], 'Answer all…');
    const done = await submit(world, form, {}, {}, { words: ' ' });
    expect(done).toMatchObject({ ok: true, response: { response_action: 'errors' } });
    expect(JSON.stringify(done)).toContain('at least one');

    expect(await submit(world, form, { pick: ['water'] })).toMatchObject({ ok: true });
    expect(textOf(await talk.receipt(cards[0]))).toContain('water');
    expect(
      talk
        .posts()
        .filter(isCard)
        .map(({ ts }) => ts),
    ).toEqual([cards[1].ts, cards[2].ts]);

    const again = await talk.modal(cards[2], 'Answer all…');
    expect(textOf(again.view as never)).not.toContain('Drink?');
    expect(await submit(world, again, { pick: ['carrot'] })).toMatchObject({ ok: true });
    await talk.write(await talk.modal(cards[2], 'Answer…'), 'soon');
    await talk.reads('Heard: User selected: water | User selected: carrot | User responded: soon');
  });

  test.concurrent('who comes too late for one reads who settled it, and the others count', async () => {
    const talk = await talkOf(world, world.place(), drink, cakes, when);
    const cards = (await talk.cards(3)) as [Card, Card, Card];
    const form = await talk.modal(cards[2], 'Answer all…');
    await talk.click(cards[0], 'tea', tomas);
    await talk.receipt(cards[0]);
    const done = await submit(world, form, { pick: ['water'] }, { pick: ['plum'] }, { words: 'now' });
    expect(done).toMatchObject({ ok: true, response: { response_action: 'update' } });
    expect(JSON.stringify(done)).toContain(`Answered by <@${tomas}>`);
    await talk.reads('Heard: User selected: tea | User selected: plum | User responded: now');
  });

  test.concurrent('the same form twice, from two windows, counts once and is told so', async () => {
    const talk = await talkOf(world, world.place(), drink, when);
    const cards = (await talk.cards(2)) as [Card, Card];
    const form = await talk.modal(cards[1], 'Answer all…');
    const entries = [{ pick: ['tea'] }, { words: 'now' }];
    const twice = await Promise.all([submit(world, form, ...entries), submit(world, form, ...entries)]);
    expect(twice.filter(({ ok }) => ok).length).toBeGreaterThan(0);
    await talk.reads('Heard: User selected: tea | User responded: now');
  });

  test.concurrent('an answer is changed by who gave it, until the last of the step is settled', async () => {
    const talk = await talkOf(world, world.place(), drink, cakes, when);
    const cards = (await talk.cards(3)) as [Card, Card, Card];
    await talk.click(cards[0], 'tea');
    const receipt = await talk.receipt(cards[0]);
    expect(buttons(receipt)).toEqual(['Change…']);

    await talk.click(receipt, 'Change…', tomas);
    const refused = await world.slack.wait(
      (s) => s.views.find((v) => v.user === tomas && textOf(v.view as never).includes('Drink?')),
      {
        what: 'what happened',
        timeoutMs: PATIENCE,
      },
    );
    expect(refused.view).not.toHaveProperty('submit');

    const form = await talk.modal(receipt, 'Change…');
    expect(controls((form.view as never as { blocks: never }).blocks)[0]).toMatchObject({
      initial_option: { value: '0' },
    });
    expect(await submit(world, form, { pick: ['water'], words: 'sparkling' })).toMatchObject({ ok: true });
    await world.sees(talk.thread, 'the other drink', (m) => m.ts === cards[0].ts && textOf(m).includes('sparkling'));

    await talk.click(cards[1], 'Skip');
    const skipped = await talk.receipt(cards[1]);
    expect(await submit(world, await talk.modal(skipped, 'Change…'), { pick: ['apple'] })).toMatchObject({ ok: true });
    await talk.write(await talk.modal(cards[2], 'Answer…'), 'soon');
    await talk.reads('Heard: User selected: water\nUser note: sparkling | User selected: apple | User responded: soon');
    for (const card of cards)
      expect(buttons(await world.sees(talk.thread, 'a last paint', (m) => m.ts === card.ts))).toEqual([]);
  });

  test.concurrent('one question has no such button, and boxes that are ticked come along into Other…', async () => {
    const talk = await talkOf(world, world.place(), cakes);
    const card = await talk.card();
    expect(buttons(card)).toEqual(['Submit', 'Other…', 'Skip']);
    const element = controls(card.blocks).find(({ type }) => type === 'checkboxes');
    const { block_id = '', action_id = '', options: known = [] } = element ?? {};
    const state = { [block_id]: { [action_id]: { type: 'checkboxes', selected_options: known.slice(1, 2) } } };
    await talk.click(card, 'Other…', talk.as, state);
    const form = await world.slack.wait(() => openViews(world, talk.as)[0], { what: 'a form', timeoutMs: PATIENCE });
    expect(JSON.stringify(form.view)).toContain('"initial_options"');
    expect(await submit(world, form, { pick: ['carrot'], words: 'big' })).toMatchObject({ ok: true });
    await talk.reads('Heard: User selected: carrot\nUser note: big');
  });

  test('and nothing that Slack would object to', () => {
    expect(world.warnings()).toEqual([]);
  });
});
