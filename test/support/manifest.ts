import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

export const manifestText = readFileSync(new URL('../../manifest.yml', import.meta.url), 'utf8');

/** The manifest with the lines that its comments offer: an agent's view, HTTP. */
export function offeredManifest(): string {
  return manifestText.replace(
    /^( *)# ((?: {2})?(?:- [a-z:_]+$|[a-z_]+:(?: .*)?$))/gm,
    (line, indent: string, rest: string) =>
      /^(agent_view:| {2}agent_description:|request_url:|- )/.test(rest) ? `${indent}${rest}` : line,
  );
}

/** The manifest as apps from before agents have it. */
export function assistantManifest(): object {
  const { features, oauth_config, settings, ...rest } = parse(manifestText);
  const { bot_events } = settings.event_subscriptions;
  return {
    ...rest,
    features: { ...features, assistant_view: { assistant_description: 'Works on a task in a thread.' } },
    oauth_config: { scopes: { bot: [...oauth_config.scopes.bot, 'assistant:write'] } },
    settings: { ...settings, event_subscriptions: { bot_events: [...bot_events, 'assistant_thread_started'] } },
  };
}
