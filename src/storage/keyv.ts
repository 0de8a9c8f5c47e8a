/** Keyv over a store, for what needs no compare-and-set: strict, so that a failing store is never read as an absent value. */
import { Keyv } from 'keyv';
import type { Store } from './store.ts';

/** Every failure rejects; `set` resolves to true or rejects. A key here is the key in the store: no namespace, no prefix. */
export function createKeyv(store: Store): Keyv {
  return new Keyv({
    store,
    // Keyv's type has no undefined here, its constructor has: the default would prefix every key.
    ...({ namespace: undefined } as object),
    useKeyPrefix: false,
    throwOnErrors: true,
    serialize: JSON.stringify,
    deserialize: JSON.parse,
  });
}
