import { isObject, type JsonObject } from '../json.ts';
import type { Json } from '../protocol.ts';
import {
  amongSchemas,
  bool,
  type Check,
  complain,
  inside,
  list,
  object,
  oneField,
  oneOf,
  type Place,
  text,
} from './rules.ts';

// Composition objects: https://docs.slack.dev/reference/block-kit/composition-objects

const isType = (type: string): Check => oneOf(type);

export function plainText(max: number, min = 1): Check {
  return object({ type: isType('plain_text'), text: text(max, { min }) }, { emoji: bool });
}

export function mrkdwn(max: number, min = 1): Check {
  return object({ type: isType('mrkdwn'), text: text(max, { min }) }, { verbatim: bool });
}

/** A text object of either type. */
export function anyText(max: number, min = 1): Check {
  const plain = plainText(max, min);
  const marked = mrkdwn(max, min);
  return amongSchemas((value, place) => {
    if (!isObject(value)) return complain(place, 'wrong_type', 'must provide an object');
    if (value.type === 'plain_text') return plain(value, place);
    if (value.type === 'mrkdwn') return marked(value, place);
    if (value.type === undefined) {
      return complain(place, 'missing_field', 'missing required field: type', { field: 'type' });
    }
    oneOf('plain_text', 'mrkdwn')(value.type, inside(place, 'type'));
  });
}

/** Slack takes mrkdwn in `text` too (observed in blocks.validate). */
export const confirm: Check = object(
  { title: plainText(100), text: anyText(300), confirm: plainText(30), deny: plainText(30) },
  { style: oneOf('primary', 'danger') },
);

export type OptionKind = 'plain' | 'any' | 'overflow';

/** `any`: checkboxes and radio buttons, where the text may be mrkdwn. `overflow`: the only place where an option has a url. */
export function option(kind: OptionKind): Check {
  const label = kind === 'any' ? anyText(75) : plainText(75);
  const description = kind === 'any' ? anyText(75) : plainText(75);
  const optional = { description, ...(kind === 'overflow' ? { url: text(3000) } : {}) };
  return object({ text: label, value: text(150) }, optional);
}

export const optionGroup: Check = object({
  label: plainText(75),
  options: list(option('plain'), { min: 1, max: 100 }),
});

export const dispatchActionConfig: Check = object(
  { trigger_actions_on: list(oneOf('on_enter_pressed', 'on_character_entered'), { min: 1 }) },
  {},
);

export const conversationFilter: Check = object(
  {},
  {
    include: list(oneOf('im', 'mpim', 'private', 'public'), { min: 1 }),
    exclude_external_shared_channels: bool,
    exclude_bot_users: bool,
  },
);

export const slackFile: Check = object({}, { id: text(255), url: text(3000) }, oneField(['id', 'url']));

export const inputParameter: Check = object({ name: text(255), value: text(3000) });
export const trigger: Check = object({ url: text(3000) }, { customizable_input_parameters: list(inputParameter) });
export const workflow: Check = object({ trigger });

/** A source of a task card. */
export const urlSource: Check = object({ type: isType('url'), url: text(3000), text: text(3000) });

/** `initial_option(s)` must equal an option of the element, the text included. */
export const initialAmongOptions: Check = (value, place) => {
  if (!isObject(value)) return;
  const groups = Array.isArray(value.option_groups) ? value.option_groups : [];
  const options = [
    ...(Array.isArray(value.options) ? value.options : []),
    ...groups.flatMap((group) => (isObject(group) && Array.isArray(group.options) ? group.options : [])),
  ];
  const known = new Set(options.map(optionIdentity));
  const check = (initial: Json, at: Place) => {
    if (!known.has(optionIdentity(initial))) complain(at, 'schema', 'failed to match all allowed schemas');
  };
  if (value.initial_option !== undefined) check(value.initial_option, inside(place, 'initial_option'));
  if (!Array.isArray(value.initial_options)) return;
  for (const [index, initial] of value.initial_options.entries()) {
    check(initial, inside(inside(place, 'initial_options'), index));
  }
};

/** What makes two options the same: Slack's own fill-ins (`emoji`, `verbatim`) do not count. */
function optionIdentity(value: Json): string {
  if (!isObject(value)) return JSON.stringify(value);
  const bare = (part: Json | undefined) => (isObject(part) ? [(part as JsonObject).type, part.text] : part);
  return JSON.stringify([value.value, bare(value.text), bare(value.description)]);
}
