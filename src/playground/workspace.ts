import type { Clock } from './clock.ts';
import type { Ids } from './ids.ts';
import type {
  PlaygroundChannel,
  PlaygroundMessage,
  PlaygroundPrompts,
  PlaygroundStatus,
  PlaygroundUser,
  PlaygroundUserGroup,
  PlaygroundView,
  Update,
} from './protocol.ts';

/** A message with what only the server needs of it. */
export type StoredMessage = PlaygroundMessage & {
  client_msg_id?: string;
  app_id?: string;
  username?: string;
  /** Of a reply: who wrote the root. */
  parent_user_id?: string;
};

export type AppIdentity = { id: string; name: string; botUser: string; botId: string };
export type Team = { id: string; name: string; domain: string };

export type WorkspaceSeed = {
  team: Team;
  app: AppIdentity;
  users: PlaygroundUser[];
  channels: PlaygroundChannel[];
  userGroups: PlaygroundUserGroup[];
  /** The server's address, such as `http://127.0.0.1:8765`; known once it listens. */
  origin(): string;
};

export type Workspace = ReturnType<typeof createWorkspace>;

/**
 * The state of the workspace and the changes that it allows; each change is told to `changed`. It knows nothing of events, of
 * the Web API or of what the bot may do.
 */
export function createWorkspace(seed: WorkspaceSeed, clock: Clock, ids: Ids, changed: (update: Update) => void) {
  const users = new Map(seed.users.map((user) => [user.id, user]));
  const channels = new Map(seed.channels.map((channel) => [channel.id, channel]));
  const messages = new Map<string, StoredMessage[]>();
  const views = new Map<string, PlaygroundView>();
  const statuses = new Map<string, PlaygroundStatus>();
  const prompts = new Map<string, PlaygroundPrompts>();
  let lastMicros = 0;

  /** Seconds and six digits, unique and strictly increasing in the whole workspace. */
  function nextTs(): string {
    lastMicros = Math.max(lastMicros + 1, Math.floor(clock.now()) * 1000);
    return `${Math.floor(lastMicros / 1_000_000)}.${String(lastMicros % 1_000_000).padStart(6, '0')}`;
  }

  const inChannel = (channel: string) => messages.get(channel) ?? [];
  const find = (channel: string, ts: string) => inChannel(channel).find((message) => message.ts === ts);
  /** The root and its replies in order, without what only one person sees. */
  const thread = (channel: string, root: string) =>
    inChannel(channel).filter((message) => (message.thread_ts ?? message.ts) === root && !message.ephemeralTo);

  function tellRoot(channel: string, root: string | undefined): void {
    const message = root === undefined ? undefined : find(channel, root);
    if (!message) return;
    const replyCount = thread(channel, message.ts).length - 1;
    const { replyCount: _, ...rest } = message;
    replace(replyCount > 0 ? { ...rest, replyCount } : rest);
  }

  function replace(message: StoredMessage): void {
    const list = inChannel(message.channel);
    const index = list.findIndex((entry) => entry.ts === message.ts);
    if (index < 0) return;
    list[index] = message;
    changed({ type: 'message', message });
  }

  function setChannel(channel: PlaygroundChannel): void {
    channels.set(channel.id, channel);
    changed({ type: 'channel', channel });
  }

  return {
    team: seed.team,
    app: seed.app,
    origin: seed.origin,
    users,
    channels,
    userGroups: seed.userGroups,
    views,
    statuses,
    prompts,
    nextTs,
    inChannel,
    find,
    thread,
    replace,
    setChannel,

    all: () => [...messages.values()].flat(),

    add(message: StoredMessage): StoredMessage {
      const list = messages.get(message.channel);
      if (list) list.push(message);
      else messages.set(message.channel, [message]);
      changed({ type: 'message', message });
      if (!message.ephemeralTo) tellRoot(message.channel, message.thread_ts);
      return message;
    },

    remove(message: StoredMessage): void {
      messages.set(
        message.channel,
        inChannel(message.channel).filter((entry) => entry.ts !== message.ts),
      );
      changed({ type: 'message_deleted', channel: message.channel, ts: message.ts });
      if (!message.ephemeralTo) tellRoot(message.channel, message.thread_ts);
    },

    /** The DM between a person and the bot, made when there is none. */
    dmWith(user: string): PlaygroundChannel {
      const found = [...channels.values()].find((channel) => channel.kind === 'dm' && channel.name === user);
      if (found) return found;
      const channel: PlaygroundChannel = {
        id: ids.next('D'),
        name: user,
        kind: 'dm',
        members: [user, seed.app.botUser],
      };
      setChannel(channel);
      return channel;
    },

    setUser(user: PlaygroundUser): void {
      users.set(user.id, user);
      changed({ type: 'user', user });
    },

    setView(view: PlaygroundView): void {
      views.set(view.id, view);
      changed({ type: 'view', view });
    },

    closeView(id: string): void {
      if (views.delete(id)) changed({ type: 'view_closed', id });
    },

    setPrompts(offered: PlaygroundPrompts): void {
      prompts.set(`${offered.channel}:${offered.thread_ts ?? ''}`, offered);
      changed({ type: 'prompts', prompts: offered });
    },

    setStatus(status: PlaygroundStatus): void {
      const key = `${status.channel}:${status.thread_ts}`;
      if (status.status === '' && status.session === undefined) statuses.delete(key);
      else statuses.set(key, status);
      changed({ type: 'status', status });
    },
  };
}
