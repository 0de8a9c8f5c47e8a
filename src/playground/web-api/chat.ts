import { isObject, type JsonObject, stringOr } from '../json.ts';
import { isRefusal, readContent } from '../message-content.ts';
import type { Json, PlaygroundMessage } from '../protocol.ts';
import { isBotMessage, wireMessage } from '../wire.ts';
import type { StoredMessage } from '../workspace.ts';
import {
  type Answer,
  type Context,
  type Methods,
  postingTarget,
  refuse,
  threadRoot,
  visibleChannel,
} from './method.ts';

type Metadata = NonNullable<PlaygroundMessage['metadata']>;

/** Slack's limit in bytes is not documented; small is safe. */
const MOST_METADATA = 8_000;

/** Message metadata, or why it is refused. */
export function readMetadata(value: Json | undefined): Metadata | { error: string } | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isObject(value)) return { error: 'invalid_metadata_format' };
  const { event_type, event_payload } = value;
  if (typeof event_type !== 'string' || !/^[A-Za-z0-9_.-]{1,255}$/.test(event_type) || !isObject(event_payload)) {
    return { error: 'invalid_metadata_format' };
  }
  if (Buffer.byteLength(JSON.stringify(value)) > MOST_METADATA) return { error: 'metadata_too_large' };
  return { event_type, event_payload };
}

const content = { text: 'string', blocks: 'json', attachments: 'json', markdown_text: 'string' } as const;
const manners = { as_user: 'boolean', link_names: 'boolean', parse: 'string' } as const;
const authorship = { username: 'string', icon_emoji: 'string', icon_url: 'string' } as const;

function warnings(context: Context, title: string, list: string[]): void {
  for (const warning of list) context.warn(title, warning);
}

function postMessage(args: JsonObject, context: Context): Answer {
  const { ws, posts, ids } = context;
  const channel = postingTarget(context, args.channel);
  if ('error' in channel) return refuse(channel.error);
  const thread = threadRoot(context, channel.id, args.thread_ts);
  if (typeof thread === 'object') return refuse(thread.error);
  const said = readContent(args, ids);
  if (isRefusal(said)) return said as Answer;
  const metadata = readMetadata(args.metadata);
  if (metadata && 'error' in metadata) return refuse(metadata.error);
  const { warnings: loud, ...rest } = said;
  warnings(context, 'chat.postMessage', loud);
  const broadcast = args.reply_broadcast === true && thread !== undefined;
  const message = posts.post({
    channel: channel.id,
    user: ws.app.botUser,
    ...rest,
    ...(thread === undefined ? {} : { thread_ts: thread }),
    ...(broadcast ? { subtype: 'thread_broadcast' } : {}),
    ...(metadata ? { metadata } : {}),
    ...(typeof args.username === 'string' ? { username: args.username } : {}),
  });
  return { ok: true, channel: channel.id, ts: message.ts, message: wireMessage(ws, message, { metadata: true }) };
}

/** The bot's own message that a call names, or why not. */
function ownMessage(args: JsonObject, context: Context, notOwn: string): StoredMessage | { error: string } {
  const channel = visibleChannel(context, args.channel);
  if (!channel) return { error: 'channel_not_found' };
  const message = context.ws.find(channel.id, stringOr(args.ts));
  if (!message || message.ephemeralTo || message.subtype === 'tombstone') return { error: 'message_not_found' };
  if (channel.archived) return { error: 'is_archived' };
  return isBotMessage(context.ws, message) ? message : { error: notOwn };
}

/** Text without blocks drops the old blocks; neither keeps both. */
function update(args: JsonObject, context: Context): Answer {
  const { ws, posts, ids } = context;
  const before = ownMessage(args, context, 'cant_update_message');
  if ('error' in before) return refuse(before.error);
  if (before.streaming) return refuse('streaming_state_conflict');
  const metadata = readMetadata(args.metadata);
  if (metadata && 'error' in metadata) return refuse(metadata.error);
  const edited = { user: ws.app.botUser, ts: ws.nextTs() };
  const given = ['text', 'blocks', 'attachments', 'markdown_text'].some((name) => args[name] !== undefined);
  if (!given && !metadata) return refuse('no_text');
  let now: StoredMessage = { ...before, edited, ...(metadata ? { metadata } : {}) };
  if (given) {
    const said = readContent(args, ids, 4_000);
    if (isRefusal(said)) return said as Answer;
    const { warnings: loud, ...rest } = said;
    warnings(context, 'chat.update', loud);
    const { blocks: _blocks, attachments: _attachments, ...kept } = now;
    now = {
      ...kept,
      ...rest,
      ...(args.text === undefined && args.markdown_text === undefined ? { text: before.text } : {}),
    };
  }
  posts.edit(before, now);
  return {
    ok: true,
    channel: now.channel,
    ts: now.ts,
    text: now.text,
    message: wireMessage(ws, now, { metadata: true }),
  };
}

function remove(args: JsonObject, context: Context): Answer {
  const message = ownMessage(args, context, 'cant_delete_message');
  if ('error' in message) return refuse(message.error);
  context.streams.forget(message);
  context.posts.remove(message);
  return { ok: true, channel: message.channel, ts: message.ts };
}

function postEphemeral(args: JsonObject, context: Context): Answer {
  const { ws, posts, ids } = context;
  const channel = postingTarget(context, args.channel);
  if ('error' in channel) return refuse(channel.error);
  const user = stringOr(args.user);
  if (!channel.members.includes(user)) return refuse('user_not_in_channel');
  const thread = threadRoot(context, channel.id, args.thread_ts);
  if (typeof thread === 'object') return refuse(thread.error);
  const said = readContent(args, ids);
  if (isRefusal(said)) return said as Answer;
  const { warnings: loud, ...rest } = said;
  warnings(context, 'chat.postEphemeral', loud);
  const message = posts.post({
    channel: channel.id,
    user: ws.app.botUser,
    ...rest,
    ephemeralTo: user,
    ...(thread === undefined ? {} : { thread_ts: thread }),
  });
  return { ok: true, message_ts: message.ts };
}

function getPermalink(args: JsonObject, context: Context): Answer {
  const channel = visibleChannel(context, args.channel);
  if (!channel) return refuse('channel_not_found');
  const message = context.ws.find(channel.id, stringOr(args.message_ts));
  if (!message || message.ephemeralTo) return refuse('message_not_found');
  const thread = message.thread_ts ? `?thread_ts=${message.thread_ts}&cid=${channel.id}` : '';
  return {
    ok: true,
    channel: channel.id,
    permalink: `${context.ws.origin()}/archives/${channel.id}/p${message.ts.replace('.', '')}${thread}`,
  };
}

export const chatMethods: Methods = {
  'chat.postMessage': {
    token: 'bot',
    tier: 'special',
    scopes: ['chat:write'],
    args: {
      channel: 'string',
      ...content,
      ...manners,
      ...authorship,
      thread_ts: 'string',
      reply_broadcast: 'boolean',
      metadata: 'json',
      unfurl_links: 'boolean',
      unfurl_media: 'boolean',
      mrkdwn: 'boolean',
    },
    required: ['channel'],
    run: postMessage,
  },
  'chat.update': {
    token: 'bot',
    tier: 3,
    scopes: ['chat:write'],
    args: {
      channel: 'string',
      ts: 'string',
      ...content,
      ...manners,
      metadata: 'json',
      file_ids: 'json',
      reply_broadcast: 'boolean',
    },
    required: ['channel', 'ts'],
    run: update,
  },
  'chat.delete': {
    token: 'bot',
    tier: 3,
    scopes: ['chat:write'],
    args: { channel: 'string', ts: 'string', as_user: 'boolean' },
    required: ['channel', 'ts'],
    run: remove,
  },
  'chat.postEphemeral': {
    token: 'bot',
    tier: 4,
    scopes: ['chat:write'],
    args: { channel: 'string', user: 'string', ...content, ...manners, ...authorship, thread_ts: 'string' },
    required: ['channel', 'user'],
    run: postEphemeral,
  },
  'chat.getPermalink': {
    token: 'bot',
    tier: 'special',
    scopes: [],
    args: { channel: 'string', message_ts: 'string' },
    required: ['channel', 'message_ts'],
    run: getPermalink,
  },
};
