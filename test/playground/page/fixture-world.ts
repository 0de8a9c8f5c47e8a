/** A workspace with one of everything that the page draws. Times are fixed, so that pictures of it compare. */
import type {
  Block,
  PlaygroundMessage,
  PlaygroundUser,
  PlaygroundView,
  Snapshot,
  Traffic,
} from '../../../src/playground/protocol.ts';

export const START = 1_780_000_000;
export const BOT = 'U0BOT';
export const at = (minutes: number): string => `${START + minutes * 60}.000100`;

const user = (
  id: string,
  name: string,
  realName: string,
  color: string,
  more: Partial<PlaygroundUser> = {},
): PlaygroundUser => ({
  id,
  name,
  realName,
  color,
  tz: 'Europe/Berlin',
  locale: 'en-US',
  ...more,
});

export const USERS: PlaygroundUser[] = [
  user('U0ANA', 'ana', 'Ana Ruiz', '#7a4fbf'),
  user('U0BEN', 'ben', 'Ben Okafor', '#2a7fb8'),
  user('U0CHI', 'chi', '林小棋', '#c2632b', { locale: 'zh-TW', tz: 'Asia/Taipei' }),
  user('U0GUS', 'gus', 'Gus Guest', '#6b7d2e', { isGuest: true }),
  user(BOT, 'askback', 'Askback', '#0b7a75', { isBot: true }),
  user('U0OLD', 'old', 'Former Colleague', '#888888', { deleted: true }),
];

export const option = (label: string, value: string, description?: string) => ({
  text: { type: 'plain_text', text: label },
  value,
  ...(description ? { description: { type: 'plain_text', text: description } } : {}),
});
export const button = (label: string, value: string, more: object = {}) => ({
  type: 'button',
  text: { type: 'plain_text', text: label },
  action_id: `pick-${value}`,
  value,
  ...more,
});
const md = (text: string) => ({ type: 'mrkdwn', text });
const plain = (text: string) => ({ type: 'plain_text', text });
export const REGIONS = ['eu-west-1', 'eu-central-1', 'us-east-1', 'us-west-2', 'ap-northeast-1', 'sa-east-1'];

export const CONTROLS: Block[] = [
  { type: 'header', block_id: 'h', text: plain('Deployment of billing :rocket:') },
  {
    type: 'section',
    block_id: 'sec',
    text: md(
      '*Which environment?*\nOnly _staging_ has the new schema. ~Use dev.~ See <https://example.com/runbook|the runbook>.',
    ),
    fields: [md('*Version*\n`v4.2.1`'), md('*Owner*\n<@U0ANA>')],
  },
  {
    type: 'actions',
    block_id: 'buttons',
    elements: [
      button('Staging', '0', { style: 'primary' }),
      button('Production', '1', {
        style: 'danger',
        confirm: {
          title: plain('Deploy to production?'),
          text: md('Customers will *see* it.'),
          confirm: plain('Deploy'),
          deny: plain('Not yet'),
          style: 'danger',
        },
      }),
      button('Dev', '2'),
      {
        type: 'overflow',
        action_id: 'more',
        options: [option('Remind me later', 'later'), option('Hand over', 'hand')],
      },
    ],
  },
  {
    type: 'section',
    block_id: 'menu',
    text: md('1. eu-west-1: close to most customers\n2. eu-central-1\n3. us-east-1'),
    accessory: {
      type: 'static_select',
      action_id: 'region',
      placeholder: plain('Choose a region'),
      options: REGIONS.map((name, index) => option(name, String(index), index === 0 ? 'closest' : undefined)),
    },
  },
  {
    type: 'input',
    block_id: 'checks',
    label: plain('Which checks?'),
    element: {
      type: 'checkboxes',
      action_id: 'boxes',
      options: [
        { ...option('Unit tests', 'unit', 'two minutes'), text: md('*Unit* tests') },
        option('Smoke tests', 'smoke'),
        option('Load tests', 'load'),
      ],
    },
  },
  {
    type: 'input',
    block_id: 'people',
    label: plain('Who is told?'),
    optional: true,
    element: {
      type: 'multi_static_select',
      action_id: 'multi',
      placeholder: plain('Choose some'),
      max_selected_items: 3,
      options: REGIONS.map((name, index) => option(name, String(index))),
    },
  },
  {
    type: 'actions',
    block_id: 'more-controls',
    elements: [
      { type: 'radio_buttons', action_id: 'radio', options: [option('Now', 'now'), option('Tonight', 'tonight')] },
      { type: 'datepicker', action_id: 'date', placeholder: plain('A day') },
      { type: 'timepicker', action_id: 'time', placeholder: plain('A time') },
      { type: 'users_select', action_id: 'user', placeholder: plain('A person') },
    ],
  },
  {
    type: 'actions',
    block_id: 'submit',
    elements: [
      button('Submit', 'submit', { style: 'primary' }),
      button('Skip', 'skip'),
      button('Docs', 'docs', { url: 'https://example.com/docs' }),
    ],
  },
  {
    type: 'context',
    block_id: 'ctx',
    elements: [md('Asked for <@U0ANA> · <!date^1780000000^{date_short_pretty} at {time}|some day>')],
  },
];

const SHOWCASE: Block[] = [
  {
    type: 'markdown',
    text: '## Released\n\nHello <@U0ANA>, **billing** is out. :tada:\n\n- [x] migrated\n- [ ] announced\n\n| service | p95 |\n| --- | ---: |\n| billing | 81 ms |\n| auth | 12 ms |\n\n```ts\nconst id = "<@U0ANA>"; // code stays\n```\n\n> Quoted, with `code` and [a link](https://example.com).',
  },
  { type: 'divider' },
  {
    type: 'rich_text',
    elements: [
      {
        type: 'rich_text_section',
        elements: [
          { type: 'text', text: 'Rich ', style: { bold: true } },
          { type: 'user', user_id: 'U0BEN' },
          { type: 'emoji', name: 'eyes' },
          { type: 'link', url: 'https://example.com', text: ' link' },
        ],
      },
      {
        type: 'rich_text_list',
        style: 'ordered',
        elements: [
          { type: 'rich_text_section', elements: [{ type: 'text', text: 'first' }] },
          { type: 'rich_text_section', elements: [{ type: 'text', text: 'second', style: { code: true } }] },
        ],
      },
      { type: 'rich_text_quote', elements: [{ type: 'text', text: 'a quote' }] },
      { type: 'rich_text_preformatted', elements: [{ type: 'text', text: 'npm run demo' }] },
    ],
  },
  {
    type: 'table',
    column_settings: [{ align: 'left' }, { align: 'right' }],
    rows: [
      [
        { type: 'raw_text', text: 'Step' },
        { type: 'raw_text', text: 'Time' },
      ],
      [
        { type: 'raw_text', text: 'Build' },
        { type: 'raw_number', value: 41 },
      ],
    ],
  },
  {
    type: 'plan',
    title: 'Rollout',
    tasks: [
      {
        type: 'task_card',
        task_id: 't1',
        title: 'Build the image',
        status: 'complete',
        output: {
          type: 'rich_text',
          elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: 'sha 9f1c' }] }],
        },
      },
      { type: 'task_card', task_id: 't2', title: 'Migrate', status: 'in_progress' },
      { type: 'task_card', task_id: 't3', title: 'Announce', status: 'pending' },
    ],
  },
  {
    type: 'task_card',
    task_id: 't4',
    title: 'Purge the cache',
    status: 'error',
    details: 'the server refused',
    sources: [{ type: 'url', url: 'https://example.com/log', text: 'log' }],
  },
  {
    type: 'card',
    block_id: 'card',
    title: md('*Card*'),
    subtitle: md('with a subtitle'),
    body: md('and a body'),
    actions: [button('Open', 'card')],
  },
  {
    type: 'container',
    title: plain('Container'),
    is_collapsible: true,
    child_blocks: [{ type: 'section', text: md('inside') }],
  },
  { type: 'alert', text: md('An alert: *careful*'), level: 'warning' },
  { type: 'image', image_url: '/fixture/picture.svg', alt_text: 'A chart of latencies', title: plain('Latencies') },
  { type: 'sparkle_block', whatever: 1 },
  {
    type: 'context_actions',
    block_id: 'fb',
    elements: [
      {
        type: 'feedback_buttons',
        action_id: 'feedback',
        positive_button: { text: plain('Good'), value: 'good', accessibility_label: 'Good answer' },
        negative_button: { text: plain('Bad'), value: 'bad', accessibility_label: 'Bad answer' },
      },
    ],
  },
];

const message = (
  minutes: number,
  from: string,
  text: string,
  more: Partial<PlaygroundMessage> = {},
): PlaygroundMessage => ({
  channel: 'C0DEP',
  ts: at(minutes),
  user: from,
  text,
  ...(from === BOT ? { bot_id: 'B0BOT' } : {}),
  ...more,
});

const MESSAGES: PlaygroundMessage[] = [
  message(-1500, 'U0BEN', 'Good morning. The build is green :white_check_mark:'),
  message(0, 'U0ANA', `<@${BOT}> deploy the billing service`, { replyCount: 3 }),
  message(1, BOT, 'Which environment?', { thread_ts: at(0), blocks: CONTROLS }),
  message(
    2,
    'U0BEN',
    'I would take *staging*: `v4.2.1` is not `v4.2`.\n> the schema is newer\n• one\n• two\n```\nkubectl get pods\n```',
    { thread_ts: at(0) },
  ),
  message(3, BOT, '', {
    thread_ts: at(0),
    text: 'Deploying to staging, one moment',
    streaming: true,
    tasks: [
      { id: 'a', title: 'Reading the runbook', status: 'complete', output: 'three steps' },
      { id: 'b', title: 'Starting the rollout', status: 'in_progress' },
    ],
  }),
  message(4, BOT, 'Released', { blocks: SHOWCASE }),
  message(5, BOT, 'Only the requester can answer this.', { ephemeralTo: 'U0BEN' }),
  message(6, 'U0CHI', '收到，謝謝！', {
    reactions: [
      { name: 'tada', users: ['U0ANA', 'U0BEN'] },
      { name: 'eyes', users: ['U0BEN'] },
    ],
    edited: { user: 'U0CHI', ts: at(7) },
  }),
  message(8, 'U0ANA', 'The log of the last run', {
    files: [{ id: 'F1', name: 'deploy.log', mimetype: 'text/plain', size: 48_213 }],
  }),
  message(9, BOT, 'Legacy', {
    attachments: [
      {
        color: 'good',
        title: 'An attachment',
        text: 'with _mrkdwn_',
        blocks: [{ type: 'actions', block_id: 'att', elements: [button('In attachment', 'att')] }],
      },
    ],
  }),
  { channel: 'D0ANA', ts: at(1), user: 'U0ANA', text: 'hello' },
  { channel: 'D0ANA', ts: at(2), user: BOT, bot_id: 'B0BOT', text: 'Hello Ana.' },
  { channel: 'C0SEC', ts: at(1), user: 'U0ANA', text: 'a secret' },
];

const inputs: Block[] = [
  {
    type: 'section',
    block_id: 'intro',
    text: md('*What should the release note say?*\nAsked by the agent; Markdown is fine.'),
  },
  {
    type: 'input',
    block_id: 'note',
    label: plain('Your answer'),
    hint: plain('It is shown to everybody.'),
    element: {
      type: 'plain_text_input',
      action_id: 'text',
      multiline: true,
      max_length: 200,
      placeholder: plain('Write…'),
      focus_on_load: true,
    },
  },
  {
    type: 'input',
    block_id: 'mail',
    label: plain('Contact'),
    optional: true,
    element: { type: 'email_text_input', action_id: 'mail' },
  },
  {
    type: 'input',
    block_id: 'count',
    label: plain('Replicas'),
    optional: true,
    element: { type: 'number_input', action_id: 'count', is_decimal_allowed: false, min_value: '1', max_value: '9' },
  },
  {
    type: 'input',
    block_id: 'site',
    label: plain('Link'),
    optional: true,
    element: { type: 'url_text_input', action_id: 'site' },
  },
  {
    type: 'input',
    block_id: 'when',
    label: plain('When'),
    optional: true,
    element: {
      type: 'radio_buttons',
      action_id: 'when',
      options: [option('Now', 'now', 'within a minute'), option('Tonight', 'tonight')],
    },
  },
  {
    type: 'input',
    block_id: 'where',
    label: plain('Where'),
    optional: true,
    element: {
      type: 'static_select',
      action_id: 'where',
      placeholder: plain('A region'),
      option_groups: [
        { label: plain('Europe'), options: [option('eu-west-1', '0'), option('eu-central-1', '1')] },
        { label: plain('America'), options: [option('us-east-1', '2')] },
      ],
    },
  },
];

export const MODAL: PlaygroundView = {
  id: 'V0FORM',
  user: 'U0ANA',
  type: 'modal',
  hash: '1.a',
  depth: 0,
  view: {
    type: 'modal',
    title: plain('Release note'),
    submit: plain('Send answer'),
    close: plain('Cancel'),
    blocks: inputs as never,
  },
};

const HOME: PlaygroundView = {
  id: 'V0HOME',
  user: 'U0ANA',
  type: 'home',
  hash: '1.h',
  depth: 0,
  view: {
    type: 'home',
    blocks: [
      { type: 'header', text: plain('What waits for you') },
      {
        type: 'section',
        block_id: 'w',
        text: md('*Which environment?* in <#C0DEP|deployments>'),
        accessory: button('Answer', 'home'),
      },
    ] as never,
  },
};

const TRAFFIC: Traffic[] = [
  { id: 1, at: START * 1000, kind: 'socket', title: 'hello', ok: true },
  {
    id: 2,
    at: START * 1000 + 20,
    kind: 'event',
    title: 'app_mention → ack',
    ok: true,
    ms: 12,
    request: { type: 'app_mention', text: `<@${BOT}> deploy` },
  },
  {
    id: 3,
    at: START * 1000 + 90,
    kind: 'api',
    title: 'chat.postMessage',
    ok: true,
    ms: 31,
    request: { channel: 'C0DEP', text: 'Which environment?' },
    response: { ok: true, ts: at(1) },
  },
  {
    id: 4,
    at: START * 1000 + 400,
    kind: 'interaction',
    title: 'block_actions',
    ok: false,
    ms: 3001,
    warning: 'No ack within 3 s: the person saw an error.',
  },
];

export function fixtureSnapshot(): Snapshot {
  return {
    type: 'snapshot',
    team: { id: 'T0LOCAL', name: 'Acorn' },
    app: { id: 'A0ASK', name: 'Askback', botUser: BOT, view: 'plain', shortcuts: [] },
    users: USERS,
    channels: [
      {
        id: 'C0DEP',
        name: 'deployments',
        kind: 'channel',
        members: ['U0ANA', 'U0BEN', 'U0CHI', 'U0GUS', BOT],
        topic: 'What goes out, and when',
      },
      { id: 'C0GEN', name: 'general', kind: 'channel', members: ['U0ANA', 'U0BEN', 'U0CHI'] },
      { id: 'C0SEC', name: 'board', kind: 'private', members: ['U0ANA', 'U0CHI'] },
      { id: 'D0ANA', name: BOT, kind: 'dm', members: ['U0ANA', BOT] },
      { id: 'D0ABE', name: 'U0BEN', kind: 'dm', members: ['U0ANA', 'U0BEN'] },
    ],
    messages: structuredClone(MESSAGES),
    userGroups: [],
    views: [HOME],
    statuses: [{ channel: 'C0DEP', thread_ts: at(0), status: 'is thinking…', session: 'processing' }],
    prompts: [],
    traffic: TRAFFIC,
    faults: [],
    bot: {
      state: 'running',
      pid: 4242,
      sockets: 1,
      model: 'Scripted demo model (no OPENAI_API_KEY)',
      log: ['{"level":30,"msg":"connected"}'],
    },
  };
}
