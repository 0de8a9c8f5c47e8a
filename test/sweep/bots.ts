/** The processes of one lane: the bot that serves, and one that has loaded everything and takes over when it dies. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import type { Order, Report } from './bot.ts';
import type { Death, Point } from './mortal.ts';

const root = join(import.meta.dirname, '../..');
/** ms for a process to load, to open, to obey. */
const PATIENCE = 60_000;

type Bot = { child: ChildProcess; ask(order: Order): Promise<Report>; loaded: Promise<Report>; ended: Promise<string> };

class DeadError extends Error {}

function start(): Bot {
  const child = fork(join(root, 'test/sweep/bot.ts'), {
    cwd: root,
    execArgv: ['--import', './src/require-node24.js'],
    // Nothing of this environment but what a program needs to run: the bot's settings come with the order to open.
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });

  function next(what: string): Promise<Report> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => over(() => reject(new Error(`The bot did not ${what} in time.`))), PATIENCE);
      const onMessage = (report: Report) =>
        over(() => ('failed' in report ? reject(new Error(`The bot: ${report.failed}`)) : resolve(report)));
      const onExit = () => over(() => reject(new DeadError(`The bot ended before it could ${what}.`)));
      function over(end: () => void): void {
        clearTimeout(timer);
        child.off('message', onMessage);
        child.off('exit', onExit);
        end();
      }
      child.on('message', onMessage);
      child.on('exit', onExit);
    });
  }

  const loaded = next('load');
  loaded.catch(() => {});
  return {
    child,
    loaded,
    ended: once(child, 'exit').then(([code, signal]) => String(signal ?? code)),
    ask(order) {
      const report = next(order.do);
      // What a dead process is told fails here and there; that it ended says it all.
      child.send(order, () => {});
      return report;
    },
  };
}

export type BotsOptions = {
  env: Record<string, string>;
  /** Path of the bots' log. */
  log: string;
  /** ms that the world's clock is ahead of the machine's, at the moment. */
  shift(): number;
  /** The next bot knows nothing of the one before it, as on another machine. */
  elsewhere: boolean;
  /** Called between a death and the opening of the next bot. */
  onDeath(): void;
};

export type Bots = Awaited<ReturnType<typeof startBots>>;

export async function startBots({ env, log, shift, elsewhere, onDeath }: BotsOptions) {
  const failure = Promise.withResolvers<never>();
  failure.promise.catch(() => {});
  let spare = start();
  let serving = open(undefined);
  let deaths = 0;
  let mayDie = false;
  let closing = false;
  let dismissed: Bot | undefined;

  /** The spare goes into service. One that dies while it opens is followed like any other. */
  async function open(death: Death | undefined): Promise<Bot> {
    const bot = spare;
    await bot.loaded;
    spare = start();
    void bot.ended.then((how) => follow(bot, how));
    await bot
      .ask({ do: 'open', env, log, elsewhere, shift: shift(), ...(death && { death }) })
      .catch((error: unknown) => {
        if (!(error instanceof DeadError)) throw error;
      });
    return bot;
  }

  function follow(bot: Bot, how: string): void {
    if (closing || bot === dismissed) return;
    if (how !== 'SIGKILL' || !mayDie) {
      failure.reject(new Error(`A bot ended (${how}) that was not told to.`));
      return;
    }
    mayDie = false;
    deaths += 1;
    onDeath();
    serving = open(undefined);
    serving.catch(failure.reject);
  }

  async function alive(): Promise<Bot> {
    for (;;) {
      const awaited = serving;
      const bot = await awaited;
      await turn();
      if (awaited === serving) return bot;
    }
  }

  async function tell(order: Order): Promise<Report | undefined> {
    const bot = await alive();
    // Dead meanwhile: the next one is opened with all that this order says.
    return bot.ask(order).catch(async (error: unknown) => {
      if (!(error instanceof DeadError)) throw error;
      await alive();
      return undefined;
    });
  }

  await alive();
  return {
    /** Rejects when a bot ends that was not told to. */
    failure: failure.promise,
    deaths: () => deaths,
    /** The bot counts its points from here on, and dies at `death`. */
    async arm(death: Death | undefined): Promise<void> {
      mayDie = death !== undefined;
      await tell({ do: 'arm', ...(death && { death }) });
    },
    /** Another bot opens in place of this one, with a death before it. */
    async replace(death: Death | undefined): Promise<void> {
      dismissed = await alive();
      dismissed.child.kill('SIGKILL');
      await dismissed.ended;
      mayDie = death !== undefined;
      serving = open(death);
      await alive();
    },
    async shifted(): Promise<void> {
      await tell({ do: 'shift', shift: shift() });
    },
    async points(): Promise<Point[]> {
      const report = await tell({ do: 'points' });
      return report && 'points' in report ? (report.points ?? []) : [];
    },
    async close(): Promise<void> {
      closing = true;
      const bots = [await serving.catch(() => undefined), spare];
      for (const bot of bots) {
        bot?.child.kill('SIGKILL');
        await bot?.ended;
      }
    },
  };
}
