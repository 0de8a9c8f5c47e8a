/**
 * What a failed call to Slack means for the one who made it. The codes are those of Slack's method pages; a code that is not
 * here refuses this content, because Slack answers `ok: false` only for what it did not do, apart from the ambiguous few.
 */
import { WebAPIHTTPError, WebAPIPlatformError, WebAPIRateLimitedError, WebAPIRequestError } from '@slack/web-api';
import type { Delivery } from '../thread/ports.ts';

export type Failure = Exclude<Delivery, { ok: true }>;

/** ms before another try when Slack does not say. */
const DEFAULT_WAIT = 5_000;

/** "May have been partly done" by Slack's own words, or no word about it at all. */
const AMBIGUOUS = new Set([
  'internal_error',
  'fatal_error',
  'request_timeout',
  'service_unavailable',
  'messaging_processing_failed',
  'update_failed',
]);

const LATER = new Set(['ratelimited', 'rate_limited', 'team_added_to_org']);

/** The app was taken out of the workspace, by whichever way: no token of it will work again. */
const APP_GONE = new Set(['account_inactive', 'token_revoked']);

/** It is the token that is refused, whatever the call. Says nothing of the place that the call was about. */
const TOKEN_REFUSED = new Set([...APP_GONE, 'invalid_auth', 'not_authed', 'token_expired']);

/** Neither readable nor writable any more: the place is gone, or we are. */
const UNREACHABLE = new Set([
  'channel_not_found',
  'channel_is_archived',
  'is_archived',
  'not_in_channel',
  'user_removed_from_team',
  'team_disabled',
]);

/** Nothing of ours can be posted there, though it may still be readable. */
const CLOSED_TO_US = new Set([
  'thread_not_found',
  'cannot_reply_to_message',
  'messages_tab_disabled',
  'message_limit_exceeded',
  'missing_scope',
  'not_allowed_token_type',
  'no_permission',
  'access_denied',
  'accesslimited',
  'org_login_required',
  'ekm_access_denied',
  'team_access_not_granted',
  'user_not_found',
  'user_disabled',
]);

/** This workspace, plan, server or app has no such method, or not for us; asking again changes nothing until the next start. */
const UNAVAILABLE = new Set([
  'unknown_method',
  'method_deprecated',
  'feature_disabled',
  'missing_scope',
  'not_allowed_token_type',
  'not_allowed',
  'not_authorized',
  'no_permission',
  'team_access_not_granted',
]);

/** The connection was never made, so nothing was sent. */
const NEVER_SENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN']);

/** Slack's error code, if Slack answered with one. A body that is not Slack's (a proxy's page) has none. */
export function slackErrorCode(error: unknown): string | undefined {
  if (!(error instanceof WebAPIPlatformError)) return undefined;
  const code: unknown = error.data.error;
  return typeof code === 'string' && /^[a-z0-9_]+$/i.test(code) ? code : undefined;
}

/** No call of this token can work, unless Slack was wrong: token-watch.ts finds out, and until then nothing is given up. */
export function isTokenRefused(code: string | undefined): code is string {
  return code !== undefined && TOKEN_REFUSED.has(code);
}

export function isAppGone(code: string): boolean {
  return APP_GONE.has(code);
}

export function isUnreachable(error: unknown): boolean {
  const code = slackErrorCode(error);
  return code !== undefined && UNREACHABLE.has(code);
}

/** A method that is not there for good, by the error code of the first call: what can be done without it is. */
export function isUnavailable(code: string | undefined): boolean {
  return code !== undefined && UNAVAILABLE.has(code);
}

export function failureOf(error: unknown): Failure {
  if (error instanceof WebAPIRateLimitedError) {
    return { ok: false, error: 'later', retryAfter: Math.max(1, error.retryAfter) * 1_000, reason: 'rate limited' };
  }
  if (error instanceof WebAPIRequestError) {
    const reason = networkCode(error.original) ?? error.original.message;
    return NEVER_SENT.has(reason)
      ? { ok: false, error: 'later', retryAfter: DEFAULT_WAIT, reason }
      : { ok: false, error: 'ambiguous', reason };
  }
  if (error instanceof WebAPIHTTPError) return { ok: false, error: 'ambiguous', reason: `HTTP ${error.statusCode}` };
  const code = slackErrorCode(error);
  if (code === undefined) {
    const reason = error instanceof WebAPIPlatformError ? 'an answer that is not Slack’s' : String(error);
    return { ok: false, error: 'ambiguous', reason };
  }
  const reason = [code, ...details(error)].join(': ');
  if (AMBIGUOUS.has(code)) return { ok: false, error: 'ambiguous', reason };
  if (LATER.has(code) || TOKEN_REFUSED.has(code))
    return { ok: false, error: 'later', retryAfter: DEFAULT_WAIT, reason };
  if (UNREACHABLE.has(code) || CLOSED_TO_US.has(code) || code.startsWith('restricted_action')) {
    return { ok: false, error: 'gone', reason };
  }
  return { ok: false, error: 'refused', reason };
}

function networkCode(error: unknown): string | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && typeof cause.code === 'string') return cause.code;
  }
  return undefined;
}

/** Slack's own words about what it refused, which name places in the blocks, never their text. */
function details(error: unknown): string[] {
  if (!(error instanceof WebAPIPlatformError)) return [];
  const { messages } = error.data.response_metadata ?? {};
  return Array.isArray(messages) ? messages.filter((message) => typeof message === 'string').slice(0, 3) : [];
}
