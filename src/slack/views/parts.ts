/**
 * What cards and modals are made of. What a model or a person wrote goes into rich text: there every character is itself, so
 * that nothing is escaped, nothing counts double, and no mention or broadcast in it is alive.
 */
import type {
  Button,
  ContextBlock,
  PlainTextElement,
  RichTextBlock,
  RichTextSection,
  RichTextText,
} from '@slack/types';
import type { Option } from '../../agent/question.ts';
import { type ActionRef, encodeAction } from '../ids.ts';
import type { Control, Words } from '../words/words.ts';
import { formatted } from './formatted.ts';

export function plainText(text: string): PlainTextElement {
  return { type: 'plain_text', text, emoji: true };
}

/** A button that screen readers name, too. */
export function button(action: ActionRef, { text, label }: Control, style?: 'primary'): Button {
  const labelled = { text: plainText(text), accessibility_label: label };
  return { type: 'button', action_id: encodeAction(action), ...labelled, ...(style && { style }) };
}

/** A small grey line of our own words; `text` is mrkdwn. */
export function note(text: string): ContextBlock {
  return { type: 'context', elements: [{ type: 'mrkdwn', text }] };
}

export function questionText(question: string): RichTextBlock {
  return { type: 'rich_text', elements: formatted(question) };
}

/** The options in full, numbered from 1, each with its description. */
export function optionsText(options: readonly Option[]): RichTextBlock {
  return { type: 'rich_text', elements: [list('ordered', options)] };
}

/** The picked labels in full. */
export function labelsText(labels: readonly string[]): RichTextBlock {
  const options = labels.map((label) => ({ label }));
  return { type: 'rich_text', elements: options.length === 1 ? options.map(optionText) : [list('bullet', options)] };
}

/** What somebody wrote, set apart. */
export function quoted(words: string): RichTextBlock {
  return { type: 'rich_text', elements: [{ type: 'rich_text_quote', elements: [text(words)] }] };
}

/** A time in the reader's own zone; the fallback is for clients that cannot draw it. `at`: ms since the epoch. */
export function when(at: number, { moment }: Words): string {
  const fallback = `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return `<!date^${Math.floor(at / 1000)}^${moment}|${fallback}>`;
}

function list(style: 'ordered' | 'bullet', options: readonly Option[]): RichTextBlock['elements'][number] {
  return {
    type: 'rich_text_list',
    style,
    elements: options.map(optionText),
  };
}

function optionText({ label, description }: Option): RichTextSection {
  const bold: RichTextText = { ...text(label), style: { bold: true } };
  return { type: 'rich_text_section', elements: [bold, ...(description ? [text(` — ${description}`)] : [])] };
}

function text(words: string): RichTextText {
  return { type: 'text', text: words };
}
