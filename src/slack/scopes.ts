/**
 * What the code asks of Slack, and the scope that each needs: the manifest grants exactly these. A method that is called and a
 * subscribed event must be here (a test reads the sources), so that neither the code nor the manifest can outgrow the other.
 * Sources: Slack's method and event pages.
 */

/** Any one of a conversation's kinds: a bot reads only the kinds that it was given. */
const HISTORY = ['channels:history', 'groups:history', 'im:history', 'mpim:history'] as const;

export const METHOD_SCOPES: Readonly<Record<string, readonly string[]>> = {
  'auth.test': [],
  'agents.sessions.setStatus': ['chat:write'],
  'assistant.threads.setStatus': ['chat:write'],
  'chat.appendStream': ['chat:write'],
  'chat.delete': ['chat:write'],
  'chat.postEphemeral': ['chat:write'],
  'chat.postMessage': ['chat:write'],
  'chat.startStream': ['chat:write'],
  'chat.stopStream': ['chat:write'],
  'chat.update': ['chat:write'],
  'conversations.history': HISTORY,
  'conversations.members': ['channels:read', 'groups:read', 'mpim:read'],
  'conversations.open': ['im:write'],
  'conversations.replies': HISTORY,
  'files.info': ['files:read'],
  'usergroups.users.list': ['usergroups:read'],
  'users.info': ['users:read'],
  'views.open': [],
  'views.publish': [],
};

/** Called where the app has an agent's or an assistant's view: the manifest offers their scope, and does not ask for it. */
export const VIEW_METHOD_SCOPES: Readonly<Record<string, readonly string[]>> = {
  'assistant.threads.setSuggestedPrompts': ['assistant:write'],
};

/** Of the manifest's features. */
export const FEATURE_SCOPES: Readonly<Record<string, readonly string[]>> = { shortcuts: ['commands'] };

export const EVENT_SCOPES: Readonly<Record<string, readonly string[]>> = {
  app_home_opened: [],
  app_mention: ['app_mentions:read'],
  app_uninstalled: [],
  'message.channels': ['channels:history'],
  'message.groups': ['groups:history'],
  'message.im': ['im:history'],
  'message.mpim': ['mpim:history'],
  tokens_revoked: [],
};
