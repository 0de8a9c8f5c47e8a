import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMemoryRunStore } from '../../src/agent/memory-run-store.ts';
import type { RunStore } from '../../src/agent/run-store.ts';
import { type Effects, expectGoodEnd, playUntilLost, storyAgent } from './story.ts';

/** A store whose pieces never change, as the port promises to those who read them. */
function strictStore(): RunStore {
  const inner = createMemoryRunStore();
  const pieces = new Map<number, unknown>();
  return {
    ...inner,
    async writePiece(runId, index, messages) {
      if (pieces.has(index)) expect(messages, `piece ${index} was written otherwise before`).toEqual(pieces.get(index));
      pieces.set(index, structuredClone(messages));
      await inner.writePiece(runId, index, messages);
    },
  };
}

/** Every operation waits for its turn, which the scheduler draws. */
function scheduledStore(inner: RunStore, scheduler: fc.Scheduler): RunStore {
  const turn = async <T>(name: string, doIt: () => Promise<T>): Promise<T> => {
    await scheduler.schedule(Promise.resolve(), `before ${name}`);
    const result = await doIt();
    await scheduler.schedule(Promise.resolve(), `after ${name}`);
    return result;
  };
  return {
    load: (runId) => turn('load', () => inner.load(runId)),
    swap: (previous, next) => turn('swap', () => inner.swap(previous, next)),
    delete: (runId) => turn('delete', () => inner.delete(runId)),
    writePiece: (runId, index, messages) => turn('piece', () => inner.writePiece(runId, index, messages)),
    readPiece: (runId, index) => turn('read piece', () => inner.readPiece(runId, index)),
    history: (thread, maxChars) => turn('history', () => inner.history(thread, maxChars)),
    append: (thread, runId, messages) => turn('append', () => inner.append(thread, runId, messages)),
  };
}

test('two holders that answer differently, at any interleaving: one answer counts, nothing happens twice, one reply', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(fc.constantFrom('A', 'B'), { maxLength: 6 }),
      async (scheduler, retries) => {
        const inner = strictStore();
        const effects: Effects = new Map();
        const pause = () => scheduler.schedule(Promise.resolve(), 'tool');
        const agents = {
          A: storyAgent(scheduledStore(inner, scheduler), effects, pause),
          B: storyAgent(scheduledStore(inner, scheduler), effects, pause),
        };
        const answers = { A: { q1: 'staging', q2: 'by A' }, B: { q1: 'prod', q2: 'by B' } };
        const hold = async (name: 'A' | 'B') => {
          await playUntilLost(agents[name], answers[name], name);
          // A mailbox that still has its lease drives again what another took from it.
          for (const retry of retries) if (retry === name) await playUntilLost(agents[name], answers[name], name);
        };
        await scheduler.waitFor(Promise.all([hold('A'), hold('B')]));
        await playUntilLost(storyAgent(inner, effects), answers.A, 'C');

        const transcript = await expectGoodEnd(inner, effects);
        const seen = transcript.flatMap((message) => (message.role === 'tool' ? message.content : []));
        expect(seen.filter((text) => /^User selected: (staging|prod)$/.test(text))).toHaveLength(1);
        expect(seen.filter((text) => /^User responded: by [AB]$/.test(text))).toHaveLength(1);
      },
    ),
    { numRuns: 60 },
  );
});
