/** The whole way: a mention, its card, a click, its reply; the real bot in a process of its own, the playground, a model server. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startModelServer } from '../src/playground/model-server.ts';
import { type Playground, startPlayground } from '../src/playground/server.ts';
import type { Counts } from './counted-store.ts';
import { question } from './job.ts';
import { root, startWorker, temporaryFolder, type Worker } from './process.ts';
import { quantile, type Row, rounded, type Section } from './report.ts';

const EXCHANGES = 20;
const mara = 'U0MARA0001';
const botUser = 'U0ASKBACK1';

type Measured = { ms: number; writes: number; bytes: number; model: number; slack: Record<string, number> };

export async function path(): Promise<Section> {
  using folder = temporaryFolder();
  const model = await startModelServer({
    script: ({ messages }) => {
      const told = messages.at(-1)?.role === 'tool';
      return told
        ? { type: 'answer', text: 'Deploying now.' }
        : { type: 'answer', calls: [{ name: 'ask_user', arguments: question }] };
    },
  });
  // A channel each: Slack takes one post a second in a channel, and the bot waits for that.
  const channels = Array.from({ length: EXCHANGES }, (_, n) => `C0BENCH${String(n).padStart(3, '0')}`);
  const slack = await startPlayground({
    manifest: join(root, 'manifest.yml'),
    channels: channels.map((id) => ({ id, name: id.toLowerCase(), kind: 'channel', members: [mara, botUser] })),
  });
  const bot = startWorker('bench/bot.ts', {
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_APP_TOKEN: slack.appToken,
    SLACK_API_URL: slack.apiUrl,
    OPENAI_BASE_URL: model.url,
    OPENAI_MODEL: 'scripted-demo',
    STORE_URL: `sqlite://${join(folder.path, 'bot.sqlite')}`,
  });
  await bot.says('ready');

  async function measured(act: () => Promise<number>): Promise<Measured> {
    const before = await standing(bot);
    const calls = slack.calls().length;
    const asked = model.requests.length;
    const ms = await act();
    const after = await standing(bot);
    const made: Record<string, number> = {};
    for (const { method } of slack.calls().slice(calls)) made[method] = (made[method] ?? 0) + 1;
    const [writes, bytes] = [after.writes - before.writes, after.bytes - before.bytes];
    return { ms, writes, bytes, model: model.requests.length - asked, slack: made };
  }

  const asked: Measured[] = [];
  const answered: Measured[] = [];
  for (const channel of channels) {
    let thread = '';
    asked.push(
      await measured(async () => {
        const begun = performance.now();
        const said = await slack.do({ do: 'say', as: mara, channel, text: `<@${botUser}> deploy the service` });
        if (!said.ok || said.ts === undefined) throw new Error('The mention was refused.');
        thread = said.ts;
        await posts(slack, thread, 1);
        return performance.now() - begun;
      }),
    );
    answered.push(
      await measured(async () => {
        const begun = performance.now();
        await pick(slack, channel, thread);
        await posts(slack, thread, 2);
        return performance.now() - begun;
      }),
    );
  }
  await bot.end();
  await slack.close();
  await model.close();
  return {
    title: 'Path: the whole way, the real bot with playground and model server',
    rows: [row('mention to card', asked), row('click to reply', answered)],
    notes: [
      `${EXCHANGES} exchanges, each in a new thread; ms until the playground has the message. writes: of the store, each on disk before the next thing is done.`,
      'calls: what the bot asked of Slack and of the model until it was at rest again.',
    ],
  };
}

/** What the store has written by when the bot is at rest. */
async function standing(bot: Worker): Promise<Counts> {
  for (let before = await bot.ask<Counts>('counts', 'counts'); ; ) {
    await sleep(150);
    const now = await bot.ask<Counts>('counts', 'counts');
    if (now.writes === before.writes) return now;
    before = now;
  }
}

const posts = (slack: Playground, thread: string, count: number) =>
  slack.wait(({ messages }) => messages.filter((m) => m.thread_ts === thread && m.user === botUser).length >= count, {
    what: `message ${count} of the bot in the thread`,
  });

async function pick(slack: Playground, channel: string, thread: string): Promise<void> {
  const card = slack.state().messages.find((m) => m.thread_ts === thread && m.user === botUser);
  const choices = card?.blocks?.find(({ block_id }) => block_id?.startsWith('askback|choices|'));
  const [option] = (choices?.elements ?? []) as { action_id: string }[];
  if (!card || !choices?.block_id || !option) throw new Error('The card has no options.');
  const clicked = await slack.do({
    do: 'interact',
    as: mara,
    container: { type: 'message', channel, ts: card.ts },
    block_id: choices.block_id,
    action_id: option.action_id,
    action: { type: 'button' },
  });
  if (!clicked.ok) throw new Error(`The click was refused: ${clicked.error}`);
}

function row(what: string, measured: Measured[]): Row {
  const times = measured.map(({ ms }) => ms);
  const usual = measured.toSorted((a, b) => a.writes - b.writes)[Math.floor(measured.length / 2)] as Measured;
  const calls = Object.entries(usual.slack).map(([method, count]) => (count === 1 ? method : `${count} × ${method}`));
  return {
    what,
    'p50 ms': rounded(quantile(times, 0.5)),
    'p95 ms': rounded(quantile(times, 0.95)),
    writes: usual.writes,
    bytes: usual.bytes,
    'model calls': usual.model,
    'Slack calls': calls.join(', '),
  };
}
