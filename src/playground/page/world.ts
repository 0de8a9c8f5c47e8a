/** What the page knows of the workspace: a pure reducer over the server's updates. Applying an update twice changes nothing. */
import type {
  BotState,
  Fault,
  PlaygroundChannel,
  PlaygroundMessage,
  PlaygroundPrompts,
  PlaygroundStatus,
  PlaygroundUser,
  PlaygroundView,
  Snapshot,
  Traffic,
  Update,
} from '../protocol.ts';

/** Rows of traffic that are kept; a page that is open for days must not grow for ever. */
export const TRAFFIC_KEPT = 500;

export type World = {
  team: Snapshot['team'];
  app: Snapshot['app'];
  users: { [id: string]: PlaygroundUser };
  channels: { [id: string]: PlaygroundChannel };
  userGroups: Snapshot['userGroups'];
  /** By channel, oldest first. */
  messages: { [channel: string]: PlaygroundMessage[] };
  views: { [id: string]: PlaygroundView };
  /** By `channel/thread_ts`; an empty status is none. */
  statuses: { [thread: string]: PlaygroundStatus };
  /** By `channel/thread_ts`; of a chat without a thread, by `channel/`. */
  prompts: { [thread: string]: PlaygroundPrompts };
  /** Oldest first. */
  traffic: Traffic[];
  faults: Fault[];
  bot: BotState;
};

/** Nothing is known before the first snapshot: whatever comes earlier is dropped. */
export function applyUpdate(world: World | undefined, update: Update): World | undefined {
  if (update.type === 'snapshot') return fromSnapshot(update);
  if (!world) return undefined;
  switch (update.type) {
    case 'message': {
      const { message } = update;
      return withMessages(world, message.channel, insert(world.messages[message.channel] ?? [], message));
    }
    case 'message_deleted': {
      const kept = (world.messages[update.channel] ?? []).filter((message) => message.ts !== update.ts);
      return withMessages(world, update.channel, kept);
    }
    case 'view':
      return { ...world, views: { ...world.views, [update.view.id]: update.view } };
    case 'view_closed':
      return { ...world, views: without(world.views, update.id) };
    case 'status': {
      const key = threadKey(update.status.channel, update.status.thread_ts);
      const gone = update.status.status === '' && !update.status.session;
      return {
        ...world,
        statuses: gone ? without(world.statuses, key) : { ...world.statuses, [key]: update.status },
      };
    }
    case 'prompts':
      return { ...world, prompts: { ...world.prompts, [promptsKey(update.prompts)]: update.prompts } };
    case 'channel':
      return { ...world, channels: { ...world.channels, [update.channel.id]: update.channel } };
    case 'user':
      return { ...world, users: { ...world.users, [update.user.id]: update.user } };
    case 'traffic':
      return { ...world, traffic: addTraffic(world.traffic, update.traffic) };
    case 'faults':
      return { ...world, faults: update.faults };
    case 'bot':
      return { ...world, bot: update.bot };
    default:
      return update satisfies never;
  }
}

export function threadKey(channel: string, threadTs: string): string {
  return `${channel}/${threadTs}`;
}

function promptsKey({ channel, thread_ts = '' }: PlaygroundPrompts): string {
  return threadKey(channel, thread_ts);
}

function fromSnapshot(snapshot: Snapshot): World {
  const messages: World['messages'] = {};
  for (const message of snapshot.messages) {
    const list = messages[message.channel] ?? [];
    list.push(message);
    messages[message.channel] = list;
  }
  for (const list of Object.values(messages)) list.sort((a, b) => compareTs(a.ts, b.ts));
  return {
    team: snapshot.team,
    app: snapshot.app,
    users: Object.fromEntries(snapshot.users.map((user) => [user.id, user])),
    channels: Object.fromEntries(snapshot.channels.map((channel) => [channel.id, channel])),
    userGroups: snapshot.userGroups,
    messages,
    views: Object.fromEntries(snapshot.views.map((view) => [view.id, view])),
    statuses: Object.fromEntries(
      snapshot.statuses.map((status) => [threadKey(status.channel, status.thread_ts), status]),
    ),
    prompts: Object.fromEntries(snapshot.prompts.map((prompts) => [promptsKey(prompts), prompts])),
    traffic: [...snapshot.traffic].sort((a, b) => a.id - b.id).slice(-TRAFFIC_KEPT),
    faults: snapshot.faults,
    bot: snapshot.bot,
  };
}

/** Slack's `seconds.micros`: both parts are compared as numbers, so that an unpadded one still sorts right. */
export function compareTs(a: string, b: string): number {
  const [aSeconds = '0', aMicros = '0'] = a.split('.');
  const [bSeconds = '0', bMicros = '0'] = b.split('.');
  return Number(aSeconds) - Number(bSeconds) || Number(aMicros) - Number(bMicros);
}

/** The newest are at the end, and most updates are of those: look from there. */
function insert(list: PlaygroundMessage[], message: PlaygroundMessage): PlaygroundMessage[] {
  let at = list.length;
  while (at > 0) {
    const before = list[at - 1];
    if (!before) break;
    if (before.ts === message.ts) return list.with(at - 1, message);
    if (compareTs(before.ts, message.ts) < 0) break;
    at -= 1;
  }
  return list.toSpliced(at, 0, message);
}

function addTraffic(list: Traffic[], row: Traffic): Traffic[] {
  const at = list.findLastIndex((other) => other.id <= row.id);
  if (list[at]?.id === row.id) return list.with(at, row);
  return list.toSpliced(at + 1, 0, row).slice(-TRAFFIC_KEPT);
}

function withMessages(world: World, channel: string, list: PlaygroundMessage[]): World {
  return { ...world, messages: { ...world.messages, [channel]: list } };
}

function without<T>(record: { [key: string]: T }, key: string): { [key: string]: T } {
  const { [key]: _gone, ...rest } = record;
  return rest;
}
