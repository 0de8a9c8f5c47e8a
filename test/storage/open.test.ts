import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openStore } from '../../src/storage/open.ts';
import { StoreError } from '../../src/storage/store-error.ts';
import { has, startPostgres, startRedis } from '../support/services.ts';

test.for([
  ['mysql://root:hunter2@db/x', /begins with mysql:\/\/.*sqlite:\/\/.*redis:\/\/.*postgres:\/\//],
  ['./data/askback.sqlite', /is no URL.*sqlite:\/\//],
  ['', /is no URL/],
  ['sqlite://', /names no file/],
  ['sqlite:///proc/nope/x', /The SQLite store \/proc\/nope\/x.*ENOENT/s],
  ['redis://:hunter2@:bad port', /cannot be read as a URL/],
  ['postgres://u:hunter2@host:99999/x', /cannot be read as a URL/],
  ['redis://:hunter2@127.0.0.1:1', /Redis cannot be reached: .*ECONNREFUSED/],
  ['valkey://u:hunter2@127.0.0.1:1/3', /Redis cannot be reached: .*ECONNREFUSED/],
  ['postgres://u:hunter2@127.0.0.1:1/x', /Postgres: .*ECONNREFUSED/],
  ['postgresql://u:hunter2@127.0.0.1:1/x?application_name=hunter2', /Postgres: /],
  ['postgres://u:hunter2@127.0.0.1:1/x?sslmode=verify-full&sslrootcert=/no/hunter2.pem', /Postgres|no such file/],
] as const)('%s is refused in words, without the password', async ([url, words]) => {
  const error = await openStore(url).catch((e) => e);
  expect(error).toBeInstanceOf(StoreError);
  expect(error.message).toMatch(words);
  expect(`${error.stack}${JSON.stringify(error)}${error.cause}`).not.toContain('hunter2');
});

test.for([':memory:', 'relative', 'absolute'])('sqlite:// opens a store: %s', async (kind) => {
  const dir = mkdtempSync(join(tmpdir(), 'askback-open-'));
  const file = {
    ':memory:': ':memory:',
    relative: join('node_modules', `.askback-${process.pid}.sqlite`),
    absolute: join(dir, 'x#?% y.sqlite'),
  }[kind];
  const store = await openStore(`sqlite://${file}`);
  expect(await store.swap('k', undefined, '1')).toBe(true);
  await store.close();
  expect(existsSync(String(file))).toBe(kind !== ':memory:');
  rmSync(kind === 'relative' ? String(file) : dir, { recursive: true });
});

test.skipIf(!has.redis)(
  'redis://, valkey:// and a database number open Redis, a wrong password is told without it',
  async () => {
    await using server = await startRedis({ requirepass: 'hunter2' });
    const url = server.url.replace('//', '//:hunter2@');
    const [one, same, other] = [
      await openStore(url),
      await openStore(url.replace('redis', 'valkey')),
      await openStore(`${url}/1`),
    ];
    expect(await one?.swap('k', undefined, '1')).toBe(true);
    expect(await same?.get('k')).toBe('1');
    expect(await other?.get('k')).toBeUndefined();
    await Promise.all([one, same, other].map((store) => store?.close()));
    const error = await openStore(url.replace('hunter2', 'hunter3')).catch((e) => e);
    expect(error.message).toMatch(/Redis.*WRONGPASS/);
    expect(error.message).not.toContain('hunter3');
    await expect(openStore(server.url)).rejects.toThrow(/NOAUTH/);
    await using lossy = await startRedis({ appendonly: 'no' });
    await expect(openStore(lossy.url)).rejects.toThrow(/can lose what it has acknowledged/);
    await (await openStore(lossy.url, { allowLossy: true })).close();
  },
);

test.skipIf(!has.postgres)('postgres:// opens Postgres, an unknown database is told', async () => {
  await using server = await startPostgres();
  const store = await openStore(server.url.replace('postgres:', 'postgresql:'));
  expect(await store.swap('k', undefined, '1')).toBe(true);
  await store.close();
  await expect(openStore(server.url.replace(/postgres$/, 'nowhere'))).rejects.toThrow(
    /database "nowhere" does not exist/,
  );
});

test('an SQLite store loads no driver of the others', () => {
  const root = join(import.meta.dirname, '../..');
  const script = `
    import { registerHooks } from 'node:module';
    const loaded = [];
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
    const { openStore } = await import('./src/storage/open.ts');
    await (await openStore('sqlite://:memory:')).close();
    console.log(JSON.stringify(loaded));`;
  const args = ['--input-type=module', '--eval', script];
  const loaded: string[] = JSON.parse(execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8' }));
  expect(loaded.some((url) => url.endsWith('/storage/sqlite.ts'))).toBe(true);
  expect(loaded.filter((url) => /node_modules\/(pg|@redis|@keyv)\//.test(url))).toEqual([]);
});
