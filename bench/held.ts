/** What suspended runs cost the process that waits for them: memory, boot, the click that answers one; and what a step writes. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { residentMB, temporaryFolder } from './process.ts';
import { median, quantile, type Row, rounded, type Section } from './report.ts';
import { clickOn, startSlackSide } from './slack-side.ts';
import { stepBytes } from './step-bytes.ts';
import { copyOf, fillSqlite, makeTemplate, type Template } from './suspended.ts';

const MANY = 100_000;
const CLICKS = 10;

type Boot = { readyMs: number; rss: number; clicks: number[] };

export async function held(rounds: number): Promise<Section> {
  using folder = temporaryFolder();
  const template = await makeTemplate();
  const rows: Row[] = [];
  let empty = 0;
  for (const count of [0, CLICKS * rounds, MANY]) {
    const file = join(folder.path, `${count}.sqlite`);
    await fillSqlite(file, template, count);
    const { size } = statSync(file);
    if (count === 0) empty = size;
    const boots: Boot[] = [];
    for (let round = 0; round < rounds; round++) boots.push(await boot(file, template, count, round));
    const clicks = boots.flatMap((each) => each.clicks);
    rows.push({
      what: `${count} suspended`,
      'ready ms': rounded(median(boots.map(({ readyMs }) => readyMs))),
      'RSS MB': rounded(median(boots.map(({ rss }) => rss))),
      'click p50 ms': clicks.length > 0 ? rounded(median(clicks)) : '',
      'click p95 ms': clicks.length > 0 ? rounded(quantile(clicks, 0.95)) : '',
      'file MB': rounded(size / 2 ** 20),
      'bytes each': count === 0 ? '' : Math.round((size - empty) / count),
    });
  }
  rows.push(...(await stepBytes()));
  return {
    title: 'Held: suspended runs and their threads on SQLite, and what a step writes',
    rows,
    notes: [
      `${rounds} boots of the real bot per store, ${CLICKS} clicks in each, one at a time; the first click of a process is among them. Medians.`,
      'ready: from the start of the process until Slack is connected. bytes each: run, mailbox and transcript of a thread with one exchange before, indexes and all.',
      'A step: what the agent writes to the store for one model call with a tool and its result, as the records’ bytes.',
    ],
  };
}

async function boot(file: string, template: Template, count: number, round: number): Promise<Boot> {
  await using side = await startSlackSide('socket');
  const bot = await side.start('bot', { STORE_URL: `sqlite://${file}` });
  await sleep(2_500); // two sweeps
  const rss = residentMB(bot.pid);
  const clicks: number[] = [];
  for (let n = 0; n < (count === 0 ? 0 : CLICKS); n++) {
    // Spread over the store; never the same one twice.
    const step = Math.floor(count / CLICKS);
    const { control } = copyOf(template, n * step + (round % step));
    const reply = side.nextPost(control.channel);
    clicks.push(await side.deliver(clickOn(control), bot));
    await reply;
    await sleep(15);
  }
  await bot.end();
  return { readyMs: bot.readyMs, rss, clicks };
}
