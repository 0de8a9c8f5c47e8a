/** Cold start: what importing costs, and the time until the bot is ready. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fakeSlack } from '../test/support/fake-slack.ts';
import { root, runToEnd, temporaryFolder } from './process.ts';
import { medians, type Row, type Section } from './report.ts';
import { inTime } from './slack-side.ts';

const modules = {
  'nothing but Node': [],
  'agent and tools': ['src/agent/agent.ts', 'src/agent/tools.ts'],
  'agent, tools, SQLite store': [
    'src/agent/agent.ts',
    'src/agent/tools.ts',
    'src/storage/run-store.ts',
    'src/storage/sqlite.ts',
  ],
  'the whole bot': ['src/app.ts'],
};

export async function cold(rounds: number): Promise<Section> {
  const imports = Object.entries(modules).map(([what, paths]) => ({
    what,
    paths,
    found: [] as Record<string, number>[],
  }));
  const boots: Record<string, number>[] = [];
  for (let round = 0; round < rounds; round++) {
    for (const { paths, found } of imports) found.push(runToEnd(join(root, 'bench/import-worker.ts'), paths));
    boots.push(await boot());
  }
  const rows: Row[] = imports.map(({ what, found }) => rowOf(`import: ${what}`, found));
  return {
    title: 'Cold start',
    rows: [...rows, rowOf('npm start: ready (SQLite, fake Slack)', boots)],
    notes: [
      `Medians of ${rounds} interleaved rounds, a fresh process each. ready: from spawning the process to its log line "Askback is ready", with what an earlier start has compiled.`,
    ],
  };
}

function rowOf(what: string, found: Record<string, number>[]): Row {
  const { figures, noise } = medians(found);
  return { what, ms: figures.ms ?? '', 'RSS MB': figures.rss ?? '', 'noise %': noise };
}

async function boot(): Promise<Record<string, number>> {
  using folder = temporaryFolder();
  await using slack = await fakeSlack();
  const begun = performance.now();
  const bot = spawn(process.execPath, ['--import', './src/require-node24.js', 'src/main.ts'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env.PATH,
      SLACK_BOT_TOKEN: 'xoxb-1',
      SLACK_APP_TOKEN: 'xapp-1',
      SLACK_API_URL: slack.api,
      OPENAI_API_KEY: 'bench',
      STORE_URL: `sqlite://${join(folder.path, 'bot.sqlite')}`,
    },
  });
  const ready = (async () => {
    for await (const line of createInterface(bot.stdout)) if (line.includes('Askback is ready')) return;
    throw new Error('The bot ended before it was ready.');
  })();
  try {
    await inTime(ready, 30_000, 'a bot that is ready');
    return { ms: performance.now() - begun };
  } finally {
    const gone = once(bot, 'exit');
    bot.kill();
    await gone;
  }
}
