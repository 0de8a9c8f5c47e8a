import { interactiveElements } from './fill-in.ts';
import { isObject, type JsonObject, listOr } from './json.ts';
import type { Block, Json, StateValues } from './protocol.ts';

/** Of each stateful element: where its value stands, where its initial value stands, and what "nothing" is. */
const STATEFUL: { [type: string]: { value: string; initial: string; empty: Json } } = {
  plain_text_input: { value: 'value', initial: 'initial_value', empty: null },
  number_input: { value: 'value', initial: 'initial_value', empty: null },
  email_text_input: { value: 'value', initial: 'initial_value', empty: null },
  url_text_input: { value: 'value', initial: 'initial_value', empty: null },
  rich_text_input: { value: 'rich_text_value', initial: 'initial_value', empty: null },
  file_input: { value: 'files', initial: 'initial_files', empty: [] },
  checkboxes: { value: 'selected_options', initial: 'initial_options', empty: [] },
  radio_buttons: { value: 'selected_option', initial: 'initial_option', empty: null },
  static_select: { value: 'selected_option', initial: 'initial_option', empty: null },
  external_select: { value: 'selected_option', initial: 'initial_option', empty: null },
  multi_static_select: { value: 'selected_options', initial: 'initial_options', empty: [] },
  multi_external_select: { value: 'selected_options', initial: 'initial_options', empty: [] },
  users_select: { value: 'selected_user', initial: 'initial_user', empty: null },
  multi_users_select: { value: 'selected_users', initial: 'initial_users', empty: [] },
  conversations_select: { value: 'selected_conversation', initial: 'initial_conversation', empty: null },
  multi_conversations_select: { value: 'selected_conversations', initial: 'initial_conversations', empty: [] },
  channels_select: { value: 'selected_channel', initial: 'initial_channel', empty: null },
  multi_channels_select: { value: 'selected_channels', initial: 'initial_channels', empty: [] },
  datepicker: { value: 'selected_date', initial: 'initial_date', empty: null },
  timepicker: { value: 'selected_time', initial: 'initial_time', empty: null },
  datetimepicker: { value: 'selected_date_time', initial: 'initial_date_time', empty: null },
};

/** The blocks with their stateful elements, containers opened. */
function* stateful(
  blocks: readonly Block[],
): Generator<{ block: Block; element: JsonObject; id: string; action: string }> {
  for (const block of blocks) {
    for (const element of interactiveElements({ ...block, child_blocks: [] })) {
      if (STATEFUL[String(element.type)])
        yield { block, element, id: block.block_id ?? '', action: String(element.action_id) };
    }
    yield* stateful(listOr(block.child_blocks).filter(isObject) as Block[]);
  }
}

/**
 * `state.values`: every stateful element of the blocks, with what was entered, or its initial value, or nothing. What was
 * entered for an element that is not there (any more) is left out; so inputs with the same ids keep their values over an update.
 */
export function stateValues(blocks: readonly Block[] | undefined, entered: StateValues | undefined): StateValues {
  const values: StateValues = {};
  for (const { element, id, action } of stateful(blocks ?? [])) {
    const type = String(element.type);
    const { value, initial, empty } = STATEFUL[type] as { value: string; initial: string; empty: Json };
    const given = entered?.[id]?.[action];
    const current = given?.type === type ? (given[value] ?? empty) : (element[initial] ?? empty);
    values[id] = { ...values[id], [action]: { type, [value]: current } };
  }
  return values;
}

/** The entry of `state.values` that an action makes; undefined for a button. */
export function enteredBy(
  blockId: string,
  actionId: string,
  action: { type: string; [key: string]: Json },
): StateValues {
  const kind = STATEFUL[action.type];
  if (!kind) return {};
  return { [blockId]: { [actionId]: { type: action.type, [kind.value]: action[kind.value] ?? kind.empty } } };
}

export function mergedValues(...all: (StateValues | undefined)[]): StateValues {
  const merged: StateValues = {};
  for (const values of all) {
    for (const [block, actions] of Object.entries(values ?? {})) merged[block] = { ...merged[block], ...actions };
  }
  return merged;
}

/** An action names an option that the element does not have. */
export function unknownOption(element: JsonObject, action: JsonObject): boolean {
  const groups = listOr(element.option_groups).flatMap((group) => (isObject(group) ? listOr(group.options) : []));
  const options = [...listOr(element.options), ...groups];
  if (element.type === 'feedback_buttons')
    return ![element.positive_button, element.negative_button].some(
      (side) => isObject(side) && side.value === action.value,
    );
  if (options.length === 0) return false;
  const known = new Set(options.map((option) => (isObject(option) ? option.value : undefined)));
  const chosen = [action.selected_option, ...listOr(action.selected_options)].filter(isObject);
  return chosen.some((option) => !known.has(option.value));
}

/** What Slack's own form refuses before the app hears of it: by block_id. */
export function formErrors(blocks: readonly Block[], values: StateValues): { [blockId: string]: string } {
  const errors: { [blockId: string]: string } = {};
  for (const { block, element, id, action } of stateful(blocks)) {
    if (block.type !== 'input') continue;
    const key = STATEFUL[String(element.type)]?.value ?? 'value';
    const value = values[id]?.[action]?.[key] ?? null;
    const empty = value === null || value === '' || (Array.isArray(value) && value.length === 0);
    if (empty && block.optional !== true) errors[id] = 'Please complete this required field.';
    else if (!empty && typeof value === 'string') {
      const problem = textProblem(element, value);
      if (problem) errors[id] = problem;
    }
  }
  return errors;
}

function textProblem(element: JsonObject, value: string): string | undefined {
  const length = [...value].length;
  const { type, min_length, max_length } = element;
  if (typeof min_length === 'number' && length < min_length) return `Use at least ${min_length} characters.`;
  const longest = typeof max_length === 'number' ? max_length : 3000;
  if (type === 'plain_text_input' && length > longest) return `Use at most ${longest} characters.`;
  if (type === 'number_input' && !Number.isFinite(Number(value))) return 'Enter a number.';
  if (type === 'email_text_input' && !/^\S+@\S+\.\S+$/.test(value)) return 'Enter an email address.';
  if (type === 'url_text_input' && !URL.canParse(value)) return 'Enter a URL.';
  return undefined;
}
