/** Calls to Slack, counted: of a question, an answer and a reply, with streams and without; and fewer than it would take plainly. */
import { describe, expect, test } from 'vitest';
import type { ScriptRequest } from '../../src/playground/model-request.ts';
import type { Reply } from '../../src/playground/model-server.ts';
import { asking, options } from './asking.ts';
import { straightforward } from './straightforward.ts';
import { startTalk, talkOf } from './talk.ts';
import { startWorld, team, type World } from './world.ts';

const SLICE = 40;
const tale = Array.from({ length: 80 }, (_, n) => `Sentence ${n} of a reply that takes its time.`).join(' ');
const deltas = (text: string): string[] => text.match(new RegExp(`.{1,${SLICE}}`, 'gs')) ?? [];
const SECONDS = 6;

function script(request: ScriptRequest): Reply {
  const last = request.messages.at(-1);
  if (last?.role !== 'user' || !JSON.stringify(last.content).includes('tale')) return asking(request);
  return { type: 'answer', text: tale, slice: SLICE, pace: (SECONDS * 1_000) / deltas(tale).length };
}

/** All calls that are made while this happens; of those that are alike, how many. */
async function counted(world: World, happens: () => Promise<unknown>): Promise<Record<string, number>> {
  const before = world.slack.calls().length;
  await happens();
  const made: Record<string, number> = {};
  for (const { method } of world.slack.calls().slice(before)) made[method] = (made[method] ?? 0) + 1;
  return made;
}

const sum = (calls: Record<string, number>): number => Object.values(calls).reduce((all, count) => all + count, 0);
const where = { question: 'Where to?', options: options('a', 'b'), allowFreeform: false };

describe.each([
  { what: 'with streams and a status', legacy: false },
  { what: 'in a workspace that has neither', legacy: true },
])('$what', { timeout: 90_000 }, ({ legacy }) => {
  test.concurrent('a question, an answer, a step of three and replies', async () => {
    await using world = await startWorld({ script, legacy, places: 1 });
    const place = world.place();
    const plainly = straightforward(world, { ...place, team });
    const status = (count: number) => (legacy ? {} : { 'assistant.threads.setStatus': count });

    // What a process learns once: who this is, and what the workspace has.
    const first = await startTalk(world, place, 'hello');
    await first.reads('Said: hello');
    await first.atRest();

    let talk = first;
    const question = await counted(world, async () => {
      talk = await talkOf(world, place, where);
      await talk.card();
      await talk.atRest();
    });
    expect(question).toEqual({ 'chat.postMessage': 1, ...status(2) });

    const answer = await counted(world, async () => {
      const card = await talk.card();
      await talk.click(card, 'a');
      await talk.receipt(card);
      await talk.reads('Heard: User selected: a');
      await talk.atRest();
    });
    expect(answer).toEqual({ 'chat.update': 1, 'chat.postMessage': 1, ...status(1) });

    const short = await counted(world, async () => {
      const told = await startTalk(world, place, 'good evening');
      await told.reads('Said: good evening');
      await told.atRest();
    });
    expect(short).toEqual({ 'chat.postMessage': 1, ...status(1) });

    const long = await counted(world, async () => {
      const told = await startTalk(world, place, 'a tale');
      await told.reads('Sentence 79');
      await told.atRest();
    });
    // Whether there are streams is asked once.
    if (legacy) expect(long).toEqual({ 'chat.startStream': 1, 'chat.postMessage': 1 });
    else {
      const { 'chat.appendStream': appends = 0, ...others } = long;
      expect(others).toEqual({ 'chat.startStream': 1, 'chat.stopStream': 1, ...status(1) });
      expect(appends).toBeGreaterThan(0);
      // One a second, however fast the model speaks.
      expect(appends).toBeLessThanOrEqual(SECONDS);
    }

    const three = await counted(world, async () => {
      talk = await talkOf(
        world,
        place,
        where,
        { ...where, question: 'And then?' },
        { ...where, question: 'And last?' },
      );
      await talk.cards(3);
      await talk.atRest();
    });
    // What is said beside them, and a card each.
    expect(three).toEqual({ 'chat.postMessage': 4, ...status(2) });

    const thread = await world.say('plainly', place);
    if (legacy) {
      const edits = await counted(world, () => plainly.replyByEdits(thread, deltas(tale)));
      expect([sum(long), sum(edits)]).toEqual([2, 15]);
      return;
    }
    let card = '';
    const asks = await counted(world, async () => {
      card = await plainly.question(thread);
    });
    const heard = ['Heard: User selected: a'];
    const takes = await counted(world, () => plainly.answer(thread, card, heard));
    const says = await counted(world, () => plainly.reply(thread, heard));
    const tells = await counted(world, () => plainly.reply(thread, deltas(tale)));
    // As docs/benchmarks.md has them.
    expect([sum(question), sum(asks)]).toEqual([3, 4]);
    expect([sum(answer), sum(takes)]).toEqual([3, 5]);
    expect([sum(short), sum(says)]).toEqual([2, 4]);
    expect([sum(long) <= 3 + SECONDS, sum(tells)]).toEqual([true, 15]);
  });
});
