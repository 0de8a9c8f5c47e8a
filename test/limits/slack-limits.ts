/** Slack's limits: for each a payload that is as long, or has as many, as one says. */
import { LIMITS } from '../../src/slack/limits.ts';

export type Payload =
  | { as: 'message'; text: string; blocks: object[]; edit?: true }
  | { as: 'modal' | 'home'; view: object };

export type SlackLimit = {
  /** Its place in LIMITS. */
  path: string;
  what: string;
  unit: 'characters' | 'items' | 'bytes';
  /** A page below https://docs.slack.dev/reference/, or who measured it. */
  source: string;
  of(size: number): Payload;
  /** Slack, as far as it is known, takes more: ours is the stricter of two sources. */
  stricter?: string;
};

const x = (length: number) => 'x'.repeat(length);
const plain = (text: string) => ({ type: 'plain_text', text });
const mrkdwn = (text: string) => ({ type: 'mrkdwn', text });
const list = <T>(count: number, make: (n: number) => T) => Array.from({ length: count }, (_, n) => make(n));
const option = (n: number, more: object = {}) => ({ text: plain(`Option ${n}`), value: String(n), ...more });
const button = (more: object = {}) => ({ type: 'button', action_id: 'b', text: plain('Press'), ...more });
const thumbs = (n: number) => ({
  ...{ type: 'feedback_buttons', action_id: `t${n}` },
  ...{ positive_button: { text: plain('Good'), value: 'good' }, negative_button: { text: plain('Bad'), value: 'bad' } },
});
const menu = (more: object = {}) => ({ type: 'static_select', action_id: 'm', options: [option(1)], ...more });
const field = (more: object = {}) => ({ type: 'plain_text_input', action_id: 'f', ...more });
const input = (element: object, more: object = {}) => ({ type: 'input', label: plain('Label'), element, ...more });
const section = (text: string, more: object = {}) => ({ type: 'section', text: mrkdwn(text), ...more });
const divider = { type: 'divider' };

const message = (...blocks: object[]): Payload => ({ as: 'message', text: 'fallback', blocks });
const actions = (...elements: object[]): Payload => message({ type: 'actions', elements });
const modal = (more: object, blocks: object[] = [divider]): Payload => ({
  as: 'modal',
  view: { type: 'modal', title: plain('Title'), submit: plain('Send'), blocks, ...more },
});
const inModal = (...blocks: object[]): Payload => modal({}, blocks);
const confirm = (more: object): Payload =>
  actions(button({ confirm: { title: plain('T'), text: plain('t'), confirm: plain('Y'), deny: plain('N'), ...more } }));

const chars = (path: string, what: string, source: string, of: SlackLimit['of'], stricter?: string): SlackLimit => ({
  ...{ path, what, unit: 'characters', source, of },
  ...(stricter !== undefined && { stricter }),
});
const items = (path: string, what: string, source: string, of: SlackLimit['of']): SlackLimit => ({
  ...{ path, what, unit: 'items', source, of },
});

const block = (name: string) => `block-kit/blocks/${name}-block`;
const element = (name: string) => `block-kit/block-elements/${name}-element`;
const object = (name: string) => `block-kit/composition-objects/${name}-object`;

export const slackLimits: readonly SlackLimit[] = [
  chars(
    'message.text',
    'a message’s text',
    'methods/chat.postMessage',
    (n) => ({ ...message(), text: x(n) }) as Payload,
  ),
  chars('message.updatedText', 'its text in an edit', 'methods/chat.update', (n) => ({
    ...{ as: 'message', text: x(n), blocks: [], edit: true },
  })),
  items('message.blocks', 'blocks of a message', 'block-kit/blocks', (n) => message(...list(n, () => divider))),
  chars(
    'message.allText',
    'all text of a message’s blocks',
    'bolt-js#2509',
    (n) => message(...list(4, () => section(x(2_900))), section(x(n - 4 * 2_900))),
    'about 13,200 was measured',
  ),
  chars('markdown', 'all markdown blocks of a message', block('markdown'), (n) =>
    message({ type: 'markdown', text: x(6_000) }, { type: 'markdown', text: x(n - 6_000) }),
  ),
  chars('textObject', 'text of a section', object('text'), (n) => message(section(x(n)))),
  items('section.fields', 'fields of a section', block('section'), (n) =>
    message({ type: 'section', fields: list(n, () => mrkdwn('f')) }),
  ),
  chars('section.field', 'a field of a section', block('section'), (n) =>
    message({ type: 'section', fields: [mrkdwn(x(n))] }),
  ),
  chars('header', 'a header', block('header'), (n) => message({ type: 'header', text: plain(x(n)) })),
  items('context', 'elements of a context', block('context'), (n) =>
    message({ type: 'context', elements: list(n, () => mrkdwn('c')) }),
  ),
  items('actions', 'controls in a row', block('actions'), (n) =>
    actions(...list(n, (index) => button({ action_id: `b${index}` }))),
  ),
  items('contextActions', 'elements of a row of thumbs', block('context-actions'), (n) =>
    message({ type: 'context_actions', elements: list(n, (index) => thumbs(index)) }),
  ),
  chars('blockId', 'a block’s id', 'block-kit/blocks', (n) => message(section('x', { block_id: x(n) }))),
  chars('actionId', 'a control’s id', element('button'), (n) => actions(button({ action_id: x(n) }))),
  chars('button.text', 'a button’s text', element('button'), (n) => actions(button({ text: plain(x(n)) }))),
  chars('button.value', 'a button’s value', element('button'), (n) => actions(button({ value: x(n) }))),
  chars('button.url', 'a button’s address', element('button'), (n) =>
    actions(button({ url: 'https://example.com/'.padEnd(n, 'x') })),
  ),
  chars('button.accessibilityLabel', 'a button’s name for screen readers', element('button'), (n) =>
    actions(button({ accessibility_label: x(n) })),
  ),
  chars('confirm.title', 'title of a confirmation', object('confirmation-dialog'), (n) =>
    confirm({ title: plain(x(n)) }),
  ),
  chars('confirm.text', 'its text', object('confirmation-dialog'), (n) => confirm({ text: plain(x(n)) })),
  chars('confirm.button', 'its buttons', object('confirmation-dialog'), (n) => confirm({ deny: plain(x(n)) })),
  items('select.options', 'options of a menu', element('select-menu'), (n) =>
    actions(menu({ options: list(n, (index) => option(index)) })),
  ),
  chars('select.placeholder', 'what stands in a menu before one picks', element('select-menu'), (n) =>
    actions(menu({ placeholder: plain(x(n)) })),
  ),
  items('checkboxes', 'checkboxes, or radio buttons', element('checkboxes'), (n) =>
    message(input({ type: 'checkboxes', action_id: 'c', options: list(n, (index) => option(index)) })),
  ),
  chars('option.text', 'text of an option', object('option'), (n) =>
    actions(menu({ options: [option(1, { text: plain(x(n)) })] })),
  ),
  chars(
    'option.value',
    'value of an option',
    '@slack/types',
    (n) => actions(menu({ options: [option(1, { value: x(n) })] })),
    '150 in the documentation',
  ),
  chars('option.description', 'description of an option', object('option'), (n) =>
    actions(menu({ options: [option(1, { description: plain(x(n)) })] })),
  ),
  chars('input.label', 'label of a field', block('input'), (n) => inModal(input(field(), { label: plain(x(n)) }))),
  chars('input.hint', 'hint of a field', block('input'), (n) => inModal(input(field(), { hint: plain(x(n)) }))),
  chars('plainTextInput.value', 'what a field takes', element('plain-text-input'), (n) =>
    inModal(input(field({ max_length: n }))),
  ),
  chars('plainTextInput.placeholder', 'what stands in a field before one writes', element('plain-text-input'), (n) =>
    inModal(input(field({ placeholder: plain(x(n)) }))),
  ),
  items('modal.blocks', 'blocks of a form, or of Home', 'views', (n) => ({
    ...{ as: 'home', view: { type: 'home', blocks: list(n, () => divider) } },
  })),
  chars('modal.title', 'title of a form', 'views/modal-views', (n) => modal({ title: plain(x(n)) })),
  chars('modal.submit', 'its button to send', 'views/modal-views', (n) => modal({ submit: plain(x(n)) })),
  chars('modal.close', 'its button to cancel', 'views/modal-views', (n) => modal({ close: plain(x(n)) })),
  chars('modal.privateMetadata', 'what it carries for us', 'views/modal-views', (n) =>
    modal({ private_metadata: x(n) }),
  ),
  chars('modal.callbackId', 'its id', 'views/modal-views', (n) => modal({ callback_id: x(n) })),
  {
    ...{ path: 'modal.bytes', what: 'all of a form', unit: 'bytes', source: 'methods/views.open' },
    of(size) {
      const view = (last: number) => {
        const blocks = [...list(84, () => section('é'.repeat(1_450))), section(x(last))];
        return { type: 'modal', title: plain('Title'), blocks };
      };
      const filled = (last: number) => Buffer.byteLength(JSON.stringify(view(last)));
      return { as: 'modal', view: view(1 + size - filled(1)) };
    },
    stricter: '250 KB, of which size is not said',
  },
];

/** The limit at a path of LIMITS. */
export function limitAt(path: string): number {
  const value = path.split('.').reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], LIMITS);
  if (typeof value !== 'number') throw new Error(`LIMITS has no number at ${path}.`);
  return value;
}

/** Every path of LIMITS that is a number. */
export function pathsOf(limits: object, before = ''): string[] {
  return Object.entries(limits).flatMap(([key, value]) =>
    typeof value === 'number' ? [`${before}${key}`] : pathsOf(value, `${before}${key}.`),
  );
}
