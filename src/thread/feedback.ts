/** What people think of a run's reply: kept in its thread, and gone with it. Pure. */
import type { FeedbackGiven, FeedbackRequest } from './dispatcher-api.ts';
import { mayNotUse, type Policy } from './policy.ts';
import { channelOf, type ThreadRecord } from './thread.ts';

export type WithFeedback = { record: ThreadRecord | undefined; given: FeedbackGiven };

/** Whoever may use the bot may say so, and say otherwise later: one word a person and run. It is no use of the thread. */
export function giveFeedback(
  found: ThreadRecord | undefined,
  { runId, by, is }: FeedbackRequest,
  policy: Policy,
  now: number,
): WithFeedback {
  if (!found) return { record: found, given: { status: 'unknown' } };
  const reason = mayNotUse(policy, by, channelOf(found.id));
  if (reason) return { record: found, given: { status: 'not_allowed', reason } };
  const own = found.feedback.find((known) => known.runId === runId && known.by === by.id);
  if (own?.is === is) return { record: found, given: { status: 'accepted' } };
  const others = found.feedback.filter((known) => known !== own);
  const feedback = [...others, { runId, by: by.id, is, at: now }];
  return { record: { ...found, feedback }, given: { status: 'accepted' } };
}
