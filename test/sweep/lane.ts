/** One lane: a workspace, a model, a world to change, a store, and the bot in processes that die and are followed. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ModelServer, startModelServer } from '../../src/playground/model-server.ts';
import type { PlaygroundChannel } from '../../src/playground/protocol.ts';
import { type Playground, startPlayground } from '../../src/playground/server.ts';
import { openStore } from '../../src/storage/open.ts';
import { createRecords } from '../../src/storage/records.ts';
import { createRunStore } from '../../src/storage/run-store.ts';
import { LEASE } from '../../src/thread/lease.ts';
import type { ThreadId } from '../../src/thread/ports.ts';
import { invitationsOf, type PostRecord, type ThreadRecord, threadKind } from '../../src/thread/thread.ts';
import { isStale } from '../../src/thread/work.ts';
import { type Bots, startBots } from './bots.ts';
import { type Chapter, EXPIRY, script } from './chapters.ts';
import type { Death } from './mortal.ts';
import { createPeople } from './people.ts';
import { bot, mara, tomas } from './shown.ts';
import { type Evidence, faultsOf } from './verdict.ts';

const root = join(import.meta.dirname, '../..');
/** Slack takes a post a second in a channel; stories do not wait for each other when each has the next one. */
const CHANNELS = 8;
/** ms for a thread to come to rest when all is said. */
const REST = 40_000;

export type Told = { faults: string[]; died: boolean; ms: number };
export type Lane = Awaited<ReturnType<typeof openLane>>;

export type LaneOptions = { dir: string; storeUrl: string; elsewhere: boolean; mode: 'socket' | 'http' };

export async function openLane({ dir, storeUrl, elsewhere, mode }: LaneOptions) {
  let shift = 0;
  let isDown = false;
  const effects: string[] = [];
  const world = createServer(async (request, response) => {
    let key = '';
    for await (const part of request) key += part;
    effects.push(key);
    response.end('done');
  }).listen(0, '127.0.0.1');
  await once(world, 'listening');
  const model: ModelServer = await startModelServer({
    script: (request) => (isDown ? { type: 'error', status: 400, message: 'Not today.' } : script(request)),
  });
  const slack: Playground = await startPlayground({
    mode,
    manifest: join(root, 'manifest.yml'),
    channels: Array.from({ length: CHANNELS }, (_, i) => channelOf(i)),
    windows: { retries: [0, 1_000, 1_000, 1_000, 1_000] },
    clock: {
      now: () => Date.now() + shift,
      after(ms, fn) {
        const timer = setTimeout(fn, ms);
        return () => clearTimeout(timer);
      },
    },
  });
  const bots: Bots = await startBots({
    log: join(dir, 'bots.log'),
    shift: () => shift,
    elsewhere,
    // Elsewhere, a lease must run its time.
    onDeath: () => {
      if (elsewhere) shift += LEASE + 1_000;
    },
    env: {
      SLACK_BOT_TOKEN: slack.botToken,
      ...wayOf(slack),
      SLACK_API_URL: slack.apiUrl,
      OPENAI_BASE_URL: model.url,
      OPENAI_MODEL: 'scripted-demo',
      STORE_URL: storeUrl,
      AGENT: join(root, 'test/sweep/agent.ts'),
      WORLD_URL: `http://127.0.0.1:${(world.address() as AddressInfo).port}`,
      QUESTION_EXPIRE_AFTER: `${EXPIRY / 1_000}s`,
      LOG_LEVEL: 'debug',
    },
  });
  const store = await openStore(storeUrl);
  const records = createRecords(store, threadKind);
  const runs = createRunStore(store);
  const people = createPeople(slack);
  const team = slack.state().team.id;
  let told = 0;

  const record = async (thread: ThreadId): Promise<ThreadRecord | undefined> => (await records.read(thread))?.value;

  async function until(thread: ThreadId, isSo: (record: ThreadRecord | undefined) => boolean): Promise<void> {
    const deadline = Date.now() + REST;
    while (!isSo(await record(thread)) && Date.now() < deadline) await sleep(20);
  }

  async function pass(ms: number): Promise<void> {
    shift += ms;
    await bots.shifted();
  }

  async function later(thread: ThreadId, ms: number): Promise<void> {
    await until(thread, (found) => found?.lease === undefined);
    await pass(ms);
  }

  /** While nobody has anything to do but to wait before a second look into the thread, the world's clock goes on to it. */
  async function skipWaits(thread: ThreadId, over: AbortSignal): Promise<void> {
    while (!over.aborted) {
      const found = await record(thread);
      const now = Date.now() + shift;
      const sent = found && [...found.questions, ...found.questions.flatMap(invitationsOf), ...found.posts];
      const waits = sent && !found.lease ? sent.flatMap(waitOf) : [];
      if (waits.length > 0) await pass(Math.max(0, Math.min(...waits) - now));
      await sleep(50);
    }
  }

  /** Tells a chapter in a thread of its own. */
  async function tell(chapter: Chapter, death: Death | undefined, { fresh = false } = {}): Promise<Told> {
    const began = performance.now();
    const before = { deaths: bots.deaths(), effects: effects.length, traffic: lastTraffic() };
    await (fresh ? bots.replace(death) : bots.arm(death));
    told += 1;
    const channel = channelOf(told % CHANNELS).id;
    const naming = chapter.naming === undefined ? '' : `<@${chapter.naming}> `;
    const words = `${chapter.mention} (${told})`;
    isDown = chapter.down ?? false;
    const ts = await (chapter.opening === undefined
      ? people.say(mara, channel, `<@${bot}> ${naming}${words}`)
      : people.say(tomas, channel, chapter.opening));
    const thread = `${team}:${channel}:${ts}` as ThreadId;
    const faults: string[] = [];
    const over = new AbortController();
    const skipping = skipWaits(thread, over.signal);
    const said = [words];
    try {
      const act = async () => {
        const remark = async (as: string, text: string) => {
          said.push(text);
          await people.say(as, channel, text, ts);
          // A message that comes only after the answers begins a run of its own.
          await until(thread, (found) =>
            [...(found?.kept ?? []), ...(found?.context ?? [])].some((m) => m.text === text),
          );
        };
        const mend = () => {
          isDown = false;
        };
        await chapter.act({ people, channel, thread: ts, words, later: (ms) => later(thread, ms), remark, mend });
        await people.reads(ts, chapter.reply);
        await until(thread, isAtRest);
      };
      await Promise.race([act(), bots.failure]);
    } catch (error) {
      faults.push((error as Error).message.split('\n').slice(0, 3).join(' '));
    }
    over.abort();
    await skipping;
    const evidence: Evidence = {
      record: await record(thread),
      transcript: await runs.history(thread, 10_000_000),
      runs: await store.list('run/', undefined, 10),
      posts: people.posts(ts),
      told: people.toldSince(tomas, ts),
      effects: effects.slice(before.effects),
      warnings: slack
        .state()
        .traffic.flatMap(({ id, warning, title }) =>
          id > before.traffic && warning !== undefined ? `${title}: ${warning}` : [],
        ),
    };
    faults.push(...faultsOf(chapter, said, evidence));
    return { faults, died: bots.deaths() > before.deaths, ms: performance.now() - began };
  }

  const lastTraffic = () => slack.state().traffic.at(-1)?.id ?? 0;

  return {
    tell,
    points: bots.points,
    async close(): Promise<void> {
      await bots.close();
      await store.close();
      await slack.close();
      await model.close();
      world.closeAllConnections();
      world.close();
    },
  };
}

/** How Slack and the bot reach each other. */
function wayOf({ eventsUrl, appToken, signingSecret }: Playground): Record<string, string> {
  if (eventsUrl === undefined) return { SLACK_APP_TOKEN: appToken };
  const { hostname, port } = new URL(eventsUrl);
  return { SLACK_SIGNING_SECRET: signingSecret, HOST: hostname, PORT: port };
}

const channelOf = (index: number): PlaygroundChannel => ({
  id: `C0SWEEP${String(index).padStart(3, '0')}`,
  name: `sweep-${index}`,
  kind: 'channel',
  members: [mara, tomas, bot],
});

const waitOf = ({ sending }: Pick<PostRecord, 'sending'>): number[] =>
  sending.state === 'sent' && sending.looks > 0 ? [sending.retry.at] : [];

function isAtRest(record: ThreadRecord | undefined): boolean {
  return record !== undefined && !record.run && !record.lease && !record.questions.some(isStale);
}
