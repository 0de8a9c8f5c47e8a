/** `state.values` as Slack sends it: every stateful element of a message or view, also the unanswered. Pure. */
import type { Block, Json, StateValues } from '../protocol.ts';
import { asBlocks, asList, asNumber, asObject, asObjects, asString, type JsonObject } from './read-json.ts';

export type Value = StateValues[string][string];

/** What an element holds before anybody touched it; undefined: it holds nothing (a button, an overflow). */
export function initialValue(element: JsonObject): Value | undefined {
  const type = asString(element.type) ?? '';
  switch (type) {
    case 'plain_text_input':
    case 'email_text_input':
    case 'url_text_input':
    case 'number_input':
      return { type, value: element.initial_value ?? null };
    case 'rich_text_input':
      return { type, rich_text_value: element.initial_value ?? null };
    case 'static_select':
    case 'external_select':
    case 'radio_buttons':
      return { type, selected_option: element.initial_option ?? null };
    case 'multi_static_select':
    case 'multi_external_select':
    case 'checkboxes':
      return { type, selected_options: element.initial_options ?? [] };
    case 'users_select':
      return { type, selected_user: element.initial_user ?? null };
    case 'multi_users_select':
      return { type, selected_users: element.initial_users ?? [] };
    case 'channels_select':
      return { type, selected_channel: element.initial_channel ?? null };
    case 'multi_channels_select':
      return { type, selected_channels: element.initial_channels ?? [] };
    case 'conversations_select':
      return { type, selected_conversation: element.initial_conversation ?? null };
    case 'multi_conversations_select':
      return { type, selected_conversations: element.initial_conversations ?? [] };
    case 'datepicker':
      return { type, selected_date: element.initial_date ?? null };
    case 'timepicker':
      return { type, selected_time: element.initial_time ?? null };
    case 'datetimepicker':
      return { type, selected_date_time: element.initial_date_time ?? null };
    case 'file_input':
      return { type, files: [] };
    default:
      return undefined;
  }
}

type Stateful = { block: Block; blockId: string; actionId: string; element: JsonObject; initial: Value };

function statefulElements(blocks: Block[]): Stateful[] {
  return blocks.flatMap((block): Stateful[] => {
    if (block.type === 'container') return statefulElements(asBlocks(block.child_blocks));
    const single = asObject(block.type === 'input' ? block.element : block.accessory);
    const elements = block.type === 'actions' ? asObjects(block.elements) : [single];
    return elements.flatMap((element): Stateful[] => {
      const initial = element && initialValue(element);
      if (!initial) return [];
      return [{ block, blockId: block.block_id ?? '', actionId: asString(element.action_id) ?? '', element, initial }];
    });
  });
}

/** What was entered counts only while the element is still there and still of that type. */
export function stateOf(blocks: Block[], entered: StateValues): StateValues {
  const state: StateValues = {};
  for (const { blockId, actionId, initial } of statefulElements(blocks)) {
    const value = entered[blockId]?.[actionId];
    state[blockId] = { ...state[blockId], [actionId]: value?.type === initial.type ? value : initial };
  }
  return state;
}

export function withValue(entered: StateValues, blockId: string, actionId: string, value: Value): StateValues {
  return { ...entered, [blockId]: { ...entered[blockId], [actionId]: value } };
}

/** The value itself, whatever its key is called. */
export function contentOf(value: Value): Json {
  const { type: _type, ...rest } = value;
  return Object.values(rest)[0] ?? null;
}

/** What Slack's client checks before it submits a view; the rest is the app's to say. Messages by block id. */
export function inputErrors(blocks: Block[], state: StateValues): { [blockId: string]: string } {
  const errors: { [blockId: string]: string } = {};
  for (const { block, blockId, actionId, element, initial } of statefulElements(blocks)) {
    if (block.type !== 'input') continue;
    const content = contentOf(state[blockId]?.[actionId] ?? initial);
    const empty = content === null || content === '' || (Array.isArray(content) && content.length === 0);
    const error = empty ? missing(block) : misfit(element, content);
    if (error) errors[blockId] = error;
  }
  return errors;
}

function missing(block: Block): string | undefined {
  return block.optional === true ? undefined : 'Please complete this required field.';
}

function misfit(element: JsonObject, content: Json): string | undefined {
  const selected = asList(content).length;
  const most = asNumber(element.max_selected_items);
  if (most !== undefined && selected > most) return `Please choose at most ${most}.`;
  if (typeof content !== 'string') return undefined;
  const least = asNumber(element.min_length) ?? 0;
  if (content.length < least) return `Please write at least ${least} characters.`;
  switch (element.type) {
    case 'email_text_input':
      return /^\S+@\S+\.\S+$/.test(content) ? undefined : 'Please enter a valid email address.';
    case 'url_text_input':
      return URL.canParse(content) ? undefined : 'Please enter a valid URL.';
    case 'number_input':
      return numberMisfit(element, content);
    default:
      return undefined;
  }
}

function numberMisfit(element: JsonObject, content: string): string | undefined {
  const number = Number(content);
  if (!Number.isFinite(number)) return 'Please enter a number.';
  if (element.is_decimal_allowed === false && !Number.isInteger(number)) return 'Please enter a whole number.';
  const min = asString(element.min_value);
  if (min !== undefined && number < Number(min)) return `Please enter a number of at least ${min}.`;
  const max = asString(element.max_value);
  if (max !== undefined && number > Number(max)) return `Please enter a number of at most ${max}.`;
  return undefined;
}
