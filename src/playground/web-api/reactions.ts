import { type JsonObject, stringOr } from '../json.ts';
import type { StoredMessage } from '../workspace.ts';
import { type Answer, type Context, type Methods, refuse, visibleChannel } from './method.ts';

function target(args: JsonObject, context: Context): StoredMessage | { error: string } {
  if (!/^[a-z0-9_+'-]+(::skin-tone-[2-6])?$/.test(stringOr(args.name))) return { error: 'invalid_name' };
  const channel = visibleChannel(context, args.channel);
  if (!channel) return { error: 'channel_not_found' };
  const message = context.ws.find(channel.id, stringOr(args.timestamp));
  return message && !message.ephemeralTo ? message : { error: 'message_not_found' };
}

function react(change: 'added' | 'removed') {
  return (args: JsonObject, context: Context): Answer => {
    const message = target(args, context);
    if ('error' in message) return refuse(message.error);
    const { ws, events } = context;
    const name = stringOr(args.name);
    const bot = ws.app.botUser;
    const others = (message.reactions ?? []).filter((reaction) => reaction.name !== name);
    const users = message.reactions?.find((reaction) => reaction.name === name)?.users ?? [];
    if (users.includes(bot) === (change === 'added'))
      return refuse(change === 'added' ? 'already_reacted' : 'no_reaction');
    const now = change === 'added' ? [...users, bot] : users.filter((user) => user !== bot);
    const reactions = now.length > 0 ? [...others, { name, users: now }] : others;
    const { reactions: _, ...rest } = message;
    ws.replace(reactions.length > 0 ? { ...rest, reactions } : rest);
    events.reaction(change, message, bot, name);
    return { ok: true };
  };
}

const args = { channel: 'string', name: 'string', timestamp: 'string' } as const;
const required = ['channel', 'name', 'timestamp'];

export const reactionMethods: Methods = {
  'reactions.add': { token: 'bot', tier: 3, scopes: ['reactions:write'], args, required, run: react('added') },
  'reactions.remove': { token: 'bot', tier: 2, scopes: ['reactions:write'], args, required, run: react('removed') },
};
