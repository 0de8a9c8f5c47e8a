import { isObject, type JsonObject, listOr } from '../json.ts';
import type { Json } from '../protocol.ts';
import { anyBlock } from './blocks.ts';
import { plainText, urlSource } from './objects.ts';
import {
  bool,
  type Check,
  characters,
  complain,
  inside,
  list,
  object,
  oneOf,
  type Place,
  type Problem,
  type Surface,
  text,
  typed,
} from './rules.ts';

/**
 * The whole payloads: blocks, messages, views, chunks. Written from Slack's documentation and from refusals that people
 * published; the bot's own limits are not used here, on purpose, so that each checks the other.
 */

function start(surface: Surface, pointer: string): Place {
  return { pointer, surface, problems: [] };
}

const blocksWithin = (max: number): Check => {
  const all = list(anyBlock, { max });
  return (value, place) => {
    all(value, place);
    uniqueIds(value, place);
  };
};

/** block_ids are unique in their list, action_ids in their block. */
function uniqueIds(value: Json, place: Place): void {
  const seen = new Set<string>();
  for (const [index, block] of listOr(value).entries()) {
    if (!isObject(block)) continue;
    const at = inside(place, index);
    if (typeof block.block_id === 'string' && block.block_id !== '') {
      if (seen.has(block.block_id)) {
        complain(inside(at, 'block_id'), 'duplicate', `\`block_id\` "${block.block_id}" already exists`);
      }
      seen.add(block.block_id);
    }
    const actions = new Set<string>();
    for (const [element, pointer] of elementsOf(block, at)) {
      if (typeof element.action_id !== 'string' || element.action_id === '') continue;
      if (actions.has(element.action_id)) {
        complain(inside(pointer, 'action_id'), 'duplicate', `\`action_id\` "${element.action_id}" already exists`);
      }
      actions.add(element.action_id);
    }
    if (Array.isArray(block.child_blocks)) uniqueIds(block.child_blocks, inside(at, 'child_blocks'));
  }
}

function elementsOf(block: JsonObject, at: Place): [JsonObject, Place][] {
  const found: [JsonObject, Place][] = [];
  for (const key of ['element', 'accessory']) {
    const single = block[key];
    if (isObject(single)) found.push([single, inside(at, key)]);
  }
  for (const [index, element] of listOr(block.elements).entries()) {
    if (isObject(element)) found.push([element, inside(inside(at, 'elements'), index)]);
  }
  return found;
}

/** Blocks by themselves; pointers start at `pointer`, such as `/blocks`. */
export function checkBlocks(blocks: Json, pointer = '/blocks', surface: Surface = 'message'): Problem[] {
  const place = start(surface, pointer);
  blocksWithin(surface === 'message' ? 50 : 100)(blocks, place);
  if (surface === 'message') cumulativeMarkdown(blocks, place);
  return place.problems;
}

/** Markdown blocks have 12,000 characters together. */
function cumulativeMarkdown(blocks: Json, place: Place): void {
  const texts = listOr(blocks).map((block) =>
    isObject(block) && block.type === 'markdown' && typeof block.text === 'string' ? characters(block.text) : 0,
  );
  const single = texts.some((length) => length > 12_000);
  if (!single && texts.reduce((sum, length) => sum + length, 0) > 12_000) {
    complain(place, 'too_long', 'must be less than 12001 characters');
  }
}

/** What people can read of blocks: the limit of 13,200 for all of a message is observed (bolt-js#2509), not documented. */
export function readableCharacters(value: Json): number {
  if (typeof value === 'string') return 0;
  if (Array.isArray(value)) return value.reduce<number>((sum, entry) => sum + readableCharacters(entry), 0);
  if (!isObject(value)) return 0;
  const own = typeof value.text === 'string' ? characters(value.text) : 0;
  return own + Object.values(value).reduce<number>((sum, entry) => sum + readableCharacters(entry), 0);
}

/** The blocks and attachments of a message. */
export function checkMessage(message: JsonObject): Problem[] {
  const problems = message.blocks === undefined ? [] : checkBlocks(message.blocks);
  for (const [index, attachment] of listOr(message.attachments).entries()) {
    const at = `/attachments/${index}`;
    if (!isObject(attachment)) {
      complain({ pointer: at, surface: 'message', problems }, 'wrong_type', 'must provide an object');
    } else if (attachment.blocks !== undefined) {
      problems.push(...checkBlocks(attachment.blocks, `${at}/blocks`));
    }
  }
  return problems;
}

const viewFields = {
  callback_id: text(255, { min: 0 }),
  external_id: text(255, { min: 0 }),
  private_metadata: text(3000, { min: 0 }),
};
const viewBlocks = (value: Json, place: Place) => {
  list(anyBlock, { min: 1, max: 100 })(value, place);
  uniqueIds(value, place);
};

const modal = object(
  { type: oneOf('modal'), title: plainText(24), blocks: viewBlocks },
  {
    ...viewFields,
    submit: plainText(24),
    close: plainText(24),
    clear_on_close: bool,
    notify_on_close: bool,
    submit_disabled: bool,
  },
);
const home = object({ type: oneOf('home'), blocks: viewBlocks }, viewFields);

/** A view; pointers start at `pointer`, `/view` in the views methods. */
export function checkView(view: Json, pointer = '/view'): Problem[] {
  const surface: Surface = isObject(view) && view.type === 'home' ? 'home' : 'modal';
  const place = start(surface, pointer);
  typed({ modal, home })(view, place);
  if (!isObject(view)) return place.problems;
  const blocks = listOr(view.blocks);
  if (surface === 'modal' && view.submit === undefined) {
    for (const [index, block] of blocks.entries()) {
      if (!isObject(block) || block.type !== 'input') continue;
      const at = inside(inside(inside(place, 'blocks'), index), 'input');
      complain(at, 'missing_field', 'must define `submit` to use an `input` block in modals', { field: 'submit' });
    }
  }
  const focused = blocks.flatMap((block, index) =>
    isObject(block) ? elementsOf(block, inside(inside(place, 'blocks'), index)) : [],
  );
  for (const [, at] of focused.filter(([element]) => element.focus_on_load === true).slice(1)) {
    complain(inside(at, 'focus_on_load'), 'duplicate', 'only one element may set `focus_on_load`');
  }
  return place.problems;
}

// Chunks of a stream: https://docs.slack.dev/reference/methods/chat.appendStream
const short = text(256);
const chunk = typed({
  markdown_text: object({ type: oneOf('markdown_text'), text: text(12_000, { min: 0 }) }),
  task_update: object(
    { type: oneOf('task_update'), id: short },
    {
      title: short,
      status: oneOf('pending', 'in_progress', 'complete', 'error'),
      details: text(256, { min: 0 }),
      output: text(256, { min: 0 }),
      sources: list(urlSource),
    },
  ),
  plan_update: object({ type: oneOf('plan_update'), title: short }),
  blocks: object({ type: oneOf('blocks'), blocks: blocksWithin(50) }),
});

export function checkChunks(chunks: Json, pointer = '/chunks'): Problem[] {
  const place = start('message', pointer);
  list(chunk)(chunks, place);
  return place.problems;
}

/** The form in which Slack lists violations: `message [json-pointer:/blocks/0/text]`. */
export function described(problems: readonly Problem[]): string[] {
  return problems.map(({ message, pointer }) => `${message} [json-pointer:${pointer}]`);
}
