/** A store for many replicas on PostgreSQL: one table, `askback_records`, in the first schema of the search path. */
import { Pool } from 'pg';
import { createStore } from './adapter.ts';
import { ANYTHING, type Write } from './backend.ts';
import type { Store } from './store.ts';
import { reasonOf, StoreError } from './store-error.ts';

/** A server that is frozen, or behind a dead network, is found out within this. */
const TIMEOUT_MS = 3000;

const TABLE = 'askback_records';
/** Any number that nobody else locks: two replicas that start at once must not create the table both (an error in Postgres). */
const CREATE_LOCK = 0x41736b31;
/** COLLATE "C": keys in the order of their bytes, as in the other stores. */
const CREATE = `
  CREATE TABLE IF NOT EXISTS ${TABLE} (key text COLLATE "C" PRIMARY KEY, value text COLLATE "C" NOT NULL, due bigint);
  CREATE INDEX IF NOT EXISTS ${TABLE}_due ON ${TABLE} (due, key) WHERE due IS NOT NULL`;

const READ = `SELECT key, value FROM ${TABLE} WHERE key = ANY($1)`;
const PUT = `INSERT INTO ${TABLE} VALUES ($1, $2, $3)
  ON CONFLICT (key) DO UPDATE SET value = excluded.value, due = excluded.due`;
const INSERT = `INSERT INTO ${TABLE} VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`;
const REPLACE = `UPDATE ${TABLE} SET value = $2, due = $3 WHERE key = $1 AND value = $4`;
const DROP = `DELETE FROM ${TABLE} WHERE key = $1`;
const REMOVE = `DELETE FROM ${TABLE} WHERE key = $1 AND value = $2`;
const DUE = `SELECT key, due FROM ${TABLE} WHERE due <= $1 AND (due, key) > ($2, $3) ORDER BY due, key LIMIT $4`;
const RANGE = `SELECT key FROM ${TABLE} WHERE key >= $1 AND key < $2 ORDER BY key LIMIT $3`;
const REST = `SELECT key FROM ${TABLE} WHERE key >= $1 ORDER BY key LIMIT $2`;

/** What one row update needs of the server's settings to be on disk when it is acknowledged. */
const SETTINGS = "SELECT current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS commit";

/** Rejects with a StoreError when Postgres cannot be reached, written and read, or, unless `allowLossy`, acknowledges before it saves. */
export async function openPostgres(url: string, { allowLossy = false }: { allowLossy?: boolean } = {}): Promise<Store> {
  const pool = new Pool({
    connectionString: url,
    application_name: 'askback',
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
    keepAlive: true,
  });
  // An idle connection that is cut would end the process; the call that needs the next one tells what is wrong.
  pool.on('error', () => {});

  async function query(sql: string, values: unknown[] = []) {
    try {
      return await pool.query(sql, values);
    } catch (error) {
      throw new StoreError(`Postgres: ${reasonOf(error)}`, { cause: error });
    }
  }

  function run({ key, expected, next, due }: Write) {
    if (next === undefined) return expected === ANYTHING ? query(DROP, [key]) : query(REMOVE, [key, expected]);
    if (expected === ANYTHING) return query(PUT, [key, next, due]);
    return expected === undefined ? query(INSERT, [key, next, due]) : query(REPLACE, [key, next, due, expected]);
  }

  /** A role without the right to create tables can use one that was made for it. */
  async function makeTable(): Promise<void> {
    const { rows } = await query('SELECT to_regclass($1) IS NOT NULL AS made', [TABLE]);
    if (rows[0].made) return;
    await query(`BEGIN; SELECT pg_advisory_xact_lock(${CREATE_LOCK}); ${CREATE}; COMMIT`.replaceAll('\n', ' '));
  }

  async function refuseLossy(): Promise<void> {
    const { rows } = await query(SETTINGS);
    const problems = [
      rows[0].fsync === 'off' && 'it does not sync to disk: set "fsync = on"',
      rows[0].commit === 'off' &&
        'it acknowledges before it writes: ALTER ROLE of the user in STORE_URL SET synchronous_commit = on',
    ].filter((problem) => typeof problem === 'string');
    if (problems.length > 0)
      throw new StoreError(
        `This Postgres can lose what it has acknowledged: ${problems.join('; ')}. ` +
          'Change that, or accept lost questions and answers with STORE_ALLOW_LOSSY=true.',
      );
  }

  const store = createStore({
    dialect: 'postgres',
    async read(keys) {
      const { rows } = await query(READ, [keys]);
      const texts = new Map<string, string>(rows.map((row) => [row.key, row.value]));
      return keys.map((key) => texts.get(key));
    },
    write: async (write) => ((await run(write)).rowCount ?? 0) > 0,
    async due(now, after, limit) {
      const { rows } = await query(DUE, [now, after.due, after.key, limit]);
      return rows.map((row) => ({ key: row.key, due: Number(row.due) }));
    },
    async keys(from, end, limit) {
      const { rows } = await (end === undefined ? query(REST, [from, limit]) : query(RANGE, [from, end, limit]));
      return rows.map((row) => row.key);
    },
    close: () => pool.end(),
  });

  try {
    if (!allowLossy) await refuseLossy();
    await makeTable();
    await store.probe();
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}
