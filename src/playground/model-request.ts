/** What the model server asks of a request: as strict as OpenAI's API, and refused in its words. */
import type { IncomingHttpHeaders } from 'node:http';

export type WireCall = { id: string; type: 'function'; function: { name: string; arguments: string } };
export type WireMessage =
  | { role: 'system' | 'developer' | 'user'; content: string | unknown[]; name?: string }
  | { role: 'assistant'; content?: string | unknown[] | null; tool_calls?: WireCall[] }
  | { role: 'tool'; content: string | unknown[]; tool_call_id: string };

export type ScriptRequest = {
  model: string;
  messages: WireMessage[];
  tools: { name: string; description?: string; parameters?: { [key: string]: unknown } }[];
  stream: boolean;
  /** As it came, for what is not above. */
  body: { [key: string]: unknown };
  headers: IncomingHttpHeaders;
};

/** An answer that is an error of the API. */
export class Refused extends Error {
  readonly status: number;
  readonly details: { code?: string; type?: string; param?: string };
  constructor(status: number, message: string, details: { code?: string; type?: string; param?: string } = {}) {
    super(message);
    this.status = status;
    this.details = details;
  }
}

export function errorBody({ message, status, details }: Refused): unknown {
  const type = details.type ?? (status >= 500 ? 'server_error' : 'invalid_request_error');
  return { error: { message, type, param: details.param ?? null, code: details.code ?? null } };
}

/** The request as far as it can be read, and what OpenAI would say against it. Throws `Refused` if it is no JSON object. */
export function readRequest(
  text: string,
  headers: IncomingHttpHeaders,
): { request: ScriptRequest; refused: Refused | undefined } {
  const body = parse(text);
  const list = <T>(value: unknown) => (Array.isArray(value) ? (value as T[]) : []);
  const request: ScriptRequest = {
    model: String(body.model ?? ''),
    messages: list<WireMessage>(body.messages),
    tools: list<{ function?: ScriptRequest['tools'][number] }>(body.tools).flatMap((tool) => tool?.function ?? []),
    stream: body.stream === true,
    body,
    headers,
  };
  return { request, refused: problemOf(body) };
}

type Body = { [key: string]: unknown };
const isObject = (value: unknown): value is Body =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function parse(text: string): Body {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new Refused(400, 'We could not parse the JSON body of your request.');
  }
  if (!isObject(body)) throw new Refused(400, 'We could not parse the JSON body of your request.');
  return body;
}

const parameters = new Set(
  `audio frequency_penalty function_call functions logit_bias logprobs max_completion_tokens max_tokens messages metadata
  modalities model n parallel_tool_calls prediction presence_penalty prompt_cache_key reasoning_effort response_format
  safety_identifier seed service_tier stop store stream stream_options temperature tool_choice tools top_logprobs top_p user
  verbosity web_search_options`.split(/\s+/),
);

function problemOf(body: Body): Refused | undefined {
  const bad = (message: string, param?: string, code?: string) =>
    new Refused(400, message, { ...(param && { param }), ...(code && { code }) });

  const unknown = Object.keys(body).find((key) => !parameters.has(key));
  if (unknown) return bad(`Unrecognized request argument supplied: ${unknown}`);
  if (typeof body.model !== 'string' || body.model === '') return bad('you must provide a model parameter');
  if (!Array.isArray(body.messages))
    return bad("Missing required parameter: 'messages'.", 'messages', 'missing_required_parameter');
  const empty = ['messages', 'tools'].find((key) => Array.isArray(body[key]) && body[key].length === 0);
  if (empty)
    return bad(
      `Invalid '${empty}': empty array. Expected an array with minimum length 1, but got an empty array instead.`,
      empty,
      'empty_array',
    );
  if (body.tools === undefined)
    for (const key of ['tool_choice', 'parallel_tool_calls'])
      if (body[key] !== undefined)
        return bad(`Invalid value for '${key}': '${key}' is only allowed when 'tools' are specified.`, key);
  if (body.stream !== true && body.stream_options !== undefined)
    return bad("The 'stream_options' parameter is only allowed when 'stream' is enabled.", 'stream_options');
  return toolProblem(body.tools, bad) ?? messageProblem(body.messages, bad);
}

type Bad = (message: string, param?: string, code?: string) => Refused;
const namePattern = /^[a-zA-Z0-9_-]{1,64}$/;

function toolProblem(tools: unknown, bad: Bad): Refused | undefined {
  for (const [i, tool] of (Array.isArray(tools) ? tools : []).entries()) {
    const at = `tools[${i}]`;
    if (!isObject(tool) || tool.type !== 'function' || !isObject(tool.function))
      return bad(`Missing required parameter: '${at}.function'.`, at, 'missing_required_parameter');
    const { name, parameters: schema } = tool.function;
    if (typeof name !== 'string' || !namePattern.test(name)) return nameProblem(`${at}.function.name`, bad);
    if (schema !== undefined && (!isObject(schema) || schema.type !== 'object')) {
      const type = isObject(schema) && schema.type !== undefined ? JSON.stringify(schema.type) : '"None"';
      return bad(
        `Invalid schema for function '${name}': schema must be a JSON Schema of 'type: "object"', got 'type: ${type}'.`,
        `${at}.function.parameters`,
        'invalid_function_parameters',
      );
    }
  }
  return undefined;
}

const nameProblem = (at: string, bad: Bad) =>
  bad(
    `Invalid '${at}': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`,
    at,
    'invalid_value',
  );

const roles = ['system', 'assistant', 'user', 'function', 'tool', 'developer'];

function messageProblem(messages: unknown[], bad: Bad): Refused | undefined {
  /** Ids of the last assistant message's calls that have no answer yet; undefined: no call is being answered here. */
  let owed: Set<string> | undefined;
  const unanswered = () =>
    owed?.size
      ? bad(
          `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${[...owed].join(', ')}`,
          'messages',
        )
      : undefined;

  for (const [i, message] of messages.entries()) {
    const at = `messages[${i}]`;
    if (!isObject(message) || !roles.includes(String(message.role)))
      return bad(
        `Invalid value: '${isObject(message) ? String(message.role) : ''}'. Supported values are: ${roles.map((role) => `'${role}'`).join(', ')}.`,
        `${at}.role`,
        'invalid_value',
      );
    const calls = message.role === 'assistant' ? message.tool_calls : undefined;
    if (typeof message.content !== 'string' && !Array.isArray(message.content) && !Array.isArray(calls))
      return bad(`Invalid value for 'content': expected a string, got null.`, `${at}.content`);

    const part = Array.isArray(message.content) ? partProblem(message.content, `${at}.content`, bad) : undefined;
    if (part) return part;

    if (message.role === 'tool') {
      if (!owed)
        return bad(
          "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
          `${at}.role`,
        );
      // Not answered twice, nor anything that was not asked: OpenAI says the same of both.
      if (!owed.delete(String(message.tool_call_id)))
        return bad(
          `Invalid parameter: 'tool_call_id' of '${String(message.tool_call_id)}' not found in 'tool_calls' of previous message.`,
          `${at}.tool_call_id`,
        );
      continue;
    }

    const left = unanswered();
    if (left) return left;
    const wrong = Array.isArray(calls) ? callProblem(calls, at, bad) : undefined;
    if (wrong) return wrong;
    owed = Array.isArray(calls) ? new Set(calls.map((call: WireCall) => call.id)) : undefined;
  }
  return unanswered();
}

const imageUrl = /^(https?:\/\/|data:image\/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+={0,2}$)/;

function partProblem(parts: unknown[], at: string, bad: Bad): Refused | undefined {
  for (const [i, part] of parts.entries()) {
    const here = `${at}[${i}]`;
    if (!isObject(part) || (part.type !== 'text' && part.type !== 'image_url'))
      return bad(`Invalid value: '${isObject(part) ? String(part.type) : ''}'.`, `${here}.type`, 'invalid_value');
    if (part.type === 'text' && typeof part.text !== 'string')
      return bad(`Missing required parameter: '${here}.text'.`, `${here}.text`, 'missing_required_parameter');
    const url = isObject(part.image_url) ? part.image_url.url : undefined;
    if (part.type === 'image_url' && (typeof url !== 'string' || !imageUrl.test(url)))
      return bad(
        `Invalid '${here}.image_url.url': expected a URL or a base64-encoded image.`,
        here,
        'invalid_image_url',
      );
  }
  return undefined;
}

function callProblem(calls: unknown[], at: string, bad: Bad): Refused | undefined {
  if (calls.length === 0)
    return bad(
      `Invalid '${at}.tool_calls': empty array. Expected an array with minimum length 1, but got an empty array instead.`,
      `${at}.tool_calls`,
      'empty_array',
    );
  const seen = new Set<unknown>();
  for (const [n, call] of calls.entries()) {
    const here = `${at}.tool_calls[${n}]`;
    if (!isObject(call) || typeof call.id !== 'string' || !isObject(call.function))
      return bad(`Missing required parameter: '${here}.id'.`, `${here}.id`, 'missing_required_parameter');
    if (call.id.length > 40)
      return bad(
        `Invalid '${here}.id': string too long. Expected a string with maximum length 40, but got a string with length ${call.id.length} instead.`,
        `${here}.id`,
        'string_above_max_length',
      );
    if (seen.has(call.id)) return bad(`Duplicate value for 'tool_call_id' of '${call.id}' in '${at}'.`, `${here}.id`);
    seen.add(call.id);
    if (!namePattern.test(String(call.function.name))) return nameProblem(`${here}.function.name`, bad);
    if (typeof call.function.arguments !== 'string')
      return bad(
        `Invalid type for '${here}.function.arguments': expected a string, but got an object instead.`,
        `${here}.function.arguments`,
        'invalid_type',
      );
  }
  return undefined;
}
