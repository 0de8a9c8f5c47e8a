import type { Json } from '../../src/playground/protocol.ts';
import { confirm, option, optionGroup, urlSource } from '../../src/playground/validator/objects.ts';
import type { Check, Surface } from '../../src/playground/validator/rules.ts';

type Invalid = { view: Json } | { element: Json } | { object: Json; check: Check } | { block: Json; surface?: Surface };

const x = (length: number) => 'x'.repeat(length);
const plain = (text: string) => ({ type: 'plain_text', text });
const mrkdwn = (text: string) => ({ type: 'mrkdwn', text });
const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
const opt = (index: number | string, more: object = {}) => ({ text: plain(`o${index}`), value: `v${index}`, ...more });
const opts = (count: number) => many(count, (index) => opt(index));
const section = (text: string) => ({ type: 'section', text: mrkdwn(text) });

const button = (more: object): Invalid => ({ element: { type: 'button', text: plain('b'), ...more } as Json });
const ask = { title: plain('t'), text: plain('x'), confirm: plain('y'), deny: plain('n') };
const confirmation = (more: object): Invalid => ({ object: { ...ask, ...more } as Json, check: confirm });
const anOption = (more: object): Invalid => ({ object: { ...opt(1), ...more } as Json, check: option('overflow') });
const group = (more: object): Invalid => ({
  object: { label: plain('g'), options: opts(1), ...more } as Json,
  check: optionGroup,
});
const menu = (more: object): Invalid => ({ element: { type: 'static_select', options: opts(1), ...more } as Json });
const choice = (type: string, count: number): Invalid => ({ element: { type, options: opts(count) } as Json });
const block = (type: string, more: object, surface?: Surface): Invalid => ({
  block: { type, ...more } as Json,
  ...(surface ? { surface } : {}),
});
const cell = (text: string) => ({ type: 'raw_text', text });
const table = (rows: Json[][], more: object = {}) => block('table', { rows, ...more });
const dataTable = (rows: Json[][], more: object = {}) => block('data_table', { caption: 'c', rows, ...more });
const rows = (count: number, columns: number, text = 'c') => many(count, () => many(columns, () => cell(text)));
const view = (more: object): Invalid => ({
  view: { type: 'modal', title: plain('t'), blocks: [section('x')], ...more } as Json,
});
const image = { type: 'image', image_url: 'https://x', alt_text: 'a' };
const input = (more: object) => block('input', { label: plain('l'), element: { type: 'plain_text_input' }, ...more });
const video = (more: object) =>
  block('video', { alt_text: 'a', title: plain('t'), thumbnail_url: 'https://t', video_url: 'https://v', ...more });
const card = (more: object) => block('card', { title: mrkdwn('t'), ...more });
const container = (more: object) => block('container', { title: plain('t'), child_blocks: [section('x')], ...more });
const feedback = (more: object): Invalid => ({
  element: {
    type: 'feedback_buttons',
    positive_button: { text: plain('a'), value: 'a', ...more },
    negative_button: { text: plain('b'), value: 'b' },
  } as Json,
});
const chart = (more: object, title = 't') => block('data_visualization', { title, chart: more });
const segment = (more: object = {}) => ({ label: 's', value: 1, ...more });
const pie = (segments: Json[]) => chart({ type: 'pie', segments });
const series = (more: object = {}) => ({ name: 'n', data: [{ label: 'p', value: 1 }], ...more });
const bar = (list: object[], axis: object = {}) =>
  chart({ type: 'bar', series: list, axis_config: { categories: ['p'], ...axis } });

/** A payload for each invalid case of the fixtures' list, which names its cases and leaves the payloads to its users. */
export const invalidFixtures: { [id: string]: () => Invalid } = {
  'text-empty': () => ({ block: section('') }),
  'text-too-long': () => ({ block: section(x(3001)) }),
  'button-action-id-too-long': () => button({ action_id: x(256) }),
  'button-text-too-long': () => button({ text: plain(x(76)) }),
  'button-url-too-long': () => button({ url: x(3001) }),
  'button-value-too-long': () => button({ value: x(2001) }),
  'button-accessibility-label-too-long': () => button({ accessibility_label: x(76) }),
  'confirmation-title-too-long': () => confirmation({ title: plain(x(101)) }),
  'confirmation-text-too-long': () => confirmation({ text: plain(x(301)) }),
  'confirmation-confirm-too-long': () => confirmation({ confirm: plain(x(31)) }),
  'confirmation-deny-too-long': () => confirmation({ deny: plain(x(31)) }),
  'option-text-too-long': () => anOption({ text: plain(x(76)) }),
  'option-value-too-long': () => anOption({ value: x(151) }),
  'option-url-too-long': () => anOption({ url: '😀'.repeat(3001) }),
  'option-description-too-long': () => anOption({ description: plain(x(76)) }),
  'option-group-label-too-long': () => group({ label: plain(x(76)) }),
  'option-group-empty': () => group({ options: [] }),
  'option-group-too-many-options': () => group({ options: opts(101) }),
  'select-placeholder-too-long': () => menu({ placeholder: plain(x(151)) }),
  'select-too-many-options': () => menu({ options: opts(101) }),
  'select-too-many-option-groups': () => ({
    element: {
      type: 'static_select',
      option_groups: many(101, () => ({ label: plain('g'), options: opts(1) })),
    } as Json,
  }),
  'overflow-empty': () => choice('overflow', 0),
  'overflow-too-many-options': () => choice('overflow', 6),
  'checkboxes-empty': () => choice('checkboxes', 0),
  'checkboxes-too-many-options': () => choice('checkboxes', 11),
  'radio-buttons-empty': () => choice('radio_buttons', 0),
  'radio-buttons-too-many-options': () => choice('radio_buttons', 11),
  'url-source-url-empty': () => ({ object: { type: 'url', url: '', text: 't' }, check: urlSource }),
  'url-source-url-too-long': () => ({ object: { type: 'url', url: x(3001), text: 't' }, check: urlSource }),
  'table-too-many-rows': () => table(rows(101, 1)),
  'table-ragged-rows': () => table([[cell('a'), cell('b')], [cell('c')]]),
  'table-column-settings-mismatch': () => table(rows(1, 1), { column_settings: [{}, {}] }),
  'file-input-max-files-too-small': () => ({ element: { type: 'file_input', max_files: 0 } }),
  'file-input-max-files-too-large': () => ({ element: { type: 'file_input', max_files: 11 } }),
  'plain-text-input-max-length-too-large': () => ({ element: { type: 'plain_text_input', max_length: 3001 } }),
  'actions-too-many-elements': () =>
    block('actions', { elements: many(26, () => ({ type: 'button', text: plain('b') })) }),
  'context-too-many-elements': () => block('context', { elements: many(11, () => mrkdwn('x')) }),
  'context-invalid-element': () => block('context', { elements: [{ type: 'button', text: plain('b') }] }),
  'header-text-too-long': () => block('header', { text: plain(x(151)) }),
  'image-url-too-long': () => ({ element: { ...image, image_url: x(3001) } }),
  'image-alt-text-too-long': () => ({ element: { ...image, alt_text: x(2001) } }),
  'image-url-and-slack-file': () => ({ element: { ...image, slack_file: { id: 'F1' } } }),
  'input-invalid-element': () => input({ element: { type: 'button', text: plain('b') } }),
  'block-id-too-long': () => block('divider', { block_id: x(256) }),
  'input-label-too-long': () => input({ label: plain(x(2001)) }),
  'input-hint-too-long': () => input({ hint: plain(x(2001)) }),
  'markdown-empty': () => block('markdown', { text: '' }),
  'markdown-too-long': () => block('markdown', { text: x(12_001) }),
  'section-text-too-long': () => ({ block: section(x(3001)) }),
  'section-too-many-fields': () => block('section', { fields: many(11, () => mrkdwn('f')) }),
  'section-field-too-long': () => block('section', { fields: [mrkdwn(x(2001))] }),
  'section-missing-content': () => block('section', {}),
  'video-alt-text-empty': () => video({ alt_text: '' }),
  'video-alt-text-too-long': () => video({ alt_text: x(201) }),
  'video-title-too-long': () => video({ title: plain(x(201)) }),
  'video-author-name-too-long': () => video({ author_name: x(51) }),
  'video-description-too-long': () => video({ description: plain(x(201)) }),
  'video-provider-name-too-long': () => video({ provider_name: x(51) }),
  'view-missing-blocks': () => view({ blocks: [] }),
  'view-too-many-blocks': () => view({ blocks: many(101, () => section('x')) }),
  'view-private-metadata-too-long': () => view({ private_metadata: x(3001) }),
  'view-callback-id-too-long': () => view({ callback_id: x(256) }),
  'view-title-too-long': () => view({ title: plain(x(25)) }),
  'view-close-too-long': () => view({ close: plain(x(25)) }),
  'view-submit-too-long': () => view({ submit: plain(x(25)) }),
  'static-select-options-and-groups': () => menu({ option_groups: [{ label: plain('g'), options: opts(1) }] }),
  'number-input-inverted-range': () => ({
    element: { type: 'number_input', is_decimal_allowed: false, min_value: '5', max_value: '4' },
  }),
  'alert-text-too-long': () => block('alert', { text: mrkdwn(x(201)) }, 'modal'),
  'card-title-too-long': () => card({ title: mrkdwn(x(151)) }),
  'card-subtitle-too-long': () => card({ subtitle: mrkdwn(x(151)) }),
  'card-body-too-long': () => card({ body: mrkdwn(x(201)) }),
  'card-subtext-too-long': () => card({ subtext: mrkdwn(x(201)) }),
  'card-too-many-actions': () => card({ actions: many(4, (index) => ({ type: 'button', text: plain(`b${index}`) })) }),
  'carousel-empty': () => block('carousel', { elements: [] }),
  'carousel-too-many-cards': () =>
    block('carousel', { elements: many(11, () => ({ type: 'card', title: mrkdwn('t') })) }),
  'container-title-too-long': () => container({ title: plain(x(151)) }),
  'container-subtitle-too-long': () => container({ subtitle: mrkdwn(x(151)) }),
  'container-too-many-child-blocks': () => container({ child_blocks: many(11, () => section('x')) }),
  'context-actions-too-many-elements': () =>
    block('context_actions', { elements: many(6, () => ({ type: 'icon_button', icon: 'trash', text: plain('t') })) }),
  'feedback-button-text-too-long': () => feedback({ text: plain(x(76)) }),
  'feedback-button-value-too-long': () => feedback({ value: x(2001) }),
  'feedback-button-accessibility-label-too-long': () => feedback({ accessibility_label: x(76) }),
  'icon-button-too-many-visible-users': () => ({
    element: {
      type: 'icon_button',
      icon: 'trash',
      text: plain('t'),
      visible_to_user_ids: many(11, (index) => `U${index}`),
    },
  }),
  'data-table-too-few-rows': () => dataTable(rows(1, 1)),
  'data-table-too-many-rows': () => dataTable(rows(202, 1)),
  'data-table-too-few-columns': () => dataTable([[], []]),
  'data-table-too-many-columns': () => dataTable(rows(2, 21)),
  'data-table-page-size-too-small': () => dataTable(rows(2, 1), { page_size: 0 }),
  'data-table-page-size-too-large': () => dataTable(rows(2, 1), { page_size: 101 }),
  'data-table-cell-text-empty': () => dataTable(rows(2, 1, '')),
  'data-table-content-too-long': () => dataTable(rows(2, 1, x(10_001))),
  'data-visualization-title-too-long': () => chart({ type: 'pie', segments: [segment()] }, x(51)),
  'pie-chart-empty': () => pie([]),
  'pie-chart-too-many-segments': () => pie(many(13, () => segment())),
  'chart-segment-label-too-long': () => pie([segment({ label: x(21) })]),
  'chart-segment-value-not-positive': () => pie([segment({ value: 0 })]),
  'chart-series-empty': () => bar([]),
  'chart-too-many-series': () => bar(many(13, () => series())),
  'data-series-name-too-long': () => bar([series({ name: x(21) })]),
  'data-series-empty': () => bar([series({ data: [] })]),
  'data-series-too-many-points': () => bar([series({ data: many(21, () => ({ label: 'p', value: 1 })) })]),
  'data-point-label-too-long': () => bar([series({ data: [{ label: x(21), value: 1 }] })]),
  'axis-categories-empty': () => bar([series()], { categories: [] }),
  'axis-too-many-categories': () => bar([series()], { categories: many(21, (index) => `c${index}`) }),
  'axis-category-label-too-long': () => bar([series()], { categories: [x(21)] }),
  'axis-label-too-long': () => bar([series()], { x_label: x(51) }),
};
