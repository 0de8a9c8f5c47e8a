/** App Home: what waits is answered there, live, by its own person only; and what runs is stopped there. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Done, PlaygroundView } from '../../src/playground/protocol.ts';
import { options } from './asking.ts';
import { buttons, controls, startTalk, type Talk, talkOf, textOf } from './talk.ts';
import { imani, PATIENCE, type Place, startWorld, type World } from './world.ts';

type Blocks = { blocks?: never };
const shown = (view: PlaygroundView) => view.view as Blocks;

describe('Home', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld({ mode: 'socket' });
  });
  afterAll(async () => {
    await world?.[Symbol.asyncDispose]();
  });

  /** A person at their Home tab. */
  async function atHome({ as }: Place) {
    await world.act({ do: 'open_home', as });
    const sees = (what: string, isIt: (view: PlaygroundView) => boolean) =>
      world.slack.wait((s) => s.views.find((view) => view.user === as && view.type === 'home' && isIt(view)), {
        what: `on Home: ${what}`,
        timeoutMs: PATIENCE,
      });
    return {
      sees,
      reads: (text: string) => sees(text, (view) => textOf(shown(view)).includes(text)),
      gone: (text: string) => sees(`no ${text}`, (view) => !textOf(shown(view)).includes(text)),
      click(view: PlaygroundView, label: string): Promise<Done> {
        const element = controls(shown(view).blocks).find((e) => e.type === 'button' && e.text?.text === label);
        if (!element) throw new Error(`There is no button ${label} on ${JSON.stringify(view.view)}`);
        const { block_id, action_id } = element;
        const container = { type: 'view' as const, view: view.id };
        return world.slack.do({ do: 'interact', as, container, block_id, action_id, action: { type: 'button' } });
      },
    };
  }
  const linkOf = ({ channel, thread }: Talk) => `/archives/${channel}/p${thread.replace('.', '')}?thread_ts=${thread}`;

  test.concurrent('what is asked meanwhile appears, is answered there by a button, and is gone', async () => {
    const place = world.place();
    const home = await atHome(place);
    await home.reads('Nothing is waiting for you');
    const talk = await talkOf(world, place, { question: 'Where to?', options: options('EU', 'US') });
    const view = await home.reads('Where to?');
    expect(buttons(shown(view))).toEqual(['EU', 'US', 'Other…', 'Skip', 'Stop']);
    expect(textOf(shown(view))).toContain(linkOf(talk));
    expect(textOf(shown(view))).toContain(`<#${talk.channel}>`);
    expect(await home.click(view, 'US')).toMatchObject({ ok: true });
    await home.gone('Where to?');
    await talk.reads('Heard: User selected: US');
    await home.gone('What you asked for');
    // Nothing was said to them in the thread, where they are not.
    expect(world.whispers(place.as)).toEqual([]);
  });

  test.concurrent('what needs a form opens it from there: one’s own words, and all questions of a step', async () => {
    const place = world.place();
    const talk = await talkOf(
      world,
      place,
      { question: 'Which?', options: options('a', 'b', 'c'), selectionMode: 'multi_select' },
      { question: 'Why?' },
    );
    await talk.cards(2);
    const home = await atHome(place);
    const view = await home.reads('Why?');
    expect(buttons(shown(view))).toEqual(['Answer…', 'Skip', 'Answer…', 'Answer all…', 'Skip', 'Stop']);
    await home.click(view, 'Answer all…');
    const form = await world.slack.wait((s) => s.views.find((v) => v.user === place.as && v.type === 'modal'), {
      what: 'the form',
      timeoutMs: PATIENCE,
    });
    const state = Object.fromEntries(
      controls(shown(form).blocks).map(({ block_id, action_id, type, options: [first] = [] }) => [
        block_id,
        {
          [action_id]: type === 'checkboxes' ? { type, selected_options: first ? [first] : [] } : { type, value: 'so' },
        },
      ]),
    );
    expect(await world.slack.do({ do: 'submit_view', as: place.as, view: form.id, state })).toMatchObject({ ok: true });
    await talk.reads('Heard: User selected: a\nUser note: so | User responded: so');
    await home.reads('Nothing is waiting for you');
  });

  test.concurrent('another person’s Home has none of it', async () => {
    const place = world.place();
    const talk = await talkOf(world, place, { question: 'A secret?' });
    await talk.card();
    const other = await atHome({ ...place, as: imani });
    expect(textOf(shown(await other.reads('Nothing is waiting for you')))).not.toContain('A secret?');
  });

  test.concurrent('what runs is stopped from there', async () => {
    const place = world.place();
    const talk = await talkOf(world, place, { question: 'Go on?' });
    const card = await talk.card();
    const home = await atHome(place);
    const view = await home.reads('Waiting for an answer');
    const stop = controls(shown(view).blocks).find((e) => e.type === 'button' && e.text?.text === 'Stop');
    expect(stop).toMatchObject({ confirm: { style: 'danger' } });
    expect(await home.click(view, 'Stop')).toMatchObject({ ok: true });
    expect(textOf(await talk.receipt(card))).toContain('Cancelled');
    await talk.reads('Stopped by');
    await home.reads('Nothing is waiting for you');
    await home.gone('Go on?');
  });

  test.concurrent('ten on a page', async () => {
    const place = world.place();
    const many = Array.from({ length: 12 }, (_, n) => ({ question: `Question ${n + 1}?` }));
    await talkOf(world, place, ...many);
    const home = await atHome(place);
    const first = await home.reads('Page 1 of 2');
    expect(textOf(shown(first))).toContain('Question 10?');
    expect(textOf(shown(first))).not.toContain('Question 11?');
    await home.click(first, 'Next');
    const second = await home.reads('Page 2 of 2');
    expect(textOf(shown(second))).toContain('Question 12?');
    await home.click(second, 'Skip');
    await home.gone('Question 11?');
    expect(textOf(shown(await home.reads('Page 2 of 2')))).toContain('Question 12?');
    await home.click(await home.reads('Page 2 of 2'), 'Previous');
    await home.reads('Page 1 of 2');
  });

  test.concurrent('a process that was killed finds it again', async () => {
    // A world of its own: others are in the middle of theirs.
    await using own = await startWorld({ mode: 'http' });
    const place = own.place();
    const talk = await startTalk(own, place, 'hello');
    await talk.reads('Said: ');
    const asked = await talkOf(own, place, { question: 'Still there?', options: options('yes', 'no') });
    await asked.card();
    await own.kill();
    await own.start();
    await own.act({ do: 'open_home', as: place.as });
    const view = await own.slack.wait(
      (s) => s.views.find((v) => v.type === 'home' && textOf(shown(v)).includes('Still there?')),
      { what: 'the question on Home', timeoutMs: PATIENCE },
    );
    const pick = controls(shown(view).blocks).find((e) => e.text?.text === 'yes');
    const container = { type: 'view' as const, view: view.id };
    const { block_id = '', action_id = '' } = pick ?? {};
    await own.act({ do: 'interact', as: place.as, container, block_id, action_id, action: { type: 'button' } });
    await asked.reads('Heard: User selected: yes');
  });

  test('and nothing that Slack would object to', () => {
    expect(world.warnings()).toEqual([]);
  });
});
