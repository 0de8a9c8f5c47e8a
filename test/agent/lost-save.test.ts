import { expect, test } from 'vitest';
import { Agent } from '../../src/agent/agent.ts';
import { createMemoryRunStore } from '../../src/agent/memory-run-store.ts';
import type { RunStore } from '../../src/agent/run-store.ts';
import { scriptedModel } from '../support/scripted-model.ts';

test('a save of which nobody knows whether it happened is not taken for done when another holds the run', async () => {
  const store = createMemoryRunStore();
  /** The last save fails, and meanwhile another has taken the run. */
  const failing: RunStore = {
    ...store,
    async swap(previous, next) {
      if (next.status !== 'finished') return store.swap(previous, next);
      const saved = await store.load(next.runId);
      if (!saved) throw new Error('There is no run.');
      await store.swap(saved, { ...saved.value, holder: 'another' });
      throw new Error('The store is down.');
    },
  };
  const model = scriptedModel([{ calls: [{ name: 'nothing' }] }, { text: 'Done.' }]);
  const agent = new Agent({ id: 'a', name: 'A', instructions: '', model, store: failing });
  const { result } = await agent.stream('do it', { runId: 'run', holder: 'first' });
  expect(await result).toMatchObject({ status: 'failed', error: { code: 'lost' } });
  expect((await store.load('run'))?.value).toMatchObject({ holder: 'another', status: 'running' });
});
