import type { Ids } from './ids.ts';
import { copy, isObject, listOr } from './json.ts';
import type { Block, Json } from './protocol.ts';

/**
 * Blocks as Slack stores them: a missing block_id or action_id is drawn, and every plain_text says `emoji`, every mrkdwn
 * `verbatim` (recorded payloads).
 */
export function filledIn(blocks: Json, ids: Ids): Block[] {
  return listOr(copy(blocks)).map((entry) => {
    const block = entry as Block;
    if (!block.block_id) block.block_id = ids.hex(5);
    if (block.type === 'input') {
      block.optional ??= false;
      block.dispatch_action ??= false;
    }
    for (const element of interactiveElements(block)) element.action_id ||= ids.hex(5);
    textDefaults(block as Json);
    return block;
  });
}

const STATELESS_TYPES = new Set(['image', 'mrkdwn', 'plain_text', 'card']);

/** The elements of a block that a person can act on. */
export function interactiveElements(block: Block): { [key: string]: Json }[] {
  if (block.type === 'rich_text' || block.type === 'table') return [];
  const children = listOr(block.child_blocks).filter(isObject);
  return [
    ...[block.element, block.accessory, ...listOr(block.elements), ...listOr(block.actions)].filter(
      (element) => isObject(element) && !STATELESS_TYPES.has(String(element.type)),
    ),
    ...children.flatMap((child) => interactiveElements(child as Block)),
  ] as { [key: string]: Json }[];
}

function textDefaults(value: Json): void {
  if (Array.isArray(value)) value.forEach(textDefaults);
  if (!isObject(value)) return;
  if (value.type === 'plain_text') value.emoji ??= true;
  else if (value.type === 'mrkdwn') value.verbatim ??= false;
  else Object.values(value).forEach(textDefaults);
}

/** Every block, those inside a container among them. */
export function flatBlocks(blocks: readonly Block[] | undefined): Block[] {
  return (blocks ?? []).flatMap((block) => [block, ...flatBlocks(listOr(block.child_blocks) as Block[])]);
}

/** An element by the ids that a person's action carries. */
export function findElement(blocks: readonly Block[] | undefined, blockId: string, actionId: string) {
  const block = flatBlocks(blocks).find((entry) => entry.block_id === blockId);
  return block && interactiveElements({ ...block, child_blocks: [] }).find((element) => element.action_id === actionId);
}
