import { filledIn } from '../fill-in.ts';
import { type JsonObject, listOr, stringOr } from '../json.ts';
import { violations } from '../message-content.ts';
import { sessionStates } from '../statuses.ts';
import type { ChunkRefusal } from '../streams.ts';
import { checkBlocks, described } from '../validator/payloads.ts';
import { isBotMessage, wireMessage } from '../wire.ts';
import type { StoredMessage } from '../workspace.ts';
import { readMetadata } from './chat.ts';
import {
  type Answer,
  type Context,
  type Methods,
  postingTarget,
  refuse,
  threadRoot,
  visibleChannel,
} from './method.ts';

function chunksRefused({ error, errors }: ChunkRefusal): Answer {
  return errors ? (violations(error, errors) as Answer) : refuse(error);
}

function startStream(args: JsonObject, context: Context): Answer {
  const { ws, posts, streams } = context;
  const channel = postingTarget(context, args.channel);
  if ('error' in channel) return refuse(channel.error);
  const thread = threadRoot(context, channel.id, args.thread_ts);
  if (typeof thread === 'object') return refuse(thread.error);
  // Documented for channels; seen required in DMs with bot tokens too.
  if (stringOr(args.recipient_team_id) === '') return refuse('missing_recipient_team_id');
  if (stringOr(args.recipient_user_id) === '') return refuse('missing_recipient_user_id');
  if (!ws.users.has(stringOr(args.recipient_user_id))) return refuse('user_not_found');
  const empty: StoredMessage = {
    channel: channel.id,
    ts: '',
    user: ws.app.botUser,
    text: '',
    streaming: true,
    ...(thread === undefined ? {} : { thread_ts: thread }),
  };
  const filled = streams.appended(empty, args.markdown_text, args.chunks);
  if ('error' in filled) return chunksRefused(filled);
  const { ts: _, ...draft } = filled;
  const message = posts.post(draft);
  streams.begin(message);
  return { ok: true, channel: channel.id, ts: message.ts };
}

/** The bot's own open stream, or why it cannot be written. */
function openStream(args: JsonObject, context: Context): StoredMessage | { error: string } {
  const { ws, streams } = context;
  const channel = visibleChannel(context, args.channel);
  if (!channel) return { error: 'channel_not_found' };
  const message = ws.find(channel.id, stringOr(args.ts));
  if (!message || message.ephemeralTo) return { error: 'message_not_found' };
  if (!isBotMessage(ws, message)) return { error: 'message_not_owned_by_app' };
  const state = streams.stateOf(message);
  if (state === 'open') return message;
  return { error: state === 'stopped_by_user' ? 'stopped_by_user' : 'message_not_in_streaming_state' };
}

function appendStream(args: JsonObject, context: Context): Answer {
  const message = openStream(args, context);
  if ('error' in message) return refuse(message.error);
  if (args.markdown_text === undefined && args.chunks === undefined) return refuse('no_text');
  const now = context.streams.appended(message, args.markdown_text, args.chunks);
  if ('error' in now) return chunksRefused(now);
  context.ws.replace(now);
  return { ok: true, channel: message.channel, ts: message.ts };
}

function stopStream(args: JsonObject, context: Context): Answer {
  const { ws, streams, events, statuses, ids } = context;
  const before = openStream(args, context);
  if ('error' in before) {
    return refuse(before.error === 'stopped_by_user' ? 'message_not_in_streaming_state' : before.error);
  }
  const metadata = readMetadata(args.metadata);
  if (metadata && 'error' in metadata) return refuse(metadata.error);
  const problems = args.blocks === undefined ? [] : checkBlocks(args.blocks);
  if (problems.length > 0) return violations('invalid_blocks', described(problems)) as Answer;
  // Documented: the session is "active" after a stream, unless told.
  const session = before.thread_ts && context.ws.statuses.get(`${before.channel}:${before.thread_ts}`)?.session;
  const status = args.session_status ?? (session ? 'active' : undefined);
  if (status !== undefined && !sessionStates.includes(String(status))) return refuse('invalid_status');
  const filled = streams.appended(before, args.markdown_text, args.chunks);
  if ('error' in filled) return chunksRefused(filled);
  ws.replace({
    ...filled,
    blocks: [...(filled.blocks ?? []), ...filledIn(listOr(args.blocks), ids)],
    ...(metadata ? { metadata } : {}),
  });
  streams.end(before);
  const now = ws.find(before.channel, before.ts) as StoredMessage;
  if (typeof status === 'string' && now.thread_ts) statuses.setSession(now.channel, now.thread_ts, status);
  events.changed(now, before);
  return { ok: true, channel: now.channel, ts: now.ts, message: wireMessage(ws, now, { metadata: true }) };
}

const pieces = { markdown_text: 'string', chunks: 'json' } as const;

export const streamMethods: Methods = {
  'chat.startStream': {
    token: 'bot',
    tier: 2,
    scopes: ['chat:write'],
    args: {
      channel: 'string',
      thread_ts: 'string',
      recipient_user_id: 'string',
      recipient_team_id: 'string',
      task_display_mode: 'string',
      username: 'string',
      icon_emoji: 'string',
      icon_url: 'string',
      ...pieces,
    },
    required: ['channel'],
    recent: true,
    run: startStream,
  },
  'chat.appendStream': {
    token: 'bot',
    tier: 4,
    scopes: ['chat:write'],
    args: { channel: 'string', ts: 'string', ...pieces },
    required: ['channel', 'ts'],
    recent: true,
    run: appendStream,
  },
  'chat.stopStream': {
    token: 'bot',
    tier: 2,
    scopes: ['chat:write'],
    args: { channel: 'string', ts: 'string', ...pieces, blocks: 'json', metadata: 'json', session_status: 'string' },
    required: ['channel', 'ts'],
    recent: true,
    run: stopStream,
  },
};
