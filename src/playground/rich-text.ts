import type { JsonObject } from './json.ts';
import type { Block } from './protocol.ts';

const TOKEN =
  /<@([UW][A-Z0-9]+)(?:\|[^>]*)?>|<#(C[A-Z0-9]+)(?:\|[^>]*)?>|<!(here|channel|everyone)>|<(https?:[^|>]+)(?:\|([^>]*))?>/g;

/** The rich_text block that Slack makes of a plain text, as far as apps look at it: mentions, links, text. */
export function richTextOf(text: string, blockId: string): Block {
  const elements: JsonObject[] = [];
  const say = (plain: string) => {
    if (plain !== '') elements.push({ type: 'text', text: unescaped(plain) });
  };
  let from = 0;
  for (const match of text.matchAll(TOKEN)) {
    say(text.slice(from, match.index));
    from = match.index + match[0].length;
    const [, user, channel, range, url, label] = match;
    if (user) elements.push({ type: 'user', user_id: user });
    else if (channel) elements.push({ type: 'channel', channel_id: channel });
    else if (range) elements.push({ type: 'broadcast', range });
    else if (url) elements.push({ type: 'link', url, ...(label ? { text: label } : {}) });
  }
  say(text.slice(from));
  return { type: 'rich_text', block_id: blockId, elements: [{ type: 'rich_text_section', elements }] };
}

function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}
