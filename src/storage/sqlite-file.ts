/** The file of an SQLite store: made private to its owner, recognised before it is touched, its errors in words. */
import { chmodSync, closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sqliteCode } from './group-commit.ts';
import { reasonOf, StoreError } from './store-error.ts';

/** "Ask1": SQLite's mark of whose database a file is. */
const APPLICATION_ID = 0x41736b31;
const SCHEMA_VERSION = 1;
const BOOT_PATIENCE_MS = 5000;
/** How long the event loop may stand still for another process's write; group-commit.ts waits longer without standing still. */
const BUSY_TIMEOUT_MS = 25;
/** SQLITE_BUSY */
const BUSY = 5;

/** Opens or creates the database with its table, or throws a StoreError and leaves the file as it was. */
export function openDatabase(path: string): DatabaseSync {
  try {
    return open(path);
  } catch (error) {
    // Of two that open a new file at once, one may be turned away where SQLite does not wait: a second time it is made.
    if (sqliteCode(error) !== BUSY) throw sqliteError(path, error);
  }
  try {
    return open(path);
  } catch (error) {
    throw sqliteError(path, error);
  }
}

function open(path: string): DatabaseSync {
  const inMemory = path === ':memory:';
  if (!inMemory) makeFile(path);
  const db = new DatabaseSync(path, { timeout: BOOT_PATIENCE_MS });
  try {
    if (isNew(db, path)) create(db);
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
    // A write that changes nothing: a read-only file or directory is found out now, not at the first message.
    db.exec(`PRAGMA user_version = ${SCHEMA_VERSION}; PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    if (!inMemory) makePrivate(path);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function makeFile(path: string): void {
  makeFolder(dirname(path));
  closeSync(openSync(path, 'a', 0o600));
}

/** One by one: `recursive` never returns where a folder can neither be made nor be seen, such as on /proc. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  const parent = dirname(path);
  if (parent !== path) makeFolder(parent);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process may have been first.
    if (!existsSync(path)) throw error;
  }
}

/** SQLite gives -wal and -shm the mode of the file itself, so only a file that was there before needs this. */
function makePrivate(path: string): void {
  for (const file of [path, `${path}-wal`, `${path}-shm`]) {
    if (!existsSync(file) || (statSync(file).mode & 0o077) === 0) continue;
    try {
      chmodSync(file, 0o600);
    } catch (error) {
      const advice =
        'others can read it, and only its owner may change that: give the file to this user, or chmod it 600';
      throw new StoreError(`The SQLite store ${path}: ${advice} (${reasonOf(error)})`);
    }
  }
}

function isNew(db: DatabaseSync, path: string): boolean {
  // One look: between two, another process may make the file what it is not yet at the first.
  db.exec('BEGIN');
  const { application_id } = db.prepare('PRAGMA application_id').get() ?? {};
  const { user_version } = db.prepare('PRAGMA user_version').get() ?? {};
  const isEmpty = db.prepare('SELECT 1 FROM sqlite_schema').get() === undefined;
  db.exec('COMMIT');
  if (application_id === APPLICATION_ID) {
    if (Number(user_version) <= SCHEMA_VERSION) return false;
    throw new StoreError(
      `The SQLite store ${path} was written by a later version of Askback (schema ${user_version}, this one knows ${SCHEMA_VERSION}). ` +
        'It was left as it is: run the later version, or set STORE_URL to another file.',
    );
  }
  if (application_id === 0 && isEmpty) return true;
  throw new StoreError(
    `${path} is the SQLite database of another program. It was left as it is: set STORE_URL to a file of Askback's own.`,
  );
}

/** Two processes may open a new file at once: one creates, the other waits and finds it made. */
function create(db: DatabaseSync): void {
  db.exec(`
    BEGIN IMMEDIATE;
    CREATE TABLE IF NOT EXISTS records (key TEXT PRIMARY KEY, value TEXT NOT NULL, due INTEGER) STRICT;
    CREATE INDEX IF NOT EXISTS records_due ON records (due, key) WHERE due IS NOT NULL;
    PRAGMA application_id = ${APPLICATION_ID};
    PRAGMA user_version = ${SCHEMA_VERSION};
    COMMIT`);
}

const NOT_WRITABLE = 'it cannot be written: give this user the right to write the file and its directory';
const SYSTEM_ERRORS: Record<string, string> = {
  EACCES: NOT_WRITABLE,
  EPERM: NOT_WRITABLE,
  EROFS: 'it is on a read-only file system: put it elsewhere',
  EISDIR: 'it is a directory: name a file in it',
  ENOTDIR: 'a part of its path is a file, not a directory',
  EEXIST: 'a part of its path is a file, not a directory',
  ENOSPC: 'the disk is full: make room',
};
const SQLITE_ERRORS: Record<number, string> = {
  5: 'another process keeps it locked: close other programs that write it, then try again',
  8: NOT_WRITABLE,
  10: 'the disk failed; check it, then restart: what is committed is safe',
  11: 'it is damaged: restore a backup, or move it away to begin a new one',
  13: 'the disk is full: make room',
  14: NOT_WRITABLE,
  26: 'it is not an SQLite database: set STORE_URL to another file',
};

/** An error that tells the operator what to do, of whatever the file system or SQLite threw. */
export function sqliteError(path: string, error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  const advice =
    SQLITE_ERRORS[sqliteCode(error) ?? -1] ??
    (error instanceof Error && 'code' in error ? SYSTEM_ERRORS[String(error.code)] : undefined);
  const reason = reasonOf(error);
  return new StoreError(`The SQLite store ${path}: ${advice ? `${advice} (${reason})` : reason}`, { cause: error });
}
