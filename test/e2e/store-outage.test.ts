/** A store that goes away under a bot at work and returns: the bot comes back by itself, and nothing is lost or done twice. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import type { Script } from '../../src/playground/model-server.ts';
import { has, type Service, startPostgres, startRedis } from '../support/services.ts';
import { asking, options } from './asking.ts';
import { startTalk, talkOf } from './talk.ts';
import { PATIENCE, startWorld, type World } from './world.ts';

/** ms: longer than a click's ack and than what the store is asked again in one go. */
const OUTAGE = 8_000;

type Outage = { storeUrl?: string; begin(world: World): Promise<void>; end(): Promise<void> } & AsyncDisposable;

async function serverOutage(start: () => Promise<Service>): Promise<Outage> {
  const service = await start();
  return {
    storeUrl: service.url,
    begin: () => service.kill(),
    end: () => service.start(),
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
}

/** Another process that writes and does not come to its end. */
async function lockedFile(): Promise<Outage> {
  let other: DatabaseSync | undefined;
  return {
    async begin({ dir }) {
      other = new DatabaseSync(join(dir, 'askback.sqlite'), { timeout: 5_000 });
      other.exec('BEGIN IMMEDIATE');
    },
    async end() {
      other?.exec('ROLLBACK');
    },
    async [Symbol.asyncDispose]() {
      other?.close();
    },
  };
}

test.concurrent.for<[string, boolean, () => Promise<Outage>]>([
  ['SQLite, locked by another', true, lockedFile],
  ['Redis, killed and started again', has.redis, () => serverOutage(startRedis)],
  ['Postgres, killed and started again', has.postgres, () => serverOutage(startPostgres)],
])('%s', async ([, installed, open], { skip }) => {
  if (!installed) return skip('its server is not installed');
  await using outage = await open();
  const { storeUrl } = outage;
  const away = Promise.withResolvers<void>();
  let isAsked = false;
  const script: Script = async (request) => {
    if (!JSON.stringify(request.messages).includes('take your time')) return asking(request);
    isAsked = true;
    await away.promise;
    return asking(request);
  };
  await using world = await startWorld({
    script,
    windows: { retries: [500, 6_000, 6_000, 6_000] },
    ...(storeUrl !== undefined && { storeUrl }),
  });
  const asked = { question: 'Where to?', options: options('staging', 'production') };
  const waiting = await talkOf(world, world.place(), asked);
  const card = await waiting.card();
  await sleep(1_000);
  const running = await startTalk(world, world.place(), 'take your time');
  await vi.waitUntil(() => isAsked, { timeout: PATIENCE });

  await outage.begin(world);
  away.resolve();
  const began = Date.now();
  const unheard = await startTalk(world, world.place(), 'is anybody there?');
  expect(await waiting.click(card, 'production')).toMatchObject({ ok: true });
  await waiting.told('could not save that');
  expect(world.slack.state().bot.state).toBe('running');
  await sleep(Math.max(0, OUTAGE - (Date.now() - began)));
  // At most a preview, which delivers nothing.
  expect([...running.posts(), ...unheard.posts()].filter(({ streaming }) => !streaming)).toEqual([]);
  await outage.end();

  await unheard.reads('Said: is anybody there?');
  await running.reads('Said: take your time');
  const isSettled = () => world.posts(waiting.thread).some(({ text }) => text.includes('Heard'));
  // What was told not to be saved is done again, until it is; it may have been saved after all.
  const again = async () => {
    if (!isSettled()) await waiting.click(card, 'production');
    return isSettled();
  };
  await vi.waitUntil(again, { timeout: PATIENCE, interval: 500 });
  await waiting.reads('Heard: User selected: production');
  await waiting.receipt(card);
  await world.slack.wait((s) => s.bot.state === 'running', { what: 'the same bot', timeoutMs: PATIENCE });
  for (const talk of [unheard, running]) expect(talk.posts()).toHaveLength(1);
  expect(waiting.posts()).toHaveLength(2);
  expect(world.log().filter((line) => line.includes('The bot ended'))).toEqual([]);
});
