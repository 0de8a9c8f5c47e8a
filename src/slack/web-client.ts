/** The client for everything that this room asks of Slack: one attempt per call, since only the caller knows whether a repeat would double. */
import { EventEmitter } from 'node:events';
import { WebClient } from '@slack/web-api';
import { type Log, slackLogger } from './log.ts';
import { type Answer, slackFetch } from './slack-fetch.ts';
import { isTokenRefused, slackErrorCode } from './web-api-error.ts';

/** s to wait after a 429 that does not say how long. */
const DEFAULT_WAIT = 5;

export type WebClientSettings = { token: string; apiUrl?: string; log: Log; timeoutMs?: number };

/** ms for one call: at most a third of a lease, whose holder makes the calls. */
export const REQUEST_TIMEOUT = 10_000;

/** Tells when a call was told that our token is none, whoever made the call. */
export class TellingClient extends WebClient {
  readonly refusals = new EventEmitter<{ token: [code: string] }>();

  override async apiCall(...call: Parameters<WebClient['apiCall']>): ReturnType<WebClient['apiCall']> {
    try {
      return await super.apiCall(...call);
    } catch (error) {
      const code = slackErrorCode(error);
      if (isTokenRefused(code)) this.refusals.emit('token', code);
      throw error;
    }
  }
}

export function createWebClient({ token, apiUrl, log, timeoutMs = REQUEST_TIMEOUT }: WebClientSettings): TellingClient {
  return new TellingClient(token, {
    ...(apiUrl === undefined ? {} : { slackApiUrl: apiUrl }),
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    timeout: timeoutMs,
    logger: slackLogger(log),
    fetch: async (url, init) => statingTheWait(await slackFetch(url, init)),
  });
}

/** The client reports a 429 without a usable Retry-After as a bare Error: it would be taken for an unknown outcome. */
function statingTheWait(response: Answer): Answer {
  const { status, headers } = response;
  if (status !== 429 || /^\d+$/.test(headers.get('retry-after') ?? '')) return response;
  const get = (name: string) => (name === 'retry-after' ? String(DEFAULT_WAIT) : headers.get(name));
  return { ...response, headers: { ...headers, get } };
}
