/** A Keyv storage adapter with the three methods that Keyv lacks. One file a backend; `test/storage/contract.ts` is what each must pass. */
import type { KeyvStoreAdapter } from 'keyv';
import type { DueKey } from '../thread/ports.ts';

export interface Store extends KeyvStoreAdapter {
  /**
   * Compare-and-set on the whole stored text: `previous` undefined creates, `next` undefined deletes. `due` (integer ms since the
   * epoch) is stored beside it; absent: not due. true: it happened. false: the stored text is no longer `previous`. A throw
   * leaves the outcome unknown.
   */
  swap(key: string, previous: string | undefined, next: string | undefined, due?: number): Promise<boolean>;
  due(now: number, after: DueKey | undefined, limit: number): Promise<DueKey[]>;
  list(prefix: string, after: string | undefined, limit: number): Promise<string[]>;
  /** Rejects, in words for an operator, when the store cannot be written and read. */
  probe(): Promise<void>;
  close(): Promise<void>;
}
