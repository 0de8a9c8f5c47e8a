/** What compatible servers send, read leniently: a field of a shape that we do not know counts as absent. */
import { z } from 'zod';

const text = z.string().catch('');
const optional = <T extends z.ZodType>(schema: T) => schema.nullish().catch(undefined);

/** Content is text, or an array of parts of which only text and refusals are for people (thinking parts are not). */
const content = z
  .union([z.string(), z.array(z.union([z.string(), z.looseObject({ type: text, text, refusal: text })]))])
  .transform((value) =>
    typeof value === 'string'
      ? value
      : value.map((part) => (typeof part === 'string' ? part : partText(part.type, part.text, part.refusal))).join(''),
  );

/** Arguments are JSON text; a few servers send the object itself. */
const args = z
  .union([z.string(), z.record(z.string(), z.unknown()).transform((value) => JSON.stringify(value))])
  .nullish()
  .catch(undefined)
  .transform((value) => value ?? '');

const functionDelta = z.object({ name: optional(z.string()), arguments: args });

const toolCallDelta = z.object({
  index: optional(z.coerce.number().int().nonnegative()),
  id: optional(z.string()),
  function: functionDelta,
});

/** The same shape for a streamed delta and for a whole message. */
const delta = z.object({
  content: optional(content),
  refusal: optional(z.string()),
  tool_calls: optional(z.array(z.unknown())),
  /** How calls looked before `tool_calls`; a few servers still send it. */
  function_call: optional(functionDelta),
});

const choice = z.object({
  delta: optional(delta),
  message: optional(delta),
  finish_reason: optional(z.string()),
});

const chunk = z.object({
  choices: optional(z.array(z.unknown())),
  usage: optional(z.object({ prompt_tokens: z.number(), completion_tokens: z.number() })),
});

export type CallDelta = { index?: number; id?: string; name: string; arguments: string };
export type Usage = { inputTokens: number; outputTokens: number };

/** One event of a stream, or a whole answer, in our words. */
export type Piece = { text: string; calls: CallDelta[]; finishReason?: string; usage?: Usage };

/** undefined: not a chunk of a chat completion at all. */
export function readPiece(json: unknown): Piece | undefined {
  const parsed = chunk.safeParse(json);
  if (!parsed.success || (parsed.data.choices == null && parsed.data.usage == null)) return undefined;
  const first = choice.safeParse(parsed.data.choices?.[0]).data;
  const { usage } = parsed.data;
  const said = first?.delta ?? first?.message;
  return {
    text: (said?.content ?? '') + (said?.refusal ?? ''),
    calls: [...(said?.tool_calls ?? []).flatMap(readCall), ...legacyCall(said?.function_call)],
    ...(first?.finish_reason && { finishReason: first.finish_reason }),
    ...(usage && { usage: { inputTokens: usage.prompt_tokens, outputTokens: usage.completion_tokens } }),
  };
}

function readCall(value: unknown): CallDelta[] {
  const parsed = toolCallDelta.safeParse(value).data;
  if (!parsed) return [];
  const { index, id } = parsed;
  return [
    {
      ...(index != null && { index }),
      ...(id && { id }),
      name: parsed.function.name ?? '',
      arguments: parsed.function.arguments,
    },
  ];
}

function legacyCall(call: z.infer<typeof functionDelta> | null | undefined): CallDelta[] {
  return call ? [{ name: call.name ?? '', arguments: call.arguments }] : [];
}

function partText(type: string, partText: string, refusal: string): string {
  if (type === 'text' || type === 'output_text' || type === '') return partText;
  return type === 'refusal' ? refusal : '';
}
