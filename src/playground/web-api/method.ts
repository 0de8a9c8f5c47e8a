import type { Clock, Windows } from '../clock.ts';
import type { Events } from '../events.ts';
import type { FileStore } from '../file-store.ts';
import type { Ids } from '../ids.ts';
import { type JsonObject, stringOr } from '../json.ts';
import type { Manifest } from '../manifest.ts';
import type { Posts } from '../posts.ts';
import type { Json, PlaygroundChannel } from '../protocol.ts';
import type { SocketMode } from '../socket-mode.ts';
import type { Statuses } from '../statuses.ts';
import type { Streams } from '../streams.ts';
import type { Triggers } from '../triggers.ts';
import type { ViewDesk } from '../view-desk.ts';
import type { Workspace } from '../workspace.ts';

/** All that the methods work with. */
export type Context = {
  ws: Workspace;
  manifest: Manifest;
  clock: Clock;
  windows: Windows;
  ids: Ids;
  events: Events;
  posts: Posts;
  statuses: Statuses;
  triggers: Triggers;
  desk: ViewDesk;
  streams: Streams;
  files: FileStore;
  /** Absent in HTTP mode. */
  sockets?: SocketMode;
  /** Makes something loud in the inspector. */
  warn(title: string, warning: string): void;
};

export type ArgKind = 'string' | 'boolean' | 'number' | 'json';

/** Slack's rate limit tiers: so many calls a minute; `special` is a matter of its own (chat.postMessage) or generous. */
export type Tier = 1 | 2 | 3 | 4 | 'special';

/** What a method answers: always HTTP 200 with `ok`. */
export type Answer = { ok: boolean; [key: string]: Json };

export type Method = {
  token: 'bot' | 'app' | 'none';
  tier: Tier;
  /** Any one of these is enough; none are needed when empty. Told by the conversation where it depends on it. */
  scopes: readonly string[] | ((channel: PlaygroundChannel | undefined) => readonly string[]);
  args: { [name: string]: ArgKind };
  required?: readonly string[];
  /** Not there in a workspace that knows only the long-standing methods. */
  recent?: boolean;
  run(args: JsonObject, context: Context): Answer | Promise<Answer>;
};

export type Methods = { [name: string]: Method };

export function refuse(error: string, more: { [key: string]: Json } = {}): Answer {
  return { ok: false, error, ...more };
}

/** The conversation of `channel` as the bot sees it: private ones without it do not exist. */
export function visibleChannel(context: Context, id: Json | undefined): PlaygroundChannel | undefined {
  const { ws } = context;
  const wanted = stringOr(id);
  const channel = wanted.startsWith('#')
    ? [...ws.channels.values()].find((entry) => entry.kind === 'channel' && entry.name === wanted.slice(1))
    : ws.channels.get(wanted);
  if (!channel) return undefined;
  return channel.kind === 'channel' || channel.members.includes(ws.app.botUser) ? channel : undefined;
}

/** Where a message goes: a conversation, or the DM with a person whose id is given. */
export function postingTarget(context: Context, id: Json | undefined): PlaygroundChannel | { error: string } {
  const { ws, manifest } = context;
  const user = ws.users.get(stringOr(id));
  if (user) return user.isBot || user.deleted ? { error: 'channel_not_found' } : ws.dmWith(user.id);
  const channel = visibleChannel(context, id);
  if (!channel) return { error: 'channel_not_found' };
  if (channel.archived) return { error: 'is_archived' };
  const member = channel.members.includes(ws.app.botUser);
  const open = channel.kind === 'channel' && manifest.scopes.includes('chat:write.public');
  return member || open ? channel : { error: 'not_in_channel' };
}

/** The thread that a message goes to: the root's ts, whichever message of the thread was named. */
export function threadRoot(
  context: Context,
  channel: string,
  ts: Json | undefined,
): string | undefined | { error: string } {
  if (ts === undefined || ts === '') return undefined;
  const named = context.ws.find(channel, String(ts));
  // Which error Slack gives is not documented; it never posts into a thread that is not there.
  if (!named) return { error: 'thread_not_found' };
  if (named.thread_ts !== undefined && named.thread_ts !== named.ts) {
    context.warn('thread_ts', 'thread_ts is the ts of a reply; use the ts of the root.');
    return named.thread_ts;
  }
  return named.ts;
}

export const history = (channel: PlaygroundChannel | undefined) => scopesOf('history', channel);
export const read = (channel: PlaygroundChannel | undefined) => scopesOf('read', channel);

function scopesOf(right: 'history' | 'read', channel: PlaygroundChannel | undefined): string[] {
  const families = { channel: 'channels', private: 'groups', dm: 'im', group_dm: 'mpim' } as const;
  return (channel ? [families[channel.kind]] : Object.values(families)).map((family) => `${family}:${right}`);
}
