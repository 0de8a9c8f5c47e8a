/** What a database has to do to be a store. Everything else is in adapter.ts, once for all of them. */
import type { DueKey } from '../thread/ports.ts';

export type Write = {
  key: string;
  /** The text that must be stored for the write to happen; undefined: nothing must be; `ANYTHING`: no condition. */
  expected: string | undefined | typeof ANYTHING;
  /** undefined: delete. */
  next: string | undefined;
  due: number | undefined;
};

export const ANYTHING = Symbol('anything');

/** Keys and texts arrive checked. Everything is in the order of UTF-8 bytes. Each failure rejects with a
 * StoreError, within seconds. */
export interface Backend {
  /** One of Keyv's names, or its iterator stays off. */
  readonly dialect: 'sqlite' | 'redis' | 'postgres';
  /** The texts at `keys`, in their order. */
  read(keys: readonly string[]): Promise<(string | undefined)[]>;
  /** One atomic write, on disk when it resolves. false: what was expected is not there, and nothing has changed. */
  write(write: Write): Promise<boolean>;
  due(now: number, after: DueKey, limit: number): Promise<DueKey[]>;
  /** Keys from `from` on and before `end` (undefined: to the last), at most `limit`. */
  keys(from: string, end: string | undefined, limit: number): Promise<string[]>;
  /** Called once, when no call is on its way. */
  close(): Promise<void>;
}
