/** One story with everything that a crash or a second holder can spoil, and what must hold of it in the end. */
import { expect } from 'vitest';
import { z } from 'zod';
import { Agent } from '../../src/agent/agent.ts';
import type { RunResult } from '../../src/agent/chunks.ts';
import { AlreadySettledError, LostRunError, UnknownRunError } from '../../src/agent/errors.ts';
import type { Message } from '../../src/agent/messages.ts';
import type { ModelRequest } from '../../src/agent/model.ts';
import type { RunStore } from '../../src/agent/run-store.ts';
import { askUserTool, createTool } from '../../src/agent/tools.ts';
import { assertTranscript, type ScriptedStep, scriptedModel } from '../support/scripted-model.ts';

const runId = 'r';
const thread = 't';
const input = [{ role: 'user' as const, content: 'Deploy it', id: 'm1' }];
const late = [{ role: 'user' as const, content: 'And hurry', id: 'm2' }];
const reply = 'Deployed.';

/** The step follows from the transcript, as it does for a real model: asked again, it does the same again. */
function nextStep({ messages }: ModelRequest): ScriptedStep {
  const steps: ScriptedStep[] = [
    {
      calls: [
        { id: 'call_0', name: 'look' },
        { id: 'call_1', name: 'act', args: { what: 'build' } },
      ],
    },
    {
      calls: [
        { id: 'call_0', name: 'look' },
        { id: 'call_1', name: 'act', args: { what: 'test' } },
      ],
    },
    {
      calls: [
        { id: 'q1', name: 'ask_user', args: { question: 'Where?', options: ['staging', 'prod'] } },
        { id: 'held', name: 'act', args: { what: 'too early' } },
        { id: 'look2', name: 'look' },
        { id: 'q2', name: 'ask_user', args: { question: 'When?' } },
      ],
    },
    {
      calls: [
        { id: 'd1', name: 'act', args: { what: 'deploy' } },
        { id: 'd2', name: 'act', args: { what: 'notify' } },
      ],
    },
    { text: reply },
  ];
  return (
    steps[messages.filter((message) => message.role === 'assistant').length] ?? { error: new Error('too many steps') }
  );
}

/** How often each side effect happened, over all processes. */
export type Effects = Map<string, number>;

export function storyAgent(store: RunStore, effects: Effects, pause: () => Promise<void> = async () => {}): Agent {
  const look = createTool({
    id: 'look',
    description: 'Looks.',
    inputSchema: z.object({}),
    readOnly: true,
    // Long, so that pieces are sealed on the way.
    execute: () => 'x'.repeat(20_000),
  });
  const act = createTool({
    id: 'act',
    description: 'Changes things.',
    inputSchema: z.object({ what: z.string() }),
    execute: async ({ what }) => {
      effects.set(what, (effects.get(what) ?? 0) + 1);
      await pause();
      return `did ${what}`;
    },
  });
  const model = scriptedModel(nextStep);
  return new Agent({ id: 'a', name: 'A', instructions: '', model, tools: { askUserTool, look, act }, store });
}

/** Plays the story as a holder would, from wherever the run is. Ends with the run, with a failure, or when it lost the run. */
export async function play(agent: Agent, answers: { q1: string; q2: string }, holder?: string): Promise<RunResult> {
  const as = holder === undefined ? {} : { holder };
  let stream = await agent.stream(input, { runId, memory: { thread }, ...as });
  for (;;) {
    const result = await stream.result;
    if (result.status !== 'suspended') return result;
    for (const { toolCallId } of result.suspensions) {
      const answer = toolCallId === 'q1' ? answers.q1 : answers.q2;
      try {
        stream = await agent.resumeStream(answer, { runId, toolCallId, messages: late, ...as });
      } catch (error) {
        if (!(error instanceof AlreadySettledError)) throw error;
        stream = await agent.stream([], { runId, ...as });
      }
    }
  }
}

/** Plays until the store or another holder ends it. */
export async function playUntilLost(...play_: Parameters<typeof play>): Promise<RunResult | undefined> {
  try {
    const result = await play(...play_);
    if (result.status === 'failed' && result.error.code !== 'store' && result.error.code !== 'lost')
      throw result.error.cause;
    return result;
  } catch (error) {
    const lost = error instanceof LostRunError || error instanceof UnknownRunError;
    if (lost || (error instanceof Error && error.message === 'The store is gone.')) return undefined;
    throw error;
  }
}

/** One reply, one result of each call, every message once, each side effect at most once or said to be unknown. */
export async function expectGoodEnd(store: RunStore, effects: Effects): Promise<Message[]> {
  const run = (await store.load(runId))?.value;
  expect(run).toMatchObject({ status: 'finished', result: { text: reply }, started: [] });
  const transcript = await store.history(thread, Number.MAX_SAFE_INTEGER);
  assertTranscript(transcript);
  const contents = transcript.map((message) => message.content);
  for (const once of [reply, 'Deploy it', 'And hurry'])
    expect(contents.filter((text) => text === once)).toHaveLength(1);

  expect(effects.has('too early')).toBe(false);
  const calls = transcript.flatMap((message) => (message.role === 'assistant' ? message.toolCalls : []));
  expect(calls).toHaveLength(10);
  for (const call of calls.filter(({ name }) => name === 'act')) {
    const { what } = JSON.parse(call.arguments) as { what: string };
    const result =
      transcript.find((message) => message.role === 'tool' && message.toolCallId === call.id)?.content ?? '';
    if (result === `did ${what}`) expect(effects.get(what)).toBe(1);
    else expect(result).toMatch(what === 'too early' ? /^Not executed/ : /outcome is unknown/);
    expect(effects.get(what) ?? 0).toBeLessThanOrEqual(1);
  }
  return transcript;
}
