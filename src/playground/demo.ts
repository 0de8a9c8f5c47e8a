/** `npm run demo`: the workspace with its page, the bot as a process of its own, and a scripted model when no other is set. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createDemoScript } from './demo-script.ts';
import { type ModelServer, startModelServer } from './model-server.ts';
import { type Playground, type PlaygroundOptions, startPlayground } from './server.ts';

const FIRST_PORT = 8765;
const TRIED_PORTS = 20;
const root = fileURLToPath(new URL('../..', import.meta.url));

/** Only what the bot needs: the Slack of this machine's environment, if there is one, is not the demo's business. */
function inherited(): { [name: string]: string | undefined } {
  const own = /^(SLACK_|HOST$|PORT$|STORE_URL$)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !own.test(name)));
}

async function startAt(port: number, options: PlaygroundOptions): Promise<Playground> {
  try {
    return await startPlayground({ ...options, port });
  } catch (error) {
    const taken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
    if (!taken || port >= FIRST_PORT + TRIED_PORTS) throw error;
    return startAt(port + 1, options);
  }
}

// A server of one's own may need no key.
const scripted = !process.env.OPENAI_API_KEY && !process.env.OPENAI_BASE_URL;
const http = process.argv.includes('--http');
const model: ModelServer | undefined = scripted ? await startModelServer({ script: createDemoScript() }) : undefined;

// The workspace lives in memory, and with it ends what the bot's store is about: each demo has its own. Restarts of the bot keep it.
const folder = mkdtempSync(join(tmpdir(), 'askback-demo-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const manifest = `${root}manifest.yml`;
const playground = await startAt(FIRST_PORT, {
  page: true,
  mode: http ? 'http' : 'socket',
  ...(existsSync(manifest) ? { manifest } : {}),
  bot: {
    command: process.execPath,
    args: ['--import', './src/require-node24.js', 'src/main.ts'],
    cwd: root,
    env: {
      ...inherited(),
      STORE_URL: `sqlite://${folder}/askback.sqlite`,
      ...(model ? { OPENAI_API_KEY: 'scripted', OPENAI_BASE_URL: model.url, OPENAI_MODEL: 'scripted-demo' } : {}),
    },
    model: scripted ? 'Scripted demo model (no OPENAI_API_KEY)' : (process.env.OPENAI_MODEL ?? 'the default model'),
  },
});

console.log(`
  Askback playground: a Slack of your own, on this machine only.

    Open      ${playground.url}/
    Then      write "@${playground.state().users.find((user) => user.id === playground.state().app.botUser)?.name} deploy the billing service" in #deployments, and answer what it asks.
    Model     ${scripted ? 'a scripted demo model. For a real one: OPENAI_API_KEY=… npm run demo' : (process.env.OPENAI_MODEL ?? 'the default model')}
    Slack     ${http ? 'signed HTTP requests' : 'Socket Mode (npm run demo -- --http: signed HTTP requests)'}

  Stop, kill and start the bot on the page. Ctrl-C ends all.
`);

playground.subscribe((update) => {
  if (update.type !== 'bot' || update.bot.state !== 'crashed') return;
  console.error(
    `The bot crashed. Its last lines:\n${update.bot.log.slice(-15).join('\n')}\nStart it again on the page.`,
  );
});

let ending = false;
async function end(): Promise<void> {
  if (ending) process.exit(130);
  ending = true;
  console.log('Stopping…');
  await playground.close();
  await model?.close();
  process.exit(0);
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end());
