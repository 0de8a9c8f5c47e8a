import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPostgres } from '../../src/storage/postgres.ts';
import { has, type Service, startPostgres } from '../support/services.ts';
import { describeStore } from './contract.ts';
import { describeServer, whenInstalled } from './server.ts';

whenInstalled('postgres', has.postgres, () => {
  let server: Service;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server?.[Symbol.asyncDispose]());

  describeStore('Postgres', async () => ({ open: () => openPostgres(server.url) }));
  describeServer(
    'Postgres',
    () => server,
    (url) => openPostgres(url),
  );

  describe('openPostgres', () => {
    async function admin(sql: string, url?: string) {
      const client = new Client(url ?? server.url);
      await client.connect();
      try {
        return await client.query(sql);
      } finally {
        await client.end();
      }
    }
    const as = (user: string, database: string) =>
      server.url.replace('postgres@', `${user}@`).replace(/postgres$/, database);

    const deadlocks = "SELECT deadlocks::int FROM pg_stat_database WHERE datname = 'postgres'";

    test('ten replicas that start at once make one table', async () => {
      await admin('CREATE DATABASE fresh');
      const url = as('postgres', 'fresh');
      const stores = await Promise.all(Array.from({ length: 10 }, () => openPostgres(url)));
      const { rows } = await admin("SELECT count(*)::int AS n FROM pg_class WHERE relname LIKE 'askback%'", url);
      expect(rows).toEqual([{ n: 3 }]);
      await Promise.all(stores.map((store) => store.close()));
    });

    test('a role that may not create tables uses the one made for it, and is told when there is none', async () => {
      await admin('CREATE ROLE plain LOGIN');
      await admin('CREATE DATABASE made');
      await expect(openPostgres(as('plain', 'made'))).rejects.toThrow(/Postgres: permission denied/);
      await (await openPostgres(as('postgres', 'made'))).close();
      await expect(openPostgres(as('plain', 'made'))).rejects.toThrow(
        /cannot be written and read: Postgres: permission/,
      );
      await admin('GRANT ALL ON askback_records TO plain', as('postgres', 'made'));
      await (await openPostgres(as('plain', 'made'))).close();
    });

    test('refuses a server that acknowledges before it writes, unless told otherwise', async () => {
      await admin('CREATE DATABASE lossy');
      await admin('ALTER DATABASE lossy SET synchronous_commit = off');
      await expect(openPostgres(as('postgres', 'lossy'))).rejects.toThrow(/synchronous_commit = on/);
      await (await openPostgres(as('postgres', 'lossy'), { allowLossy: true })).close();
    });

    test('a connection that an admin ends costs at most one call, and not the process', async () => {
      const store = await openPostgres(server.url);
      await store.set('k', '1');
      await admin("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'askback'");
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(await store.get('k')).toBe('1');
      await store.close();
    });

    test('replacements that go together each have their own outcome, in their order, with what is due', async () => {
      const store = await openPostgres(server.url);
      await store.clear();
      const keys = Array.from({ length: 120 }, (_, i) => `many/${i}`);
      await Promise.all(keys.map((key) => store.swap(key, undefined, 'old')));
      const first = keys.map((key, i) =>
        store.swap(key, i % 3 === 0 ? 'other' : 'old', `new ${i}`, i % 2 ? i : undefined),
      );
      const second = keys.map((key, i) => store.swap(key, `new ${i}`, 'last'));
      expect(await Promise.all(first)).toEqual(keys.map((_, i) => i % 3 !== 0));
      expect(await Promise.all(second)).toEqual(keys.map((_, i) => i % 3 !== 0));
      expect(await store.getMany?.(keys)).toEqual(keys.map((_, i) => (i % 3 === 0 ? 'old' : 'last')));
      const due = keys.map((key, i) => store.swap(key, i % 3 === 0 ? 'old' : 'last', 'due', i));
      expect((await Promise.all(due)).every(Boolean)).toBe(true);
      expect((await store.due(500, undefined, 500)).map(({ due }) => due)).toEqual(keys.map((_, i) => i));
      await store.close();
    });

    test('two that replace the same rows in other orders wait for each other, and never each for the other', async () => {
      const stores = await Promise.all([openPostgres(server.url), openPostgres(server.url)]);
      await stores[0]?.clear();
      const keys = Array.from({ length: 40 }, (_, i) => `both/${i}`);
      await Promise.all(keys.map((key) => stores[0]?.swap(key, undefined, '0')));
      for (let round = 0; round < 20; round++) {
        const tries = stores.map((store, who) =>
          (who ? keys.toReversed() : keys).map((key) => store.swap(key, String(round), String(round + 1))),
        );
        const outcomes = await Promise.all(tries.map((all) => Promise.all(all)));
        const won = keys.map((_, i) => Number(outcomes[0]?.[i]) + Number(outcomes[1]?.[keys.length - 1 - i]));
        expect(won).toEqual(keys.map(() => 1));
      }
      await Promise.all(stores.map((store) => store.close()));
      expect((await admin(deadlocks)).rows).toEqual([{ deadlocks: 0 }]);
    });

    test('replacements that a deadlock undid are tried each by itself', async () => {
      // Whoever has waited this long looks for a deadlock, once: the store, and not who makes it.
      const store = await openPostgres(`${server.url}?options=-c%20deadlock_timeout%3D2s`);
      await store.clear();
      const keys = ['dead/a', 'dead/b'];
      await Promise.all(keys.map((key) => store.swap(key, undefined, '1')));
      const other = new Client(server.url);
      await other.connect();
      await other.query("SET deadlock_timeout = '20s'");
      await other.query("BEGIN; UPDATE askback_records SET due = 1 WHERE key = 'dead/b'");
      const outcomes = Promise.all(keys.map((key) => store.swap(key, '1', '2')));
      const waits = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%wanted%'";
      await expect.poll(async () => (await admin(waits)).rowCount, { timeout: 10_000 }).toBe(1);
      await other.query("UPDATE askback_records SET due = 1 WHERE key = 'dead/a'; COMMIT");
      expect(await outcomes).toEqual([true, true]);
      expect(await store.getMany?.(keys)).toEqual(['2', '2']);
      await Promise.all([store.close(), other.end()]);
      // Told by a connection when it ends, or a while after it happened.
      await expect.poll(async () => (await admin(deadlocks)).rows, { timeout: 10_000 }).toEqual([{ deadlocks: 1 }]);
    }, 30_000);

    test('times and pages are served by their indexes', async () => {
      const store = await openPostgres(server.url);
      await store.close();
      const plan = async (sql: string) =>
        (await admin(`SET enable_seqscan = off; EXPLAIN ${sql}`)) as unknown as [unknown, { rows: object[] }];
      const [, due] = await plan(
        'SELECT key, due FROM askback_records WHERE due <= 9 AND (due, key) > (1, $$a$$) ORDER BY due, key LIMIT 5',
      );
      expect(JSON.stringify(due.rows)).toMatch(/Index Only Scan using askback_records_due.*Index Cond/);
      const [, page] = await plan('SELECT key FROM askback_records WHERE key > $$a$$ ORDER BY key LIMIT 5');
      expect(JSON.stringify(page.rows)).toMatch(/Index Only Scan using askback_records_pkey.*Index Cond/);
    });
  });
});
