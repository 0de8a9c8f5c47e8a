import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ModelChunk, ModelError, type ModelErrorCode, type ModelRequest } from '../../src/agent/model.ts';
import { type OpenaiSettings, openaiModel } from '../../src/openai/model.ts';
import {
  events,
  type ModelServer,
  type RawPart,
  type Reply,
  startModelServer,
} from '../../src/playground/model-server.ts';

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer({ script: () => ({ type: 'answer', text: 'unset' }) });
});
afterAll(() => server.close());

const ask = (over: Partial<ModelRequest> = {}): ModelRequest => ({
  system: 'Be brief.',
  messages: [{ role: 'user', content: 'hello' }],
  tools: [],
  signal: new AbortController().signal,
  ...over,
});

/** Answers in order; the last one stays. */
function answers(...replies: Reply[]): void {
  server.requests.length = 0;
  server.setScript(() => (replies.length > 1 ? (replies.shift() as Reply) : (replies[0] as Reply)));
}

async function run(settings: Partial<OpenaiSettings> = {}, request = ask()) {
  const model = openaiModel({ apiKey: 'k', baseURL: server.url, model: 'm', backoffMs: 1, ...settings });
  const chunks: ModelChunk[] = [];
  try {
    for await (const chunk of model.stream(request)) chunks.push(chunk);
    return { chunks, error: undefined };
  } catch (error) {
    return { chunks, error };
  }
}

const text = (chunks: ModelChunk[]) => chunks.map((chunk) => (chunk.type === 'text-delta' ? chunk.text : '')).join('');
const calls = (chunks: ModelChunk[]) => chunks.filter((chunk) => chunk.type === 'tool-call');
const raw = (...parts: RawPart[]): Reply => ({ type: 'raw', parts });
const choice = (delta: object, finish_reason?: string | null) => ({ choices: [{ index: 0, delta, finish_reason }] });
const said = (content: unknown, finish_reason?: string | null) => events(choice({ content }, finish_reason));
const called = (...tool_calls: object[]) => events(choice({ tool_calls }));
const DONE = events('[DONE]');
const end = (reason: string | null = 'stop') => events(choice({}, reason)) + DONE;

describe('an answer as it should be', () => {
  test('text comes in deltas, then the end with the usage', async () => {
    answers({
      type: 'answer',
      text: 'one two three four',
      usage: { prompt_tokens: 7, completion_tokens: 4, total_tokens: 11 },
    });
    const { chunks, error } = await run();
    expect(error).toBeUndefined();
    expect(text(chunks)).toBe('one two three four');
    expect(chunks.length).toBeGreaterThan(2);
    expect(chunks.at(-1)).toEqual({ type: 'finish', finishReason: 'stop', usage: { inputTokens: 7, outputTokens: 4 } });
  });

  test('tool calls come whole, once each, before the end', async () => {
    answers({
      type: 'answer',
      text: 'Let me ask.',
      slice: 3,
      calls: [
        { id: 'a', name: 'ask_user', arguments: { question: 'Where?' } },
        { id: 'b', name: 'now', arguments: {} },
      ],
    });
    const { chunks } = await run();
    expect(chunks.slice(-3)).toEqual([
      { type: 'tool-call', id: 'a', name: 'ask_user', arguments: '{"question":"Where?"}' },
      { type: 'tool-call', id: 'b', name: 'now', arguments: '{}' },
      { type: 'finish', finishReason: 'stop' },
    ]);
  });

  test('nothing optional is sent that is not configured', async () => {
    answers({ type: 'answer', text: 'ok' });
    await run();
    expect(Object.keys(server.requests[0]?.body ?? {}).sort()).toEqual(['messages', 'model', 'stream']);
    await run({}, ask({ tools: [{ name: 't', description: 'd', parameters: { type: 'object' } }] }));
    expect(server.requests[1]?.body).toEqual({
      model: 'm',
      stream: true,
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'hello' },
      ],
      tools: [{ type: 'function', function: { name: 't', description: 'd', parameters: { type: 'object' } } }],
    });
  });

  test('what is configured is sent, and what needs tools only with tools', async () => {
    answers({ type: 'answer', text: 'ok' });
    const extra = {
      temperature: 0.2,
      tool_choice: 'auto',
      parallel_tool_calls: false,
      stream_options: { include_usage: true },
    };
    expect((await run({ extra })).error).toBeUndefined();
    expect(server.requests[0]?.body).toMatchObject({ temperature: 0.2, stream_options: { include_usage: true } });
    expect(server.requests[0]?.body).not.toHaveProperty('tool_choice');
    await run({ extra }, ask({ tools: [{ name: 't', description: 'd', parameters: { type: 'object' } }] }));
    expect(server.requests[1]?.body).toMatchObject({ tool_choice: 'auto', parallel_tool_calls: false });
  });
});

const CALL = { type: 'tool-call', id: 'a', name: 'f', arguments: '{"x":1}' };
const message = (over: object, finish_reason = 'stop') =>
  JSON.stringify({ choices: [{ index: 0, message: { role: 'assistant', ...over }, finish_reason }] });

const deviations: { what: string; parts: RawPart[]; text?: string; calls?: object[]; finish?: object }[] = [
  { what: 'a connection that breaks after the finish_reason', parts: [said('hi', 'stop'), 'cut'], text: 'hi' },
  { what: 'a connection that stays open after the finish_reason', parts: [said('hi', 'stop'), 'hang'], text: 'hi' },
  {
    what: 'deltas without a role or an index',
    parts: [events({ choices: [{ delta: { content: 'hi' } }] }), end()],
    text: 'hi',
  },
  {
    what: 'chunks with empty choices',
    parts: [events({ choices: [] }), said('hi'), events({ choices: [] }), end()],
    text: 'hi',
  },
  {
    what: 'a chunk whose choices are null',
    parts: [events({ choices: null, usage: { prompt_tokens: 1, completion_tokens: 1 } }), said('hi'), end()],
    text: 'hi',
    finish: { type: 'finish', finishReason: 'stop', usage: { inputTokens: 1, outputTokens: 1 } },
  },
  {
    what: 'keep-alive comments',
    parts: [': keep-alive\n\n', said('h'), ':\n\n', said('i'), ': ping\n', end()],
    text: 'hi',
  },
  { what: 'no [DONE]', parts: [said('hi'), events(choice({}, 'stop'))], text: 'hi' },
  { what: 'no finish_reason', parts: [said('hi'), DONE], text: 'hi' },
  { what: 'finish_reason null to the end', parts: [said('hi', null), end(null)], text: 'hi' },
  { what: 'an unknown finish_reason', parts: [said('hi'), end('eos')], text: 'hi' },
  {
    what: 'usage in every chunk',
    parts: [
      events({ ...choice({ content: 'hi' }), usage: { prompt_tokens: 1, completion_tokens: 1 } }),
      events({ ...choice({}, 'stop'), usage: { prompt_tokens: 1, completion_tokens: 2 } }),
      DONE,
    ],
    text: 'hi',
    finish: { type: 'finish', finishReason: 'stop', usage: { inputTokens: 1, outputTokens: 2 } },
  },
  {
    what: 'usage null or of another shape',
    parts: [
      events({ ...choice({ content: 'hi' }), usage: null }),
      events({ choices: [], usage: { tokens: 'many' } }),
      end(),
    ],
    text: 'hi',
  },
  {
    what: 'content as an array of parts, thinking among them',
    parts: [
      said([
        { type: 'thinking', thinking: 'hm' },
        { type: 'text', text: 'h' },
      ]),
      said([{ type: 'text', text: 'i' }]),
      end(),
    ],
    text: 'hi',
  },
  {
    what: 'reasoning beside the content',
    parts: [
      events(choice({ reasoning_content: 'hm', content: null })),
      events(choice({ reasoning: 'hm' })),
      said('hi'),
      end(),
    ],
    text: 'hi',
  },
  {
    what: 'a refusal: its words',
    parts: [events(choice({ refusal: 'I cannot ' })), events(choice({ refusal: 'do that.' })), end()],
    text: 'I cannot do that.',
  },
  { what: 'CRLF line ends', parts: [said('hi').replaceAll('\n', '\r\n'), end().replaceAll('\n', '\r\n')], text: 'hi' },
  { what: 'no blank line between events', parts: [said('h').trim(), '\n', said('i').trim(), '\n', end()], text: 'hi' },
  { what: 'no space after data:', parts: [said('hi').replace('data: ', 'data:'), end()], text: 'hi' },
  { what: 'the last event without a line end', parts: [said('hi'), events(choice({}, 'stop')).trim()], text: 'hi' },
  { what: 'an event name on every chunk', parts: [`event: message\n${said('hi')}`, end()], text: 'hi' },
  {
    what: 'message in place of delta',
    parts: [events({ choices: [{ message: { content: 'hi' }, finish_reason: 'stop' }] })],
    text: 'hi',
  },
  { what: 'a whole JSON answer although a stream was asked for', parts: [message({ content: 'hi' })], text: 'hi' },
  {
    what: 'a whole JSON answer with tool calls',
    parts: [
      message(
        { content: null, tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{"x":1}' } }] },
        'tool_calls',
      ),
    ],
    calls: [CALL],
  },
  {
    what: 'the length limit',
    parts: [said('hi'), end('length')],
    text: 'hi',
    finish: { type: 'finish', finishReason: 'length' },
  },
  {
    what: 'the content filter within the text',
    parts: [said('hi'), end('content_filter')],
    text: 'hi',
    finish: { type: 'finish', finishReason: 'content_filter' },
  },
  {
    what: 'tool calls that end with "stop"',
    parts: [called({ index: 0, id: 'a', function: { name: 'f', arguments: '{"x":1}' } }), end('stop')],
    calls: [CALL],
  },
  {
    what: 'tool calls that end with "function_call"',
    parts: [called({ index: 0, id: 'a', function: { name: 'f', arguments: '{"x":1}' } }), end('function_call')],
    calls: [CALL],
  },
  {
    what: 'tool calls without any finish_reason',
    parts: [called({ index: 0, id: 'a', function: { name: 'f', arguments: '{"x":1}' } }), DONE],
    calls: [CALL],
  },
  { what: '"tool_calls" without a call', parts: [said('hi'), end('tool_calls')], text: 'hi' },
  {
    what: 'a call without an id',
    parts: [called({ index: 0, function: { name: 'f', arguments: '{}' } }), end()],
    calls: [{ type: 'tool-call', name: 'f', arguments: '{}' }],
  },
  {
    what: 'a call whose id is null or empty',
    parts: [
      called({ index: 0, id: null, function: { name: 'f' } }, { index: 0, id: '', function: { arguments: '{}' } }),
      end(),
    ],
    calls: [{ type: 'tool-call', name: 'f', arguments: '{}' }],
  },
  {
    what: 'arguments as an object',
    parts: [called({ id: 'a', function: { name: 'f', arguments: { x: 1 } } }), end()],
    calls: [CALL],
  },
  {
    what: 'arguments null',
    parts: [called({ id: 'a', function: { name: 'f', arguments: null } }), end()],
    calls: [{ ...CALL, arguments: '{}' }],
  },
  {
    what: 'arguments that are no JSON',
    parts: [called({ id: 'a', function: { name: 'f', arguments: 'x=1' } }), end()],
    calls: [{ ...CALL, arguments: 'x=1' }],
  },
  {
    what: 'a call that is no object among real ones',
    parts: [called([], { id: 'a', function: { name: 'f', arguments: '{"x":1}' } }), end()],
    calls: [CALL],
  },
  {
    what: 'tool_calls null beside content',
    parts: [events(choice({ content: 'hi', tool_calls: null, function_call: null })), end()],
    text: 'hi',
  },
  {
    what: 'a legacy function_call',
    parts: [
      events(choice({ function_call: { name: 'f', arguments: '' } })),
      events(choice({ function_call: { arguments: '{"x":1}' } })),
      end('function_call'),
    ],
    calls: [{ type: 'tool-call', name: 'f', arguments: '{"x":1}' }],
  },
];

describe('servers that deviate: the answer is read all the same', () => {
  test.for(deviations)('$what', async (row) => {
    answers(raw(...row.parts));
    const { chunks, error } = await run({ maxRetries: 0 });
    expect(error).toBeUndefined();
    expect(text(chunks)).toBe(row.text ?? '');
    expect(calls(chunks)).toEqual(row.calls ?? []);
    expect(chunks.at(-1)).toEqual(row.finish ?? { type: 'finish', finishReason: 'stop' });
  });

  test('bytes one by one, with characters of several bytes', async () => {
    const body = Buffer.from(said('grüße 🚀') + end());
    const stream = () =>
      new ReadableStream({
        start(controller) {
          for (const byte of body) controller.enqueue(Uint8Array.of(byte));
          controller.close();
        },
      });
    const { chunks } = await run({ fetch: async () => new Response(stream()) });
    expect(text(chunks)).toBe('grüße 🚀');
  });
});

const api = (status: number, error: unknown, headers: Record<string, string> = {}): Reply => ({
  type: 'raw',
  status,
  headers: { 'content-type': 'application/json', ...headers },
  parts: [typeof error === 'string' ? error : JSON.stringify(error)],
});
const html = '<!DOCTYPE html><html><body><h1>502 Bad Gateway</h1></body></html>';

const failures: { what: string; reply: Reply; code: ModelErrorCode; retryable: boolean; tries: number }[] = [
  {
    what: '429',
    reply: api(429, { error: { message: 'Rate limit reached', code: 'rate_limit_exceeded' } }),
    code: 'rate_limited',
    retryable: true,
    tries: 3,
  },
  {
    what: '429 that asks for a longer wait than a person has',
    reply: api(429, { error: { message: 'slow down' } }, { 'retry-after': '600' }),
    code: 'rate_limited',
    retryable: true,
    tries: 1,
  },
  {
    what: 'a used up quota (429)',
    reply: api(429, {
      error: { message: 'You exceeded your current quota', type: 'insufficient_quota', code: 'insufficient_quota' },
    }),
    code: 'quota',
    retryable: true,
    tries: 1,
  },
  {
    what: 'no balance (402)',
    reply: api(402, { error: { message: 'Insufficient Balance' } }),
    code: 'quota',
    retryable: true,
    tries: 1,
  },
  {
    what: 'a wrong key',
    reply: api(401, { error: { message: 'Incorrect API key provided: sk-***', code: 'invalid_api_key' } }),
    code: 'auth',
    retryable: true,
    tries: 1,
  },
  {
    what: 'a wrong key, told by 400',
    reply: api(400, { error: { message: 'x', code: 'invalid_api_key' } }),
    code: 'auth',
    retryable: true,
    tries: 1,
  },
  {
    what: 'an unknown model',
    reply: api(404, { error: { message: 'The model `m` does not exist', code: 'model_not_found' } }),
    code: 'not_found',
    retryable: true,
    tries: 1,
  },
  {
    what: 'a bad request',
    reply: api(400, { error: { message: "Unsupported parameter: 'x'" } }),
    code: 'bad_request',
    retryable: true,
    tries: 1,
  },
  {
    what: '500',
    reply: api(500, { error: { message: 'The server had an error' } }),
    code: 'server',
    retryable: true,
    tries: 3,
  },
  { what: '503 without a body', reply: api(503, ''), code: 'server', retryable: true, tries: 3 },
  {
    what: 'a web page with 502',
    reply: { type: 'raw', status: 502, headers: { 'content-type': 'text/html' }, parts: [html] },
    code: 'server',
    retryable: true,
    tries: 3,
  },
  {
    what: 'a web page with 404',
    reply: { type: 'raw', status: 404, headers: { 'content-type': 'text/html' }, parts: [html] },
    code: 'not_found',
    retryable: true,
    tries: 1,
  },
  {
    what: 'a web page with 200',
    reply: { type: 'raw', headers: { 'content-type': 'text/html' }, parts: [html] },
    code: 'bad_response',
    retryable: true,
    tries: 1,
  },
  {
    what: 'JSON that is no completion',
    reply: raw('{"hello":"world"}'),
    code: 'bad_response',
    retryable: true,
    tries: 3,
  },
  {
    what: 'an event that is no JSON',
    reply: raw('data: {"choices":[{\n\n'),
    code: 'bad_response',
    retryable: true,
    tries: 3,
  },
  {
    what: 'an error with 200',
    reply: raw(JSON.stringify({ error: { message: 'The server is overloaded', code: 503 } })),
    code: 'server',
    retryable: true,
    tries: 3,
  },
  {
    what: 'an error as the first event',
    reply: raw(events({ error: { message: 'Rate limit exceeded', code: 429 } })),
    code: 'rate_limited',
    retryable: true,
    tries: 3,
  },
  {
    what: 'an error event by name',
    reply: raw(`event: error\ndata: {"message":"overloaded"}\n\n`),
    code: 'server',
    retryable: true,
    tries: 3,
  },
  {
    what: 'an error event that is plain text',
    reply: raw('event: error\ndata: upstream failed\n\n'),
    code: 'server',
    retryable: true,
    tries: 3,
  },
  {
    what: 'an object that calls itself an error',
    reply: raw(events({ object: 'error', message: 'bad', code: 400 })),
    code: 'bad_request',
    retryable: true,
    tries: 1,
  },
  { what: 'finish_reason "error"', reply: raw(end('error')), code: 'server', retryable: true, tries: 3 },
  {
    what: 'a connection that closes at once',
    reply: { type: 'silence', end: 'cut' },
    code: 'network',
    retryable: true,
    tries: 3,
  },
  {
    what: 'a connection that breaks before any text',
    reply: raw(events(choice({ role: 'assistant' })), 'cut'),
    code: 'network',
    retryable: true,
    tries: 3,
  },
  {
    what: 'a connection that breaks within a tool call',
    reply: raw(called({ index: 0, id: 'a', function: { name: 'f', arguments: '{"x"' } }), 'cut'),
    code: 'network',
    retryable: true,
    tries: 3,
  },
  {
    what: 'a stream that just ends within a tool call',
    reply: raw(called({ index: 0, id: 'a', function: { name: 'f', arguments: '{"x"' } })),
    code: 'network',
    retryable: true,
    tries: 3,
  },
  {
    what: 'a tool call cut by the length limit',
    reply: raw(called({ index: 0, id: 'a', function: { name: 'f', arguments: '{"x"' } }), end('length')),
    code: 'bad_response',
    retryable: true,
    tries: 1,
  },
  { what: 'an empty answer', reply: raw(end()), code: 'empty', retryable: true, tries: 3 },
  { what: 'an empty body', reply: raw(), code: 'network', retryable: true, tries: 3 },
  {
    what: 'reasoning and nothing else',
    reply: raw(events(choice({ reasoning_content: 'hm' })), end()),
    code: 'empty',
    retryable: true,
    tries: 3,
  },
  {
    what: 'reasoning up to the length limit',
    reply: raw(events(choice({ reasoning_content: 'hm' })), end('length')),
    code: 'empty',
    retryable: true,
    tries: 1,
  },
  {
    what: 'the content filter before any text',
    reply: raw(end('content_filter')),
    code: 'refused',
    retryable: false,
    tries: 1,
  },
  {
    what: 'the content filter on the prompt',
    reply: api(400, {
      error: {
        code: 'content_filter',
        message: "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
      },
    }),
    code: 'refused',
    retryable: false,
    tries: 1,
  },
  ...[
    [
      'OpenAI',
      { error: { code: 'context_length_exceeded', message: "This model's maximum context length is 8192 tokens." } },
    ],
    [
      'vLLM, old',
      {
        object: 'error',
        message: "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens",
        code: 400,
      },
    ],
    [
      'llama.cpp',
      {
        error: {
          code: 400,
          message: 'the request exceeds the available context size, try increasing it',
          type: 'exceed_context_size_error',
        },
      },
    ],
    [
      'Anthropic',
      { error: { type: 'invalid_request_error', message: 'prompt is too long: 210000 tokens > 200000 maximum' } },
    ],
    [
      'Google',
      [
        {
          error: {
            code: 400,
            message: 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
          },
        },
      ],
    ],
    ['a bare detail', { detail: 'Input is too long for requested model.' }],
    [
      'Groq',
      { error: { message: 'Please reduce the length of the messages or completion.', type: 'invalid_request_error' } },
    ],
  ].map(([who, body]) => ({
    what: `context too long (${who})`,
    reply: api(400, body),
    code: 'context_too_long' as const,
    retryable: false,
    tries: 1,
  })),
  {
    what: 'a value over its limit: not the context',
    reply: api(400, { error: { message: 'temperature exceeds the maximum value of 2' } }),
    code: 'bad_request',
    retryable: true,
    tries: 1,
  },
  {
    what: 'a failure that repeats what was said of billing',
    reply: api(500, { error: { message: 'failed: {"content":"deploy the billing service"}' } }),
    code: 'server',
    retryable: true,
    tries: 3,
  },
  {
    what: 'a request too large (413)',
    reply: api(413, 'Request Entity Too Large'),
    code: 'context_too_long',
    retryable: false,
    tries: 1,
  },
];

const KEY = 'sk-a-secret-key';
const SAID = 'the secret of somebody';

describe('failures: a sentence for a person, and tries only where they help', () => {
  test.for(failures)('$what', async ({ reply, code, retryable, tries }) => {
    answers(reply);
    const { chunks, error } = await run();
    expect(error).toBeInstanceOf(ModelError);
    const failed = error as ModelError;
    expect({ code: failed.code, retryable: failed.retryable, tries: server.requests.length }).toEqual({
      code,
      retryable,
      tries,
    });
    // A sentence, and none of the vendor's words in it.
    expect(failed.message).toMatch(/^[A-Z][^<>{}]+\.$/);
    expect(failed.message).not.toMatch(/sk-|html|tokens|undefined|object/i);
    expect(chunks).toEqual([]);
  });

  test.for([
    { what: 'the key', reply: api(401, { error: { message: `No such key: ${KEY}` } }), kept: 'No such key: ***' },
    {
      what: 'what was sent',
      reply: api(422, { detail: [{ loc: ['messages', 0], msg: 'too odd', input: SAID }] }),
      kept: 'too odd',
    },
    {
      what: 'an answer of another shape',
      reply: raw(`data: {"choice":[{"content":"${SAID}"}]}\n\n`),
      kept: '{"choice":[{"content":"…"}]}',
    },
    {
      what: 'an answer that is no JSON',
      reply: raw(`data: {"content":"${SAID}\n\n`),
      kept: '34 characters that are no JSON',
    },
  ])('the log does not get $what, even when the server repeats it', async ({ reply, kept }) => {
    answers(reply);
    const { error } = await run({ apiKey: KEY });
    const logged = JSON.stringify(pino.stdSerializers.err(error as Error));
    expect(logged).not.toMatch(/secret/);
    expect((error as ModelError).cause).toHaveProperty('message', expect.stringContaining(kept));
  });

  test("the vendor's words are kept for the log", async () => {
    answers(api(400, { detail: 'the field `foo` is not known here' }));
    const { error } = await run();
    expect(String((error as ModelError).cause)).toContain('the field `foo` is not known here');
  });

  test.for([
    {
      what: '429 with Retry-After',
      reply: api(429, { error: { message: 'slow' } }, { 'retry-after': '1' }),
      atLeast: 1_000,
    },
    {
      what: '429 with Retry-After as a date',
      reply: api(
        429,
        { error: { message: 'slow' } },
        { date: 'Mon, 01 Jun 2026 10:00:00 GMT', 'retry-after': 'Mon, 01 Jun 2026 10:00:01 GMT' },
      ),
      atLeast: 1_000,
    },
    {
      what: '429 with retry-after-ms',
      reply: api(429, { error: { message: 'slow' } }, { 'retry-after-ms': '200' }),
      atLeast: 200,
    },
    { what: '429 without', reply: api(429, { error: { message: 'slow' } }), atLeast: 0 },
    { what: '503', reply: api(503, 'busy'), atLeast: 0 },
    { what: 'a broken connection', reply: { type: 'silence', end: 'cut' } as Reply, atLeast: 0 },
  ])('after $what the next try succeeds', async ({ reply, atLeast }) => {
    answers(reply, { type: 'answer', text: 'back again' });
    const began = performance.now();
    const { chunks, error } = await run();
    expect(error).toBeUndefined();
    expect(text(chunks)).toBe('back again');
    expect(performance.now() - began).toBeGreaterThanOrEqual(atLeast - 5);
    expect(server.requests).toHaveLength(2);
  });

  test.for([
    { what: 'breaks', parts: [said('The answer is'), 'cut'] as RawPart[], code: 'network' },
    { what: 'just ends', parts: [said('The answer is')], code: 'network' },
    {
      what: 'tells an error',
      parts: [said('The answer is'), events({ error: { message: 'overloaded' } })],
      code: 'server',
    },
  ])('after text was told nothing is tried again: a stream that $what', async ({ parts, code }) => {
    answers(raw(...parts));
    const { chunks, error } = await run();
    expect(text(chunks)).toBe('The answer is');
    expect(chunks.some((chunk) => chunk.type === 'finish')).toBe(false);
    expect(error).toMatchObject({ name: 'ModelError', code, retryable: true });
    expect(server.requests).toHaveLength(1);
  });

  test('no connection at all', async () => {
    const gone = await startModelServer({ script: () => ({ type: 'answer' }) });
    await gone.close();
    const { error } = await run({ baseURL: gone.url });
    expect(error).toMatchObject({ name: 'ModelError', code: 'network' });
  });
});

describe('time', () => {
  test.for([
    { what: 'before the answer', reply: { type: 'silence', end: 'hang' } as Reply },
    { what: 'before the first event', reply: raw('hang') },
    { what: 'between events', reply: raw(said('The answer'), 'hang') },
  ])('a server that falls silent $what is given up', async ({ reply }) => {
    answers(reply);
    const began = performance.now();
    const { error } = await run({ timeoutMs: 150 });
    expect(error).toMatchObject({ name: 'ModelError', code: 'timeout', retryable: true });
    expect(performance.now() - began).toBeLessThan(1_000);
    expect(server.requests).toHaveLength(1);
  });

  test('keep-alive comments show that the server lives', async () => {
    const beat: RawPart[] = [{ wait: 150 }, ': still here\n\n'];
    answers(raw(...beat, ...beat, ...beat, ...beat, said('done'), end()));
    const { chunks, error } = await run({ timeoutMs: 550 });
    expect(error).toBeUndefined();
    expect(text(chunks)).toBe('done');
  });

  test('a reader that is slow is not the silence of the server', async () => {
    answers({ type: 'answer', text: 'one two three four five six', slice: 4 });
    const model = openaiModel({ apiKey: 'k', baseURL: server.url, model: 'm', timeoutMs: 100 });
    let got = '';
    for await (const chunk of model.stream(ask())) {
      if (chunk.type === 'text-delta') got += chunk.text;
      if (got.length < 5) await new Promise((resolve) => setTimeout(resolve, 200));
    }
    expect(got).toBe('one two three four five six');
  });

  test.for([
    { what: 'before the answer', reply: { type: 'silence', end: 'hang' } as Reply },
    { what: 'within the answer', reply: raw(said('The'), 'hang') },
    { what: 'between two tries', reply: api(429, { error: {} }, { 'retry-after': '20' }) },
  ])('an abort $what ends the call at once with its reason', async ({ reply }) => {
    answers(reply);
    const stop = new AbortController();
    const reason = new Error('stopped by a person');
    setTimeout(() => stop.abort(reason), 80);
    const began = performance.now();
    const { error } = await run({}, ask({ signal: stop.signal }));
    expect(error).toBe(reason);
    expect(performance.now() - began).toBeLessThan(600);
  });

  test('a call that is aborted before it begins asks nothing', async () => {
    answers({ type: 'answer', text: 'x' });
    const { error } = await run({}, ask({ signal: AbortSignal.abort(new Error('stopped')) }));
    expect(error).toMatchObject({ message: 'stopped' });
    expect(server.requests).toHaveLength(0);
  });

  test('who stops reading closes the connection', async () => {
    answers(raw(said('a'), ...Array.from({ length: 400 }, (): RawPart[] => [{ wait: 10 }, said('b')]).flat(), end()));
    let signal: AbortSignal | null | undefined;
    const model = openaiModel({
      apiKey: 'k',
      baseURL: server.url,
      model: 'm',
      fetch: (url, init) => {
        signal = init?.signal;
        return fetch(url, init);
      },
    });
    for await (const chunk of model.stream(ask())) if (chunk.type === 'text-delta') break;
    expect(signal?.aborted).toBe(true);
  });
});
