/** The calls of a stream: whether this workspace has them, how often they may be made, and what their failures mean. */

import type { AnyChunk, KnownBlock } from '@slack/types';
import type { ChatUpdateArguments, WebClient } from '@slack/web-api';
import type { Clock, ThreadId } from '../thread/ports.ts';
import { LIMITS } from './limits.ts';
import type { Log } from './log.ts';
import { metadataOf } from './read-back.ts';
import { fallbackText } from './text.ts';
import { failureOf, isUnavailable, slackErrorCode } from './web-api-error.ts';

export type Place = { thread: ThreadId; channel: string; threadTs: string };

export type StreamOutcome =
  | { ok: true; ts: string }
  /** It may have happened. */
  | { ok: false; error: 'ambiguous' }
  /** It did not; it may in `retryAfter` ms. */
  | { ok: false; error: 'later'; retryAfter: number }
  /** It did not, and will not. */
  | { ok: false; error: 'refused'; code: string };

/** Slack takes 20 starts and 20 stops a minute, and the stops of what was started must get through: some room is left. */
const STARTS_A_MINUTE = 15;
/** 100 appends a minute, for all streams of the workspace together. */
const APPEND_EVERY = 700;
/** What changes more often than this is not read. */
const SLOWEST_READABLE = 1_000;
const MOST_CHANNELS = 1_000;

export type StreamCalls = ReturnType<typeof createStreamCalls>;

export type StreamCallsParts = {
  client: Pick<WebClient, 'chat'>;
  clock: Clock;
  log: Log;
  /** What the thread's session is to be after a stream; undefined: there are no sessions. */
  session(thread: ThreadId): string | undefined;
};

export function createStreamCalls({ client, clock, log, session }: StreamCallsParts) {
  let available = true;
  const without = new Set<string>();
  let starts: number[] = [];
  let startsAt = 0;
  let appendsAt = 0;
  let open = 0;

  async function outcome(
    method: string,
    { thread }: Place,
    call: () => Promise<{ ts?: string }>,
  ): Promise<StreamOutcome> {
    try {
      const { ts } = await call();
      return ts === undefined ? { ok: false, error: 'ambiguous' } : { ok: true, ts };
    } catch (error) {
      const failure = failureOf(error);
      log.info({ call: method, thread, outcome: failure.error, reason: failure.reason }, 'a stream broke off');
      if (failure.error === 'ambiguous') return { ok: false, error: 'ambiguous' };
      if (failure.error === 'later') return { ok: false, error: 'later', retryAfter: failure.retryAfter };
      return { ok: false, error: 'refused', code: slackErrorCode(error) ?? failure.reason };
    }
  }

  return {
    /** false: there are no streams here, for good. */
    has: (channel: string): boolean => available && !without.has(channel),

    /** A stream more, or one less, shares the appends of the workspace. */
    opened() {
      open += 1;
    },
    closed() {
      open = Math.max(0, open - 1);
    },

    /** ms from one call of a stream to its next. */
    interval: () => Math.max(SLOWEST_READABLE, APPEND_EVERY * open, appendsAt - clock.now()),

    /** `recipient`: for whom it grows; the others see it when it is done, or as it grows, as Slack likes. */
    async start(place: Place, recipient: { user: string; team: string }, chunks: AnyChunk[]): Promise<StreamOutcome> {
      const { channel, threadTs } = place;
      const now = clock.now();
      starts = starts.filter((at) => at > now - 60_000);
      const free = starts.length < STARTS_A_MINUTE ? 0 : (starts[0] ?? now) + 60_000;
      const at = Math.max(free, startsAt);
      if (at > now) return { ok: false, error: 'later', retryAfter: at - now };
      starts.push(now);
      const done = await outcome('chat.startStream', place, () =>
        client.chat.startStream({
          channel,
          thread_ts: threadTs,
          recipient_user_id: recipient.user,
          recipient_team_id: recipient.team,
          chunks,
        }),
      );
      if (done.ok) return done;
      if (done.error === 'later') startsAt = clock.now() + done.retryAfter;
      if (done.error === 'refused') {
        if (isUnavailable(done.code)) available = false;
        if (done.code === 'channel_type_not_supported') {
          if (without.size >= MOST_CHANNELS) without.clear();
          without.add(channel);
        }
      }
      return done;
    },

    async append(place: Place, ts: string, chunks: AnyChunk[]): Promise<StreamOutcome> {
      const { channel } = place;
      const done = await outcome('chat.appendStream', place, () => client.chat.appendStream({ channel, ts, chunks }));
      if (!done.ok && done.error === 'later') appendsAt = clock.now() + done.retryAfter;
      return done;
    },

    /** `id`: what the message is from now on, to be found by it. `blocks`: what comes after its text. */
    stop(place: Place, ts: string, chunks: AnyChunk[], id: string, blocks: KnownBlock[] = []): Promise<StreamOutcome> {
      const { channel, thread } = place;
      const session_status = session(thread);
      return outcome('chat.stopStream', place, () =>
        client.chat.stopStream({
          channel,
          ts,
          metadata: metadataOf(id),
          ...(chunks.length > 0 && { chunks }),
          ...(blocks.length > 0 && { blocks }),
          ...(session_status !== undefined && { session_status }),
        }),
      );
    },

    /** Makes a stream that is over say this, which is neutralised. */
    edit(place: Place, ts: string, markdown: string, id: string): Promise<StreamOutcome> {
      return outcome('chat.update', place, () =>
        client.chat.update({
          channel: place.channel,
          ts,
          text: fallbackText(markdown, LIMITS.message.updatedText),
          blocks: [{ type: 'markdown', text: markdown }],
          metadata: metadataOf(id),
        } as ChatUpdateArguments),
      );
    },
  };
}
