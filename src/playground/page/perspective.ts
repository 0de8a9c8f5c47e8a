/** What one person sees of the world. Pure: the components draw what these say. */
import type {
  PlaygroundChannel,
  PlaygroundMessage,
  PlaygroundPrompts,
  PlaygroundStatus,
  PlaygroundUser,
  PlaygroundView,
} from '../protocol.ts';
import { compareTs, threadKey, type World } from './world.ts';

/** People whom one can act as: the bots and the deactivated do not click. */
export function people(world: World): PlaygroundUser[] {
  return Object.values(world.users).filter((user) => !user.isBot && !user.deleted);
}

export function nameOf(world: World, id: string): string {
  const user = world.users[id];
  if (user) return user.realName || user.name;
  return id === world.app.botUser || id === world.app.id ? world.app.name : id;
}

/** Everybody of the organisation finds public channels; guests and strangers only those that they are in. */
export function visibleChannels(world: World, me: PlaygroundUser): PlaygroundChannel[] {
  const outsider = me.isGuest || (me.team !== undefined && me.team !== world.team.id);
  return Object.values(world.channels)
    .filter((channel) => channel.members.includes(me.id) || (channel.kind === 'channel' && !outsider))
    .sort((a, b) => channelTitle(world, a, me.id).localeCompare(channelTitle(world, b, me.id)));
}

/** Without '#': a DM is called after the other person. */
export function channelTitle(world: World, channel: PlaygroundChannel, me: string): string {
  switch (channel.kind) {
    case 'channel':
    case 'private':
      return channel.name;
    case 'dm':
      return nameOf(world, dmPartner(channel, me));
    case 'group_dm':
      return channel.members
        .filter((id) => id !== me)
        .map((id) => nameOf(world, id))
        .join(', ');
    default:
      return channel.kind satisfies never;
  }
}

export function channelLabel(world: World, channel: PlaygroundChannel, me: string): string {
  const title = channelTitle(world, channel, me);
  return channel.kind === 'channel' || channel.kind === 'private' ? `#${title}` : title;
}

export function dmPartner(channel: PlaygroundChannel, me: string): string {
  return channel.members.find((id) => id !== me) ?? channel.name;
}

export function botDm(world: World, me: string): PlaygroundChannel | undefined {
  return Object.values(world.channels).find(
    (channel) => channel.kind === 'dm' && channel.members.includes(me) && dmPartner(channel, me) === world.app.botUser,
  );
}

function visibleMessages(world: World, channel: string, me: string): PlaygroundMessage[] {
  return (world.messages[channel] ?? []).filter((message) => !message.ephemeralTo || message.ephemeralTo === me);
}

function isRoot(message: PlaygroundMessage): boolean {
  return !message.thread_ts || message.thread_ts === message.ts || message.subtype === 'thread_broadcast';
}

/** What the channel view lists: roots, and replies that were sent to the channel too. */
export function channelMessages(world: World, channel: string, me: string): PlaygroundMessage[] {
  return visibleMessages(world, channel, me).filter(isRoot);
}

/** The root, then its replies. */
export function threadMessages(world: World, channel: string, threadTs: string, me: string): PlaygroundMessage[] {
  return visibleMessages(world, channel, me).filter(
    (message) => message.ts === threadTs || message.thread_ts === threadTs,
  );
}

export type Replies = { count: number; last: string; users: string[] };

export function repliesOf(world: World, root: PlaygroundMessage, me: string): Replies | undefined {
  if (root.thread_ts && root.thread_ts !== root.ts) return undefined;
  const replies = threadMessages(world, root.channel, root.ts, me).filter(
    (message) => message.ts !== root.ts && message.ephemeralTo === undefined,
  );
  const last = replies.at(-1);
  if (!last) return undefined;
  return {
    count: Math.max(replies.length, root.replyCount ?? 0),
    last: last.ts,
    users: [...new Set(replies.map((reply) => reply.user))].slice(0, 4),
  };
}

export function statusOf(world: World, channel: string, threadTs: string, now: number): PlaygroundStatus | undefined {
  const status = world.statuses[threadKey(channel, threadTs)];
  return status && (status.until === undefined || status.until > now) ? status : undefined;
}

/** What a chat with the app offers to say. In a thread only until a person has said something. */
export function promptsOf(world: World, channel: string, threadTs: string | undefined): PlaygroundPrompts | undefined {
  const begun =
    threadTs !== undefined &&
    (world.messages[channel] ?? []).some((m) => m.thread_ts === threadTs && m.user !== world.app.botUser);
  return begun ? undefined : world.prompts[threadKey(channel, threadTs ?? '')];
}

/** The modal on top of the person's stack. */
export function openModal(world: World, me: string): PlaygroundView | undefined {
  return Object.values(world.views)
    .filter((view) => view.type === 'modal' && view.user === me)
    .sort((a, b) => b.depth - a.depth)[0];
}

export function homeView(world: World, me: string): PlaygroundView | undefined {
  return Object.values(world.views).find((view) => view.type === 'home' && view.user === me);
}

/** The newest message that each person has seen, by `person|channel`; `start` stands for what was there at the first visit. */
export type ReadMarks = { start: string; [personAndChannel: string]: string };

export function newestTs(world: World): string {
  return Object.values(world.messages)
    .map((list) => list.at(-1)?.ts ?? '0')
    .reduce((a, b) => (compareTs(a, b) > 0 ? a : b), '0');
}

export function markRead(marks: ReadMarks, me: string, channel: string, ts: string): ReadMarks {
  const key = `${me}|${channel}`;
  return compareTs(marks[key] ?? marks.start, ts) >= 0 ? marks : { ...marks, [key]: ts };
}

/** `mentions` counts what asks for this very person: mentions, private notes, and everything in a DM. */
export function unreadOf(
  world: World,
  marks: ReadMarks,
  me: string,
  channel: PlaygroundChannel,
): { unread: boolean; mentions: number } {
  const mark = marks[`${me}|${channel.id}`] ?? marks.start;
  const fresh = visibleMessages(world, channel.id, me).filter(
    (message) => message.user !== me && compareTs(message.ts, mark) > 0,
  );
  const personal = channel.kind === 'dm' || channel.kind === 'group_dm';
  const mentions = fresh.filter(
    (message) => personal || message.ephemeralTo === me || message.text.includes(`<@${me}>`),
  ).length;
  return { unread: fresh.length > 0, mentions };
}
