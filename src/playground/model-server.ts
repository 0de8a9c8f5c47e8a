/**
 * A model server that speaks the wire format of OpenAI's Chat Completions and is as strict about requests, with a script in place
 * of a model: the demo's scripted model, and the tests' double with every way in which real servers deviate or fail.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorBody, Refused, readRequest, type ScriptRequest } from './model-request.ts';

export type ScriptedCall = {
  id?: string;
  name: string;
  /** An object is sent as JSON; a text as it is. */
  arguments: unknown;
};

/** A part of a raw body: text as it is, a wait, or the end that a body should not have. */
export type RawPart = string | { wait: number } | 'cut' | 'hang';

export type Reply =
  /** A proper answer. `think`: ms before the first delta; `pace`: ms between deltas. */
  | {
      type: 'answer';
      text?: string;
      calls?: ScriptedCall[];
      think?: number;
      pace?: number;
      /** Characters per delta; default: a few words. */
      slice?: number;
      finishReason?: 'stop' | 'tool_calls' | 'length' | 'content_filter';
      usage?: { prompt_tokens: number; completion_tokens: number; total_tokens: number };
      /** The connection breaks after so many bytes of the body. */
      cutAfter?: number;
    }
  | { type: 'error'; status: number; message: string; code?: string; kind?: string; headers?: Record<string, string> }
  | { type: 'raw'; status?: number; headers?: Record<string, string>; parts: RawPart[] }
  /** Nothing: not even a status. `cut` closes the connection, `hang` keeps it. */
  | { type: 'silence'; end: 'cut' | 'hang' };

export type Script = (request: ScriptRequest) => Reply | Promise<Reply>;

export type ModelServer = {
  /** Ends in `/v1`. */
  url: string;
  /** What came to `/v1/chat/completions`, oldest first, at most the last 1,000; also what was refused. */
  requests: ScriptRequest[];
  setScript(script: Script): void;
  close(): Promise<void>;
};

export type ModelServerOptions = {
  script: Script;
  /** Default: a free one. */
  port?: number;
  /** The models that there are; default: `scripted-demo`, and any other name is taken too. */
  models?: string[];
  /** The key that it takes; default: any, also none. */
  apiKey?: string;
};

const KEPT = 1_000;

/** Listens on 127.0.0.1. */
export async function startModelServer(options: ModelServerOptions): Promise<ModelServer> {
  let { script } = options;
  const requests: ScriptRequest[] = [];

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      if (error instanceof Refused) return send(response, error.status, errorBody(error));
      // A script that throws is a bug of the demo or the test: say so where it is looked for first.
      return send(response, 500, errorBody(new Refused(500, `The script failed: ${String(error)}`)));
    });
  });

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = `${request.method} ${request.url?.split('?')[0]}`;
    const text = await bodyOf(request);
    if (options.apiKey && request.headers.authorization !== `Bearer ${options.apiKey}`)
      throw new Refused(401, 'Incorrect API key provided.', { code: 'invalid_api_key' });
    if (path === 'GET /v1/models') return send(response, 200, modelList(options.models ?? ['scripted-demo']));
    if (path !== 'POST /v1/chat/completions') throw new Refused(404, `Invalid URL (${path})`);

    const asked = readRequest(text, request.headers);
    requests.push(asked.request);
    if (requests.length > KEPT) requests.shift();
    if (asked.refused) throw asked.refused;
    const { model, stream } = asked.request;
    if (options.models && !options.models.includes(model))
      throw new Refused(404, `The model \`${model}\` does not exist or you do not have access to it.`, {
        code: 'model_not_found',
      });
    await reply(response, await script(asked.request), { model, stream, id: `chatcmpl-${requests.length}` });
  }

  server.listen(options.port ?? 0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    setScript(next) {
      script = next;
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

type Frame = { model: string; stream: boolean; id: string };

async function reply(response: ServerResponse, said: Reply, frame: Frame): Promise<void> {
  switch (said.type) {
    case 'answer':
      if (frame.stream) return write(response, 200, { 'content-type': 'text/event-stream' }, streamed(said, frame));
      if (said.think) await sleep(said.think);
      return send(response, 200, whole(said, frame));
    case 'error': {
      const extra = { ...(said.code && { code: said.code }), ...(said.kind && { type: said.kind }) };
      return send(response, said.status, errorBody(new Refused(said.status, said.message, extra)), said.headers);
    }
    case 'raw':
      return write(response, said.status ?? 200, said.headers ?? { 'content-type': 'text/event-stream' }, said.parts);
    case 'silence':
      if (said.end === 'cut') response.destroy();
      return;
  }
}

/** Raw parts of a stream: each object as an event; add `'data: [DONE]\n\n'` where a proper server would. */
export function events(...data: unknown[]): string {
  return data.map((one) => `data: ${typeof one === 'string' ? one : JSON.stringify(one)}\n\n`).join('');
}

type Answer = Extract<Reply, { type: 'answer' }>;

function streamed(answer: Answer, { id, model }: Frame): RawPart[] {
  const chunk = (delta: object, finish_reason: string | null = null) =>
    events({ id, object: 'chat.completion.chunk', created: 0, model, choices: [{ index: 0, delta, finish_reason }] });
  const deltas = [
    chunk({ role: 'assistant', content: '' }),
    ...slices(answer.text ?? '', answer.slice).map((content) => chunk({ content })),
    ...(answer.calls ?? []).flatMap((call, index) => [
      chunk({ tool_calls: [{ index, ...callOf(call, index), function: { name: call.name, arguments: '' } }] }),
      ...slices(argumentsOf(call), answer.slice ?? 40).map((part) =>
        chunk({ tool_calls: [{ index, function: { arguments: part } }] }),
      ),
    ]),
    chunk({}, finishOf(answer)),
    ...(answer.usage
      ? [events({ id, object: 'chat.completion.chunk', created: 0, model, choices: [], usage: answer.usage })]
      : []),
    events('[DONE]'),
  ];
  const paced = deltas.flatMap((delta): RawPart[] => (answer.pace ? [delta, { wait: answer.pace }] : [delta]));
  const parts: RawPart[] = answer.think ? [{ wait: answer.think }, ...paced] : paced;
  return answer.cutAfter === undefined ? parts : cutAfter(parts, answer.cutAfter);
}

function cutAfter(parts: RawPart[], bytes: number): RawPart[] {
  let left = bytes;
  const kept: RawPart[] = [];
  for (const part of parts) {
    if (typeof part !== 'string' || part === 'cut' || part === 'hang') kept.push(part);
    else {
      const taken = Buffer.from(part).subarray(0, left).toString('latin1');
      kept.push(Buffer.from(taken, 'latin1').toString());
      left -= taken.length;
      if (left <= 0) break;
    }
  }
  return [...kept, 'cut'];
}

function whole(answer: Answer, { id, model }: Frame): unknown {
  const calls = answer.calls?.map((call, index) => ({
    ...callOf(call, index),
    function: { name: call.name, arguments: argumentsOf(call) },
  }));
  return {
    id,
    object: 'chat.completion',
    created: 0,
    model,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: answer.text ?? null, ...(calls && { tool_calls: calls }) },
        finish_reason: finishOf(answer),
      },
    ],
    ...(answer.usage && { usage: answer.usage }),
  };
}

const callOf = (call: ScriptedCall, index: number) => ({ id: call.id ?? `call_${index}`, type: 'function' });
const argumentsOf = ({ arguments: args }: ScriptedCall) => (typeof args === 'string' ? args : JSON.stringify(args));
const finishOf = ({ finishReason, calls }: Answer) => finishReason ?? (calls?.length ? 'tool_calls' : 'stop');

/** By words, so that what is shown while it streams can be read; by characters where a size is given. */
function slices(text: string, size?: number): string[] {
  if (size === undefined) return text.match(/\s*\S+(?:\s+\S+)?\s*/g) ?? (text === '' ? [] : [text]);
  const characters = [...text];
  return Array.from({ length: Math.ceil(characters.length / size) }, (_, i) =>
    characters.slice(i * size, (i + 1) * size).join(''),
  );
}

async function write(response: ServerResponse, status: number, headers: Record<string, string>, parts: RawPart[]) {
  response.writeHead(status, headers);
  response.flushHeaders();
  for (const part of parts) {
    if (response.destroyed) return;
    if (part === 'hang') return;
    if (part === 'cut') {
      // What was written so far must reach the other side before the connection breaks.
      await new Promise((resolve) => response.write('', resolve));
      response.destroy();
      return;
    }
    if (typeof part === 'string') response.write(part);
    else await sleep(part.wait);
  }
  response.end();
}

function send(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  if (response.headersSent) return void response.destroy();
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

function modelList(models: string[]): unknown {
  return { object: 'list', data: models.map((id) => ({ id, object: 'model', created: 0, owned_by: 'askback' })) };
}
