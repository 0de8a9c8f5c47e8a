import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { HomeView, KnownBlock, ModalView } from '@slack/types';
import { describe, expect, test } from 'vitest';
import {
  assertHome,
  assertMessage,
  assertModal,
  checkHome,
  checkMessage,
  checkModal,
  LIMITS,
} from '../../src/slack/limits.ts';

const x = (length: number) => 'x'.repeat(length);
const plain = (text: string) => ({ type: 'plain_text', text });
const mrkdwn = (text: string) => ({ type: 'mrkdwn', text });
const section = (text: string, more: object = {}) => ({ type: 'section', text: mrkdwn(text), ...more });
const option = (n: number, more: object = {}) => ({ text: plain(`Option ${n}`), value: String(n), ...more });
const options = (count: number) => Array.from({ length: count }, (_, n) => option(n));
const button = (more: object = {}) => ({ type: 'button', action_id: 'b', text: plain('Press'), ...more });
const actions = (...elements: object[]) => ({ type: 'actions', block_id: 'a', elements });
const menu = (more: object = {}) => ({ type: 'static_select', action_id: 'm', options: options(2), ...more });
const input = (element: object, more: object = {}) => ({
  type: 'input',
  block_id: 'i',
  label: plain('Label'),
  element,
  ...more,
});
const field = (more: object = {}) => ({ type: 'plain_text_input', action_id: 'f', ...more });
const boxes = (count: number) => ({ type: 'checkboxes', action_id: 'c', options: options(count) });
const rich = (...elements: object[]) => ({ type: 'rich_text', elements: [{ type: 'rich_text_section', elements }] });

const message = (...blocks: object[]) => checkMessage({ text: 'fallback', blocks: blocks as KnownBlock[] });
const modal = (blocks: object[], more: object = {}) =>
  checkModal({ type: 'modal', title: plain('Title'), submit: plain('Send'), blocks, ...more } as ModalView);

describe('a message', () => {
  /** One within the limit, one beyond it, and where the problem is. */
  const rows: [string, object[], object[], string][] = [
    ['section text', [section(x(3_000))], [section(x(3_001))], '/blocks/0/text/text'],
    [
      'section fields',
      [{ type: 'section', fields: Array(10).fill(mrkdwn('f')) }],
      [{ type: 'section', fields: Array(11).fill(mrkdwn('f')) }],
      '/blocks/0/fields',
    ],
    ['section with nothing', [section('x')], [{ type: 'section' }], '/blocks/0'],
    ['empty text', [section('x')], [section('')], '/blocks/0/text/text'],
    [
      'header',
      [{ type: 'header', text: plain(x(150)) }],
      [{ type: 'header', text: plain(x(151)) }],
      '/blocks/0/text/text',
    ],
    [
      'header in mrkdwn',
      [{ type: 'header', text: plain('x') }],
      [{ type: 'header', text: mrkdwn('x') }],
      '/blocks/0/text/type',
    ],
    [
      'context elements',
      [{ type: 'context', elements: Array(10).fill(mrkdwn('c')) }],
      [{ type: 'context', elements: Array(11).fill(mrkdwn('c')) }],
      '/blocks/0/elements',
    ],
    ['blocks', Array(50).fill({ type: 'divider' }), Array(51).fill({ type: 'divider' }), '/blocks'],
    [
      'block ids',
      [section('a', { block_id: 'a' }), section('b', { block_id: 'b' })],
      [section('a', { block_id: 'a' }), section('b', { block_id: 'a' })],
      '/blocks/1/block_id',
    ],
    ['block id', [section('a', { block_id: x(255) })], [section('a', { block_id: x(256) })], '/blocks/0/block_id'],
    [
      'markdown together',
      [
        { type: 'markdown', text: x(6_000) },
        { type: 'markdown', text: x(6_000) },
      ],
      [
        { type: 'markdown', text: x(6_000) },
        { type: 'markdown', text: x(6_001) },
      ],
      '/blocks',
    ],
    [
      'text of all blocks',
      Array(4).fill(section(x(3_000))),
      [...Array(4).fill(section(x(3_000))), section('x')],
      '/blocks',
    ],
    [
      'actions',
      [actions(...Array.from({ length: 25 }, (_, n) => button({ action_id: `b${n}` })))],
      [actions(...Array.from({ length: 26 }, (_, n) => button({ action_id: `b${n}` })))],
      '/blocks/0/elements',
    ],
    [
      'action ids',
      [actions(button(), button({ action_id: 'c' }))],
      [actions(button(), button())],
      '/blocks/0/elements/1/action_id',
    ],
    [
      'action id',
      [actions(button({ action_id: x(255) }))],
      [actions(button({ action_id: x(256) }))],
      '/blocks/0/elements/0/action_id',
    ],
    [
      'button text',
      [actions(button({ text: plain(x(75)) }))],
      [actions(button({ text: plain(x(76)) }))],
      '/blocks/0/elements/0/text/text',
    ],
    [
      'button label',
      [actions(button({ accessibility_label: x(75) }))],
      [actions(button({ accessibility_label: x(76) }))],
      '/blocks/0/elements/0/accessibility_label',
    ],
    [
      'button value',
      [actions(button({ value: x(2_000) }))],
      [actions(button({ value: x(2_001) }))],
      '/blocks/0/elements/0/value',
    ],
    [
      'button style',
      [actions(button({ style: 'danger' }))],
      [actions(button({ style: 'big' }))],
      '/blocks/0/elements/0/style',
    ],
    [
      'menu options',
      [actions(menu({ options: options(100) }))],
      [actions(menu({ options: options(101) }))],
      '/blocks/0/elements/0/options',
    ],
    ['menu without options', [actions(menu())], [actions(menu({ options: [] }))], '/blocks/0/elements/0/options'],
    [
      'placeholder',
      [actions(menu({ placeholder: plain(x(150)) }))],
      [actions(menu({ placeholder: plain(x(151)) }))],
      '/blocks/0/elements/0/placeholder/text',
    ],
    [
      'option text',
      [actions(menu({ options: [option(1, { text: plain(x(75)) })] }))],
      [actions(menu({ options: [option(1, { text: plain(x(76)) })] }))],
      '/blocks/0/elements/0/options/0/text/text',
    ],
    [
      'option value',
      [actions(menu({ options: [option(1, { value: x(75) })] }))],
      [actions(menu({ options: [option(1, { value: x(76) })] }))],
      '/blocks/0/elements/0/options/0/value',
    ],
    [
      'option description',
      [actions(menu({ options: [option(1, { description: plain(x(75)) })] }))],
      [actions(menu({ options: [option(1, { description: plain(x(76)) })] }))],
      '/blocks/0/elements/0/options/0/description/text',
    ],
    [
      'equal values',
      [actions(menu({ options: [option(1), option(2)] }))],
      [actions(menu({ options: [option(1), option(1)] }))],
      '/blocks/0/elements/0/options/1/value',
    ],
    ['checkboxes', [input(boxes(10))], [input(boxes(11))], '/blocks/0/element/options'],
    [
      'a multiple menu only in an input',
      [input({ ...menu(), type: 'multi_static_select' })],
      [actions({ ...menu(), type: 'multi_static_select' })],
      '/blocks/0/elements/0/type',
    ],
    ['a field only in an input', [input(field())], [actions(field())], '/blocks/0/elements/0/type'],
    [
      'input label',
      [input(field(), { label: plain(x(2_000)) })],
      [input(field(), { label: plain(x(2_001)) })],
      '/blocks/0/label/text',
    ],
    [
      'input hint',
      [input(field(), { hint: plain(x(2_000)) })],
      [input(field(), { hint: plain(x(2_001)) })],
      '/blocks/0/hint/text',
    ],
    [
      'field length',
      [input(field({ max_length: 3_000 }))],
      [input(field({ max_length: 16_000 }))],
      '/blocks/0/element/max_length',
    ],
    [
      'rich text',
      [rich({ type: 'text', text: 'x' })],
      [rich({ type: 'text', text: '' })],
      '/blocks/0/elements/0/elements/0/text',
    ],
    [
      'a broadcast in rich text',
      [rich({ type: 'user', user_id: 'U1' })],
      [rich({ type: 'broadcast', range: 'here' })],
      '/blocks/0/elements/0/elements/0',
    ],
    ['a broadcast in mrkdwn', [section('&lt;!here&gt;')], [section('<!here>')], '/blocks/0/text/text'],
    [
      'a broadcast in Markdown',
      [{ type: 'markdown', text: '<@U1>' }],
      [{ type: 'markdown', text: '<!subteam^S1>' }],
      '/blocks/0/text',
    ],
    ['an unknown block', [{ type: 'divider' }], [{ type: 'sections' }], '/blocks/0/type'],
    ['a block without rules here', [{ type: 'divider' }], [{ type: 'video' }], '/blocks/0/type'],
    ['an inherited name for a type', [{ type: 'divider' }], [{ type: 'constructor' }], '/blocks/0/type'],
  ];
  test.each(rows)('%s', (_, within, beyond, pointer) => {
    expect(message(...within)).toEqual([]);
    expect(message(...beyond).map((problem) => problem.pointer)).toContain(pointer);
  });

  test('needs a text, of a length that Slack does not cut', () => {
    expect(checkMessage({ text: '' })).toEqual([{ pointer: '/text', message: 'must be more than 0 characters' }]);
    expect(checkMessage({ text: x(40_000) })).toEqual([]);
    expect(checkMessage({ text: x(40_001) })).toEqual([
      { pointer: '/text', message: 'must be less than 40001 characters' },
    ]);
    expect(checkMessage({ text: 'to <!channel>' })).toEqual([
      { pointer: '/text', message: 'has a live broadcast in it' },
    ]);
  });

  test('all problems are found, not only the first', () => {
    expect(message(section(''), section(x(3_001))).length).toBe(2);
  });
});

describe('a modal', () => {
  const rows: [string, ReturnType<typeof checkModal>, ReturnType<typeof checkModal>, string][] = [
    [
      'title',
      modal([section('x')], { title: plain(x(24)) }),
      modal([section('x')], { title: plain(x(25)) }),
      '/title/text',
    ],
    [
      'submit',
      modal([section('x')], { submit: plain(x(24)) }),
      modal([section('x')], { submit: plain(x(25)) }),
      '/submit/text',
    ],
    [
      'close',
      modal([section('x')], { close: plain(x(24)) }),
      modal([section('x')], { close: plain(x(25)) }),
      '/close/text',
    ],
    ['blocks', modal(Array(100).fill({ type: 'divider' })), modal(Array(101).fill({ type: 'divider' })), '/blocks'],
    ['no blocks', modal([section('x')]), modal([]), '/blocks'],
    [
      'metadata',
      modal([section('x')], { private_metadata: x(3_000) }),
      modal([section('x')], { private_metadata: x(3_001) }),
      '/private_metadata',
    ],
    [
      'callback id',
      modal([section('x')], { callback_id: x(255) }),
      modal([section('x')], { callback_id: x(256) }),
      '/callback_id',
    ],
    ['an input needs submit', modal([input(field())]), modal([input(field())], { submit: undefined }), ''],
    ['Markdown is for messages', modal([section('x')]), modal([{ type: 'markdown', text: 'x' }]), '/blocks/0/type'],
    ['bytes', modal(Array(80).fill(section(x(3_000)))), modal(Array(84).fill(section(x(3_000)))), ''],
  ];
  test.each(rows)('%s', (_, within, beyond, pointer) => {
    expect(within).toEqual([]);
    expect(beyond.map((problem) => problem.pointer)).toContain(pointer);
  });
});

describe('what a form begins with', () => {
  const radio = (more: object = {}) => ({ ...boxes(10), type: 'radio_buttons', ...more });
  const text = (length: number) => [input(field({ max_length: 10, initial_value: x(length) }))];
  const rows: [string, object[], object[], string][] = [
    ['radio buttons', [input(radio())], [input(radio({ options: options(11) }))], 'options'],
    [
      'a picked one',
      [input(radio({ initial_option: option(9) }))],
      [input(radio({ initial_option: option(10) }))],
      'initial_option',
    ],
    [
      'a picked one, letter by letter',
      [input(menu({ initial_option: option(1) }))],
      [input(menu({ initial_option: option(1, { description: plain('d') }) }))],
      'initial_option',
    ],
    [
      'some that are picked',
      [input({ ...boxes(3), initial_options: options(3) })],
      [input({ ...boxes(3), initial_options: [option(0), option(3)] })],
      'initial_options/1',
    ],
    ['none that is picked', [input(boxes(3))], [input({ ...boxes(3), initial_options: [] })], 'initial_options'],
    ['text', text(10), text(11), 'initial_value'],
  ];
  test.each(rows)('%s', (_, within, beyond, pointer) => {
    expect(modal(within)).toEqual([]);
    expect(modal(beyond).map((problem) => problem.pointer)).toContain(`/blocks/0/element/${pointer}`);
  });
});

describe('a Home', () => {
  const home = (blocks: object[], more: object = {}) => checkHome({ type: 'home', blocks, ...more } as HomeView);
  const confirm = (more: object = {}) =>
    actions(
      button({ confirm: { title: plain('T'), text: plain('t'), confirm: plain('y'), deny: plain('n'), ...more } }),
    );
  const rows: [string, ReturnType<typeof checkHome>, ReturnType<typeof checkHome>, string][] = [
    ['blocks', home(Array(100).fill({ type: 'divider' })), home(Array(101).fill({ type: 'divider' })), '/blocks'],
    [
      'metadata',
      home([section('x')], { private_metadata: x(3_000) }),
      home([section('x')], { private_metadata: x(3_001) }),
      '/private_metadata',
    ],
    ['bytes', home(Array(80).fill(section(x(3_000)))), home(Array(84).fill(section(x(3_000)))), ''],
    ['Markdown is for messages', home([section('x')]), home([{ type: 'markdown', text: 'x' }]), '/blocks/0/type'],
    ...(
      [
        ['title', 100],
        ['text', 300],
        ['confirm', 30],
        ['deny', 30],
      ] as const
    ).map(([part, most]): (typeof rows)[number] => [
      `${part} of a button that asks first`,
      home([confirm({ [part]: plain(x(most)) })]),
      home([confirm({ [part]: plain(x(most + 1)) })]),
      `/blocks/0/elements/0/confirm/${part}/text`,
    ]),
  ];
  test.each(rows)('%s', (_, within, beyond, pointer) => {
    expect(within).toEqual([]);
    expect(beyond.map((problem) => problem.pointer)).toContain(pointer);
  });
});

test('a view that breaks a limit is thrown, with every place', () => {
  expect(() => assertMessage({ text: 'x', blocks: [section('') as KnownBlock] })).toThrow(
    "breaks Slack's limits: /blocks/0/text/text: must be more than 0",
  );
  expect(() => assertModal({ type: 'modal', title: plain('t'), blocks: [] } as unknown as ModalView)).toThrow(
    '/blocks: must have at least 1',
  );
  expect(() => assertHome({ type: 'home', blocks: [] })).toThrow('This Home breaks');
  assertMessage({ text: 'x' });
});

const SPEC = new URL('../../../shared/data/block-kit/spec/', import.meta.url);
describe.skipIf(!existsSync(SPEC))('against a specification that is not ours (needs ../shared/data)', () => {
  const read = (path: string) => JSON.parse(readFileSync(new URL(path, SPEC), 'utf8'));

  test('no limit here is above it', () => {
    const spec = existsSync(SPEC) ? read('limits.json') : {};
    const ours: [number, number][] = [
      [LIMITS.textObject, spec.text.max_length],
      [LIMITS.blockId, spec.block_id.max_length],
      [LIMITS.actionId, spec.action_id.max_length],
      [LIMITS.section.fields, spec.section.fields.max_items],
      [LIMITS.section.field, spec.section.fields.item_max_length],
      [LIMITS.header, spec.header.text.max_length],
      [LIMITS.context, spec.context.elements.max_items],
      [LIMITS.actions, spec.actions.elements.max_items],
      [LIMITS.input.label, spec.input.label.max_length],
      [LIMITS.input.hint, spec.input.hint.max_length],
      [LIMITS.markdown, spec.markdown.text.max_length],
      [LIMITS.button.text, spec.button.text.max_length],
      [LIMITS.button.value, spec.button.value.max_length],
      [LIMITS.button.url, spec.button.url.max_length],
      [LIMITS.button.accessibilityLabel, spec.button.accessibility_label.max_length],
      [LIMITS.option.text, spec.option.text.max_length],
      [LIMITS.option.value, spec.option.value.max_length],
      [LIMITS.option.description, spec.option.description.max_length],
      [LIMITS.select.options, spec.select.options.max_items],
      [LIMITS.select.placeholder, spec.select.placeholder.max_length],
      [LIMITS.checkboxes, spec.checkboxes.options.max_items],
      [LIMITS.plainTextInput.value, spec.plain_text_input.max_length.max],
      [LIMITS.modal.blocks, spec.view.blocks.max_items],
      [LIMITS.modal.title, spec.view.title.max_length],
      [LIMITS.modal.submit, spec.view.submit.max_length],
      [LIMITS.modal.close, spec.view.close.max_length],
      [LIMITS.modal.privateMetadata, spec.view.private_metadata.max_length],
      [LIMITS.modal.callbackId, spec.view.callback_id.max_length],
    ];
    for (const [limit, theirs] of ours) expect(limit).toBeLessThanOrEqual(theirs);
  });

  const known = /^(section|header|divider|context_block|markdown|rich_text_block|input_block|actions_block)/;
  const files = existsSync(SPEC)
    ? readdirSync(new URL('fixtures/valid/blocks/', SPEC)).filter((name) => known.test(name))
    : [];
  // It counts characters where we count UTF-16 units: never fewer, so an emoji at its limit is beyond ours.
  const stricter = ['header_block_emoji_at_limit.json'];
  test('its valid blocks of the kinds that we use are valid here', () => {
    expect(files.length).toBeGreaterThan(8);
    for (const file of files) {
      const blocks = [read(`fixtures/valid/blocks/${file}`)]
        .flat()
        .filter((block) => block.element?.type !== 'radio_buttons');
      expect([file, message(...blocks).length > 0]).toEqual([file, stricter.includes(file)]);
    }
  });

  test('its valid modal is valid here', () => {
    expect(checkModal(read('fixtures/valid/views/modal_with_blocks.json'))).toEqual([]);
  });
});
