import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDelta, assembled } from '../../src/openai/assemble.ts';
import type { CallDelta } from '../../src/openai/chunk.ts';

const put = (deltas: readonly CallDelta[]) =>
  assembled(deltas.reduce<Parameters<typeof addDelta>[0]>((calls, delta) => addDelta(calls, delta), []));

type D = Partial<CallDelta>;
const delta = (d: D): CallDelta => ({ name: '', arguments: '', ...d });

const table: { what: string; deltas: D[]; calls: { id?: string; name: string; arguments: string }[] }[] = [
  {
    what: 'as OpenAI sends it',
    deltas: [
      { index: 0, id: 'a', name: 'f' },
      { index: 0, arguments: '{"x"' },
      { index: 0, arguments: ':1}' },
    ],
    calls: [{ id: 'a', name: 'f', arguments: '{"x":1}' }],
  },
  {
    what: 'two interleaved by index',
    deltas: [
      { index: 0, id: 'a', name: 'f' },
      { index: 1, id: 'b', name: 'g' },
      { index: 1, arguments: '{"y"' },
      { index: 0, arguments: '{"x"' },
      { index: 1, arguments: ':2}' },
      { index: 0, arguments: ':1}' },
    ],
    calls: [
      { id: 'a', name: 'f', arguments: '{"x":1}' },
      { id: 'b', name: 'g', arguments: '{"y":2}' },
    ],
  },
  {
    what: 'two interleaved by id, without an index',
    deltas: [
      { id: 'a', name: 'f', arguments: '{"x"' },
      { id: 'b', name: 'f', arguments: '{"y"' },
      { id: 'a', arguments: ':1}' },
      { id: 'b', arguments: ':2}' },
    ],
    calls: [
      { id: 'a', name: 'f', arguments: '{"x":1}' },
      { id: 'b', name: 'f', arguments: '{"y":2}' },
    ],
  },
  {
    what: 'one after the other without index and id',
    deltas: [{ name: 'f', arguments: '{"x"' }, { arguments: ':1}' }, { name: 'g' }, { arguments: '{}' }],
    calls: [
      { name: 'f', arguments: '{"x":1}' },
      { name: 'g', arguments: '{}' },
    ],
  },
  {
    what: 'the same tool twice, whole, without index and id',
    deltas: [
      { name: 'f', arguments: '{"x":1}' },
      { name: 'f', arguments: '{"x":2}' },
    ],
    calls: [
      { name: 'f', arguments: '{"x":1}' },
      { name: 'f', arguments: '{"x":2}' },
    ],
  },
  {
    what: 'every call at index 0, with ids of their own',
    deltas: [
      { index: 0, id: 'a', name: 'f', arguments: '{"x":1}' },
      { index: 0, id: 'b', name: 'f', arguments: '{"x":2}' },
      { index: 0, id: 'c', name: 'g' },
      { index: 0, arguments: '{"z":3}' },
    ],
    calls: [
      { id: 'a', name: 'f', arguments: '{"x":1}' },
      { id: 'b', name: 'f', arguments: '{"x":2}' },
      { id: 'c', name: 'g', arguments: '{"z":3}' },
    ],
  },
  {
    what: 'one id for all calls, told apart by index',
    deltas: [
      { index: 0, id: 'same', name: 'f', arguments: '{"x":1}' },
      { index: 1, id: 'same', name: 'f', arguments: '{"x":2}' },
    ],
    calls: [
      { id: 'same', name: 'f', arguments: '{"x":1}' },
      { id: 'same', name: 'f', arguments: '{"x":2}' },
    ],
  },
  {
    what: 'one id for all calls, whole, without index',
    deltas: [
      { id: 'same', name: 'f', arguments: '{"x":1}' },
      { id: 'same', name: 'f', arguments: '{"x":2}' },
    ],
    calls: [
      { id: 'same', name: 'f', arguments: '{"x":1}' },
      { id: 'same', name: 'f', arguments: '{"x":2}' },
    ],
  },
  {
    what: 'the name repeated in each delta',
    deltas: [
      { index: 0, id: 'a', name: 'f' },
      { index: 0, id: 'a', name: 'f', arguments: '{"x"' },
      { index: 0, id: 'a', name: 'f', arguments: ':1}' },
    ],
    calls: [{ id: 'a', name: 'f', arguments: '{"x":1}' }],
  },
  {
    what: 'the name repeated and another id in each delta',
    deltas: [
      { index: 0, id: 'a', name: 'f' },
      { index: 0, id: 'b', name: 'f', arguments: '{"x"' },
      { index: 0, id: 'c', name: 'f', arguments: ':1}' },
    ],
    calls: [{ id: 'a', name: 'f', arguments: '{"x":1}' }],
  },
  {
    what: 'the name in two pieces',
    deltas: [
      { index: 0, id: 'a', name: 'ask_' },
      { index: 0, name: 'user' },
      { index: 0, arguments: '{}' },
    ],
    calls: [{ id: 'a', name: 'ask_user', arguments: '{}' }],
  },
  {
    what: 'the id only in a later delta',
    deltas: [
      { index: 0, name: 'f' },
      { index: 0, id: 'a', arguments: '{}' },
    ],
    calls: [{ id: 'a', name: 'f', arguments: '{}' }],
  },
  {
    what: 'an index that grows with each delta of one call',
    deltas: [
      { index: 0, id: 'a', name: 'f', arguments: '{"x"' },
      { index: 1, arguments: ':1' },
      { index: 2, arguments: '}' },
    ],
    calls: [{ id: 'a', name: 'f', arguments: '{"x":1}' }],
  },
  {
    what: 'indexes that begin at 1 and leave gaps',
    deltas: [
      { index: 1, id: 'a', name: 'f', arguments: '{}' },
      { index: 5, id: 'b', name: 'f', arguments: '{}' },
    ],
    calls: [
      { id: 'a', name: 'f', arguments: '{}' },
      { id: 'b', name: 'f', arguments: '{}' },
    ],
  },
  {
    what: 'the whole call once more at its end',
    deltas: [
      { index: 0, id: 'a', name: 'f', arguments: '{"x"' },
      { index: 0, arguments: ':1}' },
      { index: 0, id: 'a', name: 'f', arguments: '{"x":1}' },
    ],
    calls: [{ id: 'a', name: 'f', arguments: '{"x":1}' }],
  },
  {
    what: 'no arguments at all: an empty object',
    deltas: [{ index: 0, id: 'a', name: 'f' }],
    calls: [{ id: 'a', name: 'f', arguments: '{}' }],
  },
  {
    what: 'blank arguments: an empty object',
    deltas: [{ index: 0, id: 'a', name: 'f', arguments: ' \n' }],
    calls: [{ id: 'a', name: 'f', arguments: '{}' }],
  },
  {
    what: 'arguments that are no JSON: as the model wrote them',
    deltas: [{ index: 0, id: 'a', name: 'f', arguments: "{'x': 1" }],
    calls: [{ id: 'a', name: 'f', arguments: "{'x': 1" }],
  },
];

test.for(table)('deltas: $what', ({ deltas, calls }) => {
  expect(put(deltas.map(delta))).toEqual(calls);
});

/** How a server may cut one call into deltas. */
const cutUp = (text: string, cuts: number[]) => {
  const points = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].sort((a, b) => a - b);
  return [0, ...points].map((from, i) => text.slice(from, points[i] ?? text.length));
};

describe('any calls, cut anywhere', () => {
  const call = fc.record({
    name: fc.constantFrom('f', 'g', 'ask_user'),
    args: fc.dictionary(fc.string(), fc.jsonValue()).map((value) => JSON.stringify(value)),
    cuts: fc.array(fc.nat(200), { maxLength: 6 }),
  });
  const calls = fc.array(call, { minLength: 1, maxLength: 4 });

  test('with an index, interleaved in any order', () => {
    fc.assert(
      fc.property(calls, fc.infiniteStream(fc.nat(3)), (wanted, order) => {
        const queues = wanted.map(({ name, args, cuts }, index) => [
          delta({ index, id: `call_${index}`, name }),
          ...cutUp(args, cuts).map((part) => delta({ index, arguments: part })),
        ]);
        // Calls begin in the order of their indexes, then their deltas mix.
        const deltas = queues.map((queue) => queue.shift() as CallDelta);
        for (const pick of order) {
          const open = queues.filter((queue) => queue.length > 0);
          const queue = open[pick % Math.max(1, open.length)];
          if (!queue) break;
          deltas.push(queue.shift() as CallDelta);
        }
        expect(put(deltas)).toEqual(
          wanted.map(({ name, args }, index) => ({ id: `call_${index}`, name, arguments: args })),
        );
      }),
    );
  });

  test('without an index, one after the other, with ids or without', () => {
    fc.assert(
      fc.property(calls, fc.boolean(), (wanted, ids) => {
        const deltas = wanted.flatMap(({ name, args, cuts }, i) => [
          delta({ ...(ids && { id: `call_${i}` }), name }),
          ...cutUp(args, cuts).map((part) => delta({ arguments: part })),
        ]);
        expect(put(deltas).map(({ name, arguments: args }) => ({ name, args }))).toEqual(
          wanted.map(({ name, args }) => ({ name, args })),
        );
      }),
    );
  });

  test('whatever comes, no letter of the arguments is lost', () => {
    const anything = fc.record(
      {
        index: fc.nat(3),
        id: fc.constantFrom('a', 'b', 'c'),
        name: fc.constantFrom('', 'f', 'g'),
        arguments: fc.constantFrom('', '{', '"x":1', '}', '{"y":2}', 'no'),
      },
      { requiredKeys: ['name', 'arguments'] },
    ) as fc.Arbitrary<CallDelta>;
    const letters = (texts: string[]) => [...texts.filter((text) => text !== '{}').join('')].sort().join('');
    fc.assert(
      fc.property(fc.array(anything, { minLength: 1 }), (made) => {
        // A whole call told once more is one call: here each is another.
        const deltas = made.map((d, i) => ({ ...d, arguments: d.arguments.replace('2', `${i}`) }));
        const calls = put(deltas);
        const bare = calls.filter((call) => call.arguments !== '{}').map((call) => call.arguments);
        // Braces apart: a call without arguments gets some.
        expect(letters(bare).replace(/[{}]/g, '')).toBe(letters(deltas.map((d) => d.arguments)).replace(/[{}]/g, ''));
        expect(calls.length).toBeLessThanOrEqual(deltas.length);
        expect(calls.length).toBeGreaterThan(0);
      }),
    );
  });
});
