/** A reply that is seen as it grows, by Slack's streams: a preview for each stretch of a run, and what becomes of it. */
import type { AnyChunk, KnownBlock } from '@slack/types';
import type { ChatUpdateArguments, WebClient } from '@slack/web-api';
import type { Clock, Delivery, Post, ThreadId } from '../thread/ports.ts';
import type { Previews } from '../thread/preview-port.ts';
import type { Identity } from './identity.ts';
import { threadParts } from './ids.ts';
import { LIMITS } from './limits.ts';
import type { Log } from './log.ts';
import { metadataOf, readUnmarked } from './read-back.ts';
import { createStreamCalls, type Place, type StreamOutcome } from './stream-calls.ts';
import { LEFT, markdownChunk, openPreview, type Shown } from './stream-preview.ts';
import { fallbackText, harmless } from './text.ts';
import type { Thumbs } from './thumbs.ts';
import { failureOf } from './web-api-error.ts';

export type PreviewsParts = {
  client: Pick<WebClient, 'chat' | 'conversations'>;
  identity: Identity;
  clock: Clock;
  log: Log;
  /** The post as it would be posted. */
  content(thread: ThreadId, post: Post): Promise<{ text: string; blocks?: KnownBlock[] }>;
  thumbs: Thumbs;
  session(thread: ThreadId): string | undefined;
};

/** What is streamed here and waits for its post. More at once than a process has runs. */
const MOST_OPEN = 1_000;

/** `close`: ends the stream, if it is one. */
export type SlackPreviews = Previews & { close(thread: ThreadId, ts: string): Promise<boolean> };

export function createPreviews(parts: PreviewsParts): SlackPreviews {
  const { client, identity, clock, log, content, thumbs } = parts;
  const calls = createStreamCalls(parts);
  const open = new Map<string, { shown: Shown; owed: AnyChunk[] }>();
  const key = ({ channel }: Place, ts: string) => `${channel}:${ts}`;

  function keep(place: Place, shown: Shown, owed: AnyChunk[]): void {
    open.set(key(place, shown.ts), { shown, owed });
    const [oldest] = open.keys();
    if (open.size <= MOST_OPEN || oldest === undefined) return;
    open.delete(oldest);
    calls.closed();
  }

  /** The stream ends with the rest of the text, and is the post. undefined: the message must be edited to be it. */
  async function stop(place: Place, post: Post, ts: string): Promise<Delivery | undefined> {
    const live = open.get(key(place, ts));
    if (!live) return undefined;
    const text = post.body.kind === 'reply' ? harmless(post.body.text) : '';
    const goesOn = text.startsWith(live.shown.text);
    const rest = goesOn ? [...live.owed, ...markdownChunk(text.slice(live.shown.text.length))] : [];
    // With the post's id only if it says all of the post: by its id it may be found and taken for it.
    const stopped = goesOn
      ? await thumbs.deliver(post, async (shown) => calls.stop(place, ts, rest, post.id, await beside(place, shown)))
      : await calls.stop(place, ts, rest, LEFT);
    const failed = unsettled(stopped);
    if (failed?.error === 'later') return failed;
    open.delete(key(place, ts));
    calls.closed();
    return failed ?? (stopped.ok && goesOn ? { ok: true, ts } : undefined);
  }

  /** What of the post is no text. */
  async function beside({ thread }: Place, post: Post): Promise<KnownBlock[]> {
    const { blocks = [] } = await content(thread, post);
    return blocks.filter(({ type }) => type === 'context_actions');
  }

  async function edit({ channel, thread }: Place, post: Post, ts: string): Promise<Delivery> {
    try {
      const { text, ...rest } = await content(thread, post);
      // An edit takes less text than a post, beside its blocks.
      const short = post.body.kind === 'reply' ? fallbackText(post.body.text, LIMITS.message.updatedText) : text;
      const message = { channel, ts, ...rest, text: short, metadata: metadataOf(post.id) };
      await client.chat.update(message as ChatUpdateArguments);
      return { ok: true, ts };
    } catch (error) {
      const failure = failureOf(error);
      log.info(
        { call: 'chat.update', thread, id: post.id, outcome: failure.error, reason: failure.reason },
        'a preview was not edited',
      );
      return failure;
    }
  }

  return {
    open(thread, { requester, record }) {
      const place = placeOf(thread);
      if (!calls.has(place.channel)) return undefined;
      return openPreview({
        calls,
        clock,
        log,
        place,
        recipient: { user: requester, team: identity.team },
        record,
        keep: (shown, owed) => keep(place, shown, owed),
      });
    },

    async complete(thread, post, ts) {
      const place = placeOf(thread);
      const stopped = await stop(place, post, ts);
      if (stopped) return stopped;
      const edited = await thumbs.deliver(post, (shown) => edit(place, shown, ts));
      if (edited.ok || !edited.reason.startsWith('streaming_state_conflict')) return edited;
      // Begun by a process that is gone.
      return (
        unsettled(await calls.stop(place, ts, [], LEFT)) ?? thumbs.deliver(post, (shown) => edit(place, shown, ts))
      );
    },

    async close(thread, ts) {
      return (await calls.stop(placeOf(thread), ts, [], LEFT)).ok;
    },

    unheard(thread, since) {
      const { channel, threadTs } = threadParts(thread);
      return readUnmarked(client, identity, { channel, root: threadTs, since });
    },
  };
}

const placeOf = (thread: ThreadId): Place => ({ thread, ...threadParts(thread) });

/** A stop that must be seen to before anything else; refused, the stream is over already, or is not one. */
function unsettled(
  stopped: StreamOutcome,
): Exclude<Delivery, { ok: true } | { error: 'refused' | 'gone' }> | undefined {
  if (stopped.ok || stopped.error === 'refused') return undefined;
  const reason = 'chat.stopStream';
  return stopped.error === 'later'
    ? { ok: false, error: 'later', retryAfter: stopped.retryAfter, reason }
    : { ok: false, error: 'ambiguous', reason };
}
