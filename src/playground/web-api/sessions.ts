import { type JsonObject, listOr, objectOr, stringOr } from '../json.ts';
import { violations } from '../message-content.ts';
import { sessionStates } from '../statuses.ts';
import { type Answer, type Context, type Methods, refuse, visibleChannel } from './method.ts';

// assistant.threads.* (the older way) and agents.sessions.* (of apps that declare an agent).

/** A thread that the bot may write in, or why not. */
function threadOf(
  context: Context,
  channelId: string,
  ts: string,
): { channel: string; ts: string } | { error: string } {
  const channel = visibleChannel(context, channelId);
  if (!channel?.members.includes(context.ws.app.botUser)) return { error: 'channel_not_found' };
  return context.ws.find(channel.id, ts) ? { channel: channel.id, ts } : { error: 'invalid_thread_ts' };
}

function setStatus(args: JsonObject, context: Context): Answer {
  const thread = threadOf(context, stringOr(args.channel_id), stringOr(args.thread_ts));
  if ('error' in thread) return refuse(thread.error);
  const loading = listOr(args.loading_messages);
  const errors = loading.flatMap((message, index) =>
    typeof message === 'string' && message.length <= 50
      ? []
      : [`must be less than 51 characters [json-pointer:/loading_messages/${index}]`],
  );
  if (loading.length > 10) errors.push('no more than 10 items allowed [json-pointer:/loading_messages]');
  if (errors.length > 0) return violations('invalid_arguments', errors) as Answer;
  context.statuses.set(thread.channel, thread.ts, stringOr(args.status));
  return { ok: true };
}

function setSession(args: JsonObject, context: Context): Answer {
  if (!context.manifest.agent) return refuse('feature_disabled');
  const status = stringOr(args.status);
  if (!sessionStates.includes(status)) return refuse('invalid_status');
  if (stringOr(args.thread_ts) === '') return refuse('thread_ts_required');
  const thread = threadOf(context, stringOr(args.channel_id), stringOr(args.thread_ts));
  if ('error' in thread) return refuse('channel_not_found');
  context.statuses.setSession(thread.channel, thread.ts, status);
  const warning = context.manifest.botEvents.includes('agent_session_stopped')
    ? {}
    : { warning: 'missing_agent_session_stopped_event_subscription' };
  return { ok: true, status, agent_status: status, title: stringOr(args.title), ...warning };
}

const confirmThread = (args: JsonObject, context: Context): Answer => {
  const thread = threadOf(context, stringOr(args.channel_id), stringOr(args.thread_ts));
  return 'error' in thread ? refuse(thread.error) : { ok: true };
};

/** Shown in the app's own DM. An agent's chat needs no thread for them; an assistant's is a thread from the beginning. */
function setPrompts(args: JsonObject, context: Context): Answer {
  const { ws, manifest } = context;
  const channel = visibleChannel(context, stringOr(args.channel_id));
  if (channel?.kind !== 'dm') return refuse('channel_not_found');
  const thread_ts = stringOr(args.thread_ts);
  if (thread_ts === '' ? !manifest.agent : !ws.find(channel.id, thread_ts)) return refuse('invalid_thread_ts');
  const list = listOr(args.prompts).map(objectOr);
  const errors = list.flatMap((prompt, index) =>
    (['title', 'message'] as const).flatMap((key) =>
      stringOr(prompt[key]) === '' ? [`missing required field: ${key} [json-pointer:/prompts/${index}]`] : [],
    ),
  );
  if (list.length === 0) errors.push('must have at least 1 items [json-pointer:/prompts]');
  if (list.length > 4) errors.push('no more than 4 items allowed [json-pointer:/prompts]');
  if (errors.length > 0) return violations('invalid_arguments', errors) as Answer;
  ws.setPrompts({
    channel: channel.id,
    ...(thread_ts === '' ? {} : { thread_ts }),
    ...(args.title === undefined ? {} : { title: stringOr(args.title) }),
    prompts: list.map((prompt) => ({ title: stringOr(prompt.title), message: stringOr(prompt.message) })),
  });
  return { ok: true };
}

export const sessionMethods: Methods = {
  'assistant.threads.setStatus': {
    token: 'bot',
    tier: 'special',
    scopes: ['chat:write', 'assistant:write'],
    args: {
      channel_id: 'string',
      thread_ts: 'string',
      status: 'string',
      loading_messages: 'json',
      username: 'string',
      icon_emoji: 'string',
      icon_url: 'string',
    },
    required: ['channel_id', 'thread_ts', 'status'],
    recent: true,
    run: setStatus,
  },
  'assistant.threads.setTitle': {
    token: 'bot',
    tier: 4,
    scopes: ['assistant:write'],
    args: { channel_id: 'string', thread_ts: 'string', title: 'string' },
    required: ['channel_id', 'thread_ts', 'title'],
    recent: true,
    run: confirmThread,
  },
  'assistant.threads.setSuggestedPrompts': {
    token: 'bot',
    tier: 4,
    scopes: ['assistant:write'],
    args: { channel_id: 'string', thread_ts: 'string', title: 'string', prompts: 'json' },
    required: ['channel_id', 'prompts'],
    recent: true,
    run: setPrompts,
  },
  'agents.sessions.setStatus': {
    token: 'bot',
    tier: 3,
    scopes: ['chat:write'],
    args: {
      channel_id: 'string',
      thread_ts: 'string',
      status: 'string',
      title: 'string',
      initiator_user_id: 'string',
      username: 'string',
      icon_emoji: 'string',
      icon_url: 'string',
    },
    required: ['channel_id', 'status'],
    recent: true,
    run: setSession,
  },
  'agents.sessions.rename': {
    token: 'bot',
    tier: 3,
    scopes: ['chat:write'],
    args: { channel_id: 'string', thread_ts: 'string', title: 'string' },
    required: ['channel_id', 'title'],
    recent: true,
    run(args, context) {
      if (!context.manifest.agent) return refuse('feature_disabled');
      const thread = threadOf(context, stringOr(args.channel_id), stringOr(args.thread_ts));
      return 'error' in thread ? refuse('channel_not_found') : { ok: true, title: stringOr(args.title) };
    },
  },
};
