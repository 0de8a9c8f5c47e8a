/** What every store on a server of its own must do when that server dies, freezes, or its answers are lost. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { Store } from '../../src/storage/store.ts';
import { type Service, startFaultyProxy } from '../support/services.ts';

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

/** `server` is asked for when the tests run, and may serve other suites before and after. */
export function describeServer(name: string, serve: () => Service, open: (url: string) => Promise<Store>): void {
  describe(`${name} as a server`, () => {
    let server: Service;
    beforeAll(() => {
      server = serve();
    });
    const through = ({ port }: { port: number }) => open(server.url.replace(`:${server.port}`, `:${port}`));
    const inItsWords = new RegExp(`${name}: `);

    test('killed: calls reject at once and never read as absent; restarted: everything acknowledged is there', async () => {
      const store = await open(server.url);
      await store.clear();
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
        const took = await milliseconds(() => expect(call(), method).rejects.toThrow(inItsWords));
        expect(took, method).toBeLessThan(1_500);
      }

      await server.start();
      await until(() => store.probe());
      expect(await store.get('before')).toBe('1');
      expect(await store.due(9, undefined, 1)).toEqual([{ key: 'before', due: 5 }]);
      const texts = await store.getMany?.(acknowledged.map((i) => `burst/${i}`));
      expect(texts).toEqual(acknowledged.map(String));
      expect(await store.swap('before', '1', '2')).toBe(true);
      await store.close();
    });

    test('frozen: calls reject and a close ends within seconds; thawed: it goes on', async () => {
      await using proxy = await startFaultyProxy(server.port);
      const [store, closing] = await Promise.all([through(proxy), through(proxy)]);
      await store.set('k', '1');
      proxy.mode('freeze');
      const took = await milliseconds(() =>
        Promise.all([
          expect(store.get('k')).rejects.toThrow(inItsWords),
          expect(closing.swap('k', '1', '2')).rejects.toThrow(inItsWords),
          closing.close(),
        ]),
      );
      expect(took).toBeLessThan(6000);
      proxy.mode('pass');
      await until(() => store.probe());
      expect(await store.get('k')).toBe('1');
      await store.close();
    });

    test('a swap whose answer is lost rejects, has happened, and reading decides it', async () => {
      await using proxy = await startFaultyProxy(server.port);
      const [direct, store] = await Promise.all([open(server.url), through(proxy)]);
      await direct.delete('k');
      for (const [previous, next] of [
        [undefined, 'created'],
        ['created', 'replaced'],
        ['replaced', undefined],
      ]) {
        await until(() => store.get('k'));
        proxy.mode('lose');
        await expect(store.swap('k', previous, next)).rejects.toThrow(inItsWords);
        proxy.mode('pass');
        await until(async () => expect(await direct.get('k')).toBe(next));
        await until(async () => expect(await store.get('k')).toBe(next));
      }
      await Promise.all([direct.close(), store.close()]);
    });

    test('at boot, a server that is not there, or does not answer, is told within seconds', async () => {
      const nowhere = await startFaultyProxy(server.port);
      await nowhere[Symbol.asyncDispose]();
      await using silent = await startFaultyProxy(server.port);
      silent.mode('freeze');
      const took = await milliseconds(() =>
        Promise.all([
          expect(through(nowhere)).rejects.toThrow(/ECONNREFUSED/),
          expect(through(silent)).rejects.toThrow(new RegExp(name)),
        ]),
      );
      expect(took).toBeLessThan(8000);
    });
  });
}
