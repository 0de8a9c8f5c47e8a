import type { IncomingMessage } from 'node:http';
import { isObject, type JsonObject, parseJson } from '../json.ts';
import type { Json } from '../protocol.ts';
import type { ArgKind, Method } from './method.ts';

/** Slack takes up to 4 MB or so; more is nobody's honest call. */
const MOST_BYTES = 10_000_000;

/** The body of a request; undefined when it is too large. */
export async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MOST_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The arguments as they were sent: of a form all are strings, of JSON they have types. */
export async function readArguments(request: IncomingMessage, body: Buffer): Promise<JsonObject | { error: string }> {
  const query = Object.fromEntries(new URL(request.url ?? '/', 'http://playground').searchParams);
  if (body.length === 0) return query;
  const type = request.headers['content-type'] ?? '';
  if (type.startsWith('application/json')) {
    const parsed = parseJson(body.toString('utf8'));
    return isObject(parsed) ? { ...query, ...parsed } : { error: 'invalid_json' };
  }
  if (type.startsWith('application/x-www-form-urlencoded')) {
    return { ...query, ...Object.fromEntries(new URLSearchParams(body.toString('utf8'))) };
  }
  if (type.startsWith('multipart/form-data')) {
    try {
      const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData();
      const fields = [...form].map(([name, value]) => [name, typeof value === 'string' ? value : value.name]);
      return { ...query, ...Object.fromEntries(fields) };
    } catch {
      return { error: 'invalid_form_data' };
    }
  }
  return { error: type === '' ? 'missing_post_type' : 'invalid_post_type' };
}

/** What Slack says of an argument that should be JSON and is not. */
const NOT_JSON: { [name: string]: string } = {
  blocks: 'invalid_blocks_format',
  attachments: 'invalid_attachments',
  chunks: 'invalid_chunks',
  metadata: 'invalid_metadata_format',
};

/** Arguments that any method takes: Bolt adds team_id to each call, and auth.test carries its token. */
const ALWAYS = new Set(['token', 'team_id']);

export type Typed = { args: JsonObject; unknown: string[]; missing: string[]; error?: string };

/** The arguments with the types that the method's table gives them. */
export function typedArguments(sent: JsonObject, method: Method): Typed {
  const typed: Typed = { args: {}, unknown: [], missing: [] };
  for (const [name, value] of Object.entries(sent)) {
    const kind = method.args[name];
    if (kind === undefined) {
      if (!ALWAYS.has(name)) typed.unknown.push(name);
      continue;
    }
    const converted = convert(value, kind);
    if (converted === undefined) typed.error ??= NOT_JSON[name] ?? 'invalid_arguments';
    else if (converted !== null) typed.args[name] = converted;
  }
  typed.missing = (method.required ?? []).filter((name) => typed.args[name] === undefined);
  return typed;
}

/** undefined: it is not of this kind. */
function convert(value: Json, kind: ArgKind): Json | undefined {
  if (value === null) return null;
  switch (kind) {
    case 'json':
      return typeof value === 'string' ? parseJson(value) : value;
    case 'boolean':
      if (typeof value === 'boolean') return value;
      if (value === 'true' || value === '1' || value === 1) return true;
      return value === 'false' || value === '0' || value === 0 || value === '' ? false : undefined;
    case 'number':
      return value !== '' && Number.isFinite(Number(value)) ? Number(value) : undefined;
    case 'string':
      return typeof value === 'string' ? value : typeof value === 'object' ? undefined : String(value);
    default:
      return kind satisfies never;
  }
}
