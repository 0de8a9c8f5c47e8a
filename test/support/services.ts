/** Real servers for tests, on free ports of 127.0.0.1, and a proxy that loses answers. All end with the test that started them. */
import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

export type Service = {
  url: string;
  port: number;
  /** kill -9; resolves when it has ended. */
  kill: () => Promise<void>;
  /** Starts it again, on the same port and with the same data. */
  start: () => Promise<void>;
} & AsyncDisposable;

type Recipe = {
  name: string;
  command: (dir: string, port: number) => [binary: string, args: string[]];
  url: (port: number) => string;
  /** It serves, which is later than that it listens. */
  ready: (port: number) => Promise<boolean>;
  prepare?: (dir: string) => void;
  owner?: { uid: number; gid: number } | undefined;
};

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function answersPing(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    socket.write('PING\r\n');
    const [answer] = await once(socket, 'data', { signal: AbortSignal.timeout(500) });
    return /^(\+PONG|-NOAUTH)/.test(String(answer));
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

async function startService({ name, command, url, ready, prepare, owner }: Recipe): Promise<Service> {
  const dir = mkdtempSync(join(tmpdir(), `askback-${name}-`));
  if (owner) chownSync(dir, owner.uid, owner.gid);
  prepare?.(dir);
  const port = await freePort();
  let process: ReturnType<typeof spawn> | undefined;
  let output = '';

  async function start(): Promise<void> {
    for (let tries = 0; tries < 50; tries++) {
      const started = spawn(...command(dir, port), { stdio: ['ignore', 'pipe', 'pipe'], cwd: dir, ...owner });
      process = started;
      for (const stream of [started.stdout, started.stderr]) stream.on('data', (data) => (output += data));
      while (started.exitCode === null && started.signalCode === null) {
        if (await ready(port)) return;
        await sleep(20);
      }
      await sleep(100); // Postgres: what the killed server started may hold its memory for a moment
    }
    throw new Error(`${name} did not start: ${output.slice(-2000)}`);
  }

  async function kill(): Promise<void> {
    if (!process || process.exitCode !== null || process.signalCode !== null) return;
    const exited = once(process, 'exit');
    process.kill('SIGKILL');
    await exited;
  }

  await start();
  return {
    url: url(port),
    port,
    kill,
    start,
    async [Symbol.asyncDispose]() {
      await kill();
      await sleep(50);
      rmSync(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
    },
  };
}

const redisBinary = ['/usr/bin/redis-server', '/usr/local/bin/redis-server', '/opt/homebrew/bin/redis-server'].find(
  existsSync,
);

function postgresBinaries(): string | undefined {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? readdirSync(root).toSorted((a, b) => Number(b) - Number(a)) : [];
  return versions.map((version) => join(root, version, 'bin')).find((bin) => existsSync(join(bin, 'initdb')));
}

export const has = { redis: redisBinary !== undefined, postgres: postgresBinaries() !== undefined };

/** `settings`: such as `{ appendonly: 'no' }`; by default every write is synced. */
export function startRedis(settings: Record<string, string> = {}): Promise<Service> {
  if (!redisBinary) throw new Error('redis-server is not installed: apt-get install redis-server');
  const all = { save: '', appendonly: 'yes', appendfsync: 'always', ...settings };
  return startService({
    name: 'redis',
    url: (port) => `redis://127.0.0.1:${port}`,
    ready: answersPing,
    command: (dir, port) => [
      redisBinary,
      [
        ...['--port', `${port}`, '--bind', '127.0.0.1', '--dir', dir],
        ...Object.entries(all).flatMap(([key, value]) => [`--${key}`, value]),
      ],
    ],
  });
}

/** `settings`: such as `{ synchronous_commit: 'off' }`. The user is `postgres`, without a password. */
export function startPostgres(settings: Record<string, string> = {}): Promise<Service> {
  const bin = postgresBinaries();
  if (!bin) throw new Error('PostgreSQL is not installed: apt-get install postgresql');
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  // PostgreSQL refuses to run as root.
  const owner = process.getuid?.() === 0 ? { uid: id('-u'), gid: id('-g') } : undefined;
  return startService({
    name: 'postgres',
    owner,
    url: (port) => `postgres://postgres@127.0.0.1:${port}/postgres`,
    ready: (port) =>
      promisify(execFile)(join(bin, 'pg_isready'), ['-q', '-h', '127.0.0.1', '-p', `${port}`, '-t', '1']).then(
        () => true,
        () => false,
      ),
    prepare: (dir) => {
      const args = [
        '-D',
        join(dir, 'data'),
        '-U',
        'postgres',
        '-A',
        'trust',
        '-E',
        'UTF8',
        '--locale=C.UTF-8',
        '--no-sync',
      ];
      execFileSync(join(bin, 'initdb'), args, { stdio: 'pipe', cwd: dir, ...owner });
    },
    command: (dir, port) => [
      join(bin, 'postgres'),
      [
        ...['-D', join(dir, 'data'), '-p', `${port}`, '-k', dir, '-c', 'listen_addresses=127.0.0.1'],
        ...Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]),
      ],
    ],
  });
}

/** `pass`; `lose`: requests pass, and the connection is cut when the server begins to answer; `freeze`: nothing passes. */
type ProxyMode = 'pass' | 'lose' | 'freeze';
export type FaultyProxy = { port: number; mode: (mode: ProxyMode) => void } & AsyncDisposable;

export async function startFaultyProxy(target: number): Promise<FaultyProxy> {
  let mode: ProxyMode = 'pass';
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1');
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
    near.on('data', (data) => mode === 'freeze' || far.write(data));
    far.on('data', (data) => {
      if (mode === 'lose') near.destroy();
      if (mode === 'pass') near.write(data);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    mode: (next) => {
      mode = next;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
