/**
 * Random schedules over the real code: every step of every process waits at a gate, and a seeded scheduler decides which goes
 * on, who is killed, who is paused past its lease, what people do, and when time passes.
 */
import { createMemoryRunStore } from '../../src/agent/memory-run-store.ts';
import type { RunStore } from '../../src/agent/run-store.ts';
import { createDispatcher, type RunningDispatcher } from '../../src/thread/dispatcher.ts';
import type { IncomingMessage } from '../../src/thread/dispatcher-api.ts';
import { personRecordSchema } from '../../src/thread/home-index.ts';
import type { AtomicRecords, Messenger, Person, QuestionId } from '../../src/thread/ports.ts';
import { type ThreadRecord, threadRecordSchema } from '../../src/thread/thread.ts';
import { createMemoryRecords, type MemoryRecords } from './memory-records.ts';
import { createPaperAddressees } from './paper-addressees.ts';
import { createPaperSlack } from './paper-slack.ts';
import { deployment, type Effects, storyAgent } from './story.ts';
import { ann, bob, quiet, thread } from './town.ts';
import { createVirtualClock } from './virtual-clock.ts';

export type Odds = { kill: number; pause: number; lost: number; dropped: number };
/** Rules that a test takes away, to see that it would be noticed. */
export type Without = 'compare' | 'read-back' | 'second look';

type Gate = { owner: Process; open(): void };
type Process = { dispatcher: RunningDispatcher; alive: boolean; pausedUntil: number };

/** mulberry32 */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export async function live(seed: number, odds: Odds, without?: Without): Promise<string[]> {
  const random = generator(seed);
  const clock = createVirtualClock();
  const records = createMemoryRecords(threadRecordSchema);
  const people = createMemoryRecords(personRecordSchema);
  const slack = createPaperSlack(clock, without === 'second look' ? 20_000 : 3_000);
  const store = createMemoryRunStore();
  const effects: Effects = new Map();
  const gates: Gate[] = [];
  const accepted = new Map<string, string>();
  const mistakes: string[] = [];
  let drawn = 0;
  const id = () => `id${++drawn}`;
  let calm = false;
  slack.weather = () => {
    if (calm) return undefined;
    const x = random();
    return x < odds.lost ? 'lost' : x < odds.lost + odds.dropped ? 'dropped' : undefined;
  };

  function start(): Process {
    const process: Process = { dispatcher: undefined as unknown as RunningDispatcher, alive: true, pausedUntil: 0 };
    const gate = () => new Promise<void>((open) => gates.push({ owner: process, open }));
    /** A call that leaves the process: a kill may come before it, and after it before its answer. */
    const through = <A extends unknown[], R>(call: (...args: A) => Promise<R>) => {
      return async (...args: A): Promise<R> => {
        await gate();
        try {
          return await call(...args);
        } finally {
          await gate();
        }
      };
    };
    const mine: AtomicRecords<ThreadRecord> = {
      read: through(records.read),
      swap: through(async (key, previous, next, due) => {
        const stands = without === 'compare' ? await records.read(key) : previous;
        return records.swap(key, stands, next, due);
      }),
      due: through(records.due),
      list: through(records.list),
    };
    const messenger: Messenger = {
      ...slack,
      ask: through(slack.ask),
      repaint: through(slack.repaint),
      amend: through(slack.amend),
      post: through(slack.post),
      remove: through(slack.remove),
      find: through(async (...args) => (without === 'read-back' ? undefined : slack.find(...args))),
    };
    const runs: RunStore = {
      ...store,
      load: through(store.load),
      swap: through(store.swap),
      delete: through(store.delete),
      append: through(store.append),
    };
    process.dispatcher = createDispatcher({
      records: mine,
      people: { ...people, read: through(people.read), swap: through(people.swap) },
      agent: storyAgent({ store: runs, lines: (step) => deployment[step] ?? 'More.', effects, gate, newId: id }),
      messenger,
      addressees: createPaperAddressees(clock),
      clock,
      id,
      policy: { answers: 'anyone', allowGuests: false, allowExternal: false },
      timing: { retention: 90 * 86_400_000 },
      log: quiet,
      maxRuns: 5,
    });
    return process;
  }

  let processes = [start(), start()];
  const any = () => processes[Math.floor(random() * processes.length)] as Process;

  const messages: IncomingMessage[] = ['deploy one', 'deploy two'].map((text, index) => ({
    thread,
    id: `${1_800_000_000 + index}.900000`,
    by: ann,
    text,
    mention: true,
    direct: false,
    root: index === 0,
  }));
  /** Slack sends again what was not acknowledged. */
  const unacknowledged = new Set(messages.keys());
  /** What a killed process was asked never ends; what a live one refuses is asked again. */
  const background = (work: Promise<unknown>) => void work.catch(() => {});

  function send(index: number): void {
    const message = messages[index];
    if (message)
      background(
        any()
          .dispatcher.receive(message)
          .then(() => unacknowledged.delete(index)),
      );
  }

  const clicked = new Set<string>();
  function click(): void {
    const cards = slack.standing('card').filter((m) => !m.card?.shows.settled);
    const card = cards[Math.floor(random() * cards.length)];
    const by: Person = random() < 0.5 ? ann : bob;
    const question = card?.card?.shows;
    if (!card || !question) return;
    const key = `${card.ts}:${by.id}`;
    // Both click every card; a person clicks again only what seems not to have been taken.
    if (clicked.has(key) && random() < 0.7) return;
    clicked.add(key);
    const given = question.question.options
      ? ({ kind: 'answer', options: [by === ann ? 0 : 1] } as const)
      : ({ kind: 'answer', options: [] as number[], text: by.id } as const);
    const request = { thread, question: card.id as QuestionId, by, given: { ...given, options: [...given.options] } };
    background(
      any()
        .dispatcher.answer({ ...request, cardTs: card.ts })
        .then((answered) => {
          if (answered.status === 'unknown') mistakes.push('a click found no question');
          if (answered.status !== 'accepted') return;
          const before = accepted.get(card.id);
          if (before !== undefined && before !== by.id) mistakes.push('two people were told that they had answered');
          accepted.set(card.id, by.id);
        }),
    );
  }

  async function turn(): Promise<void> {
    // Two turns of the event loop: a holder waits for one before it begins.
    for (let n = 0; n < 2; n++) await new Promise((resolve) => setImmediate(resolve));
    const open = gates.filter((gate) => gate.owner.alive && gate.owner.pausedUntil <= clock.now());
    const gate = open[Math.floor(random() * open.length)];
    if (gate && random() < 0.97) {
      gates.splice(gates.indexOf(gate), 1);
      gate.open();
    } else clock.step(2_000);
  }

  function kill(): void {
    const victim = any();
    victim.alive = false;
    processes = processes.map((process) => (process === victim ? start() : process));
  }

  async function retry(): Promise<void> {
    const { run } = (await records.read(thread))?.value ?? {};
    if (run?.phase.name === 'failed') background(any().dispatcher.retry(thread, run.runId, ann));
  }

  send(0);
  for (let i = 0; i < 400; i++) {
    const x = random();
    if (x < odds.kill) kill();
    else if (x < odds.kill + odds.pause) any().pausedUntil = clock.now() + 40_000 * random();
    else if (x < odds.kill + odds.pause + 0.06) click();
    else if (x < odds.kill + odds.pause + 0.08) send(Math.floor(random() * messages.length));
    else if (x < odds.kill + odds.pause + 0.12) background(any().dispatcher.sweep());
    else await turn();
  }
  calm = true;
  let rest = 0;
  for (let i = 0; i < 6_000 && rest < 60; i++) {
    if (i % 25 === 0) for (const index of unacknowledged) send(index);
    if (i % 20 === 0) click();
    if (i % 40 === 0) await retry();
    if (i % 30 === 0) background(any().dispatcher.sweep());
    await turn();
    const record = (await records.read(thread))?.value;
    const asks = slack.standing('card').some((m) => !m.card?.shows.settled);
    const isQuiet = record && !record.lease && !record.run && record.inbox.length === 0 && !asks;
    rest = isQuiet && unacknowledged.size === 0 ? rest + 1 : 0;
  }

  return [...mistakes, ...(await faultsOf({ records, slack, store, effects, accepted, messages }))];
}

type World = {
  records: MemoryRecords<ThreadRecord>;
  slack: ReturnType<typeof createPaperSlack>;
  store: RunStore;
  effects: Effects;
  accepted: Map<string, string>;
  messages: IncomingMessage[];
};

/** What must hold when all is quiet. */
async function faultsOf({ records, slack, store, effects, accepted, messages }: World): Promise<string[]> {
  const faults: string[] = [];
  const record = (await records.read(thread))?.value;
  if (!record) return ['the thread is lost'];
  if (record.run) faults.push(`stuck: ${record.run.phase.name}`);
  if (record.lease || record.inbox.length + record.kept.length + record.posts.length + record.strays.length > 0) {
    faults.push('something is left to do');
  }
  const transcript = await store.history(thread, 10_000_000);
  // The third holder in a row that vanished ends the run with a sentence, which asks to be asked again.
  const gaveUp = slack.standing('failure').length;
  for (const message of messages) {
    // Said while the question in words was alone, it is its answer.
    const read = transcript.filter((m) => m.content === message.text || m.content.endsWith(`: ${message.text}`)).length;
    if (read > 1 || read + gaveUp === 0) faults.push(`a message was read ${read} times`);
  }
  const called = transcript.flatMap((m) => (m.role === 'assistant' ? m.toolCalls : []));
  const results = transcript.flatMap((m) => (m.role === 'tool' ? [m] : []));
  const ids = called.map((call) => call.id);
  if (results.length !== called.length) faults.push('a call without exactly one result');
  for (const [key, times] of effects) {
    if (times > 1) faults.push(`an effect ran ${times} times: ${key}`);
  }
  if (ids.length === 0) faults.push('nothing was called');

  const runs = transcript.filter((m) => m.role === 'assistant' && m.toolCalls.length === 0).length;
  const replies = slack.standing('reply').length;
  if (replies + gaveUp < runs) faults.push(`${runs} runs, ${replies} replies, ${gaveUp} failures: silent`);
  if (replies > runs) faults.push('a reply twice');
  const posted = new Map<string, number>();
  for (const m of slack.standing()) posted.set(m.id, (posted.get(m.id) ?? 0) + 1);
  for (const [id, times] of posted) if (times > 1) faults.push(`${id} stands ${times} times in the thread`);
  for (const m of slack.standing('card')) {
    const settled = m.card?.shows.settled;
    if (!settled) faults.push('a card keeps its controls');
    const by = accepted.get(m.id);
    if (by !== undefined && settled && settled.by !== by) faults.push('an accepted answer did not stand');
  }
  return [...new Set(faults)];
}
