import type { Events } from './events.ts';
import type { Ids } from './ids.ts';
import type { PlaygroundChannel, PlaygroundMessage } from './protocol.ts';
import type { Statuses } from './statuses.ts';
import { botIdOf } from './wire.ts';
import type { StoredMessage, Workspace } from './workspace.ts';

/** What a new message is made of; the rest is filled in. */
export type Draft = Omit<PlaygroundMessage, 'ts' | 'user' | 'bot_id'> & { user: string; username?: string };

export type Posts = ReturnType<typeof createPosts>;

/** New, changed and deleted messages, by people and by the bot alike: state first, then the bot is told. */
export function createPosts(deps: { ws: Workspace; events: Events; ids: Ids; statuses: Statuses }) {
  const { ws, events, ids, statuses } = deps;

  function post(draft: Draft): StoredMessage {
    const author = ws.users.get(draft.user);
    const root = draft.thread_ts === undefined ? undefined : ws.find(draft.channel, draft.thread_ts);
    const message = ws.add({
      ...draft,
      ts: ws.nextTs(),
      ...(author?.isBot
        ? { bot_id: botIdOf(ws, author), app_id: draft.user === ws.app.botUser ? ws.app.id : `A${draft.user.slice(1)}` }
        : { client_msg_id: ids.uuid() }),
      ...(root ? { parent_user_id: root.user } : {}),
    });
    if (message.ephemeralTo) return message;
    if (message.user === ws.app.botUser) statuses.answered(message.channel, message.thread_ts ?? message.ts);
    events.posted(message);
    return message;
  }

  function edit(before: StoredMessage, now: StoredMessage): void {
    ws.replace(now);
    if (!now.ephemeralTo) events.changed(now, before);
  }

  /** A root with replies stays as a tombstone, so that its thread does. */
  function remove(message: StoredMessage): void {
    if (message.ephemeralTo || !message.replyCount) {
      ws.remove(message);
      if (!message.ephemeralTo) events.deleted(message);
      return;
    }
    const { channel, ts, thread_ts, replyCount } = message;
    edit(message, {
      channel,
      ts,
      ...(thread_ts === undefined ? {} : { thread_ts }),
      user: 'USLACKBOT',
      subtype: 'tombstone',
      text: 'This message was deleted.',
      replyCount,
    });
  }

  return {
    post,
    edit,
    remove,

    /** A line such as "joined #general". */
    notice(channel: PlaygroundChannel, user: string, subtype: string, text: string): void {
      if (channel.kind !== 'dm') post({ channel: channel.id, user, subtype, text });
    },
  };
}
