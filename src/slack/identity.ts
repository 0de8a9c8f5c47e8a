/** Who we are in the workspace that we are installed in. */
import type { WebClient } from '@slack/web-api';
import type { Clock } from '../thread/ports.ts';
import type { Log } from './log.ts';
import { failureOf, isTokenRefused, slackErrorCode } from './web-api-error.ts';

export type Identity = {
  /** The installation's team: the first part of every ThreadId. */
  team: string;
  /** The bot's user id: how it is mentioned. */
  botUser: string;
  botId: string;
  /** Where a browser finds the workspace, such as `https://acme.slack.com/`. */
  url?: string;
  /** What the bot token may, as Slack told when it was first used. */
  scopes?: readonly string[];
};

/** Slack will not have us with these settings; the message says which one to mend. */
export class SlackStartError extends Error {
  override readonly name = 'SlackStartError';
}

const LONGEST_WAIT = 30_000;

/**
 * Asks until Slack has answered: a process that starts during an outage must come up when it is over.
 * Rejects with SlackStartError when Slack refuses the token, and with the signal's reason when it aborts.
 */
export async function identify(
  client: Pick<WebClient, 'auth' | 'slackApiUrl'>,
  { clock, log, signal }: { clock: Clock; log: Log; signal?: AbortSignal },
): Promise<Identity> {
  for (let wait = 1_000; ; wait = Math.min(wait * 2, LONGEST_WAIT)) {
    signal?.throwIfAborted();
    try {
      const { team_id: team, user_id: botUser, bot_id: botId, url, response_metadata } = await client.auth.test();
      const { scopes } = response_metadata ?? {};
      if (!team || !botUser || !botId) {
        throw new SlackStartError(
          'SLACK_BOT_TOKEN is not a bot token of one workspace: copy the "Bot User OAuth Token" (xoxb-…) from your app’s "Install App" page.',
        );
      }
      return {
        team,
        botUser,
        botId,
        ...(url !== undefined && URL.canParse(url) && { url }),
        ...(scopes && { scopes }),
      };
    } catch (error) {
      if (error instanceof SlackStartError) throw error;
      const failure = failureOf(error);
      const code = slackErrorCode(error);
      if (isTokenRefused(code) || failure.error === 'gone' || failure.error === 'refused') {
        throw new SlackStartError(
          `Slack refused SLACK_BOT_TOKEN (${code}): copy the "Bot User OAuth Token" (xoxb-…) from your app’s "Install App" page, and reinstall the app if it was removed.`,
        );
      }
      const retryAfter = failure.error === 'later' ? Math.max(wait, failure.retryAfter) : wait;
      log.warn(
        { address: client.slackApiUrl, reason: failure.reason, retryAfter },
        'Slack cannot be reached; trying again',
      );
      await clock.sleep(retryAfter, signal);
    }
  }
}
