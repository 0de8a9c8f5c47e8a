/** Tools: what a model may call. `createTool` makes one from a zod schema; the record can be made by hand as well (MCP). */
import { z } from 'zod';
import type { Asked } from './ask-user-input.ts';

export type ToolContext = {
  runId: string;
  toolCallId: string;
  thread?: string;
  resource?: string;
  /** Aborts on a stop, a lost run, a shutdown and when the tool's time is over. */
  signal: AbortSignal;
};

export type ParsedInput = { ok: true; input: unknown } | { ok: false; problem: string };

export type Tool = {
  readonly id: string;
  readonly description: string;
  /** JSON Schema of the input, an object's. */
  readonly parameters: Record<string, unknown>;
  /** It changes nothing anywhere: it may run beside a question, and again after a crash. */
  readonly readOnly: boolean;
  /** Time for one call; `defaultTimeoutMs` when absent. */
  readonly timeoutMs?: number;
  /** Checks and completes the arguments; absent: `execute` takes them as they are. */
  parse?(args: unknown): Promise<ParsedInput>;
  /** Outside a run there is no context. What it returns becomes text for the model, what it throws a tool error. */
  execute(input: unknown, context?: ToolContext): Promise<unknown>;
  /** Present: in a run the call is not executed but asked of a person, and the answer is its result. */
  ask?(args: unknown): Asked;
};

export const defaultTimeoutMs = 120_000;

export type ToolDefinition<Schema extends z.ZodType> = {
  /** The name that the model calls it by: letters, digits, `_` and `-`, at most 64. */
  id: string;
  description: string;
  inputSchema: Schema;
  execute(input: z.output<Schema>, context: ToolContext): unknown;
  /** Default false: it may have side effects, and never runs twice silently. */
  readOnly?: boolean;
  timeoutMs?: number;
};

/** Throws a TypeError when the model could not be told of such a tool. */
export function createTool<Schema extends z.ZodType>(definition: ToolDefinition<Schema>): Tool {
  const { id, description, inputSchema, readOnly = false, timeoutMs } = definition;
  if (!/^[\w-]{1,64}$/.test(id)) {
    throw new TypeError(`Tool id ${JSON.stringify(id)}: use 1 to 64 letters, digits, "_" and "-".`);
  }
  const parameters = schemaOf(inputSchema);
  if (parameters.type !== 'object')
    throw new TypeError(`Tool ${id}: inputSchema must be an object's, such as z.object({}).`);
  return {
    id,
    description,
    parameters,
    readOnly,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    parse: (args) => parseInput(inputSchema, args),
    async execute(input, context) {
      const outside = { runId: '', toolCallId: '', signal: new AbortController().signal };
      return await definition.execute(input as z.output<Schema>, context ?? outside);
    },
  };
}

/** JSON Schema of what goes in. What JSON Schema cannot say is left open; the zod schema checks it all the same. */
export function schemaOf(schema: z.ZodType): Record<string, unknown> {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return rest;
}

/** Models write null for what they leave out: where null does not fit, it counts as absent. */
async function parseInput(schema: z.ZodType, args: unknown): Promise<ParsedInput> {
  const first = await schema.safeParseAsync(args);
  if (first.success) return { ok: true, input: first.data };
  const cleaned = structuredClone(args);
  const dropped = first.error.issues.filter((issue) => dropNull(cleaned, issue.path)).length;
  const second = dropped > 0 ? await schema.safeParseAsync(cleaned) : first;
  if (second.success) return { ok: true, input: second.data };
  return { ok: false, problem: z.prettifyError(second.error) };
}

/** Deletes the null at `path` from its object; false: there is none. */
function dropNull(root: unknown, path: readonly PropertyKey[]): boolean {
  let holder = root;
  for (const key of path.slice(0, -1)) holder = (holder as Record<PropertyKey, unknown> | null | undefined)?.[key];
  const last = path.at(-1);
  if (last === undefined || typeof holder !== 'object' || holder === null || Array.isArray(holder)) return false;
  const object = holder as Record<PropertyKey, unknown>;
  return object[last] === null && delete object[last];
}
