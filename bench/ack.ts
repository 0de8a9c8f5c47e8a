/** How long a click and an event wait for their ack, beside a bare Bolt listener, which saves nothing. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openStore } from '../src/storage/open.ts';
import { type Folder, temporaryFolder } from './process.ts';
import { median, quantile, type Row, rounded, type Section } from './report.ts';
import { type Bot, click, clickOn, type Mode, mention, type SlackSide, startSlackSide } from './slack-side.ts';

const EACH = 60;
type Times = { events: number[]; clicks: number[] };

export async function ack(rounds: number): Promise<Section> {
  const rows: Row[] = [];
  for (const mode of ['socket', 'http'] as const) rows.push(...(await inMode(mode, rounds)));
  return {
    title: 'Ack: from sending to the ack, ms, one at a time',
    rows,
    notes: [
      `${EACH} of each in each of ${rounds} rounds, bare Bolt, the bot and the store in turn.`,
      'Bare Bolt acks an event before it has looked at it, and saves nothing. Askback acks when the event or the answer is in its mailbox, on disk.',
      'aim: 1.5 times bare Bolt, and one write of the store.',
    ],
  };
}

async function inMode(mode: Mode, rounds: number): Promise<Row[]> {
  using folder = temporaryFolder();
  const bare: Times = { events: [], clicks: [] };
  const ours: Times = { events: [], clicks: [] };
  const writes: number[] = [];
  // Each its own Slack: in Socket Mode Slack would give an envelope to either.
  await using bareSide = await startSlackSide(mode);
  await using side = await startSlackSide(mode);
  const bareBolt = await bareSide.start('bare-bolt');
  const bot = await side.start('bot', { STORE_URL: `sqlite://${join(folder.path, 'bot.sqlite')}` });
  try {
    for (let round = -1; round < rounds; round++) {
      const into = <T extends object>(times: T): T => (round < 0 ? { ...times, events: [], clicks: [] } : times); // the first warms up
      await measureBare(bareSide, bareBolt, into(bare), round);
      await measureBot(side, bot, into(ours), round);
      if (round >= 0) writes.push(...(await writeTimes(folder)));
    }
  } finally {
    await Promise.all([bareBolt.end(), bot.end()]);
  }
  const write = { p50: median(writes), p99: quantile(writes, 0.99) };
  const row = (what: string, bareTimes: number[], times: number[]): Row => {
    const [b50, b99] = [median(bareTimes), quantile(bareTimes, 0.99)];
    return {
      what: `${what}, ${mode}`,
      'bare p50': rounded(b50),
      'write p50': rounded(write.p50),
      'aim p50': rounded(1.5 * b50 + write.p50),
      'Askback p50': rounded(median(times)),
      'bare p99': rounded(b99),
      'write p99': rounded(write.p99),
      'aim p99': rounded(1.5 * b99 + write.p99),
      'Askback p99': rounded(quantile(times, 0.99)),
    };
  };
  return [row('event', bare.events, ours.events), row('click', bare.clicks, ours.clicks)];
}

async function measureBare(side: SlackSide, bolt: Bot, times: Times, round: number): Promise<void> {
  for (let n = 0; n < EACH; n++) {
    const channel = `C${round + 1}X${n}`;
    times.events.push(await side.deliver(mention({ channel, ts: '100.000001', text: 'deploy' }), bolt));
    const control = {
      ...{ channel, thread: '100.000001', ts: '101.000001' },
      ...{ blockId: 'a block', actionId: 'an action', user: 'U1' },
    };
    times.clicks.push(await side.deliver(clickOn(control), bolt));
  }
}

async function measureBot(side: SlackSide, bot: Bot, times: Times, round: number): Promise<void> {
  for (let n = 0; n < EACH; n++) {
    const channel = `C${round + 1}X${n}`;
    const card = side.nextPost(channel);
    times.events.push(await side.deliver(mention({ channel, ts: '100.000001', text: 'deploy' }), bot));
    const shown = await card;
    await sleep(15); // what is still to be written about the card
    const reply = side.nextPost(channel);
    times.clicks.push(await side.deliver(click(shown), bot));
    await reply;
    await sleep(15);
  }
}

/** Reading a record of a mailbox's size and writing it again, which is what saving costs. */
async function writeTimes({ path }: Folder): Promise<number[]> {
  const store = await openStore(`sqlite://${join(path, 'writes.sqlite')}`);
  const record = (n: number) => JSON.stringify({ value: { n, text: 'x'.repeat(2_000) } });
  const times: number[] = [];
  await store.set('record', record(-1));
  for (let n = 0; n < EACH; n++) {
    const begun = performance.now();
    const found = await store.get<string>('record');
    await store.swap('record', String(found), record(n));
    times.push(performance.now() - begun);
    await sleep(2);
  }
  await store.close();
  return times;
}
