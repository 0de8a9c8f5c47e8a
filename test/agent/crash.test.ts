import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createMemoryRunStore } from '../../src/agent/memory-run-store.ts';
import { type Effects, expectGoodEnd, play, playUntilLost, storyAgent } from './story.ts';
import { dyingStore } from './watched-store.ts';

const answers = { q1: 'prod', q2: 'tonight' };

/** Lives through the crashes, one process after another, then once more in peace. Gives the number of processes that died. */
async function live(crashes: { at: number; when: 'before' | 'after' }[]): Promise<number> {
  const store = createMemoryRunStore();
  const effects: Effects = new Map();
  let died = 0;
  for (const { at, when } of crashes) {
    const dying = dyingStore(store, at, when);
    await playUntilLost(storyAgent(dying, effects), answers);
    if (dying.died()) died++;
  }
  await playUntilLost(storyAgent(store, effects), answers);
  const transcript = await expectGoodEnd(store, effects);
  const results = transcript.flatMap((message) => (message.role === 'tool' ? message.content : []));
  expect(results).toContain('User selected: prod');
  expect(results).toContain('User responded: tonight');
  return died;
}

describe('a crash', () => {
  test('without one, every side effect happens', async () => {
    const store = createMemoryRunStore();
    const effects: Effects = new Map();
    expect(await play(storyAgent(store, effects), answers)).toMatchObject({ status: 'finished' });
    await expectGoodEnd(store, effects);
    expect([...effects.keys()]).toEqual(['build', 'test', 'deploy', 'notify']);
  });

  test('at any write, before or after it lands: the next process ends the run as it should', async () => {
    let points = 0;
    for (const when of ['before', 'after'] as const) {
      for (let at = 0; (await live([{ at, when }])) === 1; at++) points++;
    }
    // Eleven swaps or more, a piece and the transcript; each on both sides.
    expect(points).toBeGreaterThanOrEqual(2 * 12);
  });

  test('after crash after crash', async () => {
    const crash = fc.record({ at: fc.nat({ max: 8 }), when: fc.constantFrom('before' as const, 'after' as const) });
    await fc.assert(
      fc.asyncProperty(fc.array(crash, { minLength: 2, maxLength: 8 }), async (crashes) => {
        await live(crashes);
      }),
      { numRuns: 60 },
    );
  });
});
