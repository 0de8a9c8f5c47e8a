/**
 * Slack's limits, and the validator that every view passes before it leaves. Where Slack's sources disagree the stricter
 * one counts. It knows the blocks and elements that our views use: another one is a problem until its rules stand here.
 */
import type { HomeView, KnownBlock, ModalView } from '@slack/types';
import {
  asNode,
  checkBroadcast,
  checkItems,
  checkOptional,
  checkString,
  checkText,
  collect,
  each,
  type Node,
  type Problem,
  type Report,
  type TextRule,
} from './checks.ts';

/** Characters or items. Source: docs.slack.dev/reference/block-kit and /reference/methods, unless a line says otherwise. */
export const LIMITS = {
  textObject: 3_000,
  blockId: 255,
  actionId: 255,
  message: {
    blocks: 50,
    /** chat.postMessage cuts what is longer. */
    text: 40_000,
    /** chat.update refuses what is longer (`msg_too_long`), where postMessage does not. */
    updatedText: 4_000,
    /** All text of all blocks. Not documented: about 13,200 was measured (bolt-js#2509, `msg_blocks_too_long`). */
    allText: 12_000,
  },
  /** A Home's blocks, metadata and bytes are a modal's. */
  modal: { blocks: 100, title: 24, submit: 24, close: 24, privateMetadata: 3_000, callbackId: 255, bytes: 250_000 },
  section: { fields: 10, field: 2_000 },
  header: 150,
  context: 10,
  actions: 25,
  contextActions: 5,
  input: { label: 2_000, hint: 2_000 },
  /** Of all markdown blocks of a message together. */
  markdown: 12_000,
  button: { text: 75, value: 2_000, url: 3_000, accessibilityLabel: 75 },
  confirm: { title: 100, text: 300, button: 30 },
  /** value: 150 in the documentation, 75 in the JSDoc of @slack/types. */
  option: { text: 75, value: 75, description: 75 },
  select: { options: 100, placeholder: 150 },
  /** Radio buttons too. */
  checkboxes: 10,
  plainTextInput: { value: 3_000, placeholder: 150 },
} as const;

export function checkMessage(message: { text: string; blocks?: readonly KnownBlock[] }): Problem[] {
  return collect((report) => {
    checkString(message.text, '/text', { max: LIMITS.message.text }, report);
    checkBroadcast(message.text, '/text', report);
    const blocks = checkItems(message.blocks ?? [], '/blocks', { min: 0, max: LIMITS.message.blocks }, report);
    checkBlocks(blocks, '/blocks', 'message', report);
    const markdown = blocks.filter((block) => block.type === 'markdown');
    if (textLength(markdown) > LIMITS.markdown)
      report('/blocks', `markdown: no more than ${LIMITS.markdown} characters`);
    if (textLength(blocks) > LIMITS.message.allText)
      report('/blocks', `all text: no more than ${LIMITS.message.allText} characters`);
  });
}

export function checkModal(view: ModalView): Problem[] {
  return collect((report) => {
    checkText(view.title, '/title', { max: LIMITS.modal.title, plain: true }, report);
    if (view.submit) checkText(view.submit, '/submit', { max: LIMITS.modal.submit, plain: true }, report);
    if (view.close) checkText(view.close, '/close', { max: LIMITS.modal.close, plain: true }, report);
    const blocks = checkView(view, 'modal', report);
    const asks = blocks.some((block) => block.type === 'input');
    if (asks && !view.submit) report('', 'must define `submit` to use an `input` block in modals');
  });
}

export function checkHome(view: HomeView): Problem[] {
  return collect((report) => void checkView(view, 'home', report));
}

function checkView(view: ModalView | HomeView, surface: 'modal' | 'home', report: Report): readonly Node[] {
  checkOptional(view.private_metadata, '/private_metadata', LIMITS.modal.privateMetadata, report);
  checkOptional(view.callback_id, '/callback_id', LIMITS.modal.callbackId, report);
  const blocks = checkItems(view.blocks, '/blocks', { max: LIMITS.modal.blocks }, report);
  checkBlocks(blocks, '/blocks', surface, report);
  if (Buffer.byteLength(JSON.stringify(view)) > LIMITS.modal.bytes) report('', 'view_too_large');
  return blocks;
}

/** Throws what `checkMessage` finds: a view that breaks a limit is a bug. */
export function assertMessage(message: Parameters<typeof checkMessage>[0]): void {
  assertNone('message', checkMessage(message));
}

/** Throws what `checkModal` finds: a view that breaks a limit is a bug. */
export function assertModal(view: ModalView): void {
  assertNone('modal', checkModal(view));
}

/** Throws what `checkHome` finds: a view that breaks a limit is a bug. */
export function assertHome(view: HomeView): void {
  assertNone('Home', checkHome(view));
}

const BLOCKS: { readonly [type: string]: (block: Node, at: string, report: Report) => void } = {
  section(block, at, report) {
    if (block.text === undefined && block.fields === undefined) report(at, 'must define either `text` or `fields`');
    if (block.text !== undefined) checkText(block.text, `${at}/text`, { max: LIMITS.textObject }, report);
    if (block.accessory !== undefined) report(`${at}/accessory`, 'no view of ours has one: its rules are not here');
    if (block.fields === undefined) return;
    for (const [field, where] of each(block.fields, `${at}/fields`, { max: LIMITS.section.fields }, report))
      checkText(field, where, { max: LIMITS.section.field }, report);
  },
  header: (block, at, report) => checkText(block.text, `${at}/text`, { max: LIMITS.header, plain: true }, report),
  divider: () => {},
  context(block, at, report) {
    for (const [element, where] of each(block.elements, `${at}/elements`, { max: LIMITS.context }, report))
      checkText(element, where, { max: LIMITS.textObject }, report);
  },
  markdown(block, at, report) {
    checkString(block.text, `${at}/text`, { max: LIMITS.markdown }, report);
    checkBroadcast(block.text, `${at}/text`, report);
  },
  rich_text: (block, at, report) => checkRichText(block.elements, `${at}/elements`, report),
  actions(block, at, report) {
    checkElements(block.elements, `${at}/elements`, ['button', 'static_select', 'checkboxes'], report);
  },
  context_actions(block, at, report) {
    checkElements(block.elements, `${at}/elements`, ['feedback_buttons'], report, LIMITS.contextActions);
  },
  input(block, at, report) {
    checkText(block.label, `${at}/label`, { max: LIMITS.input.label, plain: true }, report);
    if (block.hint !== undefined) checkText(block.hint, `${at}/hint`, { max: LIMITS.input.hint, plain: true }, report);
    const allowed = ['plain_text_input', 'checkboxes', 'radio_buttons', 'static_select', 'multi_static_select'];
    checkElement(asNode(block.element), `${at}/element`, allowed, report);
  },
};

const ELEMENTS: { readonly [type: string]: (element: Node, at: string, report: Report) => void } = {
  button(element, at, report) {
    checkText(element.text, `${at}/text`, { max: LIMITS.button.text, plain: true }, report);
    checkOptional(element.value, `${at}/value`, LIMITS.button.value, report);
    checkOptional(element.url, `${at}/url`, LIMITS.button.url, report);
    const label = element.accessibility_label;
    checkOptional(label, `${at}/accessibility_label`, LIMITS.button.accessibilityLabel, report);
    if (![undefined, 'primary', 'danger'].includes(element.style as string | undefined))
      report(`${at}/style`, 'must be primary or danger');
    if (element.confirm !== undefined) checkConfirm(asNode(element.confirm), `${at}/confirm`, report);
  },
  feedback_buttons(element, at, report) {
    for (const key of ['positive_button', 'negative_button'] as const) {
      const [side, where] = [asNode(element[key]), `${at}/${key}`];
      checkText(side.text, `${where}/text`, { max: LIMITS.button.text, plain: true }, report);
      checkString(side.value, `${where}/value`, { max: LIMITS.button.value }, report);
      const label = side.accessibility_label;
      checkOptional(label, `${where}/accessibility_label`, LIMITS.button.accessibilityLabel, report);
    }
  },
  static_select: checkMenu,
  multi_static_select: checkMenu,
  checkboxes: checkBoxes,
  radio_buttons: checkBoxes,
  plain_text_input(element, at, report) {
    const [min, max] = [element.min_length ?? 0, element.max_length ?? LIMITS.plainTextInput.value];
    const fits = typeof min === 'number' && typeof max === 'number' && min >= 0 && min <= max && max >= 1;
    if (!fits || max > LIMITS.plainTextInput.value)
      report(`${at}/max_length`, `lengths must be from 0 to ${LIMITS.plainTextInput.value}`);
    checkOptional(element.initial_value, `${at}/initial_value`, Number(max), report);
    checkPlaceholder(element, at, LIMITS.plainTextInput.placeholder, report);
  },
};

function checkBoxes(element: Node, at: string, report: Report): void {
  checkOptions(element.options, `${at}/options`, { max: LIMITS.checkboxes, plain: false }, report);
  checkInitial(element, at, report);
}

function checkMenu(element: Node, at: string, report: Report): void {
  checkPlaceholder(element, at, LIMITS.select.placeholder, report);
  checkOptions(element.options, `${at}/options`, { max: LIMITS.select.options, plain: true }, report);
  checkInitial(element, at, report);
}

/** What is picked already is one of the options, letter by letter. */
function checkInitial({ options, initial_option, initial_options }: Node, at: string, report: Report): void {
  const known = new Set((Array.isArray(options) ? options : []).map((option) => JSON.stringify(option)));
  const one = (option: unknown, where: string) => {
    if (!known.has(JSON.stringify(option))) report(where, 'must be one of the options');
  };
  if (initial_option !== undefined) one(initial_option, `${at}/initial_option`);
  if (initial_options === undefined) return;
  const several = checkItems(initial_options, `${at}/initial_options`, { max: LIMITS.select.options }, report);
  for (const [index, option] of several.entries()) one(option, `${at}/initial_options/${index}`);
}

function checkConfirm(confirm: Node, at: string, report: Report): void {
  checkText(confirm.title, `${at}/title`, { max: LIMITS.confirm.title, plain: true }, report);
  checkText(confirm.text, `${at}/text`, { max: LIMITS.confirm.text }, report);
  for (const key of ['confirm', 'deny'] as const)
    checkText(confirm[key], `${at}/${key}`, { max: LIMITS.confirm.button, plain: true }, report);
}

function checkPlaceholder(element: Node, at: string, max: number, report: Report): void {
  if (element.placeholder !== undefined)
    checkText(element.placeholder, `${at}/placeholder`, { max, plain: true }, report);
}

/** `max`: of options. `plain`: their texts may not be mrkdwn. */
function checkOptions(options: unknown, at: string, { max, plain }: Required<TextRule>, report: Report): void {
  const values = new Set<unknown>();
  for (const [option, where] of each(options, at, { max }, report)) {
    checkText(option.text, `${where}/text`, { max: LIMITS.option.text, plain }, report);
    checkString(option.value, `${where}/value`, { max: LIMITS.option.value }, report);
    if (values.has(option.value)) report(`${where}/value`, `value "${option.value}" already exists`);
    values.add(option.value);
    if (option.description !== undefined)
      checkText(option.description, `${where}/description`, { max: LIMITS.option.description, plain }, report);
  }
}

const MESSAGES_ONLY = ['markdown', 'context_actions'];

function checkBlocks(blocks: readonly Node[], at: string, surface: 'message' | 'modal' | 'home', report: Report): void {
  const ids = new Set<unknown>();
  for (const [index, block] of blocks.entries()) {
    const where = `${at}/${index}`;
    const type = String(block.type);
    const check = Object.hasOwn(BLOCKS, type) ? BLOCKS[type] : undefined;
    if (check === undefined || (MESSAGES_ONLY.includes(type) && surface !== 'message'))
      report(`${where}/type`, `unsupported type: ${type}`);
    else check(block, where, report);
    checkOptional(block.block_id, `${where}/block_id`, LIMITS.blockId, report);
    if (block.block_id !== undefined && ids.has(block.block_id))
      report(`${where}/block_id`, `\`block_id\` "${block.block_id}" already exists`);
    ids.add(block.block_id);
  }
}

function checkElements(
  elements: unknown,
  at: string,
  allowed: readonly string[],
  report: Report,
  max: number = LIMITS.actions,
): void {
  const ids = new Set<unknown>();
  for (const [element, where] of each(elements, at, { max }, report)) {
    checkElement(element, where, allowed, report);
    const id = element.action_id;
    if (id !== undefined && ids.has(id)) report(`${where}/action_id`, `\`action_id\` "${id}" already exists`);
    ids.add(id);
  }
}

function checkElement(element: Node, at: string, allowed: readonly string[], report: Report): void {
  const type = String(element.type);
  if (!allowed.includes(type)) report(`${at}/type`, `unsupported type: ${type}`);
  else ELEMENTS[type]?.(element, at, report);
  checkOptional(element.action_id, `${at}/action_id`, LIMITS.actionId, report);
}

/** Sections, lists, quotes and code hold elements; the leaves are texts and mentions. A broadcast has no place in ours. */
function checkRichText(elements: unknown, at: string, report: Report): void {
  for (const [element, where] of each(elements, at, { min: 0, max: Number.POSITIVE_INFINITY }, report)) {
    if (element.elements !== undefined) checkRichText(element.elements, `${where}/elements`, report);
    else if (element.type === 'text')
      checkString(element.text, `${where}/text`, { max: LIMITS.message.allText }, report);
    else if (element.type === 'broadcast' || element.type === 'usergroup')
      report(where, 'notifies everybody: a view of ours never does');
  }
}

/** The length of everything under a key `text`: bodies, labels of controls and all. */
function textLength(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let length = 0;
  for (const [key, inner] of Object.entries(value))
    length += key === 'text' && typeof inner === 'string' ? inner.length : textLength(inner);
  return length;
}

function assertNone(what: string, problems: Problem[]): void {
  if (problems.length === 0) return;
  const list = problems.map(({ pointer, message }) => `${pointer}: ${message}`).join('; ');
  throw new Error(`This ${what} breaks Slack's limits: ${list}`);
}
