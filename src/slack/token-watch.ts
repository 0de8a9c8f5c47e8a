/**
 * Whether our token is still one. Any call may be told that it is not, and Slack's events may say that the app is gone; either may be
 * late or wrong (an event is sent again after the app was installed anew), so `auth.test` decides, and it alone.
 */
import type { Clock } from '../thread/ports.ts';
import type { Log } from './log.ts';
import { failureOf, isAppGone, isTokenRefused, slackErrorCode } from './web-api-error.ts';
import type { TellingClient } from './web-client.ts';

/** ms between two looks at a token that nobody doubts: where no call is made, none tells. */
const LOOK_EVERY = 5 * 60_000;
const SHORTEST_WAIT = 1_000;
const LONGEST_WAIT = 30_000;
/** How often the store is asked to settle what was open; then it is left as it is. */
const SETTLING = 5;

export type TokenWatch = {
  /** False: Slack refused it, and this process is about to end. */
  valid(): boolean;
  /** Resolves when Slack has confirmed the token, or refused it and what was open is settled. Never rejects. */
  doubt(reason: string): Promise<void>;
  start(): void;
  stop(): void;
};

export type TokenWatchParts = {
  client: Pick<TellingClient, 'auth' | 'refusals'>;
  /** Everything open in the workspace ends. Rejects when the store fails. */
  uninstalled(): Promise<void>;
  /** Nothing will ever work again with this token; the message is for the operator. */
  onFatal(message: string): void;
  clock: Clock;
  log: Log;
};

export function createTokenWatch({ client, uninstalled, onFatal, clock, log }: TokenWatchParts): TokenWatch {
  const stopping = new AbortController();
  let refused: string | undefined;
  let deciding: Promise<void> | undefined;

  /** Why Slack refuses the token; undefined: it does not. */
  async function ask(): Promise<string | undefined> {
    for (let wait = SHORTEST_WAIT; !stopping.signal.aborted; wait = Math.min(wait * 2, LONGEST_WAIT)) {
      try {
        await client.auth.test();
        return undefined;
      } catch (error) {
        const code = slackErrorCode(error);
        if (isTokenRefused(code)) return code;
        const failure = failureOf(error);
        log.warn({ reason: failure.reason, wait }, 'Slack does not say whether our token is valid; asking again');
        await clock.sleep(failure.error === 'later' ? Math.max(wait, failure.retryAfter) : wait, stopping.signal);
      }
    }
    return undefined;
  }

  async function settle(): Promise<void> {
    for (let tries = 1; tries <= SETTLING && !stopping.signal.aborted; tries += 1) {
      try {
        return await uninstalled();
      } catch (err) {
        log.error({ err, tries }, 'what was open could not be settled');
        await clock.sleep(SHORTEST_WAIT * tries, stopping.signal);
      }
    }
  }

  async function decide(): Promise<void> {
    const code = await ask();
    if (code === undefined) return;
    refused = code;
    if (isAppGone(code)) await settle();
    // What Slack told us is acked first.
    setImmediate(onFatal, sentence(code));
  }

  function look(): Promise<void> {
    if (refused !== undefined) return deciding ?? Promise.resolve();
    deciding ??= decide().finally(() => {
      deciding = undefined;
    });
    return deciding;
  }

  function doubt(reason: string): Promise<void> {
    if (deciding === undefined) log.warn({ reason }, 'Slack may have taken our access away; asking');
    return look();
  }

  client.refusals.on('token', (code) => void doubt(code));

  return {
    valid: () => refused === undefined,
    doubt,
    async start() {
      while (!stopping.signal.aborted) {
        await clock.sleep(LOOK_EVERY, stopping.signal);
        if (!stopping.signal.aborted) await look();
      }
    },
    stop: () => stopping.abort(),
  };
}

function sentence(code: string): string {
  return isAppGone(code)
    ? `The app is no longer installed in the workspace (${code}); what was open there is cancelled. Install it again, and set SLACK_BOT_TOKEN to the token that it has then.`
    : `Slack refuses SLACK_BOT_TOKEN (${code}); what is open waits in the store. Copy the "Bot User OAuth Token" (xoxb-…) from your app’s "Install App" page, and start again.`;
}
