/** The default store: one file, `node:sqlite` in WAL mode with a full sync at every commit. Not for network file systems. */
import type { DueKey } from '../thread/ports.ts';
import { createStore } from './adapter.ts';
import { ANYTHING, type Write } from './backend.ts';
import { createGroupCommit } from './group-commit.ts';
import { openDatabase, sqliteError } from './sqlite-file.ts';
import type { Store } from './store.ts';

/** Pauses of 25 ms, and as long again inside SQLite: about five seconds. */
const BUSY_PATIENCE = 100;

/** `path` may be `:memory:`. Throws a StoreError that tells the operator what to do. */
export function openSqlite(path: string): Store {
  const db = openDatabase(path);
  const group = createGroupCommit(db, BUSY_PATIENCE);
  const read = db.prepare('SELECT value FROM records WHERE key = ?');
  const put = db.prepare(
    'INSERT INTO records VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET value = excluded.value, due = excluded.due',
  );
  const create = db.prepare('INSERT INTO records VALUES (?, ?, ?) ON CONFLICT DO NOTHING');
  const replace = db.prepare('UPDATE records SET value = ?, due = ? WHERE key = ? AND value = ?');
  const drop = db.prepare('DELETE FROM records WHERE key = ?');
  const remove = db.prepare('DELETE FROM records WHERE key = ? AND value = ?');
  const dueAt = db.prepare(
    'SELECT key, due FROM records WHERE due <= ? AND (due, key) > (?, ?) ORDER BY due, key LIMIT ?',
  );
  const range = db.prepare('SELECT key FROM records WHERE key >= ? AND key < ? ORDER BY key LIMIT ?');
  const rest = db.prepare('SELECT key FROM records WHERE key >= ? ORDER BY key LIMIT ?');

  function run({ key, expected, next, due: at }: Write) {
    const due = at ?? null;
    if (next === undefined) return expected === ANYTHING ? drop.run(key) : remove.run(key, expected ?? null);
    if (expected === ANYTHING) return put.run(key, next, due);
    return expected === undefined ? create.run(key, next, due) : replace.run(next, due, key, expected);
  }

  /** Turns what SQLite throws into words. */
  async function inWords<T>(work: () => T | Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw sqliteError(path, error);
    }
  }

  return createStore({
    dialect: 'sqlite',
    read: (keys) => inWords(() => keys.map((key) => read.get(key)?.value as string | undefined)),
    write: (write) => inWords(() => group.write(() => run(write).changes > 0)),
    due: (now, place, limit) =>
      inWords(() => dueAt.all(now, place.due, place.key, limit).map(({ key, due }) => ({ key, due }) as DueKey)),
    keys: (from, end, limit) =>
      inWords(() => {
        const rows = end === undefined ? rest.all(from, limit) : range.all(from, end, limit);
        return rows.map((row) => row.key as string);
      }),
    async close() {
      db.close();
    },
  });
}
