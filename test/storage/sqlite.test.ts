import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqlite } from '../../src/storage/sqlite.ts';
import { describeStore } from './contract.ts';

describeStore('SQLite', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'askback-sqlite-'));
  return {
    open: async () => openSqlite(join(dir, 'store.sqlite')),
    remove: () => rmSync(dir, { recursive: true }),
  };
});
