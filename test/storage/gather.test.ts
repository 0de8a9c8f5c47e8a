import { describe, expect, test } from 'vitest';
import { createGathering } from '../../src/storage/gather.ts';

type Sent = { items: string[]; answer(outcomes?: string[]): void; fail(error: Error): void };

/** A far side that answers when it is told to; an item's key is its first letter, and `-` has none. */
function farSide({ atOnce = 1, most = 10 }: { atOnce?: number; most?: number } = {}) {
  const sent: Sent[] = [];
  const gather = createGathering<string, string>({
    atOnce,
    most,
    keyOf: (item) => (item.startsWith('-') ? undefined : item.charAt(0)),
    send: (items) =>
      new Promise((resolve, reject) => {
        sent.push({ items, answer: (outcomes = items.map((item) => `${item}!`)) => resolve(outcomes), fail: reject });
      }),
  });
  return { gather, sent };
}

const turn = () => new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve)));

describe('a gathering', () => {
  test('sends what is called together at once, and gives each its outcome', async () => {
    const { gather, sent } = farSide();
    const outcomes = Promise.all([gather('a'), gather('b'), gather('c')]);
    await turn();
    expect(sent.map(({ items }) => items)).toEqual([['a', 'b', 'c']]);
    sent[0]?.answer();
    expect(await outcomes).toEqual(['a!', 'b!', 'c!']);
  });

  test('what comes while as many as may are on their way goes next, in one', async () => {
    const { gather, sent } = farSide({ atOnce: 2 });
    const first = gather('a');
    await turn();
    const second = gather('b');
    await turn();
    const others = [gather('c'), gather('d')];
    await turn();
    others.push(gather('e'));
    await turn();
    expect(sent.map(({ items }) => items)).toEqual([['a'], ['b']]);
    sent[1]?.answer();
    await second;
    await turn();
    expect(sent[2]?.items).toEqual(['c', 'd', 'e']);
    sent[0]?.answer();
    sent[2]?.answer();
    expect(await Promise.all([first, ...others])).toEqual(['a!', 'c!', 'd!', 'e!']);
  });

  test('one carries no more than it may', async () => {
    const { gather, sent } = farSide({ most: 2 });
    const outcomes = Promise.all([gather('a'), gather('b'), gather('c')]);
    await turn();
    sent[0]?.answer();
    await turn();
    sent[1]?.answer();
    await outcomes;
    expect(sent.map(({ items }) => items)).toEqual([['a', 'b'], ['c']]);
  });

  test('those of one key go one after another, in their order, and hold up no others', async () => {
    const { gather, sent } = farSide({ atOnce: 3 });
    const outcomes = Promise.all([gather('a1'), gather('a2'), gather('b'), gather('a3')]);
    await turn();
    const later = gather('c');
    await turn();
    expect(sent.map(({ items }) => items)).toEqual([['a1', 'b'], ['c']]);
    sent[0]?.answer();
    await turn();
    expect(sent[2]?.items).toEqual(['a2']);
    sent[2]?.answer();
    await turn();
    expect(sent[3]?.items).toEqual(['a3']);
    sent[3]?.answer();
    sent[1]?.answer();
    expect(await outcomes).toEqual(['a1!', 'a2!', 'b!', 'a3!']);
    expect(await later).toBe('c!');
  });

  test('those without a key go together', async () => {
    const { gather, sent } = farSide();
    const outcomes = Promise.all([gather('-'), gather('-')]);
    await turn();
    sent[0]?.answer(['one', 'two']);
    expect(await outcomes).toEqual(['one', 'two']);
  });

  test('a failure is that of those who went together, and of nobody after them', async () => {
    const { gather, sent } = farSide();
    const failed = Promise.allSettled([gather('a'), gather('b')]);
    await turn();
    const next = gather('a');
    sent[0]?.fail(new Error('cut off'));
    expect((await failed).map((each) => each.status === 'rejected' && each.reason.message)).toEqual([
      'cut off',
      'cut off',
    ]);
    await turn();
    sent[1]?.answer();
    expect(await next).toBe('a!');
  });
});
