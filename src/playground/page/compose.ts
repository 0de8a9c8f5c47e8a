/** From what a person types to what Slack stores, and back for editing. Pure. */
import type { PlaygroundChannel, PlaygroundUser, PlaygroundUserGroup } from '../protocol.ts';

type Names = { users: PlaygroundUser[]; channels: PlaygroundChannel[]; userGroups: PlaygroundUserGroup[] };

const CODE = /(```[\s\S]*?```|`[^`\n]*`)/;
const BROADCASTS = ['here', 'channel', 'everyone'];

/** `@Name` becomes `<@U…>`, `@group` `<!subteam^S…|@group>`, `#channel` `<#C…|channel>`, `@here` `<!here>`; `&<>` are escaped. Code stays text. */
export function toSlack(typed: string, names: Names): string {
  const mentions = [
    ...names.users.flatMap((user) =>
      [user.realName, user.name].map((name) => ({ sign: `@${name}`, token: `<@${user.id}>` })),
    ),
    ...names.userGroups.map(({ id, handle }) => ({ sign: `@${handle}`, token: `<!subteam^${id}|@${handle}>` })),
    ...BROADCASTS.map((name) => ({ sign: `@${name}`, token: `<!${name}>` })),
    ...names.channels
      .filter((channel) => channel.kind === 'channel' || channel.kind === 'private')
      .map((channel) => ({ sign: `#${channel.name}`, token: `<#${channel.id}|${channel.name}>` })),
  ]
    .filter(({ sign }) => sign.length > 1)
    .sort((a, b) => b.sign.length - a.sign.length);
  const bySign = new Map(mentions.map(({ sign, token }) => [escapeText(sign).toLowerCase(), token]));
  const signs = [...bySign.keys()].map((sign) => sign.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('|');
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}_])(?:${signs})(?![\\p{L}\\p{N}_])`, 'giu');
  return typed
    .split(CODE)
    .map((part, index) => {
      const text = escapeText(part);
      return index % 2 === 1 ? text : text.replace(pattern, (sign) => bySign.get(sign.toLowerCase()) ?? sign);
    })
    .join('');
}

/** The reverse of `toSlack`, for the edit box. */
export function fromSlack(text: string, names: Names): string {
  return text
    .replace(/<@([A-Z0-9]+)(?:\|[^>]*)?>/g, (whole, id: string) => {
      const user = names.users.find((one) => one.id === id);
      return user ? `@${user.realName || user.name}` : whole;
    })
    .replace(/<#([A-Z0-9]+)(?:\|([^>]*))?>/g, (whole, id: string, label: string | undefined) => {
      const name = names.channels.find((one) => one.id === id)?.name ?? label;
      return name ? `#${name}` : whole;
    })
    .replace(/<!subteam\^[A-Z0-9]+\|([^>]*)>/g, '$1')
    .replace(/<!(here|channel|everyone)(?:\|[^>]*)?>/g, '@$1')
    .replace(/<(https?:[^>|]+)(?:\|[^>]*)?>/g, '$1')
    .replace(/&(amp|lt|gt);/g, (whole, name: string) => ({ amp: '&', lt: '<', gt: '>' })[name] ?? whole);
}

function escapeText(text: string): string {
  return text.replace(/[&<>]/g, (char) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[char] ?? char);
}

/** The `@…` that the caret stands in, if any: where it begins, and what is typed so far. */
export function mentionAt(typed: string, caret: number): { from: number; query: string } | undefined {
  const match = /(?:^|[\s(])@([\p{L}\p{N}._-]{0,30})$/u.exec(typed.slice(0, caret));
  return match ? { from: caret - (match[1]?.length ?? 0) - 1, query: match[1] ?? '' } : undefined;
}

/** People whose name, or a word of it, begins with the query. The bot comes first: it is whom one comes to talk to. */
export function mentionCandidates(users: PlaygroundUser[], query: string, limit = 8): PlaygroundUser[] {
  const wanted = query.toLowerCase();
  return users
    .filter((user) => !user.deleted)
    .filter((user) => [user.name, ...user.realName.split(' ')].some((word) => word.toLowerCase().startsWith(wanted)))
    .sort((a, b) => Number(b.isBot ?? false) - Number(a.isBot ?? false) || a.realName.localeCompare(b.realName))
    .slice(0, limit);
}
