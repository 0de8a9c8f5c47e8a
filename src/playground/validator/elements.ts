import { isObject } from '../json.ts';
import {
  confirm,
  conversationFilter,
  dispatchActionConfig,
  initialAmongOptions,
  option,
  optionGroup,
  plainText,
  slackFile,
  workflow,
} from './objects.ts';
import {
  anyObject,
  bool,
  type Check,
  complain,
  type Fields,
  inside,
  list,
  number,
  object,
  oneField,
  oneOf,
  text,
} from './rules.ts';

// Elements: https://docs.slack.dev/reference/block-kit/block-elements

const action_id = text(255, { min: 0 });
const placeholder = plainText(150);
const focus_on_load = bool;
const ids = list(text(255));
const max_selected_items = number({ min: 1 });

type Element = (required: Fields, optional: Fields, ...also: Check[]) => (type: string) => Check;
const element: Element =
  (required, optional, ...also) =>
  (type) =>
    object({ type: oneOf(type), ...required }, { action_id, ...optional }, ...also);

const input: Fields = { placeholder, focus_on_load };
const menu: Fields = { ...input, confirm };
const choices = oneField(['options', 'option_groups']);
const optionLists: Fields = {
  options: list(option('plain'), { min: 1, max: 100 }),
  option_groups: list(optionGroup, { min: 1, max: 100 }),
};

const rangeInOrder: Check = (value, place) => {
  if (!isObject(value) || value.min_value === undefined || value.max_value === undefined) return;
  if (Number(value.min_value) > Number(value.max_value)) {
    complain(inside(place, 'min_value'), 'out_of_range', '`min_value` must not be greater than `max_value`');
  }
};

const feedbackButton = object({ text: plainText(75), value: text(2000) }, { accessibility_label: text(75) });

const makers: { [type: string]: (type: string) => Check } = {
  button: element(
    { text: plainText(75) },
    {
      value: text(2000, { min: 0 }),
      url: text(3000),
      style: oneOf('primary', 'danger'),
      confirm,
      accessibility_label: text(75),
    },
  ),
  checkboxes: element(
    { options: list(option('any'), { min: 1, max: 10 }) },
    { initial_options: list(option('any'), { min: 1, max: 10 }), confirm, focus_on_load },
    initialAmongOptions,
  ),
  radio_buttons: element(
    { options: list(option('any'), { min: 1, max: 10 }) },
    { initial_option: option('any'), confirm, focus_on_load },
    initialAmongOptions,
  ),
  overflow: element({ options: list(option('overflow'), { min: 1, max: 5 }) }, { confirm }),
  static_select: element(
    {},
    { ...menu, ...optionLists, initial_option: option('plain') },
    choices,
    initialAmongOptions,
  ),
  multi_static_select: element(
    {},
    { ...menu, ...optionLists, initial_options: list(option('plain'), { min: 1, max: 100 }), max_selected_items },
    choices,
    initialAmongOptions,
  ),
  external_select: element({}, { ...menu, initial_option: option('plain'), min_query_length: number({ min: 0 }) }),
  multi_external_select: element(
    {},
    { ...menu, initial_options: list(option('plain')), min_query_length: number({ min: 0 }), max_selected_items },
  ),
  users_select: element({}, { ...menu, initial_user: text(255) }),
  multi_users_select: element({}, { ...menu, initial_users: ids, max_selected_items }),
  conversations_select: element(
    {},
    {
      ...menu,
      initial_conversation: text(255),
      default_to_current_conversation: bool,
      response_url_enabled: bool,
      filter: conversationFilter,
    },
  ),
  multi_conversations_select: element(
    {},
    {
      ...menu,
      initial_conversations: ids,
      default_to_current_conversation: bool,
      max_selected_items,
      filter: conversationFilter,
    },
  ),
  channels_select: element({}, { ...menu, initial_channel: text(255), response_url_enabled: bool }),
  multi_channels_select: element({}, { ...menu, initial_channels: ids, max_selected_items }),
  datepicker: element({}, { ...menu, initial_date: text(10, { pattern: /^\d{4}-\d{2}-\d{2}$/ }) }),
  timepicker: element(
    {},
    { ...menu, initial_time: text(5, { pattern: /^([01]\d|2[0-3]):[0-5]\d$/ }), timezone: text(255) },
  ),
  datetimepicker: element(
    {},
    { initial_date_time: number({ min: 1_000_000_000, max: 9_999_999_999 }), confirm, focus_on_load },
  ),
  plain_text_input: element(
    {},
    {
      ...input,
      initial_value: text(3000, { min: 0 }),
      multiline: bool,
      min_length: number({ min: 0, max: 3000 }),
      max_length: number({ min: 1, max: 3000 }),
      dispatch_action_config: dispatchActionConfig,
    },
  ),
  number_input: element(
    { is_decimal_allowed: bool },
    {
      ...input,
      initial_value: text(255),
      min_value: text(255),
      max_value: text(255),
      dispatch_action_config: dispatchActionConfig,
    },
    rangeInOrder,
  ),
  email_text_input: element({}, { ...input, initial_value: text(3000), dispatch_action_config: dispatchActionConfig }),
  url_text_input: element({}, { ...input, initial_value: text(3000), dispatch_action_config: dispatchActionConfig }),
  rich_text_input: element(
    {},
    {
      ...input,
      initial_value: anyObject,
      min_lines: number({ min: 1, max: 100 }),
      max_lines: number({ min: 1, max: 100 }),
      dispatch_action_config: dispatchActionConfig,
    },
  ),
  file_input: element({}, { filetypes: list(text(255)), max_files: number({ min: 1, max: 10 }) }),
  feedback_buttons: element({ positive_button: feedbackButton, negative_button: feedbackButton }, {}),
  icon_button: element(
    { icon: oneOf('trash'), text: plainText(75) },
    {
      value: text(2000, { min: 0 }),
      confirm,
      accessibility_label: text(75),
      visible_to_user_ids: list(text(255), { max: 10 }),
    },
  ),
  workflow_button: element(
    { text: plainText(75), workflow },
    { style: oneOf('primary', 'danger'), accessibility_label: text(75) },
  ),
  image: () =>
    object(
      { type: oneOf('image'), alt_text: text(2000) },
      { image_url: text(3000), slack_file: slackFile },
      oneField(['image_url', 'slack_file']),
    ),
};

/** Every element by its type. */
export const elements: { [type: string]: Check } = Object.fromEntries(
  Object.entries(makers).map(([type, make]) => [type, make(type)]),
);

export function pick(...types: string[]): { [type: string]: Check } {
  return Object.fromEntries(Object.entries(elements).filter(([type]) => types.includes(type)));
}

const menus = ['static_select', 'external_select', 'users_select', 'conversations_select', 'channels_select'];
const allMenus = [...menus, ...menus.map((type) => `multi_${type}`)];
const pickers = ['datepicker', 'timepicker', 'datetimepicker', 'checkboxes', 'radio_buttons'];
const inputs = [
  'plain_text_input',
  'number_input',
  'email_text_input',
  'url_text_input',
  'rich_text_input',
  'file_input',
];

export const actionsElements = pick(
  'button',
  'overflow',
  'workflow_button',
  'rich_text_input',
  ...allMenus,
  ...pickers,
);
export const accessories = pick('button', 'image', 'overflow', 'workflow_button', ...allMenus, ...pickers);
export const inputElements = pick(...inputs, ...allMenus, ...pickers);
