import type { Clock } from './clock.ts';
import type { Delivery } from './delivery.ts';
import type { Ids } from './ids.ts';
import { copy, type JsonObject } from './json.ts';
import { type Manifest, receives } from './manifest.ts';
import type { Json, PlaygroundChannel, PlaygroundView } from './protocol.ts';
import { channelType, wireMessage, wireView } from './wire.ts';
import type { StoredMessage, Workspace } from './workspace.ts';

/** Which of the two events of a mention comes first; `alternate` takes turns. */
export type TwinOrder = 'message_first' | 'mention_first' | 'alternate';

export type Events = ReturnType<typeof createEvents>;

const messageEvent = { channel: 'message.channels', group: 'message.groups', im: 'message.im', mpim: 'message.mpim' };

/** Tells the bot what happens: only what its manifest subscribes to, and only of channels where it is a member. */
export function createEvents(deps: {
  ws: Workspace;
  manifest: Manifest;
  delivery: Pick<Delivery, 'event'>;
  clock: Clock;
  ids: Ids;
  twins: TwinOrder;
}) {
  const { ws, manifest, clock, ids } = deps;
  let mentions = 0;

  function send(subscription: string, event: JsonObject, channel?: PlaygroundChannel): void {
    if (!receives(manifest, subscription)) return;
    if (channel && !channel.members.includes(ws.app.botUser)) return;
    const shared =
      channel?.members.some((member) => (ws.users.get(member)?.team ?? ws.team.id) !== ws.team.id) ?? false;
    const payload: JsonObject = {
      token: 'verification-token',
      team_id: ws.team.id,
      context_team_id: ws.team.id,
      context_enterprise_id: null,
      api_app_id: ws.app.id,
      event: copy(event),
      type: 'event_callback',
      event_id: ids.next('Ev'),
      event_time: Math.floor(clock.now() / 1000),
      authorizations: [
        {
          enterprise_id: null,
          team_id: ws.team.id,
          user_id: ws.app.botUser,
          is_bot: true,
          is_enterprise_install: false,
        },
      ],
      is_ext_shared_channel: shared,
      event_context: `4-${ids.hex(40)}`,
    };
    const subtype = typeof event.subtype === 'string' ? `.${event.subtype}` : '';
    deps.delivery.event(payload, `${String(event.type)}${subtype}`);
  }

  const channelOf = (id: string) => ws.channels.get(id) as PlaygroundChannel;

  function sendMessage(channel: PlaygroundChannel, event: JsonObject): void {
    const type = channelType(channel);
    send(messageEvent[type], { ...event, channel: channel.id, channel_type: type }, channel);
  }

  function hidden(channel: PlaygroundChannel, subtype: string, event: JsonObject): void {
    const ts = ws.nextTs();
    sendMessage(channel, { type: 'message', subtype, hidden: true, ts, event_ts: ts, ...event });
  }

  return {
    /** A new message: the `message` event and, of a mention in a channel, its twin `app_mention`. */
    posted(message: StoredMessage) {
      const channel = channelOf(message.channel);
      const event = { ...wireMessage(ws, message), event_ts: message.ts };
      const asMessage = () => sendMessage(channel, event);
      const mentioned =
        channel.kind !== 'dm' && message.user !== ws.app.botUser && message.text.includes(`<@${ws.app.botUser}>`);
      if (!mentioned || !(message.subtype === undefined || message.subtype === 'file_share')) return asMessage();
      const { subtype: _, ...mention } = event as JsonObject;
      const asMention = () => send('app_mention', { ...mention, type: 'app_mention', channel: channel.id }, channel);
      mentions += 1;
      const mentionFirst = deps.twins === 'mention_first' || (deps.twins === 'alternate' && mentions % 2 === 0);
      for (const tell of mentionFirst ? [asMention, asMessage] : [asMessage, asMention]) tell();
    },

    changed(now: StoredMessage, before: StoredMessage): void {
      const shape = (message: StoredMessage) => wireMessage(ws, message);
      hidden(channelOf(now.channel), 'message_changed', { message: shape(now), previous_message: shape(before) });
    },

    deleted(before: StoredMessage): void {
      hidden(channelOf(before.channel), 'message_deleted', {
        deleted_ts: before.ts,
        previous_message: wireMessage(ws, before),
      });
    },

    membership(change: 'joined' | 'left', channel: PlaygroundChannel, user: string, inviter: string): void {
      const event = {
        type: `member_${change}_channel`,
        user,
        channel: channel.id,
        channel_type: channel.kind === 'channel' ? 'C' : 'G',
        team: ws.team.id,
        enterprise: null,
        ...(change === 'joined' ? { inviter } : {}),
        event_ts: ws.nextTs(),
      };
      // One who leaves is told so itself, although it is no member any more.
      send(`member_${change}_channel`, event, user === ws.app.botUser ? undefined : channel);
    },

    archived(channel: PlaygroundChannel, user: string): void {
      send('channel_archive', { type: 'channel_archive', channel: channel.id, user, event_ts: ws.nextTs() }, channel);
    },

    reaction(change: 'added' | 'removed', message: StoredMessage, user: string, reaction: string): void {
      const item = { type: 'message', channel: message.channel, ts: message.ts };
      const event = {
        type: `reaction_${change}`,
        user,
        reaction,
        item,
        item_user: message.user,
        event_ts: ws.nextTs(),
      };
      send(`reaction_${change}`, event, channelOf(message.channel));
    },

    homeOpened(user: string, tab: 'home' | 'messages', view: PlaygroundView | undefined): void {
      const event = { type: 'app_home_opened', user, channel: ws.dmWith(user).id, tab, event_ts: ws.nextTs() };
      send('app_home_opened', view ? { ...event, view: wireView(ws, view, {}, null, view.id) } : event);
    },

    /** Only of apps with the assistant's view. */
    chatStarted(user: string, channel: string, thread_ts: string): void {
      const assistant_thread = { user_id: user, context: {}, channel_id: channel, thread_ts };
      send('assistant_thread_started', { type: 'assistant_thread_started', assistant_thread, event_ts: ws.nextTs() });
    },

    sessionStopped(user: string, channel: string, thread_ts: string, streams: string[]): void {
      send('agent_session_stopped', {
        type: 'agent_session_stopped',
        channel,
        user,
        thread_ts,
        streaming_message_ts: streams as Json,
        event_ts: ws.nextTs(),
      });
    },

    uninstalled(): void {
      send('tokens_revoked', {
        type: 'tokens_revoked',
        tokens: { oauth: [], bot: [ws.app.botUser] },
        event_ts: ws.nextTs(),
      });
      send('app_uninstalled', { type: 'app_uninstalled', event_ts: ws.nextTs() });
    },
  };
}
