/** What every store on a server of its own must do when that server dies, freezes, or its answers are lost. */
import { describe, expect, test } from 'vitest';
import type { Store } from '../../src/storage/store.ts';
import { type FaultyProxy, type Service, startFaultyProxy } from '../support/services.ts';

/** A missing server skips a suite on a developer's machine, and fails it on CI, where nobody would notice. */
export function whenInstalled(binary: string, installed: boolean, suite: () => void): void {
  if (installed) suite();
  else if (!process.env.CI) describe.skip(`${binary} is not installed: its store is not tested here`, suite);
  else
    test(`${binary} is installed (CI=true)`, () => expect.fail(`Install ${binary}, or the store on it goes untested.`));
}

async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function until(work: () => Promise<unknown>): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      await work();
      return;
    } catch (error) {
      if (tries === 100) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

export function describeServer(
  name: string,
  start: () => Promise<Service>,
  open: (url: string) => Promise<Store>,
): void {
  describe(`${name} as a server`, () => {
    test('killed: calls reject at once and never read as absent; restarted: everything acknowledged is there', async () => {
      await using server = await start();
      const store = await open(server.url);
      await store.swap('before', undefined, '1', 5);
      const burst = Array.from({ length: 300 }, (_, i) => store.swap(`burst/${i}`, undefined, String(i)));
      const settled = Promise.allSettled(burst);
      await burst[20];
      await server.kill();
      const acknowledged = (await settled).flatMap((o, i) => (o.status === 'fulfilled' ? i : []));
      expect(acknowledged.length).toBeGreaterThan(0);

      const calls = {
        get: () => store.get('before'),
        swap: () => store.swap('before', '1', '2'),
        list: () => store.list('', undefined, 1),
        due: () => store.due(9, undefined, 1),
        probe: () => store.probe(),
      };
      for (const [method, call] of Object.entries(calls)) {
        const took = await milliseconds(() => expect(call(), method).rejects.toThrow(new RegExp(name)));
        expect(took, method).toBeLessThan(500);
      }

      await server.start();
      await until(() => store.probe());
      expect(await store.get('before')).toBe('1');
      expect(await store.due(9, undefined, 1)).toEqual([{ key: 'before', due: 5 }]);
      for (const i of acknowledged) expect(await store.get(`burst/${i}`), `burst/${i}`).toBe(String(i));
      expect(await store.swap('before', '1', '2')).toBe(true);
      await store.close();
    }, 30_000);

    const through = (server: Service, { port }: FaultyProxy) => open(server.url.replace(`${server.port}`, `${port}`));

    test('frozen: calls reject within seconds; thawed: it goes on', async () => {
      await using server = await start();
      await using proxy = await startFaultyProxy(server.port);
      const store = await through(server, proxy);
      await store.set('k', '1');
      proxy.mode('freeze');
      const took = await milliseconds(() => expect(store.get('k')).rejects.toThrow(new RegExp(name)));
      expect(took).toBeLessThan(6000);
      proxy.mode('pass');
      await until(() => store.probe());
      expect(await store.get('k')).toBe('1');
      await store.close();
    }, 30_000);

    test('close ends within seconds while the server is frozen', async () => {
      await using server = await start();
      await using proxy = await startFaultyProxy(server.port);
      const store = await through(server, proxy);
      await Promise.all([store.get('k'), store.get('k')]);
      proxy.mode('freeze');
      const call = expect(store.get('k')).rejects.toThrow();
      expect(await milliseconds(() => store.close())).toBeLessThan(6000);
      await call;
      proxy.mode('pass');
    }, 30_000);

    test('a swap whose answer is lost rejects, has happened, and reading decides it', async () => {
      await using server = await start();
      await using proxy = await startFaultyProxy(server.port);
      const direct = await open(server.url);
      const store = await through(server, proxy);
      for (const [previous, next] of [
        [undefined, 'created'],
        ['created', 'replaced'],
        ['replaced', undefined],
      ]) {
        await until(() => store.get('k'));
        proxy.mode('lose');
        await expect(store.swap('k', previous, next)).rejects.toThrow(new RegExp(name));
        proxy.mode('pass');
        await until(async () => expect(await direct.get('k')).toBe(next));
        await until(async () => expect(await store.get('k')).toBe(next));
      }
      await Promise.all([direct.close(), store.close()]);
    }, 30_000);

    test('at boot, a server that is not there is told within seconds, and the process has nothing left open', async () => {
      const server = await start();
      await server[Symbol.asyncDispose]();
      const took = await milliseconds(() => expect(open(server.url)).rejects.toThrow(/ECONNREFUSED/));
      expect(took).toBeLessThan(4000);
    }, 30_000);
  });
}
