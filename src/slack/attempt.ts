/** One call that posts, edits or deletes, and what it came to for the one who made it. */
import type { KnownBlock } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import type { Delivery } from '../thread/ports.ts';
import { assertMessage } from './limits.ts';
import type { Log } from './log.ts';
import { metadataOf } from './read-back.ts';
import { failureOf, slackErrorCode } from './web-api-error.ts';

export type Content = { text: string; blocks?: KnownBlock[] };

export async function attempt(
  log: Log,
  what: object,
  call: () => Promise<{ ts?: string | undefined }>,
): Promise<Delivery> {
  try {
    const { ts } = await call();
    return ts ? { ok: true, ts } : { ok: false, error: 'ambiguous', reason: 'an answer without a ts' };
  } catch (error) {
    const failure = failureOf(error);
    log.warn({ ...what, outcome: failure.error, reason: failure.reason }, 'a call to Slack failed');
    return failure;
  }
}

/** For a call whose aim is reached when the message is not there. */
export const unlessGone =
  (ts: string) =>
  (error: unknown): { ts: string } => {
    if (slackErrorCode(error) === 'message_not_found') return { ts };
    throw error;
  };

/** Makes our message at `ts` say this, controls and all. Idempotent; one that is gone counts as done. `about`: for the log. */
export function edit(
  { client, log }: { client: Pick<WebClient, 'chat'>; log: Log },
  about: object,
  { channel, ts, id }: { channel: string; ts: string; id: string },
  content: Content,
): Promise<Delivery> {
  return attempt(log, { call: 'chat.update', ...about, id }, async () =>
    client.chat.update({ channel, ts, blocks: [], ...content, metadata: metadataOf(id) }).catch(unlessGone(ts)),
  );
}

/** Slack's limits, met before Slack sees it. A view that does not is a bug of ours, and is refused as one that breaks Slack's. */
export function withinLimits(content: () => Content, log: Log): Content | Extract<Delivery, { error: 'refused' }> {
  try {
    const built = content();
    assertMessage(built);
    return built;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    log.error({ reason }, 'a view breaks Slack’s limits and is not sent');
    return { ok: false, error: 'refused', reason };
  }
}
