import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { Agent } from '../../src/agent/agent.ts';
import { askUserTool, createTool } from '../../src/agent/tools.ts';
import { type ScriptedStep, scriptedModel } from '../support/scripted-model.ts';
import { watchedStore } from './watched-store.ts';

const tool = (id: string, readOnly: boolean, chars = 2) =>
  createTool({ id, description: id, inputSchema: z.object({}), readOnly, execute: () => 'x'.repeat(chars) });

const ask: ScriptedStep = { calls: [{ id: 'q', name: 'ask_user', args: { question: 'Q?' } }] };
const looks: ScriptedStep = {
  calls: [
    { id: 'l1', name: 'look' },
    { id: 'l2', name: 'look' },
  ],
};
const acts: ScriptedStep = { calls: [{ id: 'a1', name: 'act' }] };
const end: ScriptedStep = { text: 'ok' };

describe('the fewest writes that the promises allow', () => {
  test.each<[string, ScriptedStep[], string[]]>([
    ['a reply', [end], ['finished']],
    ['one question: asked, answered, finished', [ask, end], ['suspended', 'running', 'finished']],
    ['a step of read-only calls: their results go with the next save', [looks, end], ['running', 'finished']],
    ['a side effect: its start with the step, its result', [acts, end], ['running', 'running', 'finished']],
    [
      'a read-only call beside a question',
      [{ calls: [...(ask.calls ?? []), ...(looks.calls ?? [])] }, end],
      ['running', 'suspended', 'running', 'finished'],
    ],
  ])('%s', async (_, script, statuses) => {
    const store = watchedStore();
    const tools = { askUserTool, look: tool('look', true), act: tool('act', false) };
    const agent = new Agent({ id: 'a', name: 'A', instructions: '', model: scriptedModel(script), tools, store });
    const stream = await agent.stream('Go');
    if ((await stream.result).status === 'suspended')
      await (await agent.resumeStream('blue', { runId: stream.runId })).result;
    expect(store.saved.map((run) => run.status)).toEqual(statuses);
  });

  test('the start of a side effect is stored when it happens, and nothing of it before', async () => {
    const store = watchedStore();
    let atStart: unknown;
    const act = createTool({
      id: 'act',
      description: '',
      inputSchema: z.object({}),
      execute: () => {
        atStart = store.saved.at(-1)?.started;
      },
    });
    const agent = new Agent({
      id: 'a',
      name: 'A',
      instructions: '',
      model: scriptedModel([acts, end]),
      tools: { act },
      store,
    });
    await (await agent.stream('Go')).result;
    expect(atStart).toEqual(['a1']);
    expect(store.saved.map((run) => run.started)).toEqual([['a1'], [], []]);
  });

  test('a long run writes what is new: pieces leave the record, and the model still sees everything', async () => {
    const steps = 40;
    const store = watchedStore();
    const model = scriptedModel((_, n) => (n < steps ? { calls: [{ id: `c${n}`, name: 'look' }] } : end));
    const look = tool('look', true, 8_000);
    const agent = new Agent({ id: 'a', name: 'A', instructions: '', model, tools: { look }, store });
    const stream = await agent.stream('Go');
    expect(await stream.text).toBe('ok');

    expect(model.requests.at(-1)?.messages).toHaveLength(1 + 2 * steps);
    const longest = Math.max(...store.saved.map((run) => JSON.stringify(run).length));
    expect(longest).toBeLessThan(64_000);
    // Without pieces it would be about 40 × 41 / 2 × 8,000 = 6.6 million.
    expect(store.chars()).toBeLessThan(1_600_000);
    expect(store.saved.at(-1)?.pieces).toBeGreaterThan(5);
  });

  test('a long run that is suspended is continued by another process with all its messages', async () => {
    const store = watchedStore();
    const looksThenAsks = (n: number) => (n < 12 ? { calls: [{ id: `c${n}`, name: 'look' }] } : n === 12 ? ask : end);
    const first = scriptedModel((_, n) => looksThenAsks(n));
    const tools = { askUserTool, look: tool('look', true, 8_000) };
    const memory = { thread: 't' };
    const one = new Agent({ id: 'a', name: 'A', instructions: '', model: first, tools, store });
    const { runId, result } = await one.stream('Go', { memory });
    await result;
    const second = scriptedModel([end]);
    const two = new Agent({ id: 'a', name: 'A', instructions: '', model: second, tools, store });
    expect(await (await two.resumeStream('blue', { runId })).text).toBe('ok');
    expect(second.requests[0]?.messages).toHaveLength(1 + 2 * 13);
    expect(await store.history('t', 1_000_000)).toHaveLength(1 + 2 * 13 + 1);
  });
});
