/** The whole of it for end-to-end tests: a playground, a scripted model server, and the real bot as a process of its own. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { vi } from 'vitest';
import { type Script, startModelServer } from '../../src/playground/model-server.ts';
import type {
  Action,
  Done,
  PlaygroundChannel,
  PlaygroundMessage,
  PlaygroundUser,
  Snapshot,
  Traffic,
} from '../../src/playground/protocol.ts';
import { type PlaygroundOptions, startPlayground } from '../../src/playground/server.ts';
import { asking } from './asking.ts';

export const team = 'T0HARBOR01';
export const mara = 'U0MARA0001';
export const tomas = 'U0TOMAS001';
export const imani = 'U0IMANI001';
/** One who reads English, unlike the guest whom the workspace has. */
export const guest = 'U0VISITOR1';
/** Of another organisation. */
export const petra = 'U0OTHER001';
export const shipbot = 'U0DEPLOY01';
export const bot = 'U0ASKBACK1';
export const deployments = 'C0DEPLOYS1';

export const root = join(import.meta.dirname, '../..');
/**
 * ms that anything may take on a machine that is busy with other suites. A lease of a process that was killed lasts 30 s, and
 * Slack waits a minute before it sends for the third time what was not acked twice.
 */
export const PATIENCE = 90_000;

/** A test's own person and channel: Slack takes one post a second in a channel, and tests that share a world do not share it. */
export type Place = { as: string; channel: string };

export type WorldOptions = Omit<PlaygroundOptions, 'bot'> & {
  /** Default: `asking`. */
  script?: Script;
  /** More of the bot's environment. */
  env?: Record<string, string>;
  storeUrl?: string;
  /** Waits until the bot runs; false: what comes of its start is the test's own matter. */
  awaitBot?: boolean;
  /** How many people and channels there are besides those of the workspace, for `place`. */
  places?: number;
};

export type World = Awaited<ReturnType<typeof startWorld>>;

export async function startWorld({
  script = asking,
  env,
  storeUrl,
  awaitBot = true,
  places: count = 40,
  ...options
}: WorldOptions = {}) {
  const dir = mkdtempSync(join(tmpdir(), 'askback-e2e-'));
  const file = join(dir, 'askback.sqlite');
  const places = newPlaces(count);
  const model = await startModelServer({ script });
  const slack = await startPlayground({
    ...options,
    people: [visitor, ...places.people, ...(options.people ?? [])],
    channels: [...places.channels, ...(options.channels ?? [])],
    manifest: options.manifest ?? join(root, 'manifest.yml'),
    bot: {
      ...botCommand,
      env: {
        PATH: process.env.PATH,
        OPENAI_BASE_URL: model.url,
        OPENAI_MODEL: 'scripted-demo',
        STORE_URL: storeUrl ?? `sqlite://${file}`,
        LOG_LEVEL: 'debug',
        ...env,
      },
    },
  });
  const act = async (action: Action): Promise<Done & { ok: true }> => {
    const done = await slack.do(action);
    if (!done.ok) throw new Error(`${action.do} as ${action.as} was refused: ${done.error}`);
    return done;
  };
  const bots = async (command: 'start' | 'stop' | 'kill') => {
    await act({ do: 'bot', as: mara, command });
  };
  const up = () => slack.wait((s) => s.bot.state === 'running', { what: 'the bot to run', timeoutMs: PATIENCE });
  if (awaitBot) await up();

  return {
    slack,
    model,
    dir,
    act,
    up,
    /** The next one that no other test of this world has. */
    place(): Place {
      const next = places.free.shift();
      if (!next) throw new Error(`More than ${count} places are asked for: let startWorld make more.`);
      return next;
    },
    /** The bot's visible messages in a thread, oldest first. */
    posts: (thread: string) => postsIn(slack.state(), thread),
    /** Says it, and gives the message's ts. */
    async say(
      text: string,
      { as = mara, channel = deployments, thread }: { as?: string; channel?: string; thread?: string } = {},
    ) {
      const { ts } = await act({ do: 'say', as, channel, text, ...(thread && { thread_ts: thread }) });
      return ts as string;
    },
    /** Resolves when the bot has acked the event of this message: it is saved, or none of the bot's business. */
    async heard(ts: string): Promise<void> {
      const isIt = ({ kind, ok, request }: Traffic) => kind === 'event' && ok && isEventOf(request, ts);
      await slack.wait((s) => s.traffic.some(isIt), { what: `an ack of message ${ts}`, timeoutMs: PATIENCE });
    },
    /** A message of the bot's in the thread that this says yes to. */
    sees: (thread: string, what: string, predicate: (message: PlaygroundMessage) => boolean, timeoutMs = PATIENCE) =>
      slack.wait((s) => postsIn(s, thread).find(predicate), { what: `in the thread: ${what}`, timeoutMs }),
    /** What this person alone was told. */
    whispers: (to: string) => slack.state().messages.filter((m) => m.ephemeralTo === to),
    /** Resolves when no process holds the thread: all that was to be done is done and written. */
    async atRest(channel: string, thread: string): Promise<void> {
      const key = `thread/${team}:${channel}:${thread}`;
      const held = () => JSON.stringify(readRecord(file, key)).includes('"lease"');
      // Not `expect.poll`: concurrent tests share one expect.
      await vi.waitUntil(() => !held(), { timeout: PATIENCE, interval: 50 });
    },
    stop: () => bots('stop'),
    kill: () => bots('kill'),
    async start() {
      await bots('start');
      await up();
    },
    /** The bot's own log lines; one process after another. */
    log: () => slack.state().bot.log,
    warnings: () => slack.state().traffic.flatMap((line) => (line.warning ? [`${line.title}: ${line.warning}`] : [])),
    async [Symbol.asyncDispose]() {
      await slack.close();
      await model.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

const visitor: PlaygroundUser = {
  id: guest,
  name: 'visitor',
  realName: 'Val Visitor',
  color: '#555555',
  tz: 'Europe/London',
  locale: 'en-GB',
  isGuest: true,
};

/** The product's own way to start, without npm between. */
export const botCommand = {
  command: process.execPath,
  args: ['--import', './src/require-node24.js', 'src/main.ts'],
  cwd: root,
};

function newPlaces(count: number): { people: PlaygroundUser[]; channels: PlaygroundChannel[]; free: Place[] } {
  const numbers = Array.from({ length: count }, (_, index) => String(index + 1).padStart(2, '0'));
  const free = numbers.map((n) => ({ as: `U0PLACE0${n}`, channel: `C0PLACE0${n}` }));
  const others = [mara, tomas, imani, guest, petra, shipbot, bot];
  return {
    free: [...free],
    people: free.map(({ as }, index) => ({
      id: as,
      name: `person${numbers[index]}`,
      realName: `Person ${numbers[index]}`,
      color: '#555555',
      tz: 'Europe/London',
      locale: 'en-GB',
    })),
    channels: free.map(({ as, channel }, index) => ({
      id: channel,
      name: `place-${numbers[index]}`,
      kind: 'channel',
      members: [as, ...others],
    })),
  };
}

function isEventOf(request: Traffic['request'], ts: string): boolean {
  return (request as { event?: { ts?: string } } | undefined)?.event?.ts === ts;
}

const postsIn = (s: Snapshot, thread: string) =>
  s.messages.filter((m) => (m.thread_ts ?? m.ts) === thread && m.user === bot && m.ephemeralTo === undefined);

/** What the store's file has under this key, whoever has it open. */
export function readRecord(file: string, key: string): unknown {
  const db = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
  try {
    const row = db.prepare('SELECT value FROM records WHERE key = ?').get(key);
    return row === undefined ? undefined : (JSON.parse(String(row.value)) as { value: unknown }).value;
  } finally {
    db.close();
  }
}
