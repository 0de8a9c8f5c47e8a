import { createHash } from 'node:crypto';
import { copy, type JsonObject, stringOr } from './json.ts';
import type { Json, PlaygroundChannel, PlaygroundUser, PlaygroundView, StateValues } from './protocol.ts';
import { richTextOf } from './rich-text.ts';
import type { StoredMessage, Workspace } from './workspace.ts';

// Slack's own shapes of what the workspace holds: as the Web API returns them and as events and interactions carry them.

const shortHash = (text: string) => createHash('sha1').update(text).digest('base64').slice(0, 5);

export function isBotMessage(ws: Workspace, message: StoredMessage): boolean {
  return message.user === ws.app.botUser;
}

function botProfile(ws: Workspace, message: StoredMessage): JsonObject {
  return {
    id: message.bot_id ?? '',
    app_id: message.app_id ?? '',
    name: message.username ?? ws.users.get(message.user)?.name ?? ws.app.name,
    icons: {},
    deleted: false,
    updated: 0,
    team_id: ws.team.id,
  };
}

/** A message as history, replies and events show it. Metadata only when asked for. */
export function wireMessage(ws: Workspace, message: StoredMessage, { metadata = false } = {}): JsonObject {
  const author = ws.users.get(message.user);
  const shaped: { [key: string]: Json | undefined } = {
    type: 'message',
    subtype: message.subtype,
    user: message.user,
    ts: message.ts,
    client_msg_id: message.client_msg_id,
    ...(message.bot_id
      ? {
          bot_id: message.bot_id,
          app_id: message.app_id,
          username: message.username,
          bot_profile: botProfile(ws, message),
        }
      : {}),
    text: message.text,
    team: author?.team ?? ws.team.id,
    thread_ts: message.thread_ts,
    parent_user_id: message.parent_user_id,
    blocks: (message.blocks ??
      (message.text === '' ? undefined : [richTextOf(message.text, shortHash(message.ts))])) as Json,
    attachments: message.attachments,
    files: message.files?.map((file) => wireFile(ws, file, message.user)),
    edited: message.edited,
    metadata: metadata ? (message.metadata as Json | undefined) : undefined,
    reactions: message.reactions?.map(({ name, users }) => ({ name, users, count: users.length })),
    ...threadSummary(ws, message),
  };
  return withoutUndefined(shaped);
}

function threadSummary(ws: Workspace, message: StoredMessage): { [key: string]: Json } {
  if (!message.replyCount) return {};
  const replies = ws.thread(message.channel, message.ts).slice(1);
  const writers = [...new Set(replies.map((reply) => reply.user))];
  return {
    thread_ts: message.ts,
    reply_count: replies.length,
    reply_users_count: writers.length,
    reply_users: writers.slice(0, 5),
    latest_reply: replies.at(-1)?.ts ?? message.ts,
    is_locked: false,
    subscribed: false,
  };
}

export type StoredFile = { id: string; name: string; mimetype: string; size: number };

export function wireFile(ws: Workspace, file: StoredFile, user: string): JsonObject {
  const base = `${ws.origin()}/files-pri/${ws.team.id}-${file.id}/${encodeURIComponent(file.name)}`;
  return {
    id: file.id,
    name: file.name,
    title: file.name,
    mimetype: file.mimetype,
    filetype: file.name.split('.').at(-1) ?? 'text',
    size: file.size,
    user,
    mode: 'hosted',
    is_external: false,
    is_public: true,
    file_access: 'visible',
    url_private: base,
    url_private_download: `${base}?download=1`,
  };
}

export function wireUser(ws: Workspace, user: PlaygroundUser, { locale = false } = {}): JsonObject {
  const stranger = user.team !== undefined && user.team !== ws.team.id;
  const offset = zoneOffset(user.tz);
  return {
    id: user.id,
    team_id: user.team ?? ws.team.id,
    name: user.name,
    deleted: user.deleted ?? false,
    ...(user.deleted
      ? {}
      : {
          color: user.color.replace('#', ''),
          real_name: user.realName,
          tz: user.tz,
          tz_label: user.tz,
          tz_offset: offset,
          is_admin: false,
          is_owner: false,
          is_primary_owner: false,
          is_restricted: user.isGuest ?? false,
          is_ultra_restricted: false,
          ...(stranger ? { is_stranger: true } : {}),
          is_email_confirmed: true,
          who_can_share_contact_card: 'EVERYONE',
        }),
    profile: {
      title: '',
      real_name: user.realName,
      real_name_normalized: user.realName,
      display_name: user.name,
      display_name_normalized: user.name,
      status_text: '',
      status_emoji: '',
      avatar_hash: shortHash(user.id),
      team: user.team ?? ws.team.id,
      ...(user.isBot ? { api_app_id: user.id === ws.app.botUser ? ws.app.id : '', bot_id: botIdOf(ws, user) } : {}),
    },
    is_bot: user.isBot ?? false,
    is_app_user: false,
    updated: 0,
    ...(locale ? { locale: user.locale } : {}),
  };
}

export function botIdOf(ws: Workspace, user: PlaygroundUser): string {
  return user.id === ws.app.botUser ? ws.app.botId : `B${user.id.slice(1)}`;
}

/** Seconds from UTC, now. */
function zoneOffset(tz: string): number {
  const name = new Intl.DateTimeFormat('en', { timeZone: tz, timeZoneName: 'longOffset' })
    .formatToParts()
    .find((part) => part.type === 'timeZoneName')?.value;
  const [, sign, hours, minutes] = /GMT([+-])(\d\d):(\d\d)/.exec(name ?? '') ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60);
}

export function wireChannel(ws: Workspace, channel: PlaygroundChannel): JsonObject {
  const dm = channel.kind === 'dm';
  const external = channel.members.some((member) => {
    const team = ws.users.get(member)?.team;
    return team !== undefined && team !== ws.team.id;
  });
  const common = {
    id: channel.id,
    created: 0,
    is_archived: channel.archived ?? false,
    is_im: dm,
    is_org_shared: false,
    context_team_id: ws.team.id,
    updated: 0,
  };
  if (dm) return { ...common, user: channel.name, is_user_deleted: false, is_open: true, priority: 0 };
  return {
    ...common,
    name: channel.name,
    name_normalized: channel.name,
    is_channel: channel.kind === 'channel',
    is_group: channel.kind === 'private',
    is_mpim: channel.kind === 'group_dm',
    is_private: channel.kind !== 'channel',
    is_general: channel.name === 'general',
    is_shared: external,
    is_ext_shared: external,
    is_pending_ext_shared: false,
    is_member: channel.members.includes(ws.app.botUser),
    topic: { value: channel.topic ?? '', creator: '', last_set: 0 },
    purpose: { value: '', creator: '', last_set: 0 },
    num_members: channel.members.length,
  };
}

/** The `channel_type` of a message event. */
export function channelType(channel: PlaygroundChannel): 'channel' | 'group' | 'im' | 'mpim' {
  const types = { channel: 'channel', private: 'group', dm: 'im', group_dm: 'mpim' } as const;
  return types[channel.kind];
}

/** A channel's name in an interaction. */
export function interactionChannel(channel: PlaygroundChannel): JsonObject {
  const hidden = { channel: channel.name, private: 'privategroup', dm: 'directmessage', group_dm: 'mpdm' };
  return { id: channel.id, name: hidden[channel.kind] };
}

export function wireView(
  ws: Workspace,
  view: PlaygroundView,
  values: StateValues,
  previous: string | null,
  root: string,
): JsonObject {
  const { view: given } = view;
  const home = view.type === 'home';
  return {
    id: view.id,
    team_id: ws.team.id,
    type: view.type,
    blocks: copy(given.blocks ?? []),
    private_metadata: stringOr(given.private_metadata),
    callback_id: stringOr(given.callback_id),
    state: { values: values as Json },
    hash: view.hash,
    title: (given.title ?? (home ? { type: 'plain_text', text: 'View Title', emoji: true } : null)) as Json,
    clear_on_close: given.clear_on_close === true,
    notify_on_close: given.notify_on_close === true,
    close: given.close ?? null,
    submit: given.submit ?? null,
    previous_view_id: previous,
    root_view_id: root,
    app_id: ws.app.id,
    external_id: stringOr(given.external_id),
    app_installed_team_id: ws.team.id,
    bot_id: ws.app.botId,
  };
}

export function withoutUndefined(value: { [key: string]: Json | undefined }): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== undefined)) as JsonObject;
}
