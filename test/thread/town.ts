/** A dispatcher with all that it needs, on a clock that is moved by hand; `restart` is another process over the same records. */

import { createMemoryRunStore } from '../../src/agent/memory-run-store.ts';
import type { Message } from '../../src/agent/messages.ts';
import { createDispatcher, type DispatcherDeps, type RunningDispatcher } from '../../src/thread/dispatcher.ts';
import type { IncomingMessage } from '../../src/thread/dispatcher-api.ts';
import { personRecordSchema } from '../../src/thread/home-index.ts';
import type { Person, QuestionId, ThreadId } from '../../src/thread/ports.ts';
import { threadRecordSchema } from '../../src/thread/thread.ts';
import { createMemoryRecords } from './memory-records.ts';
import { createPaperAddressees } from './paper-addressees.ts';
import { createPaperSlack } from './paper-slack.ts';
import { deployment, type Effects, type Line, storyAgent } from './story.ts';
import { createVirtualClock, settled } from './virtual-clock.ts';

export const thread = 'T1:C1:1800000000.000000' as ThreadId;
export const ann: Person = { id: 'UANN', standing: 'member' };
export const bob: Person = { id: 'UBOB', standing: 'member' };
export const quiet = { debug() {}, info() {}, warn() {}, error() {} };

export type Town = ReturnType<typeof createTown>;

export function createTown(
  options: {
    lines?: Line[] | ((step: number, messages: Message[]) => Line | Promise<Line>);
    deps?: Partial<DispatcherDeps>;
    lag?: number;
  } = {},
) {
  const clock = createVirtualClock();
  const records = createMemoryRecords(threadRecordSchema);
  const people = createMemoryRecords(personRecordSchema);
  const slack = createPaperSlack(clock, options.lag);
  const addressees = createPaperAddressees(clock);
  const store = createMemoryRunStore();
  const effects: Effects = new Map();
  let drawn = 0;
  const id = () => `id${++drawn}`;
  const script = options.lines ?? deployment;
  const lines = typeof script === 'function' ? script : (step: number) => script[step] ?? 'No more lines.';

  function open(deps: Partial<DispatcherDeps> = {}): RunningDispatcher {
    return createDispatcher({
      records,
      people,
      agent: storyAgent({ store, lines, effects, newId: id }),
      messenger: slack,
      addressees,
      clock,
      id,
      policy: { answers: 'requester', allowGuests: false, allowExternal: false },
      timing: { retention: 90 * 86_400_000 },
      log: quiet,
      maxRuns: 10,
      ...options.deps,
      ...deps,
    });
  }

  let dispatcher = open();
  let count = 0;
  const town = {
    clock,
    records,
    people,
    slack,
    addressees,
    store,
    effects,
    open,
    get dispatcher() {
      return dispatcher;
    },
    restart(deps: Partial<DispatcherDeps> = {}) {
      dispatcher = open(deps);
    },
    message(text: string, more: Partial<IncomingMessage> = {}): IncomingMessage {
      count += 1;
      const ts = `${Math.floor(clock.now() / 1000)}.${String(500_000 + count)}`;
      return { thread, id: ts, by: ann, text, mention: true, direct: false, root: false, ...more };
    },
    async say(text: string, more: Partial<IncomingMessage> = {}) {
      const received = await dispatcher.receive(town.message(text, more));
      await town.pass();
      return received;
    },
    /** Time passes, with the sweeps that fall due. */
    async pass(ms = 2_000) {
      for (let left = ms; left > 0; left -= 1_000) {
        await clock.advance(Math.min(1_000, left));
        void dispatcher.sweep().catch(() => {});
        await settled();
      }
    },
    async record() {
      return (await records.read(thread))?.value;
    },
    card(question: string) {
      const found = slack.standing('card').filter((m) => m.card?.shows.question.question === question);
      const card = found.at(-1);
      if (!card?.card) throw new Error(`There is no card that asks ${question}`);
      return { ts: card.ts, id: card.id as QuestionId, plain: card.card.plain, shows: card.card.shows };
    },
    async click(question: string, options: number[], by: Person = ann, text?: string) {
      const { id: asked, ts: cardTs } = town.card(question);
      const given = { kind: 'answer' as const, options, ...(text !== undefined && { text }) };
      const answered = await dispatcher.answer({ thread, question: asked, by, given, cardTs });
      await town.pass();
      return answered;
    },
    replies() {
      return slack.standing('reply').map((m) => (m.post?.kind === 'reply' ? m.post.text : ''));
    },
    async transcript() {
      return store.history(thread, 1_000_000);
    },
  };
  return town;
}
