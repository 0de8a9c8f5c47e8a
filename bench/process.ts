/** Processes that are measured: each figure is taken in a fresh one, so that no subject pays for another's garbage. */
import { type ChildProcess, fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '..');

/** Runs a script to its end; its last line is JSON. */
export function runToEnd(
  script: string,
  args: readonly string[],
  { cwd = root, env = {} }: { cwd?: string; env?: Record<string, string> } = {},
): Record<string, number> {
  const done = spawnSync(process.execPath, ['--expose-gc', script, ...args], {
    cwd,
    env: { ...process.env, ...env },
    encoding: 'utf8',
    timeout: 300_000,
  });
  const last = done.stdout.trim().split('\n').at(-1) ?? '';
  if (done.status !== 0 || !last.startsWith('{')) {
    throw new Error(`${script} ${args.join(' ')} failed (${done.status ?? done.signal}): ${done.stderr.slice(-2000)}`);
  }
  const found: Record<string, unknown> = JSON.parse(last);
  const numbers = Object.entries(found).filter((entry): entry is [string, number] => typeof entry[1] === 'number');
  return Object.fromEntries(numbers);
}

export type Worker = {
  pid: number;
  /** The next message that has this property. */
  says<T>(property: string, patience?: number): Promise<T>;
  ask<T>(question: string, answer: string): Promise<T>;
  /** Resolves when it has ended. */
  end(signal?: NodeJS.Signals): Promise<void>;
};

/** Starts a script of ours that talks by messages. */
export function startWorker(script: string, env: Record<string, string>): Worker {
  const child = fork(join(root, script), [], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    execArgv: ['--import', join(root, 'src/require-node24.js')],
    env: { ...process.env, ...env },
  });
  return workerOf(child, script);
}

function workerOf(child: ChildProcess, script: string): Worker {
  const heard: Record<string, unknown>[] = [];
  const waiting = new Set<() => void>();
  child.on('message', (message) => {
    heard.push(message as Record<string, unknown>);
    for (const look of [...waiting]) look();
  });

  function says<T>(property: string, patience = 60_000): Promise<T> {
    return new Promise((resolve, reject) => {
      const over = setTimeout(() => fail(`said no "${property}" in ${patience} ms`), patience);
      const ended = (code: number | null) => fail(`ended (${code}) before it said "${property}"`);
      const done = () => {
        clearTimeout(over);
        waiting.delete(look);
        child.off('exit', ended);
      };
      const fail = (why: string) => {
        done();
        reject(new Error(`${script} ${why}.`));
      };
      const look = () => {
        const at = heard.findIndex((message) => property in message);
        if (at === -1) return;
        done();
        resolve(heard.splice(at, 1)[0]?.[property] as T);
      };
      child.once('exit', ended);
      waiting.add(look);
      look();
    });
  }

  return {
    pid: child.pid ?? 0,
    says,
    ask(question, answer) {
      child.send(question);
      return says(answer);
    },
    async end(signal = 'SIGTERM') {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill(signal);
      await gone;
    },
  };
}

/** MB of memory that a process has, as the system sees it. NaN where there is no /proc. */
export function residentMB(pid: number): number {
  const status = `/proc/${pid}/status`;
  if (!existsSync(status)) return Number.NaN;
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(status, 'utf8'))?.[1]) / 1024;
}

export type Folder = { path: string } & Disposable;

/** A folder that goes with its scope. In BENCH_DIR, when the system's own for temporary files is not on a disk. */
export function temporaryFolder(): Folder {
  const path = mkdtempSync(join(process.env.BENCH_DIR ?? tmpdir(), 'askback-bench-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
