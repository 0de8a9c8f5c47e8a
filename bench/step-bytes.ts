/** Bytes that one step of a run writes, early and late: late in a thread that has been long, and late in a run that is long. */
import { join } from 'node:path';
import { z } from 'zod';
import { Agent } from '../src/agent/agent.ts';
import type { Message } from '../src/agent/messages.ts';
import type { ModelChunk } from '../src/agent/model.ts';
import { createTool } from '../src/agent/tools.ts';
import { openStore } from '../src/storage/open.ts';
import { createRunStore } from '../src/storage/run-store.ts';
import { counted } from './counted-store.ts';
import { temporaryFolder } from './process.ts';
import type { Row } from './report.ts';

const sentence = 'What was said here is neither long nor short, and it is said again in every message of the thread. ';

export async function stepBytes(): Promise<Row[]> {
  using folder = temporaryFolder();
  const { store, counts } = counted(await openStore(`sqlite://${join(folder.path, 'steps.sqlite')}`));
  const runs = createRunStore(store);
  const atCall: number[] = [];

  const agent = (steps: number) =>
    new Agent({
      id: 'bench',
      name: 'Bench',
      instructions: 'You look things up.',
      store: runs,
      maxSteps: steps + 1,
      tools: {
        note: createTool({
          id: 'note',
          description: 'Notes something down.',
          inputSchema: z.object({ text: z.string() }),
          execute: async () => sentence.repeat(2),
        }),
      },
      model: {
        async *stream(): AsyncGenerator<ModelChunk> {
          atCall.push(counts.bytes);
          if (atCall.length <= steps) {
            yield { type: 'text-delta', text: sentence };
            yield { type: 'tool-call', name: 'note', arguments: JSON.stringify({ text: sentence }) };
          } else yield { type: 'text-delta', text: sentence };
          yield { type: 'finish', finishReason: 'stop' };
        },
      },
    });

  /** Bytes between one model call and the next, for each step of a run in this thread. */
  async function bytesOfSteps(thread: string, steps: number): Promise<number[]> {
    atCall.length = 0;
    const { text } = await agent(steps).stream('Look it up.', { memory: { thread } });
    await text;
    return atCall.slice(1).map((bytes, index) => bytes - (atCall[index] ?? 0));
  }

  async function thread(messages: number): Promise<string> {
    const name = `thread of ${messages}`;
    const pair: Message[] = [
      { role: 'user', content: sentence },
      { role: 'assistant', content: sentence, toolCalls: [] },
    ];
    for (let n = 0; n < messages / 2; n++) await runs.append(name, `before ${n}`, pair);
    return name;
  }

  const rows: Row[] = [];
  const mean = (values: number[]) => Math.round(values.reduce((sum, value) => sum + value, 0) / values.length);
  for (const messages of [10, 1_000]) {
    const [bytes = 0] = await bytesOfSteps(await thread(messages), 1);
    rows.push({ what: `a step, thread of ${messages} messages`, 'bytes written': bytes });
  }
  const long = await bytesOfSteps('a thread of one long run', 500);
  rows.push({ what: 'a step, run of 10 messages', 'bytes written': long[4] ?? 0 });
  // A piece is written about every thirtieth step: the mean over some, and the most that one writes.
  rows.push({ what: 'a step, run of 1,000 messages, mean of 100', 'bytes written': mean(long.slice(-100)) });
  rows.push({ what: 'a step, run of 1,000 messages, mean of 100 first', 'bytes written': mean(long.slice(0, 100)) });
  rows.push({ what: 'a step, run of 1,000 messages, most', 'bytes written': Math.max(...long) });
  await store.close();
  return rows;
}
