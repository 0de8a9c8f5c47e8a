/** Many people answer at once: clicks at a steady rate that does not wait for the acks, on one process and on three. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { has, startPostgres, startRedis } from '../test/support/services.ts';
import { temporaryFolder } from './process.ts';
import { quantile, type Row, rounded, type Section } from './report.ts';
import { type Bot, type Control, clickOn, DEADLINE, type SlackSide, startSlackSide } from './slack-side.ts';
import { copyOf, fillServer, fillSqlite, makeTemplate, type Template } from './suspended.ts';

const RATE = 200;
/** ms without any reply after which no more are expected. */
const PATIENCE = 10_000;

export async function load(_rounds: number, seconds: number): Promise<Section> {
  const template = await makeTemplate();
  const count = RATE * seconds;
  const rows: Row[] = [];
  {
    using folder = temporaryFolder();
    const file = join(folder.path, 'load.sqlite');
    await fillSqlite(file, template, count);
    rows.push(await underLoad('one process, SQLite', `sqlite://${file}`, 1, template, count));
  }
  for (const [name, start] of [
    ['redis', startRedis],
    ['postgres', startPostgres],
  ] as const) {
    if (!has[name]) continue;
    await using server = await start();
    await fillServer(server.url, template, count);
    rows.push(await underLoad(`three processes, ${name}`, server.url, 3, template, count));
  }
  return {
    title: `Load: ${RATE} clicks a second for ${seconds} s, each on a question of its own`,
    rows,
    notes: [
      'ack ms from when a click was due, so that a late sender counts against it. refused: people who were told that their answer did not count, because Slack did not say in time who they are. lost: answers without exactly one reply of which nobody was told anything.',
      'settled: s after the last click until the last reply was posted. The clicks, and the Slack that takes every call of the bots, are one process on the same machine.',
      'cpu ms: of the bots, per click with all that its run costs. The server of the store, Slack and the clicks come on top.',
      ...(has.redis && has.postgres ? [] : ['Redis or PostgreSQL is not installed here and was left out.']),
    ],
  };
}

async function underLoad(
  what: string,
  storeUrl: string,
  processes: number,
  template: Template,
  count: number,
): Promise<Row> {
  await using side = await startSlackSide('http');
  const bots = await Promise.all(Array.from({ length: processes }, () => side.start('bot', { STORE_URL: storeUrl })));
  try {
    await sleep(1_500);
    const cpuBefore = await cpuOf(bots);
    const controls = Array.from({ length: count }, (_, n) => copyOf(template, n).control);
    const outcomes = await clicks(side, bots, controls);
    const ended = performance.now();
    await allReplied(side, count);
    const settled = (performance.now() - ended) / 1_000;
    const cpu = (await cpuOf(bots)) - cpuBefore;
    const acks = outcomes.filter((ms): ms is number => typeof ms === 'number');
    const replies = Map.groupBy(side.posts, ({ channel }) => channel);
    const refused = new Set(side.slack.called('chat.postEphemeral').map(({ channel }) => channel));
    const lost = controls.filter(({ channel }) => replies.get(channel)?.length !== 1 && !refused.has(channel));
    const row: Row = {
      what,
      clicks: count,
      'ack p50': rounded(quantile(acks, 0.5)),
      'ack p99': rounded(quantile(acks, 0.99)),
      'ack max': rounded(quantile(acks, 1)),
      'over 3 s': outcomes.filter((ms) => ms === undefined || ms > DEADLINE).length,
      refused: refused.size,
      lost: lost.length,
      'settled s': rounded(settled),
      'cpu ms': rounded(cpu / count),
    };
    console.error(JSON.stringify(row)); // these take minutes: what is known is told
    return row;
  } finally {
    await Promise.all(bots.map((bot) => bot.end()));
  }
}

/** ms of the processor that these processes have used, all threads together. */
async function cpuOf(bots: Bot[]): Promise<number> {
  const used = await Promise.all(bots.map((bot) => bot.ask<NodeJS.CpuUsage>('cpu', 'cpu')));
  return used.reduce((sum, { user, system }) => sum + (user + system) / 1_000, 0);
}

/** Each in turn to the next process, when it is due, whatever became of those before. undefined: no ack at all. */
async function clicks(side: SlackSide, bots: Bot[], controls: Control[]): Promise<(number | undefined)[]> {
  const begun = performance.now();
  const sent: Promise<number | undefined>[] = [];
  for (const [n, control] of controls.entries()) {
    const due = begun + (n * 1_000) / RATE;
    const wait = due - performance.now();
    if (wait > 0) await sleep(wait);
    const late = Math.max(0, performance.now() - due);
    const bot = bots[n % bots.length] as Bot;
    sent.push(
      side.deliver(clickOn(control), bot, 60_000).then(
        (ms) => ms + late,
        () => undefined,
      ),
    );
  }
  return await Promise.all(sent);
}

/** Until every answer has its reply, or nothing has come for a while. */
async function allReplied(side: SlackSide, count: number): Promise<void> {
  for (let had = -1; side.posts.length < count && side.posts.length > had; ) {
    had = side.posts.length;
    for (let waited = 0; side.posts.length < count && waited < PATIENCE; waited += 50) await sleep(50);
  }
  await sleep(1_000); // what comes twice would come now
}
