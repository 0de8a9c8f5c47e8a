import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openSqlite } from '../../src/storage/sqlite.ts';
import { StoreError } from '../../src/storage/store-error.ts';
import { describeStore } from './contract.ts';

const makeDir = () => mkdtempSync(join(tmpdir(), 'askback-sqlite-'));

describeStore('SQLite', async () => {
  const dir = makeDir();
  return { open: async () => openSqlite(join(dir, 'store.sqlite')), remove: () => rmSync(dir, { recursive: true }) };
});

describe('the file of an SQLite store', () => {
  let dir: string;
  let path: string;
  beforeEach(() => {
    dir = makeDir();
    path = join(dir, 'store.sqlite');
  });
  afterEach(() => rmSync(dir, { recursive: true }));

  const modeOf = (file: string) => (statSync(file).mode & 0o777).toString(8);
  const raw = (sql: string) => {
    const db = new DatabaseSync(path);
    db.exec(sql);
    db.close();
  };

  test('is made with its directories, all private to their owner, and an older, open one is made private', async () => {
    const deep = join(dir, 'a', 'b', 'store.sqlite');
    for (const before of ['new', 'open to all']) {
      const store = openSqlite(deep);
      await store.set('k', '1');
      expect([join(dir, 'a'), join(dir, 'a', 'b')].map(modeOf), before).toEqual(['700', '700']);
      expect([deep, `${deep}-wal`, `${deep}-shm`].map(modeOf), before).toEqual(['600', '600', '600']);
      await store.close();
      chmodSync(deep, 0o666);
    }
  });

  test('is in WAL mode with a full sync, and times and pages are served by indexes', async () => {
    const store = openSqlite(path);
    await store.swap('k', undefined, '1', 1);
    const db = new DatabaseSync(path);
    expect(db.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' });
    const plan = (sql: string) => JSON.stringify(db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...Array(4).fill(1)));
    expect(
      plan('SELECT key, due FROM records WHERE due <= ? AND (due, key) > (?, ?) ORDER BY due, key LIMIT ?'),
    ).toMatch(/SEARCH records USING COVERING INDEX records_due(?!.*TEMP B-TREE)/);
    db.close();
    await store.close();
  });

  test.for([
    ['a directory', () => mkdirSync(path), /it is a directory: name a file in it/],
    [
      'a path through a file',
      () => {
        writeFileSync(join(dir, 'x'), '');
        path = join(dir, 'x', 'y.sqlite');
      },
      /a part of its path is a file/,
    ],
    [
      'a file of something else',
      () => writeFileSync(path, 'notes, not a database. '.repeat(200)),
      /not an SQLite database/,
    ],
    ["another program's database", () => raw('CREATE TABLE places (x)'), /database of another program/],
    ['a database marked by another program', () => raw('PRAGMA application_id = 77'), /database of another program/],
    [
      'a store of a later version',
      () => raw('CREATE TABLE records (key, later); PRAGMA application_id = 0x41736b31; PRAGMA user_version = 2'),
      /later version of Askback \(schema 2, this one knows 1\)/,
    ],
  ] as const)('%s is refused in words, and left as it was', ([, make, words]) => {
    make();
    const before = existsSync(path) && statSync(path).isFile() ? readFileSync(path) : undefined;
    expect(() => openSqlite(path)).toThrow(words);
    expect(() => openSqlite(path)).toThrow(StoreError);
    if (before) expect(readFileSync(path).equals(before)).toBe(true);
  });

  test('a damaged file is told, not read as empty', async () => {
    const store = openSqlite(path);
    for (let i = 0; i < 50; i++) await store.set(`k${i}`, 'x'.repeat(2000));
    await store.close();
    const bytes = readFileSync(path);
    bytes.fill(0xaa, 4096, bytes.length);
    writeFileSync(path, bytes);
    const open = async () => {
      const again = openSqlite(path);
      await again.get('k1').finally(() => again.close());
    };
    await expect(open()).rejects.toThrow(/it is damaged: restore a backup/);
  });

  // Root may write everything, so a child of another user tries.
  test.skipIf(process.getuid?.() !== 0)('a file or directory of somebody else is refused in words', async () => {
    await openSqlite(path).close();
    const source = join(import.meta.dirname, '../../src/storage/sqlite.ts');
    const program = `
      import { setuid } from 'node:process';
      const { openSqlite } = await import(${JSON.stringify(source)});
      setuid(65534);
      for (const path of ${JSON.stringify([path, join(dir, 'new.sqlite')])})
        try { openSqlite(path); console.log('opened'); } catch (error) { console.log(error.name, error.message); }`;
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' });
    const lines = stdout.trim().split('\n');
    expect(lines).toHaveLength(2);
    for (const line of lines)
      expect(line).toMatch(/^StoreError The SQLite store .*: it cannot be written: give this user/);
  });
});

describe('writes of one tick', () => {
  let dir: string;
  let path: string;
  beforeEach(() => {
    dir = makeDir();
    path = join(dir, 'store.sqlite');
  });
  afterEach(() => rmSync(dir, { recursive: true }));

  test('are one transaction, and none resolves before it is committed', async () => {
    const store = openSqlite(path);
    const db = new DatabaseSync(path);
    const size = () => statSync(`${path}-wal`).size;
    const seen = async (key: string) => db.prepare('SELECT value FROM records WHERE key = ?').get(key)?.value;
    await store.set('first', '1');
    const start = size();
    await store.set('one', '1');
    const ofOne = size() - start;
    const writes = Array.from({ length: 50 }, async (_, i) => {
      await store.swap(`k${i}`, undefined, `${i}`);
      return seen(`k${i}`);
    });
    expect(await Promise.all(writes)).toEqual(Array.from({ length: 50 }, (_, i) => `${i}`));
    // Fifty transactions would write the same pages fifty times.
    expect(size() - start - ofOne).toBeLessThan(5 * ofOne);
    db.close();
    await store.close();
  });

  test('one that fails rejects alone; the others are committed', async () => {
    const store = openSqlite(path);
    const db = new DatabaseSync(path);
    db.exec(`CREATE TRIGGER refuse BEFORE INSERT ON records WHEN new.key = 'bad' BEGIN SELECT RAISE(ABORT, 'no'); END;
      CREATE TRIGGER undo BEFORE INSERT ON records WHEN new.key = 'worse' BEGIN SELECT RAISE(ROLLBACK, 'nothing'); END`);
    db.close();
    for (const [bad, words] of [
      ['bad', /: no$/],
      ['worse', /: nothing$/],
    ] as const) {
      await store.clear();
      const keys = ['a', 'b', bad, 'c'];
      const outcomes = await Promise.allSettled(keys.map((key) => store.swap(key, undefined, '1')));
      expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
      await expect(store.swap(bad, undefined, '1')).rejects.toThrow(words);
      expect(await store.list('', undefined, 9)).toEqual(['a', 'b', 'c']);
    }
    await store.close();
  });

  test('wait for another process without holding up the event loop, in their order, and then for no longer than 5 s', async () => {
    const store = openSqlite(path);
    const other = new DatabaseSync(path);
    other.exec('BEGIN IMMEDIATE');
    const waiting = [store.swap('k', undefined, '1'), store.swap('k', '1', '2'), store.swap('k', '1', '3')];
    let turns = 0;
    const ticking = setInterval(() => turns++, 5);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(turns).toBeGreaterThan(2);
    expect(await store.get('k')).toBeUndefined();
    const later = store.swap('k', '2', '4');
    other.exec('COMMIT');
    expect(await Promise.all([...waiting, later])).toEqual([true, true, false, true]);

    other.exec('BEGIN IMMEDIATE');
    const start = performance.now();
    const lost = Promise.allSettled([store.set('x', '1'), store.set('y', '1')]);
    await expect(store.set('k', '5')).rejects.toThrow(/another process keeps it locked.*database is locked/);
    expect((await lost).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(performance.now() - start).toBeGreaterThan(2000);
    other.exec('COMMIT');
    expect(await store.list('', undefined, 9)).toEqual(['k']);
    expect(await store.set('k', '6')).toBe(true);
    clearInterval(ticking);
    other.close();
    await store.close();
  });
});

describe('a process that is killed', () => {
  test('loses nothing that it was told is saved, also in groups', async () => {
    const dir = makeDir();
    const path = join(dir, 'store.sqlite');
    const source = join(import.meta.dirname, '../../src/storage/sqlite.ts');
    const program = `
      import { writeSync } from 'node:fs';
      const { openSqlite } = await import(${JSON.stringify(source)});
      const store = openSqlite(${JSON.stringify(path)});
      await Promise.all(Array.from({ length: 8 }, async (_, w) => {
        for (let i = 0; ; i++) { await store.swap(process.argv[1] + '/' + w + '/' + i, undefined, '"' + i + '"', i); writeSync(1, process.argv[1] + '/' + w + '/' + i + '\\n'); }
      }));`;
    for (let round = 0; round < 3; round++) {
      const child = spawn(process.execPath, ['--input-type=module', '-e', program, `${round}`], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let told = '';
      child.stdout.on('data', (data) => {
        told += data;
        if (told.length > 3000) child.kill('SIGKILL');
      });
      await once(child, 'close');
      const store = openSqlite(path);
      const keys = told.split('\n').slice(0, -1);
      expect(keys.length).toBeGreaterThan(100);
      const texts = await store.getMany?.(keys);
      expect(texts).toEqual(keys.map((key) => `"${key.split('/')[2]}"`));
      await store.close();
    }
    rmSync(dir, { recursive: true });
  });
});

test('two that open a new file at once both have it', async () => {
  const dir = makeDir();
  // Each of two threads waits for the other before it opens the next file.
  const program = `
    import { workerData, parentPort } from 'node:worker_threads';
    const { openDatabase } = await import(workerData.source);
    const problems = [];
    for (let file = 1; file <= 100; file += 1) {
      Atomics.add(workerData.turn, 0, 1);
      for (let spins = 0; Atomics.load(workerData.turn, 0) < 2 * file && spins < 1e9; spins += 1);
      try { openDatabase(workerData.dir + '/' + file + '.sqlite').close(); } catch (error) { problems.push(String(error)); }
    }
    parentPort.postMessage(problems);`;
  const workerData = {
    dir,
    source: new URL('../../src/storage/sqlite-file.ts', import.meta.url).href,
    turn: new Int32Array(new SharedArrayBuffer(4)),
  };
  const both = [1, 2].map(async () => {
    const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(program)}`), { workerData });
    const [problems] = await once(worker, 'message');
    return problems as string[];
  });
  expect((await Promise.all(both)).flat()).toEqual([]);
  rmSync(dir, { recursive: true });
});
