/** What leaves a process, counted by name, and the death of the process at one of these points. */
import http from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import type { Store } from '../../src/storage/store.ts';

/**
 * `before`: it never leaves. `processed`: the far side has done it, and its answer is never read. `after`: the answer is read, and
 * whatever follows at once has begun. `halfway`: a part of the answer is read (of a call to the model, whose answer streams).
 */
export const wheres = ['before', 'processed', 'halfway', 'after'] as const;
export type Where = (typeof wheres)[number];

/** The `nth` (from 1) of what is called `name`, such as `swap thread` or `chat.postMessage`. */
export type Point = { name: string; nth: number };
export type Death = Point & { where: Where };

export type Mortal = ReturnType<typeof createMortal>;

export function createMortal() {
  let seen = new Map<string, number>();
  let order: Point[] = [];
  let death: Death | undefined;

  /** Counts one, and says where in it to die. */
  function pass(name: string): Where | undefined {
    const nth = (seen.get(name) ?? 0) + 1;
    seen.set(name, nth);
    order.push({ name, nth });
    return death?.name === name && death.nth === nth ? death.where : undefined;
  }

  return {
    pass,
    /** Counts from the beginning. */
    arm(next: Death | undefined): void {
      seen = new Map();
      order = [];
      death = next;
    },
    points: (): Point[] => order,
  };
}

/** Nothing of this process runs after it. */
function die(): never {
  process.kill(process.pid, 'SIGKILL');
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

async function through<T>(mortal: Mortal, name: string, call: () => Promise<T>): Promise<T> {
  const where = mortal.pass(name);
  if (where === 'before') die();
  const result = await call();
  if (where === 'processed') die();
  if (where === 'after') setImmediate(die);
  return result;
}

export function mortalStore(store: Store, mortal: Mortal): Store {
  const of = (method: string, key: string) => `${method} ${key.split('/')[0]}`;
  return new Proxy(store, {
    get(target, property) {
      const value: unknown = Reflect.get(target, property, target);
      if (typeof value !== 'function') return value;
      const method = (...args: unknown[]) => value.apply(target, args);
      if (property !== 'swap' && property !== 'set' && property !== 'delete') return method;
      return (key: string, ...rest: unknown[]) => through(mortal, of(property, key), () => method(key, ...rest));
    },
  });
}

/** `nameOf`: what a request is called; undefined: it does not count. */
export function mortalFetch(
  inner: typeof fetch,
  mortal: Mortal,
  nameOf: (url: URL) => string | undefined,
): typeof fetch {
  return async (input, init) => {
    const name = nameOf(new URL(input instanceof Request ? input.url : input));
    const where = name === undefined ? undefined : mortal.pass(name);
    if (where === 'before') die();
    const response = await inner(input, init);
    if (where === undefined || !response.body) return response;
    if (where === 'processed') {
      await response.arrayBuffer();
      die();
    }
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(dying(where)), { status, statusText, headers });
  };
}

/** The same for all that goes by node:http. */
export function mortalHttp(mortal: Mortal, nameOf: (url: URL) => string | undefined): void {
  const request = http.request.bind(http);
  http.request = ((url: string | URL, options: http.RequestOptions) => {
    const name = nameOf(new URL(url));
    const where = name === undefined ? undefined : mortal.pass(name);
    if (where === 'before') die();
    const call = request(url, options);
    if (where === 'processed') call.on('response', die);
    if (where === 'after') call.on('response', (read) => read.on('end', () => setImmediate(() => setImmediate(die))));
    return call;
  }) as typeof http.request;
  syncBuiltinESMExports();
}

/** Kills when the whole of it was read (one that knows where the answer ends reads no further), or after the first part of it. */
function dying(where: 'halfway' | 'after'): ReadableWritablePair<Uint8Array, Uint8Array> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>({
    transform(part, out) {
      out.enqueue(where === 'halfway' ? part.subarray(0, Math.ceil(part.length / 2)) : part);
      if (where === 'halfway') setImmediate(die);
    },
  });
  const over = () => void setImmediate(() => setImmediate(die));
  const reader = readable.getReader();
  const watched = new ReadableStream<Uint8Array>({
    async pull(out) {
      const { done, value } = await reader.read();
      if (value) out.enqueue(value);
      if (!done) return;
      out.close();
      over();
    },
    async cancel(reason) {
      over();
      await reader.cancel(reason);
    },
  });
  return { readable: watched, writable };
}
