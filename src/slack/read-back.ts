/** Finding our own message by the id in its metadata: how a post whose outcome is unknown is settled. */
import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import type { Identity } from './identity.ts';
import { isUnreachable, slackErrorCode } from './web-api-error.ts';

/** Every post carries one, so that it can be found again. */
export type PostMetadata = { event_type: typeof EVENT_TYPE; event_payload: { id: string } };
const EVENT_TYPE = 'askback';

export const metadataOf = (id: string): PostMetadata => ({ event_type: EVENT_TYPE, event_payload: { id } });

/** ms that this machine's clock may be ahead of Slack's. */
const SKEW = 60_000;
const PAGE = 200;
/** A thread in which more was said since `since` is not read to its end: the answer would be a guess. */
const MOST_PAGES = 50;

const ownMessageSchema = z.object({
  ts: z.string(),
  user: z.string().optional(),
  bot_id: z.string().optional(),
  metadata: z.object({ event_type: z.string(), event_payload: z.object({ id: z.string() }) }),
});

/**
 * The `ts` of our message with this id in the thread `root`, posted after `since` (ms). Throws when the thread cannot be read;
 * one that is gone, or from which we are shut out, holds nothing (and what is sent there next is refused for good).
 */
export async function readBack(
  client: Pick<WebClient, 'conversations'>,
  { botId, botUser }: Identity,
  { channel, root, id, since }: { channel: string; root: string; id: string; since: number },
): Promise<string | undefined> {
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const answer = await client.conversations
      .replies({
        channel,
        ts: root,
        oldest: (Math.max(0, since - SKEW) / 1_000).toFixed(6),
        inclusive: true,
        include_all_metadata: true,
        limit: PAGE,
        ...(cursor === undefined ? {} : { cursor }),
      })
      .catch((error: unknown) => {
        if (slackErrorCode(error) === 'thread_not_found' || isUnreachable(error)) return undefined;
        throw error;
      });
    for (const message of answer?.messages ?? []) {
      const { success, data: own } = ownMessageSchema.safeParse(message);
      if (!success || own.metadata.event_type !== EVENT_TYPE || own.metadata.event_payload.id !== id) continue;
      if (own.bot_id === botId || own.user === botUser) return own.ts;
    }
    cursor = answer?.response_metadata?.next_cursor || undefined;
    if (cursor === undefined) return undefined;
  }
  throw new Error(
    `More than ${MOST_PAGES * PAGE} messages since ${new Date(since).toISOString()}: not read to the end.`,
  );
}
