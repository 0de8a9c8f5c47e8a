/** What could not be read of Slack, for the one who asked: whether to ask again. */
import type { Unread } from '../thread/ports.ts';
import type { Failure } from './web-api-error.ts';

/** To read twice is to read once: of an unknown outcome nothing is lost but time. */
export function unreadFor(failure: Failure): Unread {
  const { reason } = failure;
  switch (failure.error) {
    case 'later':
      return later(reason, failure.retryAfter);
    case 'ambiguous':
      return later(reason);
    case 'gone':
    case 'refused':
      return refused(reason);
    default:
      return failure satisfies never;
  }
}

export const refused = (reason: string): Unread => ({ ok: false, error: 'refused', reason });

/** `retryAfter`: ms, when Slack said so. */
export const later = (reason: string, retryAfter?: number): Unread => ({
  ...{ ok: false, error: 'later', reason },
  ...(retryAfter !== undefined && { retryAfter }),
});
