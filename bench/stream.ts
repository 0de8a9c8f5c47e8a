/** Time to the first token, and to the last: openaiModel beside the bare client, against the same model server. */
import OpenAI from 'openai';
import { openaiModel } from '../src/openai/model.ts';
import { startModelServer } from '../src/playground/model-server.ts';
import { transcript } from './job.ts';
import { medians, quantile, type Section } from './report.ts';

const EACH = 60;
const text = 'A sentence of a reply, neither long nor short. '.repeat(40);
const tools = [{ name: 'ask_user', description: 'Ask a person.', parameters: { type: 'object', properties: {} } }];

/** ms until the first text, and until the end. */
type Times = { first: number; last: number };

export async function stream(rounds: number): Promise<Section> {
  const server = await startModelServer({ script: () => ({ type: 'answer', text, slice: 12 }) });
  const messages = transcript('the stream').map((content) => ({ role: 'user' as const, content }));
  const system = 'You are a deploy bot.';
  const settings = { apiKey: 'bench', baseURL: server.url };
  const client = new OpenAI(settings);
  const model = openaiModel({ ...settings, model: 'scripted-demo' });

  async function timed(chunks: () => AsyncIterable<boolean> | Promise<AsyncIterable<boolean>>): Promise<Times> {
    const begun = performance.now();
    let first = 0;
    for await (const isText of await chunks()) if (isText && first === 0) first = performance.now() - begun;
    return { first, last: performance.now() - begun };
  }

  async function* bare(): AsyncGenerator<boolean> {
    const answer = await client.chat.completions.create({
      model: 'scripted-demo',
      stream: true,
      messages: [{ role: 'system', content: system }, ...messages],
      tools: tools.map((tool) => ({ type: 'function', function: tool })),
    });
    for await (const chunk of answer) yield Boolean(chunk.choices[0]?.delta.content);
  }

  async function* ours(): AsyncGenerator<boolean> {
    const { signal } = new AbortController();
    for await (const chunk of model.stream({ system, messages, tools, signal })) yield chunk.type === 'text-delta';
  }

  const contestants = [
    { what: 'bare openai client', chunks: bare },
    { what: 'openaiModel', chunks: ours },
  ];
  const found = contestants.map(({ what }) => ({ what, rounds: [] as Record<string, number>[] }));
  for (let round = -1; round < rounds; round++) {
    const times = contestants.map((): Times[] => []);
    for (let n = 0; n < EACH; n++) {
      for (const [index, { chunks }] of contestants.entries()) times[index]?.push(await timed(chunks));
    }
    if (round < 0) continue; // warm now
    for (const [index, each] of times.entries()) {
      const firsts = each.map(({ first }) => first);
      const lasts = each.map(({ last }) => last);
      found[index]?.rounds.push({
        'first p50': quantile(firsts, 0.5),
        'first p95': quantile(firsts, 0.95),
        'whole p50': quantile(lasts, 0.5),
        'whole p95': quantile(lasts, 0.95),
      });
    }
  }
  await server.close();
  return {
    title: 'Stream: one model call, ms to the first text and to the end',
    rows: found.map((each) => {
      const { figures, noise } = medians(each.rounds);
      return { what: each.what, ...figures, 'noise %': noise };
    }),
    notes: [
      `${EACH} calls of each in turn, medians of ${rounds} rounds; ${Math.ceil(text.length / 12)} deltas; server and caller in one process.`,
    ],
  };
}
