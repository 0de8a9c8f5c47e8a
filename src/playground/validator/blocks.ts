import { isObject } from '../json.ts';
import { charts } from './charts.ts';
import { accessories, actionsElements, elements, inputElements, pick } from './elements.ts';
import { anyText, mrkdwn, plainText, slackFile, urlSource } from './objects.ts';
import { richText } from './rich-text.ts';
import {
  bool,
  type Check,
  complain,
  type Fields,
  list,
  object,
  oneField,
  oneOf,
  type Surface,
  text,
  typed,
} from './rules.ts';
import { dataTable, table } from './tables.ts';

// Blocks: https://docs.slack.dev/reference/block-kit/blocks

const block_id = text(255, { min: 0 });

function block(type: string, required: Fields, optional: Fields = {}, ...also: Check[]): Check {
  return object({ type: oneOf(type), ...required }, { block_id, ...optional }, ...also);
}

const image = block(
  'image',
  { alt_text: text(2000) },
  { image_url: text(3000), slack_file: slackFile, title: plainText(2000) },
  oneField(['image_url', 'slack_file']),
);

const contextElement: Check = (value, place) => {
  if (isObject(value) && (value.type === 'plain_text' || value.type === 'mrkdwn')) return anyText(3000)(value, place);
  typed(pick('image'))(value, place);
};

const card = block(
  'card',
  {},
  {
    hero_image: typed(pick('image')),
    icon: typed(pick('image')),
    slack_icon: object({ type: oneOf('icon'), name: text(255) }),
    title: mrkdwn(150),
    subtitle: mrkdwn(150),
    body: mrkdwn(200),
    subtext: mrkdwn(200),
    actions: list(typed(pick('button')), { max: 3 }),
  },
  oneField(['hero_image', 'title', 'actions', 'body'], { atLeast: true }),
);

const taskFields: Fields = { task_id: text(255), title: text(256) };
const taskOptional: Fields = {
  status: oneOf('pending', 'in_progress', 'complete', 'error'),
  details: richText,
  output: richText,
  sources: list(urlSource),
};

const simple: { [type: string]: Check } = {
  actions: block('actions', { elements: list(typed(actionsElements), { min: 1, max: 25 }) }),
  alert: block('alert', { text: anyText(200) }, { level: oneOf('default', 'info', 'warning', 'error', 'success') }),
  card,
  carousel: block('carousel', { elements: list(typed({ card }), { min: 1, max: 10 }) }),
  context: block('context', { elements: list(contextElement, { min: 1, max: 10 }) }),
  context_actions: block('context_actions', {
    elements: list(typed(pick('feedback_buttons', 'icon_button')), { min: 1, max: 5 }),
  }),
  data_table: dataTable(block),
  data_visualization: charts(block),
  divider: block('divider', {}),
  file: block('file', { external_id: text(255), source: oneOf('remote') }),
  header: block('header', { text: plainText(150) }),
  image,
  input: block(
    'input',
    { label: plainText(2000), element: typed(inputElements) },
    { hint: plainText(2000), optional: bool, dispatch_action: bool },
  ),
  markdown: block('markdown', { text: text(12_000) }),
  plan: block('plan', {
    title: text(256),
    tasks: list(object(taskFields, { ...taskOptional, type: oneOf('task_card'), block_id })),
  }),
  rich_text: richText,
  section: block(
    'section',
    {},
    {
      text: anyText(3000),
      fields: list(anyText(2000), { min: 1, max: 10 }),
      accessory: typed(accessories),
      expand: bool,
    },
    (value, place) => {
      // blocks.validate was seen to accept neither; chat.postMessage was not: the stricter rule.
      if (isObject(value) && value.text === undefined && value.fields === undefined) {
        complain(place, 'missing_field', 'must define either `text` or `fields`');
      }
    },
  ),
  table: table(block),
  task_card: block('task_card', taskFields, taskOptional),
  video: block(
    'video',
    { alt_text: text(200), title: plainText(200), thumbnail_url: text(3000), video_url: text(3000) },
    {
      author_name: text(50),
      description: plainText(200),
      provider_icon_url: text(3000),
      provider_name: text(50),
      title_url: text(3000),
    },
  ),
};

const inContainer = [
  'actions',
  'context',
  'divider',
  'file',
  'header',
  'image',
  'input',
  'rich_text',
  'section',
  'table',
  'video',
];

const blocks: { [type: string]: Check } = {
  ...simple,
  container: block(
    'container',
    {
      child_blocks: list(typed(Object.fromEntries(inContainer.map((type) => [type, simple[type] as Check]))), {
        min: 1,
        max: 10,
      }),
    },
    {
      title: plainText(150),
      rich_text_title: richText,
      subtitle: anyText(150),
      width: oneOf('narrow', 'standard', 'wide', 'full'),
      is_collapsible: bool,
      default_collapsed: bool,
      has_header_divider: bool,
    },
    oneField(['title', 'rich_text_title']),
  ),
};

const everywhere = [
  'actions',
  'card',
  'context',
  'divider',
  'header',
  'image',
  'input',
  'rich_text',
  'section',
  'video',
];
const notInModals = ['container', 'data_table', 'data_visualization', 'table'];
const messagesOnly = ['carousel', 'context_actions', 'file', 'markdown', 'plan', 'task_card'];

const surfaces: Record<Surface, string[]> = {
  message: [...everywhere, ...notInModals, ...messagesOnly],
  modal: [...everywhere, 'alert'],
  home: [...everywhere, ...notInModals],
};

const bySurface = Object.fromEntries(
  Object.entries(surfaces).map(([surface, types]) => [
    surface,
    typed(Object.fromEntries(types.map((type) => [type, blocks[type] as Check]))),
  ]),
) as Record<Surface, Check>;

/** One block, as its surface allows it. */
export const anyBlock: Check = (value, place) => bySurface[place.surface](value, place);

/** An element, or a source of a task card, by itself. */
export const anyElement: Check = typed({ ...elements, url: urlSource });
