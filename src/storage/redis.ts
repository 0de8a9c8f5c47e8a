/**
 * A store for many replicas on Redis or Valkey, by the client of @keyv/redis. Records are at `{askback}::<key>`, where any Keyv with
 * `{ store: new KeyvRedis(url), namespace: '{askback}', useKeyPrefix: false }` reads them; the hash tag keeps all in one slot of a cluster. Two deployments
 * share a server by database number (`redis://host/1`).
 */
import { createClient } from '@keyv/redis';
import type { DueKey } from '../thread/ports.ts';
import { createStore } from './adapter.ts';
import { ANYTHING, type Write } from './backend.ts';
import type { Store } from './store.ts';
import { reasonOf, StoreError } from './store-error.ts';

const RECORD = '{askback}::';
/** Every key, all with score 0, so in the order of their bytes. */
const KEYS = '{askback}:keys';
/** `<due, 16 digits> <key>`, all with score 0: in the order of due, then key, so that a page can begin exactly after any place. */
const DUE = '{askback}:due';
/** key -> due, to find the entry in DUE that a write replaces. */
const DUE_OF = '{askback}:due-of';

/**
 * ARGV: key, 'any' | 'none' | 'text', the expected text, 'set' | 'delete', the next text, due in 16 digits or ''. SET comes first: a
 * server without memory refuses a script at its first such command, and then nothing has happened.
 */
const WRITE = `
local stored = redis.call('GET', KEYS[1])
if ARGV[2] == 'none' and stored then return 0 end
if ARGV[2] == 'text' and stored ~= ARGV[3] then return 0 end
local key = ARGV[1]
local existed = 1
if ARGV[4] == 'set' then
  redis.call('SET', KEYS[1], ARGV[5])
  redis.call('ZADD', KEYS[2], 0, key)
else
  existed = redis.call('DEL', KEYS[1])
  redis.call('ZREM', KEYS[2], key)
end
local due = redis.call('HGET', KEYS[4], key)
if due and due ~= ARGV[6] then
  redis.call('ZREM', KEYS[3], due .. ' ' .. key)
  redis.call('HDEL', KEYS[4], key)
end
if ARGV[6] ~= '' and due ~= ARGV[6] then
  redis.call('ZADD', KEYS[3], 0, ARGV[6] .. ' ' .. key)
  redis.call('HSET', KEYS[4], key, ARGV[6])
end
return existed`;

const CONNECT_MS = 2000;
/** A server that is frozen, or behind a dead network, is found out within this; pings keep a healthy, idle socket alive. */
const SILENCE_MS = 3000;
const PING_MS = 1000;

/**
 * Rejects with a StoreError when Redis cannot be reached, written and read, or, unless `allowLossy`, when its settings let it lose
 * writes that it has acknowledged.
 */
export async function openRedis(url: string, { allowLossy = false }: { allowLossy?: boolean } = {}): Promise<Store> {
  let booted = false;
  const client = createClient({
    url,
    // With its queue, calls would wait as long as Redis is away and then write late.
    disableOfflineQueue: true,
    pingInterval: PING_MS,
    socket: {
      connectTimeout: CONNECT_MS,
      socketTimeout: SILENCE_MS,
      // At boot the operator is told at once; later the client comes back by itself.
      reconnectStrategy: (tries, cause) => (booted ? Math.min(50 * 2 ** Math.min(tries, 5), 1000) : cause),
    },
  });
  // Every call that fails rejects; without a listener, a lost connection would end the process.
  client.on('error', () => {});
  const sha: { write?: string } = {};

  async function inWords<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw new StoreError(`Redis: ${reasonOf(error)}`, { cause: error });
    }
  }

  async function write({ key, expected, next, due }: Write): Promise<boolean> {
    const when = expected === ANYTHING ? 'any' : expected === undefined ? 'none' : 'text';
    const script = {
      keys: [RECORD + key, KEYS, DUE, DUE_OF],
      arguments: [
        key,
        when,
        typeof expected === 'string' ? expected : '',
        next === undefined ? 'delete' : 'set',
        next ?? '',
        due === undefined ? '' : digits(due),
      ],
    };
    try {
      sha.write ??= await client.scriptLoad(WRITE);
      return (await client.evalSha(sha.write, script)) === 1;
    } catch (error) {
      // A server that was restarted has forgotten its scripts; this one surely did not run.
      if (!reasonOf(error).startsWith('NOSCRIPT')) throw error;
      return (await client.eval(WRITE, script)) === 1;
    }
  }

  const store = createStore({
    dialect: 'redis',
    read: (keys) =>
      inWords(async () => (await client.mGet(keys.map((key) => RECORD + key))).map((text) => text ?? undefined)),
    write: (change) => inWords(() => write(change)),
    due: (now, after, limit) =>
      inWords(async () => {
        const start = after.due < 0 ? '-' : `(${digits(after.due)} ${after.key}`;
        // '!' is the byte after the space: everything that is due at `now`, whatever its key.
        const places = await client.zRange(DUE, start, `(${digits(now)}!`, lex(limit));
        return places.map((place): DueKey => ({ key: place.slice(17), due: Number(place.slice(0, 16)) }));
      }),
    keys: (from, end, limit) =>
      inWords(() => client.zRange(KEYS, `[${from}`, end === undefined ? '+' : `(${end}`, lex(limit))),
    // Not the client's close(), which waits for ever for answers that are lost.
    async close() {
      if (client.isOpen) client.destroy();
    },
  });

  try {
    await client.connect();
    if (!allowLossy) refuseLossy(`${await client.info('persistence')}\n${await client.info('memory')}`);
    await store.probe();
    booted = true;
    return store;
  } catch (error) {
    await store.close();
    throw error instanceof StoreError ? error : new StoreError(`Redis cannot be reached: ${reasonOf(error)}`);
  }
}

const lex = (count: number) => ({ BY: 'LEX', LIMIT: { offset: 0, count } }) as const;
const digits = (due: number) => String(due).padStart(16, '0');

/** `volatile-*` policies are safe: they evict only keys with a time to live, and no record has one. */
function refuseLossy(info: string): void {
  const of = (field: string) => new RegExp(`^${field}:(.*?)\r?$`, 'm').exec(info)?.[1];
  const problems = [
    of('aof_enabled') === '0' && 'it does not log writes to disk: set "appendonly yes"',
    of('maxmemory_policy')?.startsWith('allkeys-') &&
      `it deletes records when memory is short (${of('maxmemory_policy')}): set "maxmemory-policy noeviction"`,
  ].filter((problem) => typeof problem === 'string');
  if (problems.length > 0)
    throw new StoreError(
      `This Redis can lose what it has acknowledged: ${problems.join('; ')}. ` +
        'Change that, or accept lost questions and answers with STORE_ALLOW_LOSSY=true.',
    );
}
