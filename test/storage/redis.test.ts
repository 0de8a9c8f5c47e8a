import KeyvRedis, { createClient } from '@keyv/redis';
import { Keyv } from 'keyv';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openRedis } from '../../src/storage/redis.ts';
import { has, type Service, startRedis } from '../support/services.ts';
import { describeStore } from './contract.ts';
import { describeServer, whenInstalled } from './server.ts';

whenInstalled('redis-server', has.redis, () => {
  let server: Service;
  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  describeStore('Redis', async () => ({ open: () => openRedis(server.url) }));
  describeServer(
    'Redis',
    () => server,
    (url) => openRedis(url),
  );

  describe('openRedis', () => {
    test.for([
      [{ appendonly: 'no' }, /appendonly yes/],
      [{ 'maxmemory-policy': 'allkeys-lru' }, /allkeys-lru.*noeviction/],
      [{ appendonly: 'no', 'maxmemory-policy': 'allkeys-random' }, /appendonly yes.*noeviction/],
    ] as const)('refuses a server with %o in plain words, unless told otherwise', async ([settings, words]) => {
      await using server = await startRedis(settings);
      await expect(openRedis(server.url)).rejects.toThrow(words);
      const store = await openRedis(server.url, { allowLossy: true });
      expect(await store.swap('k', undefined, '1')).toBe(true);
      await store.close();
    });

    test('takes a policy that evicts only what has a time to live', async () => {
      await using server = await startRedis({ 'maxmemory-policy': 'volatile-lru' });
      await (await openRedis(server.url)).close();
    });

    test('refuses a replica, which cannot be written', async () => {
      await using server = await startRedis({ replicaof: '127.0.0.1 1' });
      await expect(openRedis(server.url)).rejects.toThrow(/cannot be written and read: Redis: READONLY/);
    });

    test('a full server rejects the write and keeps what was there', async () => {
      await using server = await startRedis();
      const store = await openRedis(server.url);
      await store.swap('k', undefined, '1', 5);
      // Less than it has in use already: what big values fill is free again when their requests are read.
      const client = await createClient({ url: server.url }).connect();
      await client.configSet('maxmemory', '1');
      await client.close();
      await expect(store.set('more', 'x')).rejects.toThrow(/Redis: OOM/);
      await expect(store.swap('k', '1', '2', 6)).rejects.toThrow(/Redis: .*OOM/);
      expect(await store.get('k')).toBe('1');
      expect(await store.due(9, undefined, 9)).toEqual([{ key: 'k', due: 5 }]);
      await store.close();
    });
  });

  describe('what is in the server', () => {
    test('any Keyv with the namespace {askback} reads the records, and the indexes are in the same slot', async () => {
      const store = await openRedis(server.url);
      await store.swap('thread/T:C:1', undefined, '{"value":{"a":1}}', 3);
      const keyv = new Keyv({ store: new KeyvRedis(server.url), namespace: '{askback}', useKeyPrefix: false });
      expect(await keyv.get('thread/T:C:1')).toEqual({ a: 1 });
      await keyv.disconnect();
      const client = await createClient({ url: server.url }).connect();
      const names = (await client.keys('*')).toSorted();
      expect(names.every((name) => name.startsWith('{askback}'))).toBe(true);
      await store.clear();
      expect(await client.keys('*')).toEqual([]);
      await client.close();
      await store.close();
    });

    test('a script flush in between changes nothing', async () => {
      const store = await openRedis(server.url);
      const client = await createClient({ url: server.url }).connect();
      await client.scriptFlush();
      expect(await store.swap('k', undefined, '1', 4)).toBe(true);
      expect(await store.swap('k', '1', '2')).toBe(true);
      expect(await store.due(9, undefined, 9)).toEqual([]);
      await client.close();
      await store.close();
    });
  });
});
