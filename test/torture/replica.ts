/** One replica: the real dispatcher, agent and store in a process of their own; Slack, the model and the world are quick doubles. */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { Agent } from '../../src/agent/agent.ts';
import type { Message } from '../../src/agent/messages.ts';
import type { Model } from '../../src/agent/model.ts';
import { askUserTool, createTool } from '../../src/agent/tools.ts';
import { createHolders } from '../../src/holder-process.ts';
import { openStore } from '../../src/storage/open.ts';
import { createRecords } from '../../src/storage/records.ts';
import { createRunStore } from '../../src/storage/run-store.ts';
import type { Store } from '../../src/storage/store.ts';
import { createDispatcher } from '../../src/thread/dispatcher.ts';
import type { AnswerRequest, IncomingMessage } from '../../src/thread/dispatcher-api.ts';
import { personRecordSchema } from '../../src/thread/home-index.ts';
import type { Delivery, Messenger, Person, ThreadId } from '../../src/thread/ports.ts';
import { threadKind } from '../../src/thread/thread.ts';
import { createPaperAddressees } from '../thread/paper-addressees.ts';
import { deployment } from '../thread/story.ts';
import { quickClock } from './quick-clock.ts';
import { createWire } from './wire.ts';

export type ReplicaSettings = { storeUrl: string; beginning: number; speed: number; broken: boolean };

const settings = JSON.parse(process.argv[2] ?? '') as ReplicaSettings;
const clock = quickClock(settings.beginning, settings.speed);
/** As long as the real client waits for Slack. */
const PATIENCE = 10_000 / settings.speed;
const pause = () => clock.sleep(Math.random() * 300);

/** The negative control: whatever is stored now is replaced. */
function withoutCompare(store: Store): Store {
  return {
    ...store,
    async swap(key, _, next, due) {
      const stands = await store.get<string>(key);
      return store.swap(key, typeof stands === 'string' ? stands : undefined, next, due);
    },
  };
}

/** A store that is away when a replica starts is waited for, as a supervisor would by starting it again. */
async function open(): Promise<Store> {
  for (let tries = 0; ; tries++) {
    try {
      return await openStore(settings.storeUrl, { allowLossy: true });
    } catch (error) {
      if (tries === 200) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

const opened = await open();
const store = settings.broken ? withoutCompare(opened) : opened;

const world = createWire(
  {
    send: (frame) => void process.send?.(frame, undefined, undefined, () => {}),
    listen: (heard) => void process.on('message', heard),
  },
  (method, args) => serve(method, args),
  PATIENCE,
);

/** No answer is no proof: the call may have been heard. */
const slack = (method: string, ...args: unknown[]): Promise<Delivery> =>
  world
    .call(method, args)
    .then((delivery) => delivery as Delivery)
    .catch((error: unknown) => ({ ok: false, error: 'ambiguous', reason: String(error) }));

const messenger: Messenger = {
  ask: (question, options) => slack('ask', question, options),
  repaint: (question, ts) => slack('repaint', question, ts),
  post: (thread, post) => slack('post', thread, post),
  amend: (thread, post, ts) => slack('amend', thread, post, ts),
  remove: (thread, ts) => slack('remove', thread, ts),
  find: (thread, id, since) => world.call('find', [thread, id, since]) as Promise<string | undefined>,
  whisper: async () => {},
  status: async () => {},
  split: (text) => [text],
};

/** Steps with calls since the last reply. */
function stepOf(messages: Message[]): number {
  const replied = messages.findLastIndex((m) => m.role === 'assistant' && m.toolCalls.length === 0);
  return messages.slice(replied + 1).filter((m) => m.role === 'assistant').length;
}

const model: Model = {
  async *stream({ messages, signal }) {
    await pause();
    signal.throwIfAborted();
    const line = deployment[stepOf(messages)] ?? 'Nothing more.';
    if (typeof line === 'string') yield { type: 'text-delta', text: line };
    else if (Array.isArray(line))
      for (const { name, args } of line) yield { type: 'tool-call', name, arguments: JSON.stringify(args) };
    yield { type: 'finish', finishReason: 'stop' };
  },
};

const deploy = createTool({
  id: 'deploy',
  description: 'Changes the world.',
  inputSchema: z.object({}),
  async execute(_, { thread, runId, toolCallId }) {
    await pause();
    await world.call('effect', [`${thread} ${runId}/${toolCallId}`]);
    await pause();
    return 'done';
  },
});

const runs = createRunStore(store);
const dispatcher = createDispatcher({
  records: createRecords(store, threadKind),
  people: createRecords(store, { kind: 'person', schema: personRecordSchema, version: 1 }),
  agent: new Agent({
    id: 'torture',
    name: 'Torture',
    instructions: 'Follow the script.',
    model,
    tools: { deploy, askUserTool },
    store: runs,
  }),
  messenger,
  addressees: createPaperAddressees(clock),
  clock,
  id: randomUUID,
  holders: createHolders(randomUUID),
  policy: { answers: 'anyone', allowGuests: false, allowExternal: false },
  timing: { retention: 90 * 86_400_000 },
  maxRuns: 60,
  // Late as often as not: there is less room than work.
  pulse(ms, beat) {
    const timer = setInterval(() => beat(Math.random() < 0.3 ? 100 : 0), ms);
    return () => clearInterval(timer);
  },
  forgetThread: (thread) => runs.forgetThread(thread),
  log: { debug() {}, info() {}, warn() {}, error() {} },
});

async function serve(method: string, args: unknown[]): Promise<unknown> {
  switch (method) {
    case 'receive':
      return dispatcher.receive(args[0] as IncomingMessage);
    case 'answer':
      return dispatcher.answer(args[0] as AnswerRequest);
    case 'retry':
      return dispatcher.retry(args[0] as ThreadId, args[1] as string, args[2] as Person);
    default:
      throw new Error(`A replica does not know ${method}.`);
  }
}

// Whoever runs the torture is gone: nothing is left behind.
process.on('disconnect', () => process.exit(0));
dispatcher.start();
await world.call('ready', []);
