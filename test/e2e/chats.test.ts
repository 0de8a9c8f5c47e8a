/** Slack's own views of a chat with the bot: an agent's, the older assistant's, and none. Each behaves as its manifest has it. */
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { PlaygroundPrompts } from '../../src/playground/protocol.ts';
import { assistantManifest, offeredManifest } from '../support/manifest.ts';
import { options } from './asking.ts';
import { talkOf, textOf } from './talk.ts';
import { mara, PATIENCE, startWorld, type World } from './world.ts';

const MINE = 'D0MARA0001';

const offered = ({ slack }: World, isIt: (prompts: PlaygroundPrompts) => boolean) =>
  slack.wait((s) => s.prompts.find(isIt), { what: 'prompts in a chat', timeoutMs: PATIENCE });

/** The manifest in Socket Mode still: its lines for HTTP name an address that is nobody's. */
const agentManifest = (): object => parse(offeredManifest());

describe('chats', () => {
  test('an agent’s view: its chat offers prompts, a click on one is a message, and its sessions say what they wait for', async () => {
    await using world = await startWorld({ manifest: agentManifest(), places: 0 });
    await world.act({ do: 'open_home', as: mara, tab: 'messages' });
    const { prompts, title } = await offered(world, (p) => p.channel === MINE && p.thread_ts === undefined);
    expect(title).toBe('What shall I do?');
    expect(prompts.map(({ message }) => message)).toContain('help');
    const thread = await world.say('help', { channel: MINE });
    await world.sees(thread, 'help', (m) => textOf(m).includes('Give me a task'));
    const talk = await talkOf(
      world,
      { as: mara, channel: MINE },
      { question: 'Where to?', options: options('EU', 'US') },
    );
    await talk.click(await talk.card(), 'EU');
    await talk.reads('Heard: User selected: EU');
    const session = () =>
      world.slack.state().statuses.find((s) => s.channel === MINE && s.thread_ts === talk.thread)?.session;
    await expect.poll(session, { timeout: PATIENCE }).toBe('active');
    expect(world.warnings()).toEqual([]);
  });

  test('an assistant’s view: a new chat offers the operator’s prompts in its thread, and a message there is answered there', async () => {
    const env = { SUGGESTED_PROMPTS: 'Plan a release = Plan the release of 2.4; What is new?' };
    await using world = await startWorld({ manifest: assistantManifest(), env, places: 0 });
    const { ts: thread } = await world.act({ do: 'start_chat', as: mara });
    const { prompts } = await offered(world, (p) => p.thread_ts === thread);
    expect(prompts).toEqual([
      { title: 'Plan a release', message: 'Plan the release of 2.4' },
      { title: 'What is new?', message: 'What is new?' },
    ]);
    await world.say('What is new?', { channel: MINE, thread: thread as string });
    await world.sees(thread as string, 'the reply', (m) => textOf(m).includes('Said: What is new?'));
    // Without the older event a chat that is opened offers nothing, and is no trouble.
    await world.act({ do: 'open_home', as: mara, tab: 'messages' });
    expect(world.warnings()).toEqual([]);
  });

  test('a plain app has neither: nothing is offered, and it answers as ever', async () => {
    await using world = await startWorld({ places: 0 });
    for (let time = 0; time < 3; time += 1) {
      await world.act({ do: 'open_home', as: mara, tab: 'messages' });
      const thread = await world.say(`hello ${time}`, { channel: MINE });
      await world.sees(thread, 'the reply', (m) => textOf(m).includes(`Said: hello ${time}`));
    }
    expect(world.slack.calls('assistant.threads.setSuggestedPrompts')).toEqual([]);
    expect(await world.slack.do({ do: 'start_chat', as: mara })).toEqual({ ok: false, error: 'no_assistant_view' });
    expect(world.warnings()).toEqual([]);
  });
});
