/** The process: reads the environment, starts the app, and ends cleanly. Exit codes: 0 stopped, 1 could not start or go on. */
import { pino } from 'pino';
import { createApp } from './app.ts';
import { ConfigError, readConfig } from './config.ts';

/** ms for what runs to finish after SIGTERM or Ctrl-C; then it is given back, and goes on when a process starts again. */
const DEADLINE = 8_000;

function configured() {
  try {
    return readConfig(process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    console.error(error.message);
    return process.exit(1);
  }
}

const config = configured();
// Written synchronously: the last line before an exit is the one that matters.
const log = pino({ level: config.logLevel, base: null }, pino.destination({ dest: 1, sync: true }));

/** The reason in words for an operator; undefined: nobody foresaw it, and its stack is what helps. */
function inWords(reason: unknown): string | undefined {
  if (!(reason instanceof Error)) return undefined;
  if (/(Config|Store|SlackStart)Error$/.test(reason.name)) return reason.message;
  const isListening = 'syscall' in reason && reason.syscall === 'listen';
  const isElsewhere = isListening && 'code' in reason && reason.code === 'EADDRNOTAVAIL';
  if (isElsewhere || ('hostname' in reason && reason.hostname === config.http?.host))
    return `HOST is no name or address of this machine (${reason.message}). Leave it out for 127.0.0.1, or set 0.0.0.0 for all of its addresses.`;
  // Whoever has the port may be Askback itself, started twice.
  if (isListening) return `HTTP cannot be served at HOST and PORT (${reason.message}). Free that port, or set another.`;
  return undefined;
}

function leave(reason: unknown, message: string): never {
  if (reason instanceof ConfigError) {
    console.error(reason.message);
    process.exit(1);
  }
  const words = inWords(reason);
  log.fatal(words === undefined ? { err: reason } : { reason: words }, message);
  process.exit(1);
}

process.on('uncaughtException', (error) => leave(error, 'Askback ends on an error that nobody handled'));
process.on('unhandledRejection', (error) => leave(error, 'Askback ends on an error that nobody handled'));

const app = await createApp(config, { log }).catch((error: unknown) => leave(error, 'Askback cannot start'));

let stopping = false;
async function stop(why: string, code: number): Promise<void> {
  if (stopping) {
    // A second Ctrl-C means now: nothing is lost by it.
    if (code === 0) process.exit(130);
    return;
  }
  stopping = true;
  log.info({ why }, 'Askback is stopping');
  // What hangs in spite of the deadline does not hold the process.
  setTimeout(() => process.exit(code), DEADLINE + 2_000).unref();
  await app.stop(DEADLINE).catch((err: unknown) => log.error({ err }, 'Askback did not stop cleanly; nothing is lost'));
  process.exit(code);
}
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal, 0));
void app.fatal.then((message) => {
  log.fatal({ reason: message }, 'Askback cannot go on');
  void stop('fatal', 1);
});

await app.start().catch((error: unknown) => (stopping ? undefined : leave(error, 'Askback cannot start')));
