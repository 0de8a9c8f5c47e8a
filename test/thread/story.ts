/** The agent of these tests: the real one, with a model that follows a script by what it reads. */
import { z } from 'zod';
import { Agent } from '../../src/agent/agent.ts';
import { askUserTool } from '../../src/agent/ask-user.ts';
import type { Message } from '../../src/agent/messages.ts';
import { type Model, ModelError } from '../../src/agent/model.ts';
import type { RunStore } from '../../src/agent/run-store.ts';
import { createTool } from '../../src/agent/tool.ts';

type Call = { name: string; args: unknown };
/** What the model says at a step: calls, a text, or a failure. */
export type Line = Call[] | { text: string; calls: Call[] } | string | ModelError;

export const ask = (question: string, options?: string[], more: object = {}): Call => ({
  name: 'ask_user',
  args: { question, ...(options && { options: options.map((label) => ({ label })) }), ...more },
});
const act = (): Call => ({ name: 'deploy', args: {} });

/** A deployment: an effect, two questions at once, one in words, the reply. */
export const deployment: Line[] = [
  [act()],
  [
    ask('Where?', ['staging', 'production']),
    ask('Which?', ['api', 'web', 'worker'], { selectionMode: 'multi_select' }),
  ],
  [ask('Why?')],
  'Deployed.',
];

export type Effects = Map<string, number>;

/** `lines` by the number of the run's steps so far. `gate`: awaited before and after each thing that leaves the process. */
export function storyAgent(options: {
  store: RunStore;
  lines: (step: number, messages: Message[]) => Line | Promise<Line>;
  effects?: Effects;
  gate?: () => Promise<void>;
  newId?: () => string;
}): Agent {
  const { store, lines, effects = new Map(), gate = async () => {} } = options;
  const model: Model = {
    async *stream({ messages, signal }) {
      await gate();
      const step = stepOf(messages);
      const line = await lines(step, messages);
      signal.throwIfAborted();
      if (line instanceof ModelError) throw line;
      const text = typeof line === 'string' ? line : 'text' in line ? line.text : '';
      const calls = typeof line === 'string' ? [] : 'calls' in line ? line.calls : line;
      if (text) yield { type: 'text-delta', text };
      for (const call of calls) yield { type: 'tool-call', name: call.name, arguments: JSON.stringify(call.args) };
      yield { type: 'finish', finishReason: 'stop' };
    },
  };
  const deploy = createTool({
    id: 'deploy',
    description: 'Changes the world.',
    inputSchema: z.object({}),
    async execute(_, { runId, toolCallId }) {
      await gate();
      const key = `${runId}/${toolCallId}`;
      effects.set(key, (effects.get(key) ?? 0) + 1);
      await gate();
      return 'done';
    },
  });
  return new Agent({
    id: 'story',
    name: 'Story',
    instructions: 'Follow the script.',
    model,
    tools: { deploy, askUserTool },
    store,
    ...(options.newId && { newId: options.newId }),
  });
}

/** Steps with calls since the last reply. */
function stepOf(messages: Message[]): number {
  const replied = messages.findLastIndex((m) => m.role === 'assistant' && m.toolCalls.length === 0);
  return messages.slice(replied + 1).filter((m) => m.role === 'assistant').length;
}
