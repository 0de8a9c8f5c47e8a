/**
 * A process that ends between every two steps of DESIGN "The way through": a thread is brought to each of them and held there,
 * all at once, and then the process is stopped or killed. Afterwards each goes on to its one reply.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import type { Script } from '../../src/playground/model-server.ts';
import type { OnCall } from '../../src/playground/web-api/api.ts';
import { asking, isAnswered, options } from './asking.ts';
import { startTalk, type Talk, talkOf, textOf } from './talk.ts';
import { bot, PATIENCE, type Place, readRecord, startWorld, team } from './world.ts';

const asked = { question: 'Where to?', options: options('staging', 'production') };
const forever = () => new Promise<never>(() => {});

type Gate = { method: string; when: 'before' | 'after'; channel: string; skip: number };

/** Holds a call of Slack in a channel for ever, before it is processed or after; of its method, the one after `skip` others. */
function createGates() {
  const closed: Gate[] = [];
  const held = new Set<string>();
  const onCall: OnCall = async ({ method, args, when }) => {
    const gate = closed.find((g) => g.channel === args.channel && g.method === method && g.when === when);
    if (!gate || held.has(gate.channel)) return;
    if (gate.skip > 0) gate.skip -= 1;
    else {
      held.add(gate.channel);
      await forever();
    }
  };
  return { onCall, held, close: (gate: Gate) => void closed.push(gate) };
}

/** Where a thread stands still. `click`: the question is answered before that. */
const steps: { at: string; gate?: Omit<Gate, 'channel'>; model?: 'first' | 'then' | 'tool'; click?: true }[] = [
  { at: 'the model is asked', model: 'first' },
  { at: 'a tool has started', model: 'tool' },
  { at: 'the card is to be posted', gate: { method: 'chat.postMessage', when: 'before', skip: 0 } },
  { at: 'the card is posted, and nobody knows', gate: { method: 'chat.postMessage', when: 'after', skip: 0 } },
  { at: 'the answer is saved', click: true, gate: { method: 'chat.update', when: 'before', skip: 0 } },
  {
    at: 'the receipt is painted, and nobody knows',
    click: true,
    gate: { method: 'chat.update', when: 'after', skip: 0 },
  },
  { at: 'the model has the answer', click: true, model: 'then' },
  { at: 'the reply is to be posted', click: true, gate: { method: 'chat.postMessage', when: 'before', skip: 1 } },
  {
    at: 'the reply is posted, and nobody knows',
    click: true,
    gate: { method: 'chat.postMessage', when: 'after', skip: 1 },
  },
];

test.concurrent.for(['stop', 'kill'] as const)('%s at every step', async (end) => {
  const gates = createGates();
  const asleep = new Set<string>();
  let holding = true;
  const script: Script = async (request) => {
    const text = JSON.stringify(request.messages);
    const [, at, channel = ''] = /hold (first|then|tool) (\w+)/.exec(text) ?? [];
    const result = request.messages.findLast((m) => m.role === 'tool');
    if (at === 'tool') {
      return result
        ? { type: 'answer', text: `Heard: ${result.content}` }
        : { type: 'answer', calls: [{ name: 'deploy', arguments: { service: 'billing' } }] };
    }
    if (holding && at !== undefined && (at === 'then') === isAnswered(request)) {
      asleep.add(channel);
      await forever();
    }
    return asking(request);
  };
  await using world = await startWorld({
    script,
    onCall: gates.onCall,
    // As many as are held: what is said when all are is saved, and no more.
    env: { MAX_RUNS: String(steps.length), AGENT: 'test/e2e/agent-with-tool.ts' },
  });
  const deployed = join(world.dir, 'askback.sqlite.deployed');

  async function bringTo({ gate, model, click }: (typeof steps)[number], place: Place): Promise<Talk> {
    if (gate) gates.close({ ...gate, channel: place.channel });
    const mark = model ? ` hold ${model} ${place.channel}` : '';
    const talk =
      model === 'first' || model === 'tool'
        ? await startTalk(world, place, mark)
        : await talkOf(world, place, { ...asked, question: `Where to?${mark}` });
    if (click) expect(await talk.click(await talk.card(), 'staging')).toMatchObject({ ok: true });
    const isThere = () => (model === 'tool' ? existsSync(deployed) : (gate ? gates.held : asleep).has(place.channel));
    await vi.waitUntil(isThere, { timeout: PATIENCE });
    return talk;
  }

  const open = await talkOf(world, world.place(), asked);
  const openCard = await open.card();
  await open.atRest();
  const talks = await Promise.all(steps.map((step) => bringTo(step, world.place())));
  const unheard = await startTalk(world, world.place(), 'is anybody there?');
  await world.heard(unheard.thread);

  const before = Date.now();
  await (end === 'stop' ? world.stop() : world.kill());
  expect(Date.now() - before).toBeLessThan(12_000);
  expect(world.log().at(-1)).toBe(end === 'stop' ? 'The bot ended (exit code 0).' : 'The bot ended (SIGKILL).');
  // Whoever comes next, and wherever it is, need not wait for what was held here.
  if (end === 'stop') {
    const held = ({ channel, thread }: Talk) =>
      JSON.stringify(readRecord(join(world.dir, 'askback.sqlite'), `thread/${team}:${channel}:${thread}`)).includes(
        '"lease"',
      );
    expect([...talks, unheard].filter(held)).toEqual([]);
  }
  holding = false;
  await world.start();

  await unheard.reads('Said: is anybody there?');
  expect(await open.click(openCard, 'production')).toMatchObject({ ok: true });
  await open.reads('Heard: User selected: production');
  for (const [index, talk] of talks.entries()) {
    const { at, click, model } = steps[index] as (typeof steps)[number];
    if (!click && model === undefined) {
      expect(await talk.click(await talk.card(), 'staging'), at).toMatchObject({ ok: true });
    }
    const reply =
      model === 'first' ? 'Said: ' : model === 'tool' ? 'outcome is unknown' : 'Heard: User selected: staging';
    await talk.reads(reply);
    await talk.atRest();
    const isReply = ({ text }: { text: string }) => /^(Said|Heard)/.test(text);
    expect(talk.posts().filter(isReply), at).toHaveLength(1);
    const cards = talk.posts().filter((m) => !isReply(m));
    expect(cards, at).toHaveLength(model === 'first' || model === 'tool' ? 0 : 1);
    for (const card of cards) expect(textOf(card), at).toContain('Answered by');
  }
  expect(readFileSync(deployed, 'utf8')).toBe('billing\n');
  const others = world.slack.state().messages.filter((m) => m.user === bot && m.text.startsWith('⚠️'));
  expect(others).toEqual([]);
});
