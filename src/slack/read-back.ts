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

const ownMessageSchema = z.object({ ts: z.string(), user: z.string().optional(), bot_id: z.string().optional() });
const markSchema = z.object({ event_type: z.literal(EVENT_TYPE), event_payload: z.object({ id: z.string() }) });

type Reader = Pick<WebClient, 'conversations'>;
/** A thread by its `root`, else the channel outside of threads, as far as it is later than `since` (ms). */
type Span = { channel: string; root?: string; since: number };

/**
 * The `ts` of our message with this id. Throws when the thread cannot be read; one that is gone, or from which we are shut
 * out, holds nothing (and what is sent there next is refused for good).
 */
export async function readBack(
  client: Reader,
  identity: Identity,
  { id, ...span }: Span & { id: string },
): Promise<string | undefined> {
  for await (const message of ownMessages(client, identity, span)) if (message.id === id) return message.ts;
  return undefined;
}

/** Our messages that have no id. Throws when the thread cannot be read. */
export async function readUnmarked(client: Reader, identity: Identity, span: Span): Promise<string[]> {
  const found: string[] = [];
  for await (const message of ownMessages(client, identity, span)) if (message.id === undefined) found.push(message.ts);
  return found;
}

async function* ownMessages(
  client: Reader,
  { botId, botUser }: Identity,
  { channel, root, since }: Span,
): AsyncGenerator<{ ts: string; id: string | undefined }> {
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const span = {
      channel,
      oldest: (Math.max(0, since - SKEW) / 1_000).toFixed(6),
      inclusive: true,
      include_all_metadata: true,
      limit: PAGE,
      ...(cursor === undefined ? {} : { cursor }),
    };
    const reading =
      root === undefined ? client.conversations.history(span) : client.conversations.replies({ ...span, ts: root });
    const answer = await reading.catch((error: unknown) => {
      if (slackErrorCode(error) === 'thread_not_found' || isUnreachable(error)) return undefined;
      throw error;
    });
    for (const message of answer?.messages ?? []) {
      const { success, data: own } = ownMessageSchema.safeParse(message);
      if (!success || (own.bot_id !== botId && own.user !== botUser)) continue;
      yield { ts: own.ts, id: markSchema.safeParse(message.metadata).data?.event_payload.id };
    }
    cursor = answer?.response_metadata?.next_cursor || undefined;
    if (cursor === undefined) return;
  }
  throw new Error(
    `More than ${MOST_PAGES * PAGE} messages since ${new Date(since).toISOString()}: not read to the end.`,
  );
}
