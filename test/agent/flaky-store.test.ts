import { expect, test } from 'vitest';
import { createMemoryRunStore } from '../../src/agent/memory-run-store.ts';
import type { RunStore } from '../../src/agent/run-store.ts';
import { type Effects, expectGoodEnd, play, storyAgent } from './story.ts';

type Fault = 'lost on the way' | 'answer lost' | 'lands late';

/** Save number `at` (from 0) throws once, in one of the ways in which a network does it. */
function flakyStore(inner: RunStore, at: number, fault: Fault): RunStore & { faults(): number } {
  let writes = 0;
  let faults = 0;
  return {
    ...inner,
    faults: () => faults,
    async swap(previous, next) {
      if (writes++ !== at) return await inner.swap(previous, next);
      faults++;
      if (fault === 'answer lost') await inner.swap(previous, next);
      // After the read that follows the fault, and before the second attempt.
      if (fault === 'lands late') setImmediate(() => void inner.swap(previous, next));
      throw new Error('timeout');
    },
    async load(runId) {
      const found = await inner.load(runId);
      if (fault === 'lands late' && writes === at + 1) await new Promise((resolve) => setTimeout(resolve, 1));
      return found;
    },
  };
}

test.each<Fault>(['lost on the way', 'answer lost', 'lands late'])(
  'one save that fails (%s) while a run is driven goes unnoticed: nothing becomes unknown',
  async (fault) => {
    let points = 0;
    for (let at = 0; ; at++) {
      const inner = createMemoryRunStore();
      const store = flakyStore(inner, at, fault);
      const effects: Effects = new Map();
      const answers = { q1: 'prod', q2: 'tonight' };
      // A fault in the save of an answer reaches its caller, who gives the answer again.
      const agent = storyAgent(store, effects);
      const result = await play(agent, answers).catch(() => play(agent, answers));
      expect(result.status).toBe('finished');
      const transcript = await expectGoodEnd(inner, effects);
      expect(transcript.some((message) => message.content.includes('outcome is unknown'))).toBe(false);
      if (store.faults() === 0) break;
      points++;
    }
    expect(points).toBeGreaterThanOrEqual(10);
  },
);
