import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Message } from '../../src/agent/messages.ts';
import type { ModelChunk } from '../../src/agent/model.ts';
import { openaiModel } from '../../src/openai/model.ts';
import { toBody } from '../../src/openai/wire.ts';
import { type ModelServer, startModelServer } from '../../src/playground/model-server.ts';

const wire = (messages: Message[], system = '') => toBody('m', {}, { system, messages, tools: [] }).messages;
const asks = (name: string, args: string, content = ''): Message => ({
  role: 'assistant',
  content,
  toolCalls: [{ id: 'a', name, arguments: args }],
});
const sent = (message: Message) => wire([message])[0];
const withCall = (name: string, args: string, content: string | null = null) => ({
  role: 'assistant',
  content,
  tool_calls: [{ id: 'a', type: 'function', function: { name, arguments: args } }],
});

test.for<{ what: string; message: Message; as: object }>([
  {
    what: 'a message of a person',
    message: { role: 'user', content: 'hi', id: '1.2' },
    as: { role: 'user', content: 'hi' },
  },
  {
    what: 'a message with an image',
    message: { role: 'user', content: 'hi', images: [{ name: 'a.png', mediaType: 'image/png', data: 'AAAA' }] },
    as: {
      role: 'user',
      content: [
        { type: 'text', text: 'hi' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
      ],
    },
  },
  {
    what: 'a reply',
    message: { role: 'assistant', content: 'ok', toolCalls: [] },
    as: { role: 'assistant', content: 'ok' },
  },
  { what: 'calls without a text: null beside them', message: asks('f', '{"x":1}'), as: withCall('f', '{"x":1}') },
  { what: 'calls beside a text', message: asks('f', '{"x":1}', 'Wait.'), as: withCall('f', '{"x":1}', 'Wait.') },
  {
    what: 'a result',
    message: { role: 'tool', toolCallId: 'a', content: 'done', isError: true },
    as: { role: 'tool', tool_call_id: 'a', content: 'done' },
  },
  {
    what: 'arguments that are no JSON: wrapped, since servers parse them',
    message: asks('f', '{"x"'),
    as: withCall('f', '{"not_json":"{\\"x\\""}'),
  },
  {
    what: 'arguments that are no object: wrapped too',
    message: asks('f', '[1]'),
    as: withCall('f', '{"not_json":"[1]"}'),
  },
  {
    what: 'a name that the API would refuse',
    message: asks('files.read it', '{}'),
    as: withCall('files_read_it', '{}'),
  },
  { what: 'a name that is missing', message: asks('', '{}'), as: withCall('unknown', '{}') },
])('as the API takes it: $what', ({ message, as }) => {
  expect(sent(message)).toEqual(as);
});

test('the system text comes first, and not at all when it is blank', () => {
  const hi: Message = { role: 'user', content: 'hi' };
  expect(wire([hi], 'Be kind.')).toEqual([
    { role: 'system', content: 'Be kind.' },
    { role: 'user', content: 'hi' },
  ]);
  expect(wire([hi], ' \n')).toEqual([{ role: 'user', content: 'hi' }]);
});

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer({ script: () => ({ type: 'answer', text: 'ok' }) });
});
afterAll(() => server.close());

test('every whole transcript is one that the API accepts, whatever the model wrote into its calls', async () => {
  const model = openaiModel({ apiKey: 'k', baseURL: server.url, model: 'm', maxRetries: 0 });
  const step = fc
    .record({
      text: fc.string(),
      calls: fc.array(fc.record({ name: fc.string(), arguments: fc.string() }), { maxLength: 3 }),
      user: fc.string(),
    })
    .map(({ text, calls, user }) => (n: number): Message[] => {
      const toolCalls = calls.map((call, i) => ({ id: `c${n}_${i}`, ...call }));
      const results = toolCalls.map(({ id }): Message => ({ role: 'tool', toolCallId: id, content: '' }));
      return [{ role: 'user', content: user }, { role: 'assistant', content: text, toolCalls }, ...results];
    });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 4 }), async (steps) => {
      const messages = steps.flatMap((make, n) => make(n));
      const chunks: ModelChunk[] = [];
      const { signal } = new AbortController();
      for await (const chunk of model.stream({ system: '', messages, tools: [], signal })) chunks.push(chunk);
      expect(chunks.at(-1)).toEqual({ type: 'finish', finishReason: 'stop' });
    }),
    { numRuns: 60 },
  );
});
