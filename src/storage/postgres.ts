/** A store for many replicas on PostgreSQL: one table, `askback_records`, in the first schema of the search path. */
import { DatabaseError, Pool } from 'pg';
import { createStore } from './adapter.ts';
import { ANYTHING, type Write } from './backend.ts';
import { createGathering } from './gather.ts';
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
/**
 * Many of the above in one statement, and so with one sync to disk; each has its own outcome. Rows are locked in the order of their keys:
 * two replicas that write the same ones wait for each other, and not each for the other.
 */
function replaceMany(count: number): string {
  const wanted = Array.from({ length: count }, (_, i) => {
    const [key, value, due, expected] = [1, 2, 3, 4].map((column) => `$${i * 4 + column}`);
    return `(${key}::text, ${value}::text, ${due}::bigint, ${expected}::text)`;
  });
  return `
    WITH wanted (key, value, due, expected) AS (VALUES ${wanted.join(', ')}),
    locked AS (SELECT key FROM ${TABLE} WHERE key IN (SELECT key FROM wanted) ORDER BY key FOR NO KEY UPDATE)
    UPDATE ${TABLE} AS stored SET value = wanted.value, due = wanted.due FROM wanted JOIN locked USING (key)
    WHERE stored.key = wanted.key AND stored.value = wanted.expected RETURNING stored.key`;
}
const DROP = `DELETE FROM ${TABLE} WHERE key = $1`;
const REMOVE = `DELETE FROM ${TABLE} WHERE key = $1 AND value = $2`;
const DUE = `SELECT key, due FROM ${TABLE} WHERE due <= $1 AND (due, key) > ($2, $3) ORDER BY due, key LIMIT $4`;
const RANGE = `SELECT key FROM ${TABLE} WHERE key >= $1 AND key < $2 ORDER BY key LIMIT $3`;
const REST = `SELECT key FROM ${TABLE} WHERE key >= $1 ORDER BY key LIMIT $2`;

/** Statements on their way at once, of the pool's ten connections, and what one carries. */
const READS = { atOnce: 3, most: 100 };
const WRITES = { atOnce: 4, most: 50 };

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
  const alone = async (write: Write) => ((await run(write)).rowCount ?? 0) > 0;

  async function together(writes: Write[]): Promise<boolean[]> {
    try {
      const values = writes.flatMap(({ key, next, due, expected }) => [key, next, due, expected]);
      const { rows } = await query(replaceMany(writes.length), values);
      const replaced = new Set(rows.map((row) => row.key));
      return writes.map(({ key }) => replaced.has(key));
    } catch (error) {
      if (isRolledBack(error)) return Promise.all(writes.map(alone));
      throw error;
    }
  }

  const gatherRead = createGathering<readonly string[], (string | undefined)[]>({
    ...READS,
    keyOf: () => undefined,
    async send(wanted) {
      const { rows } = await query(READ, [[...new Set(wanted.flat())]]);
      const texts = new Map<string, string>(rows.map((row) => [row.key, row.value]));
      return wanted.map((keys) => keys.map((key) => texts.get(key)));
    },
  });
  const gatherReplace = createGathering<Write, boolean>({
    ...WRITES,
    keyOf: ({ key }) => key,
    send: async (writes) => (writes.length === 1 ? Promise.all(writes.map(alone)) : together(writes)),
  });

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
    read: gatherRead,
    write: (write) => (isReplacement(write) ? gatherReplace(write) : alone(write)),
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

/** Nearly all writes are; the others go by themselves. */
const isReplacement = ({ expected, next }: Write) => typeof expected === 'string' && next !== undefined;

/** A deadlock (with an insert, say), or two that cannot stand one after another: surely nothing has happened, and each can go by itself. */
const ROLLED_BACK = ['40P01', '40001'];

function isRolledBack(error: unknown): boolean {
  return (
    error instanceof StoreError && error.cause instanceof DatabaseError && ROLLED_BACK.includes(error.cause.code ?? '')
  );
}
