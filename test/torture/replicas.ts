/** The replicas of a torture run: three processes that are killed, stopped for longer than a lease, and followed by others. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { ReplicaSettings } from './replica.ts';
import { createWire, type Wire } from './wire.ts';

const root = join(import.meta.dirname, '../..');

type Replica = { child: ChildProcess; wire: Wire; ready: boolean; dead: boolean };

export type Replicas = ReturnType<typeof startReplicas>;

/** `serve`: what the replicas ask of the world. */
export function startReplicas(
  count: number,
  settings: ReplicaSettings,
  patience: number,
  serve: (method: string, args: unknown[]) => Promise<unknown>,
) {
  const unforeseen: string[] = [];
  let replicas = Array.from({ length: count }, start);
  let closing = false;

  function start(): Replica {
    const child = fork(join(root, 'test/torture/replica.ts'), [JSON.stringify(settings)], {
      cwd: root,
      execArgv: ['--import', './src/require-node24.js'],
      env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE },
      serialization: 'advanced',
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    const end = {
      send: (frame: Parameters<ChildProcess['send']>[0]) => void child.send(frame, () => {}),
      listen: (heard: (frame: unknown) => void) => void child.on('message', heard),
    };
    const replica: Replica = {
      child,
      ready: false,
      dead: false,
      wire: createWire(
        end,
        async (method, args) => {
          if (method !== 'ready') return serve(method, args);
          replica.ready = true;
          return undefined;
        },
        patience,
      ),
    };
    child.on('exit', (code, signal) => {
      replica.dead = true;
      if (signal !== 'SIGKILL') unforeseen.push(`a replica ended by itself (${signal ?? code})`);
      if (!closing) replicas = replicas.map((other) => (other === replica ? start() : other));
    });
    return replica;
  }

  const any = <T>(list: T[]): T | undefined => list[Math.floor(Math.random() * list.length)];

  return {
    unforeseen,
    /** Asks any replica that is up. */
    async ask(method: string, ...args: unknown[]): Promise<unknown> {
      const replica = any(replicas.filter(({ ready, dead }) => ready && !dead));
      if (!replica) throw new Error('No replica is up.');
      return replica.wire.call(method, args);
    },
    allReady: () => replicas.every(({ ready }) => ready),
    kill(): void {
      any(replicas.filter(({ ready }) => ready))?.child.kill('SIGKILL');
    },
    /** Stands still for `ms`. */
    pause(ms: number): void {
      const child = any(replicas.filter(({ ready }) => ready))?.child;
      child?.kill('SIGSTOP');
      setTimeout(() => child?.kill('SIGCONT'), ms);
    },
    async close(): Promise<void> {
      closing = true;
      for (const { child, dead } of replicas) {
        if (dead) continue;
        const ended = once(child, 'exit');
        child.kill('SIGKILL');
        await ended;
      }
    },
  };
}
