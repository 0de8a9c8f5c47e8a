import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { events, type ModelServer, startModelServer } from '../../src/playground/model-server.ts';

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer({ script: () => ({ type: 'answer', text: 'hello there' }) });
});
afterAll(() => server.close());

const post = (body: unknown, init: RequestInit = {}) =>
  fetch(`${server.url}/chat/completions`, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...init,
  });
const refusal = async (body: unknown) => {
  const response = await post(body);
  const { error } = (await response.json()) as {
    error?: { message: string; param: string | null; code: string | null };
  };
  return { status: response.status, message: error?.message };
};

const user = { role: 'user', content: 'hi' };
const calling = (...ids: string[]) => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'f', arguments: '{}' } })),
});
const result = (tool_call_id: string) => ({ role: 'tool', tool_call_id, content: 'ok' });
const body = (...messages: unknown[]) => ({ model: 'm', messages });

describe('a request that OpenAI would refuse is refused in its words', () => {
  test.for<{ what: string; body: unknown; says: RegExp }>([
    { what: 'no JSON', body: '{', says: /could not parse the JSON body/ },
    { what: 'no object', body: '[]', says: /could not parse the JSON body/ },
    { what: 'no model', body: { messages: [user] }, says: /must provide a model/ },
    { what: 'no messages', body: { model: 'm' }, says: /Missing required parameter: 'messages'/ },
    { what: 'empty messages', body: body(), says: /Invalid 'messages': empty array/ },
    { what: 'empty tools', body: { ...body(user), tools: [] }, says: /Invalid 'tools': empty array/ },
    {
      what: 'an unknown argument',
      body: { ...body(user), colour: 1 },
      says: /Unrecognized request argument supplied: colour/,
    },
    {
      what: 'tool_choice without tools',
      body: { ...body(user), tool_choice: 'auto' },
      says: /only allowed when 'tools'/,
    },
    {
      what: 'stream_options without stream',
      body: { ...body(user), stream_options: {} },
      says: /only allowed when 'stream'/,
    },
    { what: 'an unknown role', body: body({ role: 'bot', content: 'x' }), says: /Invalid value: 'bot'/ },
    { what: 'a message that is no object', body: body('hi'), says: /Invalid value: ''/ },
    { what: 'content null', body: body({ role: 'user', content: null }), says: /expected a string, got null/ },
    {
      what: 'a result without a call',
      body: body(user, result('a')),
      says: /must be a response to a preceeding message/,
    },
    {
      what: 'a result after a user message',
      body: body(user, calling('a'), result('a'), user, result('a')),
      says: /must be a response to a preceeding message/,
    },
    {
      what: 'a call without a result',
      body: body(user, calling('a', 'b'), result('a'), user),
      says: /did not have response messages: b$/,
    },
    {
      what: 'a call without a result at the end',
      body: body(user, calling('a')),
      says: /did not have response messages: a$/,
    },
    {
      what: 'a call answered twice',
      body: body(user, calling('a'), result('a'), result('a')),
      says: /'a' not found in 'tool_calls'/,
    },
    {
      what: 'a result of another call',
      body: body(user, calling('a'), result('z')),
      says: /'z' not found in 'tool_calls'/,
    },
    {
      what: 'one id for two calls',
      body: body(user, calling('a', 'a'), result('a')),
      says: /Duplicate value for 'tool_call_id'/,
    },
    { what: 'an id of more than 40 characters', body: body(user, calling('x'.repeat(41))), says: /maximum length 40/ },
    {
      what: 'empty tool_calls',
      body: body(user, { role: 'assistant', content: 'x', tool_calls: [] }),
      says: /tool_calls': empty array/,
    },
    {
      what: 'an image that is none',
      body: body({ role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:text/html;base64,AA==' } }] }),
      says: /expected a URL or a base64-encoded image/,
    },
    {
      what: 'a part of no kind',
      body: body({ role: 'user', content: [{ type: 'file' }] }),
      says: /Invalid value: 'file'/,
    },
    {
      what: 'a tool name with a dot',
      body: { ...body(user), tools: [{ type: 'function', function: { name: 'a.b' } }] },
      says: /does not match pattern/,
    },
    {
      what: 'a schema that is no object',
      body: { ...body(user), tools: [{ type: 'function', function: { name: 'a', parameters: { type: 'string' } } }] },
      says: /Invalid schema for function 'a'/,
    },
  ])('$what', async ({ body, says }) => {
    const got = await refusal(body);
    expect(got.status).toBe(400);
    expect(got.message).toMatch(says);
  });

  test('a whole transcript is accepted', async () => {
    const response = await post(
      body({ role: 'system', content: 's' }, user, calling('a', 'b'), result('b'), result('a'), user),
    );
    expect(response.status).toBe(200);
  });
});

test('it streams to who asks for a stream, and answers whole to who does not', async () => {
  const whole = (await (await post(body(user))).json()) as { choices: { message: { content: string } }[] };
  expect(whole.choices[0]?.message.content).toBe('hello there');
  const streamed = await (await post({ ...body(user), stream: true })).text();
  expect(streamed).toMatch(/^data: \{.*"role":"assistant"/);
  expect(streamed.trimEnd()).toMatch(/data: \[DONE\]$/);
});

test('it lists its models, and says what it does not know', async () => {
  const models = (await (await fetch(`${server.url}/models`)).json()) as { data: { id: string }[] };
  expect(models.data.map(({ id }) => id)).toEqual(['scripted-demo']);
  expect((await fetch(`${server.url}/embeddings`, { method: 'POST' })).status).toBe(404);
});

test('with models and a key of its own it takes no others', async () => {
  const strict = await startModelServer({ script: () => ({ type: 'answer', text: 'x' }), models: ['a'], apiKey: 'k' });
  const ask = async (model: string, key: string) =>
    (
      await fetch(`${strict.url}/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}` },
        body: JSON.stringify({ ...body(user), model }),
      })
    ).status;
  expect([await ask('a', 'k'), await ask('b', 'k'), await ask('a', 'z')]).toEqual([200, 404, 401]);
  await strict.close();
});

test('an answer can break after so many bytes, or be written as it is', async () => {
  server.setScript(() => ({ type: 'answer', text: 'a long answer that is not told to its end', cutAfter: 300 }));
  await expect((await post({ ...body(user), stream: true })).text()).rejects.toThrow();
  server.setScript(() => ({
    type: 'raw',
    status: 418,
    headers: { 'x-a': 'b' },
    parts: [': note\n', events({ a: 1 })],
  }));
  const response = await post(body(user));
  expect([response.status, response.headers.get('x-a'), await response.text()]).toEqual([
    418,
    'b',
    ': note\ndata: {"a":1}\n\n',
  ]);
});

test('it remembers what came, also what it refused, and a script that throws is told as such', async () => {
  server.setScript(() => {
    throw new Error('oops');
  });
  const before = server.requests.length;
  const answer = await refusal(body(user));
  await refusal(body(user, result('a')));
  expect(answer).toEqual({ status: 500, message: 'The script failed: Error: oops' });
  expect(server.requests.slice(before).map(({ messages }) => messages.length)).toEqual([1, 2]);
});
