/**
 * The real bot, in a process that dies where it is told to. It loads everything, then waits to be opened, so that the process
 * that takes over after a kill is there at once.
 */
import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { type App, createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { strangers } from '../../src/thread/holders.ts';
import type { Clock } from '../../src/thread/ports.ts';
import { createMortal, type Death, mortalFetch, mortalHttp, mortalStore, type Point } from './mortal.ts';

/** `shift`: ms that the world's clock is ahead of the machine's. `elsewhere`: as on another machine, which knows nothing of the dead. */
export type Order =
  | { do: 'open'; env: Record<string, string>; log: string; shift: number; elsewhere: boolean; death?: Death }
  | { do: 'arm'; death?: Death }
  | { do: 'points' }
  | { do: 'shift'; shift: number };
export type Report = { done: 'loaded' | Order['do']; points?: Point[] } | { failed: string };

const mortal = createMortal();
let shift = 0;
let app: App | undefined;

const clock: Clock = {
  now: () => Date.now() + shift,
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const woken = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', woken);
        resolve();
      };
      const timer = setTimeout(woken, ms);
      signal?.addEventListener('abort', woken);
    }),
};

const report = (message: Report) => process.send?.(message);

async function open(order: Extract<Order, { do: 'open' }>): Promise<void> {
  const { env } = order;
  shift = order.shift;
  mortal.arm(order.death);
  Object.assign(process.env, { WORLD_URL: env.WORLD_URL });
  const named: [prefix: string, name: (path: string) => string][] = [
    [env.SLACK_API_URL ?? '', (path) => path],
    [env.OPENAI_BASE_URL ?? '', () => 'model'],
    [env.WORLD_URL ?? '', (path) => path.replace(/^\/effect\//, 'effect ')],
  ];
  const nameOf = ({ href }: URL) => {
    const [prefix, name] = named.find(([start]) => href.startsWith(start)) ?? [];
    return prefix === undefined ? undefined : name?.(href.slice(prefix.length));
  };
  globalThis.fetch = mortalFetch(globalThis.fetch, mortal, nameOf);
  mortalHttp(mortal, nameOf);
  const config = readConfig(env);
  const log = pino(
    { level: config.logLevel, base: { pid: process.pid } },
    pino.destination({ dest: order.log, sync: true }),
  );
  app = await createApp(config, {
    log,
    clock,
    around: (store) => mortalStore(store, mortal),
    ...(order.elsewhere && { holders: strangers(randomUUID) }),
  });
  void app.fatal.then((reason) => report({ failed: reason }));
  await app.start();
}

async function obey(order: Order): Promise<Report> {
  switch (order.do) {
    case 'open':
      await open(order);
      return { done: 'open' };
    case 'arm':
      mortal.arm(order.death);
      return { done: 'arm' };
    case 'points':
      return { done: 'points', points: mortal.points() };
    case 'shift':
      shift = order.shift;
      return { done: 'shift' };
    default:
      return order satisfies never;
  }
}

process.on('message', (order: Order) => {
  obey(order).then(report, (error: unknown) => {
    report({ failed: String(error) });
    process.exit(1);
  });
});
// Whoever runs the sweep is gone: nothing is left behind.
process.on('disconnect', () => process.exit(0));
report({ done: 'loaded' });
