import { expect, test } from 'vitest';
import type { Holders } from '../../src/thread/holders.ts';
import { createTown } from './town.ts';

/** One process that stands still in the model's call, holding the thread. */
async function heldTown() {
  let standing = true;
  const town = createTown({
    lines: () => (standing ? new Promise<string>(() => {}) : 'Done.'),
    deps: { holders: named('first') },
  });
  await town.say('do it', { root: true });
  expect((await town.record())?.lease?.token).toMatch(/^first/);
  standing = false;
  return town;
}

function named(name: string, isGone: (token: string) => boolean = () => false): Holders {
  let drawn = 0;
  return { token: () => `${name}${++drawn}`, isGone };
}

test('the lease of a process that is known to be dead is not waited for, at the start and by whoever writes', async () => {
  const sweeping = await heldTown();
  sweeping.restart({ holders: named('second', (token) => token.startsWith('first')) });
  sweeping.dispatcher.start();
  await sweeping.pass(1_000);
  expect(sweeping.replies()).toEqual(['Done.']);

  const writing = await heldTown();
  writing.restart({ holders: named('second', (token) => token.startsWith('first')) });
  await writing.dispatcher.receive(writing.message('and more'));
  await writing.pass(1_000);
  expect(writing.replies()).toEqual(['Done.', 'Done.']);
  await sweeping.dispatcher.close(0);
});

test('a process of which nothing is known keeps its lease until it is over', async () => {
  const town = await heldTown();
  town.restart({ holders: named('second') });
  town.dispatcher.start();
  await town.pass(25_000);
  expect(town.replies()).toEqual([]);
  expect(await town.dispatcher.receive(town.message('and more'))).toEqual({ status: 'accepted' });
  expect(town.replies()).toEqual([]);
  await town.dispatcher.close(0);
});

test('a mistake costs no more than a lease that is over: the one that lives says nothing more', async () => {
  const first = Promise.withResolvers<string>();
  let calls = 0;
  const town = createTown({
    lines: () => (++calls === 1 ? first.promise : 'From the second.'),
    deps: { holders: named('first') },
  });
  await town.say('do it', { root: true });
  town.restart({ holders: named('second', () => true) });
  town.dispatcher.start();
  await town.pass(1_000);
  first.resolve('From the first.');
  await town.pass(3_000);
  expect(town.replies()).toEqual(['From the second.']);
  expect((await town.transcript()).map((m) => m.content)).toEqual(['do it', 'From the second.']);
  expect((await town.record())?.lease).toBeUndefined();
  await town.dispatcher.close(0);
});
