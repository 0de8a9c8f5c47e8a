/** What is said in Slack, and what of it reaches the agent: over both modes, and with each of a mention's two events first. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { options } from './asking.ts';
import { startTalk, talkOf, textOf } from './talk.ts';
import { bot, imani, mara, shipbot, startWorld, tomas, type World } from './world.ts';

const groupDm = { id: 'G0GROUPDM1', name: 'group', kind: 'group_dm' as const, members: [mara, tomas, bot] };

const worlds = [
  ['Socket Mode, message first', { mode: 'socket', twins: 'message_first' }],
  ['HTTP, mention first', { mode: 'http', twins: 'mention_first' }],
] as const;

describe.for(worlds)('%s', ([, settings]) => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld({ ...settings, channels: [groupDm] });
  });
  afterAll(async () => {
    await world?.[Symbol.asyncDispose]();
  });

  test.concurrent('a mention is handled once, though it comes as two events', async () => {
    const talk = await startTalk(world, world.place(), 'hello &amp; &lt;welcome&gt;');
    const reply = await talk.reads('Said: hello & <welcome>');
    await talk.atRest();
    expect(talk.posts()).toEqual([reply]);
    const twins = world.slack
      .state()
      .traffic.filter(
        (line) => line.kind === 'event' && JSON.stringify(line.request).includes(`"ts":"${talk.thread}"`),
      );
    expect(twins.map(({ title, ok }) => `${title} ${ok}`).sort()).toEqual(['app_mention true', 'message true']);
  });

  test.concurrent('a file is a message, and so is a reply that is also sent to the channel', async () => {
    const { as, channel } = world.place();
    const files = [{ name: 'notes [1].txt', mimetype: 'text/plain', content: 'x' }];
    const { ts = '' } = await world.act({ do: 'say', as, channel, text: `<@${bot}> read this`, files });
    await world.sees(ts, 'the file', (m) =>
      textOf(m).includes('Said: read this\\n[attached: notes 1 .txt]\\n[The file notes 1 .txt:]'),
    );
    await world.act({ do: 'say', as, channel, text: 'and this', thread_ts: ts, broadcast: true });
    await world.sees(ts, 'the broadcast', (m) => textOf(m).includes('Said: and this'));
    await world.act({ do: 'say', as, channel, text: '', thread_ts: ts, files });
    await world.sees(ts, 'the file alone', (m) => textOf(m).includes('Said: [attached: notes 1 .txt]'));
  });

  test.concurrent('a direct message needs no mention, and each one that starts a thread starts a run', async () => {
    const { as } = world.place();
    const { channel = '' } = await world.act({ do: 'open_dm', as });
    const first = await startTalk(world, { as, channel }, 'good morning');
    await first.reads('Said: good morning');
    await first.say('and more');
    await first.reads('Said: and more');
    const second = await startTalk(world, { as, channel }, 'something else');
    await second.reads('Said: something else');
    expect(first.posts()).toHaveLength(2);
    expect(second.posts()).toHaveLength(1);
  });

  test.concurrent.for([
    ['a private channel', { as: imani, channel: 'C0PRIVATE1' }],
    ['a group DM', { as: tomas, channel: groupDm.id }],
  ] as const)('%s is as good a place', async ([, place]) => {
    const silent = await world.say('not for the bot', place);
    const talk = await talkOf(world, place, { question: 'Where to?', options: options('here', 'there') });
    expect(await talk.click(await talk.card(), 'here')).toMatchObject({ ok: true });
    await talk.reads('Heard: User selected: here');
    expect(world.posts(silent)).toEqual([]);
  });

  test.concurrent('what nobody says to the bot starts nothing', async () => {
    const place = world.place();
    const { as, channel } = place;
    const unheard = await world.say('nothing for a bot', place);
    await world.say('nor this', { ...place, thread: unheard });
    await world.say(`<@${bot}> I am a bot too`, { ...place, as: shipbot });
    const talk = await startTalk(world, place, 'begin');
    await talk.reads('Said: begin');

    await world.act({ do: 'edit', as, channel, ts: talk.thread, text: `<@${bot}> begin again` });
    await world.act({ do: 'edit', as, channel, ts: unheard, text: `<@${bot}> after all` });
    const gone = await world.say('forget this', { ...place, as: tomas, thread: talk.thread });
    await world.heard(gone);
    await world.act({ do: 'delete', as: tomas, channel, ts: gone });
    await world.say(`<@${bot}> deployed`, { ...place, as: shipbot, thread: talk.thread });
    await world.act({ do: 'remove', as: mara, channel, user: imani });
    await world.act({ do: 'invite', as: mara, channel, user: imani });
    // A link makes Slack change the message by itself a moment later.
    await talk.say('see https://harbourside.example/book');
    await world.sees(talk.thread, 'the link', (m) => textOf(m).includes('https://harbourside.example/book'));
    await talk.say('the end');
    await talk.reads('Said: the end');
    await talk.atRest();
    expect(talk.posts()).toHaveLength(3);
    expect(world.posts(unheard)).toEqual([]);
    const own = world.slack.state().messages.filter((m) => m.channel === channel && m.user === bot);
    expect(own).toHaveLength(3);
  });

  test.concurrent('what others say in the thread is read with the next message to the bot', async () => {
    const talk = await startTalk(world, world.place(), 'begin');
    await talk.reads('Said: begin');
    await talk.say('blue, I think', tomas);
    await talk.say('no, green', imani);
    await talk.say('which colour?');
    const read = `Said: Tomás Ferreira (<@${tomas}>) wrote: blue, I think | Imani Okafor (<@${imani}>) wrote: no, green | which colour?`;
    await talk.reads(read);
    await talk.say(`<@${bot}> and me?`, tomas);
    await talk.reads('Said: and me?');
    // Tomás is served now; Mara's next word is for the bot again only with a mention.
    await talk.say('I meant green', mara);
    await talk.say('go on', tomas);
    await talk.reads(`Said: Mara Lindqvist (<@${mara}>) wrote: I meant green | go on`);
    expect(talk.posts()).toHaveLength(4);
  });

  test.concurrent('what is said while the bot is at work is read when it is done', async () => {
    const talk = await startTalk(world, world.place(), 'one, slowly');
    await vi.waitUntil(() =>
      world.model.requests.some(({ messages }) => JSON.stringify(messages).includes('one, slowly')),
    );
    await talk.say('two');
    await talk.say('three');
    await talk.reads('Said: one, slowly');
    await talk.reads('Said: two | three');
    await talk.atRest();
    expect(talk.posts()).toHaveLength(2);
  });

  test.concurrent('a reply cannot call everybody, whatever the model says', async () => {
    const talk = await startTalk(world, world.place(), 'say &lt;!channel&gt; and @here, &lt;!subteam^S1|@all&gt;');
    const reply = await talk.reads('Said: say ');
    expect(textOf(reply)).not.toMatch(/<!(channel|here|everyone|subteam)|@(here|channel|everyone)/);
  });

  test('and nothing that Slack would object to', () => {
    expect(world.warnings()).toEqual([]);
  });
});
