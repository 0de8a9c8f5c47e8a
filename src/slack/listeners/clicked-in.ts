/** Where a click was made, which need not be where the question belongs: what the person is told must appear before them. */
import { z } from 'zod';
import type { ThreadId } from '../../thread/ports.ts';
import { threadId } from '../ids.ts';

/** The part of an interaction that the receiver has checked. */
export type InteractionBody = { user: { id: string } };

const placeSchema = z.object({
  channel: z.object({ id: z.string().regex(/^[A-Za-z0-9]+$/) }),
  container: z.object({
    message_ts: z.string().regex(/^\d+\.\d+$/),
    thread_ts: z
      .string()
      .regex(/^\d+\.\d+$/)
      .optional(),
  }),
});

/** The thread of the message that was clicked; undefined in a modal or on the Home tab. */
export function clickedIn(body: unknown, team: string): ThreadId | undefined {
  const { data } = placeSchema.safeParse(body);
  return data && threadId(team, data.channel.id, data.container.thread_ts ?? data.container.message_ts);
}
