/**
 * `npm run torture -- --store sqlite|redis|postgres`: three replicas over a real store; threads by the hundred in which two people
 * answer every question; deliveries twice, calls to Slack lost, replicas killed (-9) and stopped for longer than a lease, the
 * store's own server killed and started again. Then all is let come to rest, and every thread is looked at.
 * `--broken`: the negative control, whose store replaces without comparing; the run must see what comes of that.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openStore } from '../../src/storage/open.ts';
import { createRecords } from '../../src/storage/records.ts';
import { createRunStore } from '../../src/storage/run-store.ts';
import { threadKind } from '../../src/thread/thread.ts';
import { optionsOf } from '../support/command-line.ts';
import { type Service, startPostgres, startRedis } from '../support/services.ts';
import { createPaperSlack } from '../thread/paper-slack.ts';
import { quickClock } from './quick-clock.ts';
import { startReplicas } from './replicas.ts';
import { type Place, visit } from './square.ts';
import { faultsOf, isAtRest } from './verdict.ts';

const values = optionsOf('torture', {
  store: { type: 'string', default: 'sqlite' },
  threads: { type: 'string', default: '200' },
  /** s of trouble. */
  seconds: { type: 'string', default: '35' },
  broken: { type: 'boolean', default: false },
});

const REPLICAS = 3;
/** The world's clock goes so much faster than the machine's: a lease of 30 s is one of 5. */
const SPEED = 6;
const LEASE = 30_000 / SPEED;
/** ms for all to come to rest when the trouble is over; without the comparing, some of it never does. */
const REST = values.broken ? 20_000 : 90_000;

const began = performance.now();
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'askback-compile-cache');
const dir = mkdtempSync(join(tmpdir(), 'askback-torture-'));
const service = await serviceOf(values.store);
const storeUrl = service?.url ?? `sqlite://${join(dir, 'torture.sqlite')}`;

async function serviceOf(store: string): Promise<Service | undefined> {
  switch (store) {
    case 'sqlite':
      return undefined;
    case 'redis':
      return startRedis();
    case 'postgres':
      return startPostgres();
    default:
      throw new Error(`--store is sqlite, redis or postgres, not ${store}.`);
  }
}

const beginning = Date.now();
const clock = quickClock(beginning, SPEED);
const slack = createPaperSlack(clock, 1_000);
slack.weather = () => {
  const odds = Math.random();
  return odds < 0.05 ? 'lost' : odds < 0.1 ? 'dropped' : odds < 0.12 ? { retryAfter: 2_000 } : undefined;
};
const effects = new Map<string, number>();
const done = { kills: 0, pauses: 0, restarts: 0, calls: 0 };

async function serve(method: string, args: unknown[]): Promise<unknown> {
  done.calls += 1;
  switch (method) {
    case 'effect': {
      const key = String(args[0]);
      effects.set(key, (effects.get(key) ?? 0) + 1);
      return undefined;
    }
    case 'ask':
    case 'repaint':
    case 'post':
    case 'amend':
    case 'remove':
    case 'find':
      return (slack[method] as (...args: unknown[]) => Promise<unknown>)(...args);
    default:
      throw new Error(`The world does not know ${method}.`);
  }
}

const replicas = startReplicas(REPLICAS, { storeUrl, beginning, speed: SPEED, broken: values.broken }, 3_000, serve);
while (!replicas.allReady()) await sleep(50);

const calm = new AbortController();
const over = new AbortController();
const seconds = Number(values.seconds);
const count = Number(values.threads);

/** Comes at random within the first two thirds of the trouble. */
async function come(index: number): Promise<Place> {
  await sleep(Math.random() * seconds * 667);
  return visit(index, { replicas, slack, now: clock.now, calm: calm.signal, over: over.signal });
}
const places = Array.from({ length: count }, (_, index) => come(index));

async function trouble(): Promise<void> {
  const end = performance.now() + seconds * 1_000;
  const restarts = service ? [0.35, 0.7].map((part) => performance.now() + part * seconds * 1_000) : [];
  while (performance.now() < end) {
    await sleep(500);
    const odds = Math.random();
    if (odds < 0.25) {
      replicas.kill();
      done.kills += 1;
    } else if (odds < 0.4) {
      replicas.pause(LEASE * (1 + Math.random() * 0.5));
      done.pauses += 1;
    }
    if (service && restarts[0] !== undefined && performance.now() > restarts[0]) {
      restarts.shift();
      await service.kill();
      await sleep(300);
      await service.start();
      done.restarts += 1;
    }
  }
}
await trouble();
calm.abort();
slack.weather = undefined;

const store = await openStore(storeUrl, { allowLossy: true });
const records = createRecords(store, threadKind);
const runs = createRunStore(store);

async function threads() {
  const keys = await records.list('', undefined, 10_000);
  return Promise.all(keys.map(async (key) => ({ key, record: (await records.read(key))?.value })));
}

async function rest(): Promise<void> {
  const end = performance.now() + REST;
  let quiet = 0;
  // Twice, some time apart: whoever was not confirmed may come again.
  while (quiet < 3 && performance.now() < end) {
    await sleep(700);
    const found = await threads();
    quiet = found.length === count && found.every(({ record }) => isAtRest(record)) ? quiet + 1 : 0;
  }
}
await rest();
over.abort();

let violations = replicas.unforeseen.length;
for (const unforeseen of replicas.unforeseen) console.log(unforeseen);
let read = 0;
for (const place of await Promise.all(places)) {
  const record = (await records.read(place.thread))?.value;
  const transcript = await runs.history(place.thread, 10_000_000);
  read += transcript.length;
  for (const fault of faultsOf(place, { record, transcript }, slack, effects)) {
    violations += 1;
    if (violations <= 20) console.log(`${place.thread}: ${fault}`);
  }
}
await replicas.close();
await store.close();
await service?.[Symbol.asyncDispose]();
rmSync(dir, { recursive: true, force: true });

const cards = slack.standing('card').length;
const elapsed = Math.round((performance.now() - began) / 1_000);
console.log(
  `${values.store}: ${count} threads, ${cards} questions, ${slack.standing('reply').length} replies, ${effects.size} effects, ` +
    `${slack.standing('failure').length} failures told, ${read} messages in transcripts; ${done.kills} kills, ` +
    `${done.pauses} pauses, ${done.restarts} restarts of the store, ${done.calls} calls; ${elapsed} s`,
);
console.log(`${violations} violations`);
process.exitCode = values.broken === violations > 0 ? 0 : 1;
