/** Where a click was made, which need not be where the question belongs: what the person is told must appear before them. */
import { z } from 'zod';
import type { ThreadId } from '../../thread/ports.ts';
import { slackId, slackTs } from '../fields.ts';
import { threadId } from '../ids.ts';

/** The part of an interaction that the receiver has checked. */
export type InteractionBody = { user: { id: string } };

const placeSchema = z.object({
  channel: z.object({ id: slackId }),
  container: z.object({
    message_ts: slackTs,
    thread_ts: slackTs.optional(),
  }),
});

/** The thread of the message that was clicked; undefined in a modal or on the Home tab. */
export function clickedIn(body: unknown, team: string): ThreadId | undefined {
  const { data } = placeSchema.safeParse(body);
  return data && threadId(team, data.channel.id, data.container.thread_ts ?? data.container.message_ts);
}
