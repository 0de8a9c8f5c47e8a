import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { isObject, type JsonObject, listOr, objectOr, stringOr } from './json.ts';
import type { Json } from './protocol.ts';

/** What the workspace needs of an app's manifest. */
export type Manifest = {
  name: string;
  botName: string;
  scopes: readonly string[];
  botEvents: readonly string[];
  homeTab: boolean;
  messagesTab: boolean;
  interactivity: boolean;
  /** `features.agent_view` is there: agents.sessions.* work. */
  agent: boolean;
  /** `features.assistant_view`, of apps from before agents: a chat is threads that are begun by a button. */
  assistant: boolean;
  /** Shortcuts on messages. */
  shortcuts: { name: string; callback_id: string }[];
};

/** The scope without which Slack does not deliver an event. */
const scopeOfEvent: { [event: string]: string } = {
  app_mention: 'app_mentions:read',
  'message.channels': 'channels:history',
  'message.groups': 'groups:history',
  'message.im': 'im:history',
  'message.mpim': 'mpim:history',
  reaction_added: 'reactions:read',
  reaction_removed: 'reactions:read',
  member_joined_channel: 'channels:read',
  member_left_channel: 'channels:read',
  channel_archive: 'channels:read',
  assistant_thread_started: 'assistant:write',
  assistant_thread_context_changed: 'assistant:write',
};

/** An app that may do everything that the playground knows; used when no manifest is given. */
const everything: Manifest = {
  name: 'Askback',
  botName: 'askback',
  scopes: [
    'app_mentions:read',
    'assistant:write',
    'channels:history',
    'channels:read',
    'chat:write',
    'files:read',
    'files:write',
    'groups:history',
    'groups:read',
    'im:history',
    'im:read',
    'im:write',
    'mpim:history',
    'mpim:read',
    'reactions:read',
    'reactions:write',
    'usergroups:read',
    'users:read',
  ],
  botEvents: [
    'agent_session_stopped',
    'app_home_opened',
    'app_mention',
    'app_uninstalled',
    'channel_archive',
    'member_joined_channel',
    'member_left_channel',
    'message.channels',
    'message.groups',
    'message.im',
    'message.mpim',
    'reaction_added',
    'reaction_removed',
    'tokens_revoked',
  ],
  homeTab: true,
  messagesTab: true,
  interactivity: true,
  agent: true,
  assistant: false,
  shortcuts: [],
};

/**
 * Reads a manifest: a path of a YAML or JSON file, or the manifest itself. Throws with what to change in it when it is not one.
 */
export function readManifest(source: string | object | undefined): Manifest {
  if (source === undefined) return everything;
  const where = typeof source === 'string' ? source : 'The manifest';
  const document: unknown = typeof source === 'string' ? parse(readFileSync(source, 'utf8')) : source;
  if (!isObject(document))
    throw new Error(`${where} is not a manifest: it must be a mapping with oauth_config and settings.`);
  const bot = listOf(document, 'oauth_config', 'scopes', 'bot');
  if (bot.length === 0) throw new Error(`${where} has no oauth_config.scopes.bot: list the scopes that the bot needs.`);
  const features = objectOr(document.features);
  const settings = objectOr(document.settings);
  const home = objectOr(features.app_home);
  if (isObject(features.agent_view) && isObject(features.assistant_view))
    throw new Error(`${where} has both agent_view and assistant_view: Slack takes one of them.`);
  const name = stringOr(objectOr(document.display_information).name, 'Askback');
  return {
    name,
    botName: stringOr(objectOr(features.bot_user).display_name, name),
    scopes: bot,
    botEvents: listOf(settings, 'event_subscriptions', 'bot_events'),
    homeTab: home.home_tab_enabled === true,
    messagesTab: home.messages_tab_enabled === true && home.messages_tab_read_only_enabled !== true,
    interactivity: objectOr(settings.interactivity).is_enabled === true,
    agent: isObject(features.agent_view),
    assistant: isObject(features.assistant_view),
    shortcuts: shortcutsOf(features, bot, where),
  };
}

function shortcutsOf(features: JsonObject, scopes: string[], where: string): Manifest['shortcuts'] {
  const all = listOr(features.shortcuts).map(objectOr);
  if (all.length > 0 && !scopes.includes('commands'))
    throw new Error(`${where} has features.shortcuts without the scope commands: Slack takes them only together.`);
  return all.flatMap(({ name, type, callback_id, description }) => {
    const [called, id, says] = [stringOr(name), stringOr(callback_id), stringOr(description)];
    if (called === '' || called.length > 24 || id === '' || id.length > 255 || says === '' || says.length > 150)
      throw new Error(
        `${where} has a shortcut without a name (24 characters), a callback_id (255) and a description (150).`,
      );
    return type === 'message' ? [{ name: called, callback_id: id }] : [];
  });
}

function listOf(from: JsonObject, ...path: string[]): string[] {
  let at: Json = from;
  for (const key of path) at = objectOr(at)[key] ?? null;
  return listOr(at).filter((entry) => typeof entry === 'string');
}

/** Subscribed events that will never come because their scope is missing; Slack adds the scope in its editor, silently. */
export function unreachableEvents(manifest: Manifest): { event: string; scope: string }[] {
  return manifest.botEvents.flatMap((event) => {
    const scope = scopeOfEvent[event];
    return scope && !manifest.scopes.includes(scope) ? [{ event, scope }] : [];
  });
}

/** Whether the app gets an event: subscribed, with the scope. */
export function receives(manifest: Manifest, event: string): boolean {
  const scope = scopeOfEvent[event];
  return manifest.botEvents.includes(event) && (scope === undefined || manifest.scopes.includes(scope));
}
