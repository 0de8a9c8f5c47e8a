/** A store by its URL. */
import { openSqlite } from './sqlite.ts';
import type { Store } from './store.ts';
import { reasonOf, StoreError } from './store-error.ts';

// Loaded by who uses them only: their drivers are 10 MB of memory that the default store has no use for.
const openRedis = async (url: string, options: OpenOptions) => (await import('./redis.ts')).openRedis(url, options);
const openPostgres = async (url: string, options: OpenOptions) =>
  (await import('./postgres.ts')).openPostgres(url, options);

/** `allowLossy`: also a server whose settings let it lose acknowledged writes. */
export type OpenOptions = { allowLossy?: boolean };

const ALLOWED =
  'sqlite://<path of a file>, sqlite://:memory: (lost at exit), redis://, rediss:// or valkey://<host>:<port>, ' +
  'postgres:// or postgresql://<user>:<password>@<host>:<port>/<database>';

/**
 * Opens the store and shows that it can be written and read. Rejects with a StoreError that tells the operator what to do and never
 * contains the URL's password. The path of `sqlite://` is taken as it is, relative to the working directory or absolute.
 */
export async function openStore(url: string, options: OpenOptions = {}): Promise<Store> {
  const scheme = /^([a-z]+):\/\//i.exec(url)?.[1]?.toLowerCase() ?? '';
  const rest = url.slice(scheme.length + '://'.length);
  switch (scheme) {
    case 'sqlite': {
      if (rest === '') throw new StoreError(`STORE_URL names no file. It can be ${ALLOWED}.`);
      const store = openSqlite(rest);
      await store.probe();
      return store;
    }
    case 'redis':
    case 'rediss':
      return withoutSecrets(url, () => openRedis(url, options));
    case 'valkey':
      return withoutSecrets(url, () => openRedis(`redis://${rest}`, options));
    case 'postgres':
    case 'postgresql':
      return withoutSecrets(url, () => openPostgres(url, options));
    default:
      // The URL itself may hold a password: only its scheme is repeated.
      throw new StoreError(`STORE_URL ${scheme ? `begins with ${scheme}://` : 'is no URL'}. It can be ${ALLOWED}.`);
  }
}

/** Whatever a driver says about the URL, its password stays out; so no cause either, which might repeat it. */
async function withoutSecrets(url: string, open: () => Promise<Store>): Promise<Store> {
  if (!URL.canParse(url))
    throw new StoreError(`STORE_URL cannot be read as a URL: percent-encode special characters. It can be ${ALLOWED}.`);
  const { password } = new URL(url);
  try {
    return await open();
  } catch (error) {
    const secrets = [password, decode(password)].filter((secret) => secret !== '');
    throw new StoreError(secrets.reduce((text, secret) => text.replaceAll(secret, '***'), reasonOf(error)));
  }
}

function decode(password: string): string {
  try {
    return decodeURIComponent(password);
  } catch {
    return password;
  }
}
