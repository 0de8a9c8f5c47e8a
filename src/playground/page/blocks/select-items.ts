/** What a menu offers and what was chosen from it, whichever of Slack's selects it is. Pure. */
import type { Json } from '../../protocol.ts';
import { channelLabel, visibleChannels } from '../perspective.ts';
import { asList, asObjects, asString, type JsonObject, textOf } from '../read-json.ts';
import { contentOf, type Value } from '../state-values.ts';
import type { World } from '../world.ts';

export type Item = {
  /** Unique within the menu. */
  key: string;
  label: string;
  description?: string;
  group?: string;
  /** What is sent: the option as the app gave it, or an id. */
  value: Json;
};

/** Where the choice is found in `state.values`, by the kind of select without `multi_`. */
const KEYS: { [kind: string]: { one: string; many: string } } = {
  static_select: { one: 'selected_option', many: 'selected_options' },
  external_select: { one: 'selected_option', many: 'selected_options' },
  users_select: { one: 'selected_user', many: 'selected_users' },
  channels_select: { one: 'selected_channel', many: 'selected_channels' },
  conversations_select: { one: 'selected_conversation', many: 'selected_conversations' },
};

export function itemsOf(element: JsonObject, world: World, me: string): Item[] {
  switch (asString(element.type)?.replace(/^multi_/, '')) {
    case 'users_select':
      return Object.values(world.users).map((user) => ({
        key: user.id,
        label: user.realName || user.name,
        value: user.id,
      }));
    case 'channels_select':
    case 'conversations_select': {
      const user = world.users[me];
      const channels = user ? visibleChannels(world, user) : [];
      return channels.map((channel) => ({
        key: channel.id,
        label: channelLabel(world, channel, me),
        value: channel.id,
      }));
    }
    default: {
      const groups = asObjects(element.option_groups);
      if (groups.length === 0) return asObjects(element.options).map((option) => itemOf(option));
      return groups.flatMap((group) =>
        asObjects(group.options).map((option) => ({ ...itemOf(option), group: textOf(group.label) })),
      );
    }
  }
}

function itemOf(option: JsonObject): Item {
  const description = textOf(option.description);
  const label = textOf(option.text);
  return {
    key: `${asString(option.value) ?? ''}\n${label}`,
    label,
    value: option as Json,
    ...(description ? { description } : {}),
  };
}

export function chosenOf(held: Value | undefined, items: Item[]): Item[] {
  if (!held) return [];
  const content = contentOf(held);
  const values = Array.isArray(content) ? asList(content) : content === null ? [] : [content];
  return values.map((value) => {
    if (typeof value === 'string')
      return items.find((item) => item.value === value) ?? { key: value, label: value, value };
    const item = itemOf(value as JsonObject);
    return items.find((one) => one.key === item.key) ?? item;
  });
}

export function selectionOf(type: string, chosen: Item[]): Value {
  const keys = KEYS[type.replace(/^multi_/, '')];
  if (!keys) throw new Error(`No select is called ${type}.`);
  const values = chosen.map((item) => item.value);
  return type.startsWith('multi_') ? { type, [keys.many]: values } : { type, [keys.one]: values[0] ?? null };
}

export function matching(items: Item[], query: string): Item[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return items.filter((item) => {
    const text = `${item.label} ${item.description ?? ''} ${item.group ?? ''}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
