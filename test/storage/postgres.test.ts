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
