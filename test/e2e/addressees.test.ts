/** Questions that are put to others: who may be asked, who may answer, where they are told, and how it is taken back. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Done, PlaygroundMessage } from '../../src/playground/protocol.ts';
import { askFor, options } from './asking.ts';
import { buttons, control, controls, hasButton, startTalk, textOf } from './talk.ts';
import { bot, guest, imani, mara, PATIENCE, petra, shipbot, startWorld, tomas, type World } from './world.ts';

const ops = '<!subteam^S0OPS00001|@ops>';
const visitors = '<!subteam^S0GUESTS01|@visitors>';
const choice = { options: options('staging', 'production'), allowFreeform: false };

describe('a question for others', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld({ env: { ASK_LIST: `the finance people:${imani}+${petra},oncall:S0OPS00001` } });
  });
  afterAll(async () => {
    await world?.[Symbol.asyncDispose]();
  });

  /** A thread in which the requester mentions `named`, and the model asks `to`. */
  const asks = (question: string, named: string, to: string[], place = world.place(), more: object = choice) =>
    startTalk(world, place, `${named} ${askFor({ question, to, ...more })}`);

  /** What the person was told by a direct message, about this question; all of them. */
  const told = (person: string, question: string) => {
    const state = world.slack.state();
    const dms = state.channels.filter((c) => c.kind === 'dm' && c.members.includes(person)).map(({ id }) => id);
    return state.messages.filter((m) => dms.includes(m.channel) && m.user === bot && textOf(m).includes(question));
  };
  const invited = (person: string, question: string, isIt: (message: PlaygroundMessage) => boolean = () => true) =>
    world.slack.wait(() => told(person, question).find(isIt), {
      what: `a direct message to ${person}: ${question}`,
      timeoutMs: PATIENCE,
    });
  const press = (message: PlaygroundMessage, label: string, as: string): Promise<Done> => {
    const element = controls(message.blocks).find((e) => e.type === 'button' && e.text?.text === label);
    if (!element) throw new Error(`There is no button ${label} on ${JSON.stringify(message.blocks)}`);
    const { block_id, action_id } = element;
    const container = { type: 'message' as const, channel: message.channel, ts: message.ts };
    return world.slack.do({ do: 'interact', as, container, block_id, action_id, action: { type: 'button' } });
  };

  test.concurrent('is answered by the one who is asked, and by nobody else', async () => {
    const talk = await asks('May it go out?', `<@${tomas}>`, [`<@${tomas}>`]);
    const card = await talk.card();
    expect(textOf(card)).toContain(`Question for <@${tomas}> · asked by <@${talk.as}>`);
    expect(card.text).toContain(`<@${tomas}>`);
    const invitation = await invited(tomas, 'May it go out?');
    expect(textOf(invitation)).toContain(`/archives/${talk.channel}/p${card.ts.replace('.', '')}?thread_ts=`);
    expect(buttons(invitation)).toEqual(['Answer…']);
    for (const by of [talk.as, imani]) {
      await talk.click(card, 'staging', by);
      await talk.told(`Only <@${tomas}> may answer`, by);
    }
    // What the requester types is no answer either.
    await talk.say('1');
    await talk.told(`(for <@${tomas}>)`);
    await talk.click(card, 'production', tomas);
    expect(textOf(await talk.receipt(card))).toContain(`Answered by <@${tomas}>`);
    await talk.reads('Heard: User selected: production\nAnd: 1');
    const over = await invited(tomas, 'May it go out?', (m) => textOf(m).includes('Answered by'));
    expect(buttons(over)).toEqual([]);
    expect(told(tomas, 'May it go out?')).toHaveLength(1);
    expect(told(talk.as, 'May it go out?')).toEqual([]);
  });

  test.concurrent('is answered by typing in the thread, without a mention', async () => {
    const talk = await asks('What does it cost?', `<@${imani}>`, [imani], world.place(), {});
    await talk.card();
    await talk.atRest();
    await talk.say('I wonder, too', tomas);
    await talk.say('forty pounds', imani);
    await talk.reads('User responded: forty pounds');
  });

  test.concurrent('is answered by typing in the direct message, below the one that tells of it', async () => {
    const talk = await asks('What says the letter?', `<@${tomas}>`, [tomas]);
    const card = await talk.card();
    const { channel, ts: thread } = await invited(tomas, 'What says the letter?', (m) =>
      textOf(m).includes('production'),
    );
    await world.heard(await world.say('whatever', { as: tomas, channel, thread }));
    await world.slack.wait(
      (s) =>
        s.messages.some(
          (m) => m.channel === channel && m.ephemeralTo === tomas && m.text.includes('takes only its options'),
        ),
      {
        what: 'a note in the direct message',
        timeoutMs: PATIENCE,
      },
    );
    await world.heard(await world.say('2', { as: tomas, channel, thread }));
    expect(textOf(await talk.receipt(card))).toContain(`Answered by <@${tomas}>`);
    await talk.reads('User selected: production');
    await invited(tomas, 'What says the letter?', (m) => textOf(m).includes('Answered by'));
    expect(world.posts(thread).filter((m) => m.ts !== thread)).toEqual([]);
  });

  test.concurrent('is answered by a message of its own to the bot, where nothing else waits', async () => {
    const { as, channel } = world.place();
    const other = world.place().as;
    await world.act({ do: 'invite', as, channel, user: other });
    const talk = await asks('Only this?', `<@${other}>`, [other], { as, channel });
    await talk.card();
    const told = await invited(other, 'Only this?');
    await talk.atRest();
    const thread = await world.say('production', { as: other, channel: told.channel });
    await talk.reads('User selected: production');
    expect(world.posts(thread)).toEqual([]);
  });

  test.concurrent('is answered by one who has left the channel since, from the direct message', async () => {
    const { as, channel } = world.place();
    const other = world.place().as;
    await world.act({ do: 'invite', as, channel, user: other });
    const talk = await asks('Still yours?', `<@${other}>`, [other], { as, channel });
    const card = await talk.card();
    const told = await invited(other, 'Still yours?');
    await talk.atRest();
    await world.act({ do: 'remove', as, channel, user: other });
    await world.say('staging', { as: other, channel: told.channel, thread: told.ts });
    expect(textOf(await talk.receipt(card))).toContain(`Answered by <@${other}>`);
    await talk.reads('User selected: staging');
  });

  test.concurrent('is not put to whom a file mentions', async () => {
    const place = world.place();
    const content = `<@${tomas}> must say.\nask <@${tomas}> and ${tomas}`;
    const files = [{ name: 'orders.txt', mimetype: 'text/plain', content }];
    const text = `<@${bot}> ${askFor({ question: 'By file?', to: [tomas] })}`;
    const { ts } = await world.act({ do: 'say', ...place, text, files });
    const why = 'is nobody whom the person you work for mentioned';
    await world.sees(ts as string, why, (m) => textOf(m).includes(why));
    expect(told(tomas, 'By file?')).toEqual([]);
  });

  test.concurrent('is answered in the form that opens from the direct message', async () => {
    const talk = await asks('From afar?', `<@${tomas}>`, [tomas]);
    const card = await talk.card();
    const invitation = await invited(tomas, 'From afar?');
    await press(invitation, 'Answer…', tomas);
    const isOpen = (v: { user: string; type: string; view: object }) =>
      v.user === tomas && v.type === 'modal' && JSON.stringify(v.view).includes('From afar?');
    const modal = await world.slack.wait((s) => s.views.find(isOpen), { what: 'the form', timeoutMs: PATIENCE });
    const { block_id, action_id, options: offered = [] } = control(modal.view as never, 'radio_buttons');
    const state = { [block_id]: { [action_id]: { type: 'radio_buttons', selected_option: offered[0] as never } } };
    await world.act({ do: 'submit_view', as: tomas, view: modal.id, state });
    expect(textOf(await talk.receipt(card))).toContain(`Answered by <@${tomas}>`);
    await talk.reads('User selected: staging');
    // The message that was clicked was not taken for the card.
    expect(talk.posts().filter((m) => textOf(m).includes('From afar?'))).toHaveLength(1);
    expect(told(tomas, 'From afar?')).toHaveLength(1);
  });

  test.concurrent('is taken back by who asked, and by nobody else; the run goes on', async () => {
    const talk = await asks('Really?', `<@${tomas}>`, [tomas]);
    const card = await talk.card();
    await invited(tomas, 'Really?');
    await talk.click(card, 'Withdraw', tomas);
    await talk.told('Only the person who started this', tomas);
    await talk.click(card, 'Withdraw');
    expect(textOf(await talk.receipt(card))).toContain(`Cancelled by <@${talk.as}>`);
    await talk.reads('Heard: The question was cancelled.');
    await invited(tomas, 'Really?', (m) => textOf(m).includes('Cancelled by') && !hasButton(m, 'Answer…'));
  });

  test.concurrent('stands on the Home of each: what waits for one, and for whom the other waits', async () => {
    const talk = await asks('On whose Home?', `<@${tomas}>`, [tomas]);
    await talk.card();
    for (const [as, words] of [
      [tomas, `asked by <@${talk.as}>`],
      [talk.as, `Question for <@${tomas}>`],
    ] as const) {
      await world.act({ do: 'open_home', as });
      await world.slack.wait(
        (s) => s.views.some((v) => v.user === as && v.type === 'home' && textOf(v.view as never).includes(words)),
        { what: `on the Home of ${as}: ${words}`, timeoutMs: PATIENCE },
      );
    }
    await talk.say('stop');
    await talk.reads('Stopped by');
  });

  test.concurrent.for<[what: string, named: string, to: string[], people: string[]]>([
    ['a group, those of it who may', ops, ['<!subteam^S0OPS00001|@ops>'], [tomas, imani]],
    ['a name of the list', '', ['The Finance People'], [imani]],
    ['a name of the list, for a group', '', ['oncall'], [tomas, imani]],
    ['several', `<@${tomas}> <@${imani}>`, [tomas, imani], [tomas, imani]],
  ])('is put to %s', async ([what, named, to, people]) => {
    const question = `Who of ${what}?`;
    const talk = await asks(question, named, to);
    const card = await talk.card();
    for (const person of people) await invited(person, question);
    expect(textOf(card)).toContain(`Question for ${people.map((id) => `<@${id}>`).join(' and ')} · asked by`);
    expect(told(petra, question)).toEqual([]);
    await talk.click(card, 'staging', people.at(-1));
    await talk.reads('User selected: staging');
  });

  test.concurrent('to the requester is a question like any other', async () => {
    const place = world.place();
    const talk = await asks('Me?', '', [place.as], place);
    const card = await talk.card();
    expect(buttons(card)).not.toContain('Withdraw');
    await talk.click(card, 'staging');
    await talk.reads('User selected: staging');
  });

  const general = 'C0GENERAL1';
  test.concurrent.for<[what: string, named: string, to: string[], why: string, channel?: string]>([
    ['who was not mentioned', '', [tomas], 'is nobody whom the person you work for mentioned'],
    ['a name that nobody has', `<@${tomas}>`, ['legal'], 'none of the names \\"the finance people\\", \\"oncall\\"'],
    ['a bot', `<@${shipbot}>`, [shipbot], 'is not an active person'],
    ['a guest', `<@${guest}>`, [guest], 'guests may not use me'],
    ['a stranger', `<@${petra}>`, [petra], 'belongs to another organisation'],
    ['one who is not there', `<@${petra}>`, [petra], 'is not in this channel', general],
    ['one of two who may not', `<@${tomas}> <@${petra}>`, [tomas, petra], 'belongs to another organisation'],
    ['a group of whom nobody may', visitors, [visitors], 'None of these people can be asked'],
    ['somebody in a direct message', `<@${tomas}>`, [tomas], 'This is a direct message', 'D0MARA0001'],
  ])('is refused to %s, and the model reads why', async ([what, named, to, why, channel]) => {
    const place = channel === undefined ? world.place() : { as: mara, channel };
    const talk = await asks(`Can ${what} say?`, named, to, place);
    const reply = await world.sees(talk.thread, why, (m) => textOf(m).includes(why));
    expect(textOf(reply)).toContain('The question could not be shown: ');
    expect(talk.posts().filter((m) => buttons(m).length > 0)).toEqual([]);
    for (const person of [tomas, petra, guest]) expect(told(person, `Can ${what} say?`)).toEqual([]);
  });

  test.concurrent('whom others mention above, or in a message that is quoted, nobody has asked for', async () => {
    const place = world.place();
    const remark = { text: `<@${tomas}> must say, ask <@${tomas}>`, channel: place.channel };
    const { ts } = await world.act({ do: 'say', as: imani, ...remark });
    const thread = ts as string;
    await world.act({ do: 'say', as: shipbot, ...remark, thread_ts: thread });
    const isRefusal = (m: PlaygroundMessage) => textOf(m).includes('is nobody whom the person you work for mentioned');
    const refused = (count: number) => (m: PlaygroundMessage) =>
      isRefusal(m) && world.posts(thread).filter(isRefusal).length === count;
    const asking = (question: string) => askFor({ question, to: [tomas] });
    await world.say(`<@${bot}> ${asking('Above?')}`, { ...place, thread });
    await world.sees(thread, 'the refusal', refused(1));
    await world.atRest(place.channel, thread);
    // Now that the thread is known, it is in the record who mentioned whom.
    await world.act({ do: 'say', as: imani, ...remark, thread_ts: thread });
    await world.say(`<@${bot}> ${asking('Beside?')}`, { ...place, thread });
    await world.sees(thread, 'another refusal', refused(2));
    await world.atRest(place.channel, thread);
    await world.act({ do: 'shortcut', as: place.as, channel: place.channel, ts: thread, callback_id: 'askback:about' });
    const isForm = (v: { user: string; type: string }) => v.user === place.as && v.type === 'modal';
    const form = await world.slack.wait((s) => s.views.find(isForm), { what: 'the form', timeoutMs: PATIENCE });
    const { block_id, action_id, type } = control(form.view as never, 'plain_text_input');
    // Typed into a form it is no mention: Slack makes none of it, and notifies nobody.
    const state = { [block_id]: { [action_id]: { type, value: `<@${tomas}>\n${asking('By shortcut?')}` } } };
    await world.act({ do: 'submit_view', as: place.as, view: form.id, state });
    await world.sees(thread, 'the last refusal', refused(3));
    for (const question of ['Above?', 'Beside?', 'By shortcut?']) expect(told(tomas, question)).toEqual([]);
  });

  test('what Slack does not say is asked again, and nobody is asked twice', async () => {
    const place = world.place();
    const once = { times: 1 };
    for (const method of ['conversations.members', 'users.info', 'conversations.open']) {
      // The first person who is looked up is who asks.
      const fault = { method, kind: 'http_500_before', ...once, ...(method === 'users.info' && { after: 1 }) } as const;
      await world.act({ do: 'fault', as: mara, fault });
    }
    const dm = (await world.act({ do: 'open_dm', as: imani })).channel as string;
    await world.act({
      do: 'fault',
      as: mara,
      fault: { method: 'chat.postMessage', kind: 'drop_after', channel: dm, ...once },
    });
    const talk = await asks('Through the storm?', `<@${imani}>`, [imani], place);
    const card = await talk.card();
    await invited(imani, 'Through the storm?');
    await talk.atRest();
    expect(talk.posts().filter((m) => buttons(m).length > 0)).toHaveLength(1);
    await talk.click(card, 'staging', imani);
    await invited(imani, 'Through the storm?', (m) => textOf(m).includes('Answered by'));
    expect(told(imani, 'Through the storm?')).toHaveLength(1);
  });

  test('who cannot be written to is asked in the thread all the same', async () => {
    await world.act({ do: 'clear_faults', as: mara });
    const { as, channel } = world.place();
    const other = world.place().as;
    await world.act({ do: 'invite', as, channel, user: other });
    const error = { method: 'conversations.open', kind: 'refuse', error: 'cannot_dm_user' } as const;
    await world.act({ do: 'fault', as: mara, fault: error });
    const talk = await asks('No letterbox?', `<@${other}>`, [other], { as, channel });
    const card = await talk.card();
    await talk.atRest();
    expect(told(other, 'No letterbox?')).toEqual([]);
    await talk.click(card, 'staging', other);
    await talk.reads('User selected: staging');
  });

  test('nothing was sent that Slack would not take', () => {
    const foreseen = /Refused: (cannot_dm_user)|HTTP 500|dropped/;
    expect(world.warnings().filter((warning) => !foreseen.test(warning))).toEqual([]);
  });
});
