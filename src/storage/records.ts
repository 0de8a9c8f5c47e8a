/** Typed records on a store: checked on every read and before every write, each kind under a prefix of its own. */
import type { z } from 'zod';
import type { Stored } from '../agent/run-store.ts';
import type { AtomicRecords, DueKey } from '../thread/ports.ts';
import type { Store } from './store.ts';

/** A record that this version cannot use. It was not touched, and nothing is written over it. `key` is its key in the store. */
export class UnreadableRecordError extends Error {
  override name = 'UnreadableRecordError';
  readonly key: string;

  constructor(key: string, problem: string, advice = 'Repair it, or delete it to give up what it holds.') {
    super(`The record "${key}" ${problem}. It was left as it is. ${advice}`);
    this.key = key;
  }
}

export type RecordKind<T> = {
  /** The first part of the key: `thread` for `thread/T1:C1:1700000000.000100`. */
  kind: string;
  schema: z.ZodType<T>;
  /** What the schema's `v` is. A record of a later version is refused. */
  version: number;
  /** Makes a record of an earlier version one of this version; without it, those are refused too. */
  upgrade?: (record: object, from: number) => unknown;
};

/**
 * Keys are given and returned without the kind. What is stored is what Keyv itself would store, `{"value":…}`, so any Keyv reads it.
 * A swap that throws has an unknown outcome (it may have happened): the caller reads, and sees which.
 */
export function createRecords<T extends { v: number }>(store: Store, kind: RecordKind<T>): AtomicRecords<T> {
  const prefix = `${kind.kind}/`;

  return {
    async read(key) {
      const raw = await store.get<string>(prefix + key);
      return typeof raw === 'string' ? { value: parse(prefix + key, raw, kind), raw } : undefined;
    },
    async swap(key, previous, next, due) {
      if (next === undefined) return store.swap(prefix + key, previous?.raw, undefined);
      const stored = serialise(prefix + key, next, kind);
      return (await store.swap(prefix + key, previous?.raw, stored.raw, due)) && stored;
    },
    async due(now, after, limit) {
      const found: DueKey[] = [];
      let place = after && { ...after, key: prefix + after.key };
      while (found.length < limit) {
        const page = await store.due(now, place, limit);
        for (const { key, due } of page) if (key.startsWith(prefix)) found.push({ key: key.slice(prefix.length), due });
        if (page.length < limit) break;
        place = page.at(-1);
      }
      return found.slice(0, limit);
    },
    async list(start, after, limit) {
      const keys = await store.list(prefix + start, after === undefined ? undefined : prefix + after, limit);
      return keys.map((key) => key.slice(prefix.length));
    },
  };
}

function parse<T>(key: string, raw: string, { kind, schema, version, upgrade }: RecordKind<T>): T {
  let record: unknown;
  try {
    record = (JSON.parse(raw) as { value?: unknown } | null)?.value;
  } catch {
    throw new UnreadableRecordError(key, 'is not JSON');
  }
  if (typeof record !== 'object' || record === null || !('v' in record) || !Number.isSafeInteger(record.v))
    throw new UnreadableRecordError(key, `is no record of Askback: it has no version "v"`);
  const found = record.v as number;
  if (found > version)
    throw new UnreadableRecordError(
      key,
      `was written by a later version of Askback (${kind} version ${found}, this one knows ${version})`,
      'Run the later version.',
    );
  if (found < version) {
    if (!upgrade)
      throw new UnreadableRecordError(key, `has version ${found}, which this version of Askback cannot read`);
    record = upgrade(record, found);
  }
  const parsed = schema.safeParse(record);
  if (!parsed.success) throw new UnreadableRecordError(key, `is not a valid ${kind}: ${problems(parsed.error)}`);
  return parsed.data;
}

/** A value that does not fit its schema is a bug of the caller, and is not stored. */
function serialise<T>(key: string, value: T, { kind, schema }: RecordKind<T>): Stored<T> {
  const parsed = schema.safeParse(value);
  if (!parsed.success)
    throw new TypeError(`What is to be stored at "${key}" is not a valid ${kind}: ${problems(parsed.error)}`);
  return { value: parsed.data, raw: JSON.stringify({ value: parsed.data }) };
}

/** Where and what, without the values themselves: they may be what people wrote. */
function problems({ issues }: z.ZodError): string {
  return issues
    .slice(0, 3)
    .map(({ path, message }) => `${path.join('.') || 'the whole'}: ${message}`)
    .join('; ');
}
