/** Calls to Slack, counted: of a question, an answer and a reply, with streams and without; and fewer than it would take plainly. */
import { describe, expect, test, vi } from 'vitest';
import type { ScriptRequest } from '../../src/playground/model-request.ts';
import type { Reply } from '../../src/playground/model-server.ts';
import { asking, options } from './asking.ts';
import { straightforward } from './straightforward.ts';
import { startTalk, type Talk, talkOf } from './talk.ts';
import { PATIENCE, startWorld, team, type World } from './world.ts';

const SLICE = 40;
const tale = Array.from({ length: 80 }, (_, n) => `Sentence ${n} of a reply that takes its time.`).join(' ');
const deltas = (text: string): string[] => text.match(new RegExp(`.{1,${SLICE}}`, 'gs')) ?? [];
const SECONDS = 6;

function script(request: ScriptRequest): Reply {
  const last = request.messages.at(-1);
  if (last?.role !== 'user' || !JSON.stringify(last.content).includes('tale')) return asking(request);
  return { type: 'answer', text: tale, slice: SLICE, pace: (SECONDS * 1_000) / deltas(tale).length };
}

type Calls = Record<string, number>;

/**
 * All calls that are made from the end of the count before to the end of this one; of those that are alike, how many. A status is
 * told beside the work and may come after all else: so long as `check` throws, the count goes on.
 */
function counter({ slack }: World) {
  let from = 0;
  return async (happens: () => Promise<unknown>, check?: (made: Calls) => void): Promise<Calls> => {
    await happens();
    const made = () => {
      const calls: Calls = {};
      for (const { method } of slack.calls().slice(from)) calls[method] = (calls[method] ?? 0) + 1;
      return calls;
    };
    if (check) await vi.waitFor(() => check(made()), { timeout: PATIENCE });
    const calls = made();
    from = slack.calls().length;
    return calls;
  };
}

const sum = (calls: Calls): number => Object.values(calls).reduce((all, count) => all + count, 0);
const where = { question: 'Where to?', options: options('a', 'b'), allowFreeform: false };

describe.concurrent.each([
  { what: 'with streams and a status', legacy: false },
  { what: 'in a workspace that has neither', legacy: true },
])('$what', ({ legacy }) => {
  test('a question, an answer, a step of three and replies', async () => {
    await using world = await startWorld({ script, legacy, places: 1 });
    const place = world.place();
    const plainly = straightforward(world, { ...place, team });
    const counted = counter(world);
    const STATUS = 'assistant.threads.setStatus';
    const status = (count: number) => (legacy ? {} : { [STATUS]: count });
    const working = () => world.slack.calls(STATUS).filter(({ args }) => args.status !== '').length;
    // A model that is slower than the status of its run: one that its reply overtakes is taken back by a call more.
    let runs = 0;
    world.model.setScript(async (request) => {
      runs += 1;
      await vi.waitUntil(() => working() >= (legacy ? 1 : runs), { timeout: PATIENCE });
      return { ...script(request), think: 200 };
    });

    // What a process learns once: who this is, and what the workspace has.
    await counted(
      async () => {
        const first = await startTalk(world, place, 'hello');
        await first.reads('Said: hello');
        await first.atRest();
      },
      (made) => expect(made[STATUS]).toBe(1),
    );

    let talk: Talk;
    const question = await counted(
      async () => {
        talk = await talkOf(world, place, where);
        await talk.card();
        await talk.atRest();
      },
      (made) => expect(made).toEqual({ 'chat.postMessage': 1, ...status(2) }),
    );

    const answer = await counted(
      async () => {
        const card = await talk.card();
        await talk.click(card, 'a');
        await talk.receipt(card);
        await talk.reads('Heard: User selected: a');
        await talk.atRest();
      },
      (made) => expect(made).toEqual({ 'chat.update': 1, 'chat.postMessage': 1, ...status(1) }),
    );

    const short = await counted(
      async () => {
        const told = await startTalk(world, place, 'good evening');
        await told.reads('Said: good evening');
        await told.atRest();
      },
      (made) => expect(made).toEqual({ 'chat.postMessage': 1, ...status(1) }),
    );

    let seconds = 0;
    const long = await counted(
      async () => {
        const begun = performance.now();
        const told = await startTalk(world, place, 'a tale');
        await told.reads('Sentence 79');
        await told.atRest();
        // On a machine that is busy the model takes longer than it should.
        seconds = Math.floor((performance.now() - begun) / 1_000);
      },
      (made) => {
        // Whether there are streams is asked once.
        if (legacy) return expect(made).toEqual({ 'chat.startStream': 1, 'chat.postMessage': 1 });
        const { 'chat.appendStream': appends = 0, ...others } = made;
        expect(others).toEqual({ 'chat.startStream': 1, 'chat.stopStream': 1, ...status(1) });
        expect(appends).toBeGreaterThan(0);
        // One a second, however fast the model speaks.
        expect(appends).toBeLessThanOrEqual(seconds);
      },
    );

    await counted(
      async () => {
        const three = await talkOf(
          world,
          place,
          where,
          { ...where, question: 'And then?' },
          { ...where, question: 'And last?' },
        );
        await three.cards(3);
        await three.atRest();
      },
      // What is said beside them, and a card each.
      (made) => expect(made).toEqual({ 'chat.postMessage': 4, ...status(2) }),
    );

    const thread = await world.say('plainly', place);
    if (legacy) {
      const edits = await counted(() => plainly.replyByEdits(thread, deltas(tale)));
      expect([sum(long), sum(edits)]).toEqual([2, 15]);
      return;
    }
    let card = '';
    const asks = await counted(async () => {
      card = await plainly.question(thread);
    });
    const heard = ['Heard: User selected: a'];
    const takes = await counted(() => plainly.answer(thread, card, heard));
    const says = await counted(() => plainly.reply(thread, heard));
    const tells = await counted(() => plainly.reply(thread, deltas(tale)));
    // As docs/benchmarks.md has them.
    expect([sum(question), sum(asks)]).toEqual([3, 4]);
    expect([sum(answer), sum(takes)]).toEqual([3, 5]);
    expect([sum(short), sum(says)]).toEqual([2, 4]);
    expect([sum(long) <= 3 + seconds, sum(tells)]).toEqual([true, 15]);
  });
});
