import { filledIn } from './fill-in.ts';
import type { Ids } from './ids.ts';
import { type JsonObject, listOr, stringOr } from './json.ts';
import type { Block, Json } from './protocol.ts';
import { checkMessage, described, readableCharacters } from './validator/payloads.ts';
import { characters } from './validator/rules.ts';

export type Content = {
  text: string;
  blocks?: Block[];
  attachments?: Json[];
  /** Things that Slack accepts but that are hardly meant. */
  warnings: string[];
};

export type Refusal = { ok: false; error: string; errors?: string[]; response_metadata?: { messages: string[] } };

/** Slack's form of "these arguments are wrong": all violations, once plain and once marked. */
export function violations(error: string, list: string[]): Refusal {
  return { ok: false, error, errors: list, response_metadata: { messages: list.map((line) => `[ERROR] ${line}`) } };
}

const BROADCAST = /<!(channel|here|everyone)(\|[^>]*)?>/;

/** In plain text and in the texts of rich text, `<!channel>` is only what somebody wrote. */
function notifiesAll(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { type, text } = value as { type?: unknown; text?: unknown };
  if (type === 'broadcast') return true;
  if ((type === 'mrkdwn' || type === 'markdown') && typeof text === 'string') return BROADCAST.test(text);
  return Object.values(value).some(notifiesAll);
}

/** What a message says, as every way of posting gives it: `text`, `blocks`, `attachments`, `markdown_text`. */
export function readContent(args: JsonObject, ids: Ids, longestText = 40_000): Content | Refusal {
  const given = stringOr(args.text);
  const warnings: string[] = [];
  if (args.markdown_text !== undefined) {
    if (args.text !== undefined || args.blocks !== undefined) return { ok: false, error: 'markdown_text_conflict' };
    const markdown = stringOr(args.markdown_text);
    if (markdown === '') return { ok: false, error: 'no_text' };
    if (characters(markdown) > 12_000) return { ok: false, error: 'msg_too_long' };
    return { text: markdown, blocks: filledIn([{ type: 'markdown', text: markdown }], ids), warnings };
  }
  const attachments = listOr(args.attachments);
  if (attachments.length > 100) return { ok: false, error: 'too_many_attachments' };
  const problems = checkMessage(args);
  if (problems.length > 0) return violations('invalid_blocks', described(problems));
  const blocks = listOr(args.blocks);
  if (given.trim() === '' && blocks.length === 0 && attachments.length === 0) return { ok: false, error: 'no_text' };
  if (readableCharacters(blocks) > 13_200) return { ok: false, error: 'msg_blocks_too_long' };
  if (characters(given) > longestText) {
    if (longestText < 40_000) return { ok: false, error: 'msg_too_long' };
    warnings.push('The text was longer than 40,000 characters; Slack cuts it.');
  }
  if (given === '' && blocks.length > 0)
    warnings.push('Blocks without `text`: notifications and screen readers have nothing to say.');
  if (BROADCAST.test(given) || notifiesAll(blocks))
    warnings.push('The message notifies everybody (<!channel>, <!here> or <!everyone>).');
  return {
    text: given.slice(0, 40_000),
    ...(blocks.length > 0 ? { blocks: filledIn(blocks, ids) } : {}),
    ...(attachments.length > 0 ? { attachments } : {}),
    warnings,
  };
}

export function isRefusal(value: Content | Refusal): value is Refusal {
  return 'ok' in value;
}
