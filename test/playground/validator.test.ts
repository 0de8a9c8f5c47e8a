import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../src/playground/protocol.ts';
import { anyElement } from '../../src/playground/validator/blocks.ts';
import {
  confirm,
  conversationFilter,
  dispatchActionConfig,
  inputParameter,
  option,
  optionGroup,
  trigger,
  workflow,
} from '../../src/playground/validator/objects.ts';
import {
  checkBlocks,
  checkChunks,
  checkMessage,
  checkView,
  described,
} from '../../src/playground/validator/payloads.ts';
import { richText, richTextPiece } from '../../src/playground/validator/rich-text.ts';
import type { Check, Problem } from '../../src/playground/validator/rules.ts';
import { invalidFixtures } from './invalid-fixtures.ts';

const plain = (text: string) => ({ type: 'plain_text', text });
const mrkdwn = (text: string) => ({ type: 'mrkdwn', text });
const section = (text: string) => ({ type: 'section', text: mrkdwn(text) });
const actions = (...elements: Json[]) => ({ type: 'actions', elements });
const x = (length: number) => 'x'.repeat(length);
const opt = (text: string, value = text) => ({ text: plain(text), value });
const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
const select = (count: number) => ({
  type: 'static_select',
  action_id: 's',
  placeholder: plain('p'),
  options: many(count, (index) => opt(`o${index}`)),
});
const input = { type: 'input', label: plain('L'), element: { type: 'plain_text_input', action_id: 'a' } };
const modal = (more: object) => ({ type: 'modal', title: plain('T'), blocks: [section('x')], ...more });

describe('blocks of a message are refused in Slack’s words', () => {
  test.for<[string, Json, string[]]>([
    [
      'section text too long',
      [section(x(3001))],
      [
        'failed to match all allowed schemas [json-pointer:/blocks/0/text]',
        'must be less than 3001 characters [json-pointer:/blocks/0/text/text]',
      ],
    ],
    [
      'empty text',
      [{ type: 'header', text: plain('') }],
      ['must be more than 0 characters [json-pointer:/blocks/0/text/text]'],
    ],
    ['51 blocks', many(51, () => ({ type: 'divider' })), ['no more than 50 items allowed [json-pointer:/blocks]']],
    [
      'button text of 76',
      [actions({ type: 'button', text: plain(x(76)) })],
      ['must be less than 76 characters [json-pointer:/blocks/0/elements/0/text/text]'],
    ],
    [
      'button text as mrkdwn',
      [actions({ type: 'button', text: mrkdwn('x') })],
      ['must be one of: plain_text [json-pointer:/blocks/0/elements/0/text/type]'],
    ],
    [
      '101 options',
      [actions(select(101))],
      ['no more than 100 items allowed [json-pointer:/blocks/0/elements/0/options]'],
    ],
    [
      'image without url',
      [{ type: 'image', alt_text: 'a' }],
      ['must define either `image_url` or `slack_file` [json-pointer:/blocks/0]'],
    ],
    [
      'image without alt_text',
      [{ type: 'image', image_url: 'https://x' }],
      ['missing required field: alt_text [json-pointer:/blocks/0]'],
    ],
    ['text is a string', [{ type: 'header', text: 'x' }], ['must provide an object [json-pointer:/blocks/0/text]']],
    [
      'text is a number',
      [{ type: 'header', text: { type: 'plain_text', text: 5 } }],
      ['must provide a string [json-pointer:/blocks/0/text/text]'],
    ],
    [
      'unknown block',
      [{ type: 'sections' }],
      [
        'failed to match all allowed schemas [json-pointer:/blocks/0]',
        'unsupported type: sections [json-pointer:/blocks/0/type]',
      ],
    ],
    [
      'a block of modals only',
      [{ type: 'alert', text: plain('x') }],
      [
        'failed to match all allowed schemas [json-pointer:/blocks/0]',
        'unsupported type: alert [json-pointer:/blocks/0/type]',
      ],
    ],
    ['section with nothing', [{ type: 'section' }], ['must define either `text` or `fields` [json-pointer:/blocks/0]']],
    [
      'the same action_id twice in a block',
      [
        actions(
          { type: 'button', text: plain('a'), action_id: 'x' },
          { type: 'button', text: plain('b'), action_id: 'x' },
        ),
      ],
      ['`action_id` "x" already exists [json-pointer:/blocks/0/elements/1/action_id]'],
    ],
    [
      'the same block_id twice',
      [
        { type: 'divider', block_id: 'x' },
        { type: 'divider', block_id: 'x' },
      ],
      ['`block_id` "x" already exists [json-pointer:/blocks/1/block_id]'],
    ],
    [
      'initial option that is no option',
      [actions({ ...select(2), initial_option: opt('other') })],
      ['failed to match all allowed schemas [json-pointer:/blocks/0/elements/0/initial_option]'],
    ],
    [
      'a date that is none',
      [actions({ type: 'datepicker', initial_date: '2026-1-1x' })],
      [
        String.raw`input must match regex pattern: ^\d{4}-\d{2}-\d{2}$ [json-pointer:/blocks/0/elements/0/initial_date]`,
      ],
    ],
    [
      'a misspelt field',
      [{ type: 'divider', blockid: 'x' }],
      ['invalid additional property: blockid [json-pointer:/blocks/0]'],
    ],
    [
      'markdown blocks of more than 12,000 together',
      [
        { type: 'markdown', text: x(7000) },
        { type: 'markdown', text: x(7000) },
      ],
      ['must be less than 12001 characters [json-pointer:/blocks]'],
    ],
    ['no array', 'x', ['must provide an array [json-pointer:/blocks]']],
  ])('%s', ([, blocks, expected]) => {
    expect(described(checkBlocks(blocks))).toEqual(expected);
  });

  test('all violations are told, not only the first', () => {
    const problems = checkBlocks([section(''), { type: 'header', text: plain(x(151)) }, actions(select(101))]);
    expect(described(problems)).toHaveLength(4);
  });
});

describe('views are refused in Slack’s words', () => {
  test.for<[string, Json, string[]]>([
    [
      'title of 25',
      modal({ title: plain(x(25)) }),
      ['must be less than 25 characters [json-pointer:/view/title/text]'],
    ],
    [
      'input without submit',
      modal({ blocks: [section('a'), section('b'), input] }),
      ['must define `submit` to use an `input` block in modals [json-pointer:/view/blocks/2/input]'],
    ],
    [
      '101 blocks',
      modal({ blocks: many(101, () => ({ type: 'divider' })) }),
      ['no more than 100 items allowed [json-pointer:/view/blocks]'],
    ],
    [
      'private_metadata of 3001',
      modal({ private_metadata: x(3001) }),
      ['must be less than 3001 characters [json-pointer:/view/private_metadata]'],
    ],
    ['no title', { type: 'modal', blocks: [section('x')] }, ['missing required field: title [json-pointer:/view]']],
    [
      'a markdown block, which only messages have',
      modal({ blocks: [{ type: 'markdown', text: 'x' }] }),
      [
        'failed to match all allowed schemas [json-pointer:/view/blocks/0]',
        'unsupported type: markdown [json-pointer:/view/blocks/0/type]',
      ],
    ],
    [
      'two elements with focus',
      modal({
        submit: plain('Go'),
        blocks: [1, 2].map((n) => ({
          ...input,
          element: { ...input.element, action_id: `a${n}`, focus_on_load: true },
        })),
      }),
      ['only one element may set `focus_on_load` [json-pointer:/view/blocks/1/element/focus_on_load]'],
    ],
    [
      'a title on Home',
      { type: 'home', title: plain('x'), blocks: [section('x')] },
      ['invalid additional property: title [json-pointer:/view]'],
    ],
    ['no view', null, ['must provide an object [json-pointer:/view]']],
  ])('%s', ([, view, expected]) => {
    expect(described(checkView(view))).toEqual(expected);
  });

  test('a modal with inputs and submit passes', () => {
    expect(checkView(modal({ submit: plain('Go'), blocks: [input, { type: 'alert', text: plain('x') }] }))).toEqual([]);
  });
});

test.for<[string, Json, number]>([
  [
    'text and a task',
    [
      { type: 'markdown_text', text: 'x' },
      { type: 'task_update', id: 't', title: 'T', status: 'pending' },
    ],
    0,
  ],
  ['an unknown chunk', [{ type: 'image' }], 2],
  ['a status that is none', [{ type: 'task_update', id: 't', status: 'done' }], 1],
  ['text beyond 12,000', [{ type: 'markdown_text', text: x(12_001) }], 1],
  ['blocks that are wrong', [{ type: 'blocks', blocks: [section('')] }], 2],
  ['no array', {}, 1],
])('chunks: %s', ([, chunks, count]) => {
  expect(checkChunks(chunks)).toHaveLength(count);
});

test('nothing that is JSON makes the validator throw', () => {
  const key = fc.constantFrom(
    'type',
    'text',
    'blocks',
    'elements',
    'options',
    'element',
    'accessory',
    'fields',
    'title',
    'rows',
  );
  const leaf = fc.oneof(
    fc.constantFrom(
      'section',
      'actions',
      'modal',
      'home',
      'static_select',
      'plain_text',
      'input',
      'table',
      'container',
      '',
    ),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
  );
  const { any } = fc.letrec((tie) => ({
    any: fc.oneof(
      { maxDepth: 5 },
      leaf,
      fc.array(tie('any'), { maxLength: 3 }),
      fc.dictionary(key, tie('any'), { maxKeys: 4 }),
    ),
  }));
  fc.assert(
    fc.property(any as fc.Arbitrary<Json>, (value) => {
      for (const problems of [checkBlocks([value]), checkView(value), checkChunks([value]), checkBlocks(value)]) {
        expect(problems.every((problem) => problem.pointer.startsWith('/') || problem.pointer === '')).toBe(true);
      }
    }),
    { numRuns: 300 },
  );
});

const folder = fileURLToPath(new URL('../../../shared/data/block-kit/spec/', import.meta.url));
const present = existsSync(folder);
const unlessPresent = present ? '' : ' (skipped: ../shared/data/block-kit is not here)';
const run = (check: Check, value: Json): Problem[] => {
  const problems: Problem[] = [];
  check(value, { pointer: '', surface: 'message', problems });
  return problems;
};

/** These two were made with a fixed id for every block, which Slack refuses: block_ids are unique in a message. */
const repeatsBlockId = new Set(['webhook_message_basic.json', 'webhook_message_delete.json']);
const repeated = '`block_id` "fake_block_id" already exists [json-pointer:/blocks/1/block_id]';

const fixtureChecks: { [kind: string]: (name: string, value: Json) => Problem[] } = {
  attachments: (_, value) => checkMessage({ attachments: [value] }),
  blocks: (name, value) => checkBlocks([value], '/blocks', name.startsWith('alert') ? 'modal' : 'message'),
  elements: (_, value) => run(anyElement, value),
  messages: (_, value) => checkMessage(value as { [key: string]: Json }),
  objects(name, value) {
    const checks: { [prefix: string]: Check } = {
      option_group: optionGroup,
      option: option('plain'),
      text: (text) => void expect(checkBlocks([{ type: 'context', elements: [text] }])).toEqual([]),
      conversation: conversationFilter,
      dispatch: dispatchActionConfig,
      input_parameter: inputParameter,
      workflow,
      trigger,
      confirmation: confirm,
    };
    const check = Object.entries(checks).find(([prefix]) => name.startsWith(prefix))?.[1];
    if (!check) throw new Error(`No check for ${name}`);
    return run(check, value);
  },
  rich_text: (_, value) => run(richTextPiece, value),
  views: (_, value) => checkView(value),
};

describe.skipIf(!present)(`fixtures that are not ours${unlessPresent}`, () => {
  const valid = present ? `${folder}fixtures/valid/` : '';
  const files = present
    ? readdirSync(valid).flatMap((kind) => readdirSync(valid + kind).map((name) => [kind, name] as const))
    : [];

  test.for(files)('valid: %s/%s passes', ([kind, name]) => {
    const value = JSON.parse(readFileSync(`${valid}${kind}/${name}`, 'utf8')) as Json;
    expect(described(fixtureChecks[kind]?.(name, value) ?? [])).toEqual(repeatsBlockId.has(name) ? [repeated] : []);
  });

  const manifest = present
    ? (JSON.parse(readFileSync(`${folder}fixtures/invalid/manifest.json`, 'utf8')) as {
        cases: { id: string; constraint: string }[];
      })
    : { cases: [] };

  test.for(manifest.cases)('invalid: $id is refused', ({ id }) => {
    const make = invalidFixtures[id];
    if (!make) throw new Error(`No payload for the invalid case ${id}: add one to invalid-fixtures.ts`);
    const value = make();
    const problems =
      'view' in value
        ? checkView(value.view)
        : 'element' in value
          ? run(anyElement, value.element)
          : 'object' in value
            ? run(value.check, value.object)
            : checkBlocks([value.block], '/blocks', value.surface ?? 'message');
    expect(problems).not.toEqual([]);
  });

  test('rich text of a fixture is a block too', () => {
    const value = JSON.parse(readFileSync(`${valid}blocks/rich_text_block_basic.json`, 'utf8')) as Json;
    expect(run(richText, value)).toEqual([]);
  });
});
