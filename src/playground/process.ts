import { type ChildProcess, spawn } from 'node:child_process';
import type { BotState } from './protocol.ts';

/** How to start the bot. `env` is all of its environment besides what the playground adds (tokens and addresses). */
export type BotCommand = {
  command: string;
  args: string[];
  env?: { [name: string]: string | undefined };
  cwd?: string;
  /** What the page says of the model. */
  model?: string;
};

const KEPT_LINES = 500;
/** ms after SIGTERM: a bot that is still there then hangs. */
const STOP_DEADLINE = 15_000;

export type BotProcess = ReturnType<typeof createBotProcess>;

/** The bot as a process of its own: started, asked to stop (SIGTERM), killed (SIGKILL); a crash is noticed. */
export function createBotProcess(
  command: BotCommand,
  environment: () => { [name: string]: string },
  changed: (state: Omit<BotState, 'sockets'>) => void,
) {
  let child: ChildProcess | undefined;
  let exited: Promise<void> = Promise.resolve();
  let log: string[] = [];
  let wanted: 'stopped' | 'killed' | undefined;
  let state: BotState['state'] = 'stopped';

  function set(next: BotState['state']): void {
    state = next;
    tell();
  }

  function tell(): void {
    changed(snapshot());
  }

  function snapshot(): Omit<BotState, 'sockets'> {
    return {
      state,
      log: [...log],
      ...(child?.pid === undefined ? {} : { pid: child.pid }),
      ...(command.model === undefined ? {} : { model: command.model }),
    };
  }

  function note(chunk: string): void {
    const lines = chunk.split('\n').filter((line) => line !== '');
    log = [...log, ...lines].slice(-KEPT_LINES);
    tell();
  }

  function start(): void {
    if (child) return;
    wanted = undefined;
    const started = spawn(command.command, command.args, {
      cwd: command.cwd,
      env: { ...command.env, ...environment() },
      stdio: ['ignore', 'pipe', 'pipe'],
      // A group of its own: Ctrl-C in the terminal is for the playground, which then asks the bot to stop, once.
      detached: true,
    });
    child = started;
    for (const stream of [started.stdout, started.stderr]) {
      stream.setEncoding('utf8');
      stream.on('data', note);
    }
    exited = new Promise((resolve) => {
      started.on('error', (error) => note(`The bot could not be started: ${error.message}`));
      started.on('close', (code, signal) => {
        child = undefined;
        note(`The bot ended (${signal ?? `exit code ${code}`}).`);
        set(wanted ?? (code === 0 ? 'stopped' : 'crashed'));
        resolve();
      });
    });
    set('starting');
  }

  return {
    start,
    snapshot,
    /** It has connected. */
    isUp: () => (state === 'starting' ? set('running') : undefined),

    /** Resolves when the process is gone. */
    async stop(): Promise<void> {
      if (!child) return;
      wanted ??= 'stopped';
      const stopping = child;
      stopping.kill('SIGTERM');
      const impatient = setTimeout(() => stopping.kill('SIGKILL'), STOP_DEADLINE);
      await exited;
      clearTimeout(impatient);
    },

    async kill(): Promise<void> {
      if (!child) return;
      wanted = 'killed';
      child.kill('SIGKILL');
      await exited;
    },
  };
}
