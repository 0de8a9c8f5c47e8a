/** What a `rich_text_input` gives: here people type plain text into it, one section. */
import type { Json } from '../../protocol.ts';
import { asObject, asObjects, asString } from '../read-json.ts';

export function richTextOf(text: string): Json {
  return { type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text }] }] };
}

export function richTextPlain(value: Json): string {
  return asObjects(asObject(value)?.elements)
    .map((part) =>
      asObjects(part.elements)
        .map((leaf) => asString(leaf.text) ?? '')
        .join(''),
    )
    .join('\n');
}
