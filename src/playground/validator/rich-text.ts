import { isObject } from '../json.ts';
import { anyObject, bool, type Check, complain, list, number, object, oneOf, text, typed } from './rules.ts';

// https://docs.slack.dev/reference/block-kit/blocks/rich-text-block

const style: Check = anyObject;

/** The inline pieces of a rich text. */
const inline: Check = typed({
  text: object({ type: oneOf('text'), text: text(Number.POSITIVE_INFINITY) }, { style }),
  link: object({ type: oneOf('link'), url: text(3000) }, { text: text(3000, { min: 0 }), unsafe: bool, style }),
  user: object({ type: oneOf('user'), user_id: text(255) }, { style }),
  usergroup: object({ type: oneOf('usergroup'), usergroup_id: text(255) }, { style }),
  channel: object({ type: oneOf('channel'), channel_id: text(255) }, { style }),
  emoji: object(
    { type: oneOf('emoji'), name: text(255) },
    { unicode: text(255), skin_tone: number(), url: text(3000), display_url: text(3000), style },
  ),
  broadcast: object({ type: oneOf('broadcast'), range: oneOf('here', 'channel', 'everyone') }, { style }),
  date: object(
    { type: oneOf('date'), timestamp: number(), format: text(255) },
    { url: text(3000), fallback: text(3000), style },
  ),
  color: object({ type: oneOf('color'), value: text(255) }, { style }),
});

const section: Check = object({ type: oneOf('rich_text_section'), elements: list(inline) });

const part: Check = typed({
  rich_text_section: section,
  rich_text_list: object(
    { type: oneOf('rich_text_list'), style: oneOf('bullet', 'ordered'), elements: list(section) },
    { indent: number({ min: 0 }), offset: number({ min: 0 }), border: number({ min: 0, max: 1e9 }) },
  ),
  rich_text_quote: object({ type: oneOf('rich_text_quote'), elements: list(inline) }, { border: number() }),
  rich_text_preformatted: object(
    { type: oneOf('rich_text_preformatted'), elements: list(inline) },
    { border: number(), language: text(255) },
  ),
});

export const richText: Check = object(
  { type: oneOf('rich_text'), elements: list(part) },
  { block_id: text(255, { min: 0 }) },
);

/** Any piece of a rich text, at whatever depth. */
export const richTextPiece: Check = (value, place) => {
  if (!isObject(value)) return complain(place, 'wrong_type', 'must provide an object');
  if (typeof value.type === 'string' && value.type.startsWith('rich_text_')) part(value, place);
  else inline(value, place);
};
