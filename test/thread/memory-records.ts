/** AtomicRecords in memory, kept as text so that only what would be stored is there. */
import type { z } from 'zod';
import type { AtomicRecords } from '../../src/thread/ports.ts';

export type MemoryRecords<T> = AtomicRecords<T> & {
  rows: Map<string, { raw: string; due: number | undefined }>;
  writes: number;
};

export function createMemoryRecords<T>(schema: z.ZodType<T>): MemoryRecords<T> {
  const rows: MemoryRecords<T>['rows'] = new Map();
  const parse = (raw: string) => {
    const parsed = schema.safeParse(JSON.parse(raw));
    if (!parsed.success) throw Object.assign(new Error(parsed.error.message), { name: 'UnreadableRecordError' });
    return { value: parsed.data, raw };
  };
  const records: MemoryRecords<T> = {
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
      const raw = JSON.stringify(schema.parse(next));
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
