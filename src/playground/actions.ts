import type { Events } from './events.ts';
import type { Faults } from './faults.ts';
import type { FileStore } from './file-store.ts';
import type { Interactions } from './interactions.ts';
import type { Manifest } from './manifest.ts';
import type { Posts } from './posts.ts';
import type { BotProcess } from './process.ts';
import type { Action, Done, PlaygroundChannel } from './protocol.ts';
import type { SocketMode } from './socket-mode.ts';
import type { Statuses } from './statuses.ts';
import type { Streams } from './streams.ts';
import type { ViewDesk } from './view-desk.ts';
import type { Tokens } from './web-api/api.ts';
import type { StoredMessage, Workspace } from './workspace.ts';

type Of<Name extends Action['do']> = Extract<Action, { do: Name }>;

const LINK = /https?:\/\/[^\s<>|]+/;

const refused = (error: string): Done => ({ ok: false, error });

/** What people do, by the page or by a test. Expected refusals are answers, in Slack's words where it has some. */
export function createActions(deps: {
  ws: Workspace;
  manifest: Manifest;
  events: Events;
  posts: Posts;
  files: FileStore;
  statuses: Statuses;
  streams: Streams;
  desk: ViewDesk;
  interactions: Interactions;
  faults: Faults;
  tokens: Tokens;
  sockets: SocketMode | undefined;
  bot: BotProcess | undefined;
}): (action: Action) => Promise<Done> {
  const { ws, events, posts, interactions, faults } = deps;

  /** The channel, if this person may write in it. */
  function writable(channel: string, user: string): PlaygroundChannel | string {
    const found = ws.channels.get(channel);
    if (!found) return 'channel_not_found';
    if (!found.members.includes(user)) return 'not_in_channel';
    if (found.archived) return 'is_archived';
    return found.kind === 'dm' && !deps.manifest.messagesTab ? 'messages_tab_disabled' : found;
  }

  function say(action: Of<'say'>): Done {
    const channel = writable(action.channel, action.as);
    if (typeof channel === 'string') return refused(channel);
    const root = action.thread_ts === undefined ? undefined : ws.find(channel.id, action.thread_ts);
    if (action.thread_ts !== undefined && !root) return refused('thread_not_found');
    const files = (action.files ?? []).map(({ name, mimetype, content }) =>
      deps.files.add(name, mimetype, bytesOf(content)),
    );
    if (action.text.trim() === '' && files.length === 0) return refused('no_text');
    const broadcast = action.broadcast === true && root !== undefined;
    const subtype = broadcast ? 'thread_broadcast' : files.length > 0 ? 'file_share' : undefined;
    const message = posts.post({
      channel: channel.id,
      user: action.as,
      text: action.text,
      ...(root ? { thread_ts: root.thread_ts ?? root.ts } : {}),
      ...(files.length > 0 ? { files } : {}),
      ...(subtype ? { subtype } : {}),
    });
    unfurl(message);
    return { ok: true, ts: message.ts, channel: channel.id };
  }

  /** Slack shows what a link leads to: a change of the message that nobody made. */
  function unfurl(message: StoredMessage): void {
    const link = LINK.exec(message.text)?.[0];
    if (!link || !URL.canParse(link)) return;
    const attachments = [
      { id: 1, from_url: link, original_url: link, fallback: link, title: new URL(link).host, title_link: link },
    ];
    posts.edit(message, { ...message, attachments });
  }

  function own(action: Of<'edit'> | Of<'delete'>): StoredMessage | string {
    const message = ws.find(action.channel, action.ts);
    if (!message) return 'message_not_found';
    return message.user === action.as ? message : 'not_your_message';
  }

  function edit(action: Of<'edit'>): Done {
    const message = own(action);
    if (typeof message === 'string') return refused(message);
    posts.edit(message, { ...message, text: action.text, edited: { user: action.as, ts: ws.nextTs() } });
    return { ok: true, ts: message.ts, channel: message.channel };
  }

  function remove(action: Of<'delete'>): Done {
    const message = own(action);
    if (typeof message === 'string') return refused(message);
    posts.remove(message);
    return { ok: true };
  }

  function membership(action: Of<'invite'> | Of<'remove'>): Done {
    const channel = ws.channels.get(action.channel);
    if (!channel || channel.kind === 'dm') return refused('channel_not_found');
    if (!ws.users.has(action.user)) return refused('user_not_found');
    const member = channel.members.includes(action.user);
    if (action.do === 'invite') {
      if (member) return refused('already_in_channel');
      const joined = { ...channel, members: [...channel.members, action.user] };
      ws.setChannel(joined);
      posts.notice(joined, action.user, 'channel_join', `<@${action.user}> has joined the channel`);
      events.membership('joined', joined, action.user, action.as);
      return { ok: true };
    }
    if (!member) return refused('not_in_channel');
    posts.notice(channel, action.user, 'channel_leave', `<@${action.user}> has left the channel`);
    const left = { ...channel, members: channel.members.filter((entry) => entry !== action.user) };
    ws.setChannel(left);
    events.membership('left', left, action.user, action.as);
    return { ok: true };
  }

  function archive(action: Of<'archive'>): Done {
    const channel = ws.channels.get(action.channel);
    if (!channel || channel.kind === 'dm') return refused('channel_not_found');
    ws.setChannel({ ...channel, archived: true });
    events.archived(channel, action.as);
    return { ok: true };
  }

  /** The thread begins with a message of the app's that only names it. */
  function startChat({ as }: Of<'start_chat'>): Done {
    if (!deps.manifest.assistant) return refused('no_assistant_view');
    const { id } = ws.dmWith(as);
    const { ts } = posts.post({ channel: id, user: ws.app.botUser, text: 'New chat', subtype: 'assistant_app_thread' });
    events.chatStarted(as, id, ts);
    return { ok: true, ts, channel: id };
  }

  function stopSession(action: Of<'stop_session'>): Done {
    if (!ws.find(action.channel, action.thread_ts)) return refused('thread_not_found');
    const streams = deps.streams.stopByUser(action.channel, action.thread_ts);
    events.sessionStopped(action.as, action.channel, action.thread_ts, streams);
    return { ok: true };
  }

  async function bot(action: Of<'bot'>): Promise<Done> {
    if (!deps.bot) return refused('bot_not_managed');
    if (action.command === 'start') deps.bot.start();
    else if (action.command === 'stop') await deps.bot.stop();
    else await deps.bot.kill();
    return { ok: true };
  }

  /** The bot is told, then its token is dead and it is in no channel. */
  function uninstall(): Done {
    events.uninstalled();
    deps.tokens.revoked = true;
    for (const channel of ws.channels.values()) {
      if (channel.kind === 'dm' || !channel.members.includes(ws.app.botUser)) continue;
      ws.setChannel({ ...channel, members: channel.members.filter((member) => member !== ws.app.botUser) });
    }
    return { ok: true };
  }

  return async (action) => {
    if (!ws.users.has(action.as)) return refused('user_not_found');
    switch (action.do) {
      case 'say':
        return say(action);
      case 'edit':
        return edit(action);
      case 'delete':
        return remove(action);
      case 'interact':
        return interactions.interact(action);
      case 'shortcut':
        return interactions.shortcut(action);
      case 'submit_view':
        return interactions.submit(action);
      case 'close_view':
        return interactions.close(action);
      case 'open_home':
        events.homeOpened(
          action.as,
          action.tab ?? 'home',
          action.tab === 'messages' ? undefined : deps.desk.home(action.as),
        );
        return { ok: true };
      case 'start_chat':
        return startChat(action);
      case 'open_dm':
        return { ok: true, channel: ws.dmWith(action.as).id };
      case 'stop_session':
        return stopSession(action);
      case 'invite':
      case 'remove':
        return membership(action);
      case 'archive':
        return archive(action);
      case 'bot':
        return bot(action);
      case 'fault':
        faults.add(action.fault);
        return { ok: true };
      case 'clear_faults':
        faults.clear();
        return { ok: true };
      case 'disconnect':
        if (!deps.sockets) return refused('not_socket_mode');
        deps.sockets.disconnect({ abrupt: action.abrupt });
        return { ok: true };
      case 'uninstall':
        return uninstall();
      default:
        return refused(`unknown_action: ${String((action satisfies never as { do: string }).do)}`);
    }
  };
}

/** Text as it is, or a base64 `data:` URL for what is not text. */
function bytesOf(content: string): Buffer {
  const base64 = /^data:[^,]*;base64,(.*)$/s.exec(content)?.[1];
  return base64 === undefined ? Buffer.from(content) : Buffer.from(base64, 'base64');
}
