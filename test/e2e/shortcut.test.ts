/** The shortcut "Ask about this message": a form, then a run in that message's thread, saved before the ack and once only. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Done, PlaygroundView } from '../../src/playground/protocol.ts';
import { options } from './asking.ts';
import { control, isCard, talkOf, textOf } from './talk.ts';
import { guest, imani, PATIENCE, type Place, startWorld, tomas, type World } from './world.ts';

const NOBODY = 'C0NOBOT001';

describe.for(['socket', 'http'] as const)('a question about a message, in %s mode', (mode) => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld({ mode });
  });
  afterAll(() => world?.[Symbol.asyncDispose]());

  async function form({ as, channel }: Place, ts: string): Promise<PlaygroundView> {
    await world.act({ do: 'shortcut', as, channel, ts, callback_id: 'askback:about' });
    const isIt = (view: PlaygroundView) => view.user === as && view.type === 'modal';
    return world.slack.wait((s) => s.views.find(isIt), { what: 'the form', timeoutMs: PATIENCE });
  }
  function send(view: PlaygroundView, text: string): Promise<Done> {
    const { block_id, action_id, type } = control(view.view as never, 'plain_text_input');
    const state = { [block_id]: { [action_id]: { type, value: text } } };
    return world.slack.do({ do: 'submit_view', as: view.user, view: view.id, state });
  }
  const runsAbout = (word: string) =>
    world.model.requests.filter(({ messages }) => JSON.stringify(messages).includes(word)).length;

  test.concurrent('it is answered in the thread, which is told who asked what; the agent reads the message', async () => {
    const place = world.place();
    const thread = await world.say('The *deploy* of billing failed & rolled back', { ...place, as: tomas });
    const view = await form(place, thread);
    expect(textOf(view.view as never)).toContain('of billing failed & rolled back');
    expect(await send(view, 'Why did it <fail>?')).toMatchObject({ ok: true });
    const asked = await world.sees(thread, 'who asked', (m) => textOf(m).includes(`<@${place.as}> asks about`));
    expect(textOf(asked)).toContain('Why did it <fail>?');
    const reply = await world.sees(thread, 'the reply', (m) => textOf(m).includes('Said: '));
    expect(textOf(reply)).toContain('> The *deploy* of billing failed & rolled back');
    expect(textOf(reply)).toContain('Why did it <fail>?');
    // Whoever asked is served there: their next words need no mention.
    await world.say('and now?', { ...place, thread });
    await world.sees(thread, 'the next reply', (m) => textOf(m).includes('Said: and now?'));
    expect(world.slack.state().views.filter((v) => v.user === place.as)).toEqual([]);
  });

  test.concurrent('of a reply it is answered in that reply’s thread; beside an open question it is no answer to it', async () => {
    const place = world.place();
    const talk = await talkOf(world, place, { question: 'Which region?', options: options('EU', 'US') });
    const card = await talk.card();
    const remark = await world.say('EU is full', { as: imani, channel: place.channel, thread: talk.thread });
    expect(await send(await form(place, remark), 'EU')).toMatchObject({ ok: true });
    await world.sees(talk.thread, 'who asked', (m) => textOf(m).includes('asks about a message'));
    expect(talk.posts().filter(isCard)).toHaveLength(1);
    await talk.click(card, 'US');
    const reply = await talk.reads('Heard: User selected: US');
    expect(textOf(reply)).toContain('> EU is full');
  });

  test.concurrent('the same submission again is the same question', async () => {
    const place = world.place();
    const thread = await world.say('All green', { ...place, as: tomas });
    const view = await form(place, thread);
    const fault = { method: 'chat.postMessage', channel: place.channel, kind: 'drop_after' as const, times: 1 };
    await world.act({ do: 'fault', as: place.as, fault });
    await send(view, 'Is it zebra?');
    const traffic = world.slack
      .state()
      .traffic.find((t) => t.title.startsWith('view_submission') && JSON.stringify(t.request).includes('zebra'));
    expect(traffic).toBeDefined();
    expect(await world.slack.deliver(traffic?.request as never)).toMatchObject({ acked: true });
    await world.sees(thread, 'the reply', (m) => textOf(m).includes('Said: '));
    await world.atRest(place.channel, thread);
    expect(world.posts(thread)).toHaveLength(2);
    expect(runsAbout('zebra')).toBe(1);
  });

  test.concurrent('where the bot is not, the form says what is missing', async () => {
    const { ts } = await world.act({ do: 'say', as: tomas, channel: NOBODY, text: 'nobody here' });
    const view = await form({ as: tomas, channel: NOBODY }, ts as string);
    expect(textOf(view.view as never)).toContain('I am not in this conversation');
    expect(view.view).not.toHaveProperty('submit');
  });

  test.concurrent('who may not use the bot reads so in the form, which stays', async () => {
    const { channel } = world.place();
    const thread = await world.say('Guests welcome', { as: tomas, channel });
    const view = await form({ as: guest, channel }, thread);
    await send(view, 'May I?');
    const { errors = {} } = world.slack.state().views.find(({ id }) => id === view.id) ?? {};
    expect(Object.values(errors)).toEqual([expect.stringContaining('Guests of this workspace may not')]);
    expect(world.posts(thread)).toEqual([]);
  });

  test.concurrent('in a DM with the bot it is a message like any other', async () => {
    const { as } = world.place();
    const { channel = '' } = await world.act({ do: 'open_dm', as });
    const thread = await world.say('good morning', { as, channel });
    await world.sees(thread, 'the reply', (m) => textOf(m).includes('Said: good morning'));
    await send(await form({ as, channel }, thread), 'in which language?');
    await world.sees(
      thread,
      'the answer',
      (m) => textOf(m).includes('in which language?') && textOf(m).includes('Said: '),
    );
  });
});

test('asked, then killed at once: the next process answers', async () => {
  await using world = await startWorld({ places: 2 });
  const place = world.place();
  const thread = await world.say('The lights went out', { ...place, as: tomas });
  await world.act({ do: 'shortcut', as: place.as, channel: place.channel, ts: thread, callback_id: 'askback:about' });
  const view = await world.slack.wait((s) => s.views.find((v) => v.user === place.as), {
    what: 'the form',
    timeoutMs: PATIENCE,
  });
  const { block_id, action_id, type } = control(view.view as never, 'plain_text_input');
  const state = { [block_id]: { [action_id]: { type, value: 'Why, slowly?' } } };
  expect(await world.slack.do({ do: 'submit_view', as: place.as, view: view.id, state })).toMatchObject({ ok: true });
  await world.kill();
  await world.start();
  await world.sees(thread, 'the reply', (m) => textOf(m).includes('Why, slowly?') && textOf(m).includes('Said: '));
  await world.atRest(place.channel, thread);
  expect(world.posts(thread)).toHaveLength(2);
});
