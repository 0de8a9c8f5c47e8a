import { describe, expect, it } from 'vitest';
import { richTextOf, richTextPlain } from '../../../src/playground/page/blocks/rich-text-value.ts';
import { chosenOf, itemsOf, matching, selectionOf } from '../../../src/playground/page/blocks/select-items.ts';
import { asBlocks } from '../../../src/playground/page/read-json.ts';
import { initialValue, inputErrors, stateOf, withValue } from '../../../src/playground/page/state-values.ts';
import { applyUpdate } from '../../../src/playground/page/world.ts';
import type { Block } from '../../../src/playground/protocol.ts';
import { CONTROLS, fixtureSnapshot, MODAL, option } from './fixture-world.ts';

const a = option('A', 'a');

describe('what a control holds before it is touched', () => {
  it.each([
    ['plain_text_input', { initial_value: 'x' }, { value: 'x' }, { value: null }],
    ['number_input', { initial_value: '4' }, { value: '4' }, { value: null }],
    ['static_select', { initial_option: a }, { selected_option: a }, { selected_option: null }],
    ['radio_buttons', { initial_option: a }, { selected_option: a }, { selected_option: null }],
    ['checkboxes', { initial_options: [a] }, { selected_options: [a] }, { selected_options: [] }],
    ['multi_static_select', { initial_options: [a] }, { selected_options: [a] }, { selected_options: [] }],
    ['users_select', { initial_user: 'U1' }, { selected_user: 'U1' }, { selected_user: null }],
    ['multi_users_select', { initial_users: ['U1'] }, { selected_users: ['U1'] }, { selected_users: [] }],
    [
      'multi_conversations_select',
      { initial_conversations: ['C1'] },
      { selected_conversations: ['C1'] },
      { selected_conversations: [] },
    ],
    ['datepicker', { initial_date: '2026-01-01' }, { selected_date: '2026-01-01' }, { selected_date: null }],
    ['timepicker', { initial_time: '10:00' }, { selected_time: '10:00' }, { selected_time: null }],
    ['datetimepicker', { initial_date_time: 1 }, { selected_date_time: 1 }, { selected_date_time: null }],
  ])('%s', (type, initial, given, empty) => {
    expect(initialValue({ type, ...initial })).toEqual({ type, ...given });
    expect(initialValue({ type })).toEqual({ type, ...empty });
  });

  it.each(['button', 'overflow', 'image', 'whatever'])('%s holds nothing', (type) => {
    expect(initialValue({ type })).toBeUndefined();
  });
});

describe('the state of a message', () => {
  it('has every stateful element, also the unanswered', () => {
    const state = stateOf(asBlocks(CONTROLS), {});
    expect(Object.entries(state).map(([id, values]) => [id, Object.keys(values)])).toEqual([
      ['menu', ['region']],
      ['checks', ['boxes']],
      ['people', ['multi']],
      ['more-controls', ['radio', 'date', 'time', 'user']],
    ]);
  });

  it('keeps what was entered while the element is there, and drops it with the element', () => {
    const entered = withValue({}, 'menu', 'region', { type: 'static_select', selected_option: a });
    expect(stateOf(asBlocks(CONTROLS), entered).menu?.region).toEqual({ type: 'static_select', selected_option: a });
    expect(stateOf([], entered)).toEqual({});
    const other: Block[] = [
      { type: 'section', block_id: 'menu', accessory: { type: 'datepicker', action_id: 'region' } },
    ];
    expect(stateOf(other, entered).menu?.region).toEqual({ type: 'datepicker', selected_date: null });
  });

  it('reaches into containers', () => {
    const blocks = asBlocks([{ type: 'container', child_blocks: CONTROLS as never }]);
    expect(stateOf(blocks, {}).checks?.boxes?.type).toBe('checkboxes');
  });
});

describe('what is checked before a view is submitted', () => {
  const blocks = asBlocks(MODAL.view.blocks as never);
  it.each([
    ['note', 'text', 'plain_text_input', null, 'Please complete this required field.'],
    ['mail', 'mail', 'email_text_input', 'nobody', 'Please enter a valid email address.'],
    ['site', 'site', 'url_text_input', 'nowhere', 'Please enter a valid URL.'],
    ['count', 'count', 'number_input', 'x', 'Please enter a number.'],
    ['count', 'count', 'number_input', '1.5', 'Please enter a whole number.'],
    ['count', 'count', 'number_input', '0', 'Please enter a number of at least 1.'],
    ['count', 'count', 'number_input', '10', 'Please enter a number of at most 9.'],
  ])('%s/%s as %s with %j', (blockId, actionId, type, value, error) => {
    let entered = withValue({}, 'note', 'text', { type: 'plain_text_input', value: 'fine' });
    entered = withValue(entered, blockId, actionId, { type, value });
    expect(inputErrors(blocks, stateOf(blocks, entered))).toEqual({ [blockId]: error });
  });

  it('leaves blank text to the app, as Slack does', () => {
    const entered = withValue({}, 'note', 'text', { type: 'plain_text_input', value: '  ' });
    expect(inputErrors(blocks, stateOf(blocks, entered))).toEqual({});
  });
});

describe('menus', () => {
  const world = applyUpdate(undefined, fixtureSnapshot());
  if (!world) throw new Error('a snapshot makes a world');

  it('offer options, grouped options, people and channels', () => {
    expect(itemsOf({ type: 'static_select', options: [a] }, world, 'U0ANA')).toMatchObject([{ label: 'A', value: a }]);
    const groups = [{ label: { type: 'plain_text', text: 'G' }, options: [a] }];
    expect(itemsOf({ type: 'static_select', option_groups: groups }, world, 'U0ANA')[0]?.group).toBe('G');
    expect(itemsOf({ type: 'users_select' }, world, 'U0ANA').map((item) => item.key)).toContain('U0BEN');
    expect(itemsOf({ type: 'conversations_select' }, world, 'U0GUS').map((item) => item.label)).toEqual([
      '#deployments',
    ]);
  });

  it('give back what they were given', () => {
    const items = itemsOf({ type: 'multi_static_select', options: [a, option('B', 'b')] }, world, 'U0ANA');
    const held = selectionOf('multi_static_select', items);
    expect(held).toEqual({ type: 'multi_static_select', selected_options: [a, option('B', 'b')] });
    expect(chosenOf(held, items)).toEqual(items);
    expect(selectionOf('users_select', [])).toEqual({ type: 'users_select', selected_user: null });
  });

  it('are filtered by every word that is typed', () => {
    const items = itemsOf(
      { type: 'static_select', options: [option('eu-west-1', '0', 'Ireland'), option('us-east-1', '1')] },
      world,
      'U0ANA',
    );
    expect(matching(items, 'EU ire').map((item) => item.label)).toEqual(['eu-west-1']);
    expect(matching(items, 'nothing')).toEqual([]);
  });
});

it('a rich text field gives back the plain text that was typed', () => {
  expect(richTextPlain(richTextOf('one\ntwo'))).toBe('one\ntwo');
  expect(richTextPlain(null)).toBe('');
});
