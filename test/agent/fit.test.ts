import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { Agent } from '../../src/agent/agent.ts';
import { fitted } from '../../src/agent/fit.ts';
import { createMemoryRunStore } from '../../src/agent/memory-run-store.ts';
import type { Message } from '../../src/agent/messages.ts';
import { ModelError } from '../../src/agent/model.ts';
import { createTool } from '../../src/agent/tools.ts';
import { charsOf, validTranscript } from '../../src/agent/transcript.ts';
import { assertTranscript, resultsIn, scriptedModel } from '../support/scripted-model.ts';

const tooLong = new ModelError('context_too_long', 'Too long.', { retryable: false });
const user = (content: string): Message => ({ role: 'user', content });
const step = (id: string, result: string): Message[] => [
  { role: 'assistant', content: '', toolCalls: [{ id, name: 'read', arguments: '{}' }] },
  { role: 'tool', toolCallId: id, content: result },
];

/** A model that reads so many characters and no more. */
function shortSighted(most: number, steps: number) {
  return scriptedModel(({ messages }) => {
    if (charsOf(messages) > most) return { error: tooLong };
    const done = messages.filter((message) => message.role === 'tool').length;
    return done < steps ? { calls: [{ id: `c${done}`, name: 'read' }] } : { text: 'Read it all.' };
  });
}
const read = createTool({
  id: 'read',
  description: 'Reads much.',
  inputSchema: z.object({}),
  readOnly: true,
  execute: () => 'word '.repeat(4_000),
});

test('a run that has become too long for its model goes on without its oldest results, and the model reads which', async () => {
  const model = shortSighted(50_000, 8);
  const agent = new Agent({ id: 'a', name: 'A', instructions: '', model, tools: { read } });
  const stream = await agent.stream('Read everything');
  expect(await stream.result).toMatchObject({ status: 'finished', text: 'Read it all.' });
  expect(model.requests.at(-1)?.messages[0]).toEqual(user('Read everything'));
  const results = resultsIn(model);
  expect(results).toHaveLength(8);
  expect(results[0]).toMatch(/20000 characters was left out .* Call the tool again/);
  expect(results.at(-1)).toBe('word '.repeat(4_000));
});

test('a thread that has become too long for its model goes on, with a notice in place of what was said first', async () => {
  const store = createMemoryRunStore();
  const long = Array.from({ length: 30 }, (_, n) => [
    user(`${n} ${'blah '.repeat(200)}`),
    { role: 'assistant', content: 'Yes.', toolCalls: [] } as Message,
  ]);
  await store.append('t', 'before', long.flat());
  const model = shortSighted(12_000, 0);
  const agent = new Agent({ id: 'a', name: 'A', instructions: '', model, store });
  const stream = await agent.stream('And now?', { memory: { thread: 't' } });
  expect(await stream.text).toBe('Read it all.');
  const shown = model.requests.at(-1)?.messages ?? [];
  expect(shown[0]?.content).toMatch(/^\[Earlier messages of this thread were left out here/);
  expect(shown.at(-1)).toEqual({ ...user('And now?') });
  // All of it stays in the thread.
  expect((await store.history('t', 1_000_000))[0]).toEqual(long[0]?.[0]);
});

test('one message that no model can take ends with what the model said of it', async () => {
  const model = scriptedModel(() => ({ error: tooLong }));
  const agent = new Agent({ id: 'a', name: 'A', instructions: '', model });
  const stream = await agent.stream('x'.repeat(90_000));
  expect(await stream.result).toMatchObject({ status: 'failed', error: { code: 'context_too_long' } });
  expect(model.requests.length).toBeLessThan(10);
});

test('what fits stays as it is', () => {
  const all = [user('a'), ...step('c', 'b')];
  expect(fitted(all.slice(0, 1), all.slice(1), 10_000)).toEqual(all);
});

test('whatever is cut, the transcript stays valid, and the room is kept', () => {
  const text = fc.string({ maxLength: 30 }).chain((piece) => fc.nat(300).map((n) => piece.repeat(n)));
  const turn = fc.oneof(
    text.map((content) => [user(content)]),
    fc.tuple(fc.uuid(), text).map(([id, result]) => step(id, result)),
  );
  const turns = fc.array(turn, { maxLength: 20 }).map((all) => all.flat());
  fc.assert(
    fc.property(turns, turns, fc.integer({ min: 4_000, max: 100_000 }), (history, own, room) => {
      const kept = fitted(history, [user('go'), ...own], room);
      assertTranscript(validTranscript(kept));
      // Each message may keep some two hundred characters, however many there are.
      expect(charsOf(kept)).toBeLessThanOrEqual(Math.max(room, kept.length * 700));
      expect(kept.filter((message) => message.role === 'tool').length).toBeGreaterThanOrEqual(
        own.filter((message) => message.role === 'tool').length,
      );
    }),
    { numRuns: 200 },
  );
});
