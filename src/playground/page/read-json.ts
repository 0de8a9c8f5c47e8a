/** Blocks are JSON that an app wrote: these read a field and say `undefined` or empty where it has another shape. */
import type { Block, Json } from '../protocol.ts';

export type JsonObject = { [key: string]: Json | undefined };

export function asObject(value: Json | undefined): JsonObject | undefined {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? value : undefined;
}

export function asObjects(value: Json | undefined): JsonObject[] {
  return asList(value).flatMap((item) => {
    const object = asObject(item);
    return object ? [object] : [];
  });
}

export function asList(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}

export function asString(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

export function asNumber(value: Json | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

/** The text of a text object, or of a bare string (titles of cards and tasks come as either). */
export function textOf(value: Json | undefined): string {
  return asString(value) ?? asString(asObject(value)?.text) ?? '';
}

/** Blocks with an id each: Slack fills them in, and a block without one still needs a name for its state. */
export function asBlocks(value: Json | Block[] | undefined): Block[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((item, index) => {
    const block = asObject(item as Json);
    if (!block) return [];
    const type = asString(block.type) ?? 'unknown';
    return [{ ...block, type, block_id: asString(block.block_id) ?? `block-${index}` }];
  });
}
