import { type JsonObject, stringOr } from '../json.ts';
import { wireChannel, wireMessage } from '../wire.ts';
import type { StoredMessage } from '../workspace.ts';
import { type Answer, type Context, history, type Methods, read, refuse, visibleChannel } from './method.ts';

const MOST_PER_PAGE = 1_000;
const TS = /^\d+(\.\d{1,6})?$/;

/** `oldest` and `latest` leave the named message itself out, unless `inclusive`. */
function within(args: JsonObject): ((message: StoredMessage) => boolean) | { error: string } {
  for (const bound of ['oldest', 'latest'] as const) {
    const value = args[bound];
    if (value !== undefined && !TS.test(String(value))) return { error: `invalid_ts_${bound}` };
  }
  const oldest = Number(args.oldest ?? 0);
  const latest = args.latest === undefined ? Number.POSITIVE_INFINITY : Number(args.latest);
  const inclusive = args.inclusive === true;
  return ({ ts }) => {
    const at = Number(ts);
    return inclusive ? at >= oldest && at <= latest : at > oldest && at < latest;
  };
}

/** One page and the cursor of the next: the ts that it begins with. */
function page(
  messages: StoredMessage[],
  args: JsonObject,
): { page: StoredMessage[]; next: string } | { error: string } {
  const limit = Math.min(Math.max(Number(args.limit ?? 100), 1), MOST_PER_PAGE);
  const cursor = stringOr(args.cursor);
  let from = 0;
  if (cursor !== '') {
    const ts = Buffer.from(cursor, 'base64').toString('utf8').replace('next_ts:', '');
    from = messages.findIndex((message) => message.ts === ts);
    if (from < 0) return { error: 'invalid_cursor' };
  }
  const following = messages[from + limit];
  const next = following ? Buffer.from(`next_ts:${following.ts}`).toString('base64') : '';
  return { page: messages.slice(from, from + limit), next };
}

function listed(args: JsonObject, context: Context, messages: StoredMessage[]): Answer {
  const result = page(messages, args);
  if ('error' in result) return refuse(result.error);
  const metadata = args.include_all_metadata === true;
  return {
    ok: true,
    messages: result.page.map((message) => wireMessage(context.ws, message, { metadata })),
    has_more: result.next !== '',
    ...(result.next === '' ? {} : { response_metadata: { next_cursor: result.next } }),
  };
}

function readable(args: JsonObject, context: Context): { channel: string } | { error: string } {
  const channel = visibleChannel(context, args.channel);
  if (!channel) return { error: 'channel_not_found' };
  return channel.members.includes(context.ws.app.botUser) ? { channel: channel.id } : { error: 'not_in_channel' };
}

/** The root comes first whatever the bounds are. */
function replies(args: JsonObject, context: Context): Answer {
  const where = readable(args, context);
  if ('error' in where) return refuse(where.error);
  const named = context.ws.find(where.channel, stringOr(args.ts));
  if (!named || named.ephemeralTo) return refuse('thread_not_found');
  const inBounds = within(args);
  if (typeof inBounds === 'object') return refuse(inBounds.error);
  if (named.thread_ts !== undefined && named.thread_ts !== named.ts) return listed(args, context, [named]);
  const [root, ...rest] = context.ws.thread(where.channel, named.ts);
  return listed({ limit: MOST_PER_PAGE, ...args }, context, [...(root ? [root] : []), ...rest.filter(inBounds)]);
}

function channelHistory(args: JsonObject, context: Context): Answer {
  const where = readable(args, context);
  if ('error' in where) return refuse(where.error);
  const inBounds = within(args);
  if (typeof inBounds === 'object') return refuse(inBounds.error);
  const shown = context.ws
    .inChannel(where.channel)
    .filter((message) => !message.ephemeralTo && inBounds(message))
    .filter(
      ({ thread_ts, ts, subtype }) => thread_ts === undefined || thread_ts === ts || subtype === 'thread_broadcast',
    );
  return listed(args, context, shown.reverse());
}

const paging = { cursor: 'string', limit: 'number' } as const;
const bounds = { oldest: 'string', latest: 'string', inclusive: 'boolean', include_all_metadata: 'boolean' } as const;

export const conversationMethods: Methods = {
  'conversations.history': {
    token: 'bot',
    tier: 3,
    scopes: history,
    args: { channel: 'string', ...paging, ...bounds },
    required: ['channel'],
    run: channelHistory,
  },
  'conversations.replies': {
    token: 'bot',
    tier: 3,
    scopes: history,
    args: { channel: 'string', ts: 'string', ...paging, ...bounds },
    required: ['channel', 'ts'],
    run: replies,
  },
  'conversations.info': {
    token: 'bot',
    tier: 3,
    scopes: read,
    args: { channel: 'string', include_locale: 'boolean', include_num_members: 'boolean' },
    required: ['channel'],
    run(args, context) {
      const channel = visibleChannel(context, args.channel);
      return channel ? { ok: true, channel: wireChannel(context.ws, channel) } : refuse('channel_not_found');
    },
  },
  'conversations.members': {
    token: 'bot',
    tier: 4,
    scopes: read,
    args: { channel: 'string', ...paging },
    required: ['channel'],
    run(args, context) {
      const channel = visibleChannel(context, args.channel);
      if (!channel) return refuse('channel_not_found');
      const limit = Math.min(Math.max(Number(args.limit ?? 100), 1), MOST_PER_PAGE);
      const cursor = stringOr(args.cursor);
      const from = cursor === '' ? 0 : channel.members.indexOf(Buffer.from(cursor, 'base64').toString('utf8'));
      if (from < 0) return refuse('invalid_cursor');
      const next = channel.members[from + limit];
      return {
        ok: true,
        members: channel.members.slice(from, from + limit),
        response_metadata: { next_cursor: next === undefined ? '' : Buffer.from(next).toString('base64') },
      };
    },
  },
  'conversations.list': {
    token: 'bot',
    tier: 2,
    scopes: read,
    args: { ...paging, exclude_archived: 'boolean', types: 'string' },
    run(args, context) {
      const types = stringOr(args.types, 'public_channel').split(',');
      const names = { channel: 'public_channel', private: 'private_channel', dm: 'im', group_dm: 'mpim' };
      const shown = [...context.ws.channels.values()].filter(
        (channel) =>
          visibleChannel(context, channel.id) &&
          types.includes(names[channel.kind]) &&
          !(args.exclude_archived === true && channel.archived),
      );
      return {
        ok: true,
        channels: shown.map((channel) => wireChannel(context.ws, channel)),
        response_metadata: { next_cursor: '' },
      };
    },
  },
  'conversations.open': {
    token: 'bot',
    tier: 3,
    scopes: ['im:write', 'mpim:write'],
    args: { users: 'string', channel: 'string', return_im: 'boolean', prevent_creation: 'boolean' },
    run(args, context) {
      const users = stringOr(args.users).split(',').filter(Boolean);
      if (users.length === 0) return refuse('users_list_not_supplied');
      // The playground has no group DMs that an app could open.
      if (users.length > 1) return refuse('too_many_users');
      const user = context.ws.users.get(users[0] ?? '');
      if (!user) return refuse('user_not_found');
      if (user.isBot) return refuse('cannot_dm_bot');
      if (user.deleted) return refuse('user_disabled');
      const channel = context.ws.dmWith(user.id);
      const shape = args.return_im === true ? wireChannel(context.ws, channel) : { id: channel.id };
      return { ok: true, no_op: false, already_open: false, channel: shape };
    },
  },
};
