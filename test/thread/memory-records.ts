/** AtomicRecords in memory, kept as text so that only what would be stored is there. */
import type { AtomicRecords } from '../../src/thread/ports.ts';
import { type ThreadRecord, threadRecordSchema } from '../../src/thread/thread.ts';

export type MemoryRecords = AtomicRecords<ThreadRecord> & {
  rows: Map<string, { raw: string; due: number | undefined }>;
  writes: number;
};

export function createMemoryRecords(): MemoryRecords {
  const rows: MemoryRecords['rows'] = new Map();
  const parse = (raw: string) => {
    const { data, error } = threadRecordSchema.safeParse(JSON.parse(raw));
    if (!data) throw Object.assign(new Error(error.message), { name: 'UnreadableRecordError' });
    return { value: data, raw };
  };
  const records: MemoryRecords = {
    rows,
    writes: 0,
    async read(key) {
      const row = rows.get(key);
      return row && parse(row.raw);
    },
    async swap(key, previous, next, due) {
      if (rows.get(key)?.raw !== previous?.raw) return false;
      records.writes += 1;
      if (next === undefined) return rows.delete(key);
      const raw = JSON.stringify(threadRecordSchema.parse(next));
      rows.set(key, { raw, due });
      return parse(raw);
    },
    async due(now, after, limit) {
      return [...rows]
        .flatMap(([key, { due }]) => (due !== undefined && due <= now ? [{ key, due }] : []))
        .sort((a, b) => a.due - b.due || (a.key < b.key ? -1 : 1))
        .filter((row) => !after || row.due > after.due || (row.due === after.due && row.key > after.key))
        .slice(0, limit);
    },
    async list(prefix, after, limit) {
      return [...rows.keys()]
        .filter((key) => key.startsWith(prefix) && (after === undefined || key > after))
        .sort()
        .slice(0, limit);
    },
  };
  return records;
}
