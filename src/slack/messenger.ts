/** The Messenger port on Slack's Web API: one attempt per call, and every failure told apart by what it means for the caller. */
import type { ChatPostMessageArguments, WebClient } from '@slack/web-api';
import type { Clock, Delivery, Messenger, Post, ThreadId } from '../thread/ports.ts';
import type { Previews } from '../thread/preview-port.ts';
import { attempt, type Content, edit, unlessGone, withinLimits } from './attempt.ts';
import type { Directory } from './directory.ts';
import type { Identity } from './identity.ts';
import { threadParts } from './ids.ts';
import type { Log } from './log.ts';
import { createPace } from './pace.ts';
import { metadataOf, readBack } from './read-back.ts';
import { createStatusLine } from './status.ts';
import { createPreviews } from './stream.ts';
import { splitReply } from './text.ts';
import { createThumbs } from './thumbs.ts';
import { postMessage, whisperText } from './views/notice.ts';
import { questionCard } from './views/question.ts';
import { wordsIn } from './words/catalogue.ts';
import type { Words } from './words/words.ts';

/** ms that a card waits for the status before it to be cleared. */
const CLEARING = 1_000;

export type MessengerParts = {
  client: Pick<WebClient, 'agents' | 'assistant' | 'chat' | 'conversations'>;
  identity: Identity;
  directory: Pick<Directory, 'language'>;
  /** Replies carry thumbs. */
  feedback?: boolean;
  clock: Clock;
  log: Log;
};

export function createMessenger(parts: MessengerParts): Messenger & { previews: Previews } {
  const { client, identity, directory, clock, log } = parts;
  const pace = createPace(clock);
  const status = createStatusLine({ client, log });
  const thumbs = createThumbs(parts.feedback ?? true);
  const previews = createPreviews({
    client,
    identity,
    clock,
    log,
    content: async (thread, post) => postMessage(post, thread, await wordsFor(readerOf(post))),
    thumbs,
    session: status.session,
  });

  /** A thread's posts are in the language of the person who is served there, a whisper in its reader's. */
  async function wordsFor(person: string | undefined): Promise<Words> {
    return wordsIn(person === undefined ? 'en' : await directory.language(person));
  }

  const attempted = (what: object, call: Parameters<typeof attempt>[2]) => attempt(log, what, call);

  async function send(thread: ThreadId, id: string, content: () => Content): Promise<Delivery> {
    const { channel, threadTs } = threadParts(thread);
    const built = withinLimits(content, log);
    if ('error' in built) return built;
    const wait = await pace.turn(channel);
    if (wait > 0) return { ok: false, error: 'later', retryAfter: wait, reason: 'posting slowly enough for Slack' };
    const delivery = await attempted({ call: 'chat.postMessage', thread, id }, () =>
      client.chat.postMessage({
        channel,
        thread_ts: threadTs,
        ...built,
        metadata: metadataOf(id),
        unfurl_links: false,
        unfurl_media: false,
      } as ChatPostMessageArguments),
    );
    if (!delivery.ok && delivery.error === 'later') pace.hold(channel, delivery.retryAfter);
    return delivery;
  }

  return {
    async ask(question, { plain }) {
      const cleared = new AbortController();
      await Promise.race([status.show(question.thread, 'waiting'), clock.sleep(CLEARING, cleared.signal)]);
      cleared.abort('in time');
      const words = await wordsFor(question.requester);
      return send(question.thread, question.id, () => questionCard(question, words, { plain }));
    },

    async repaint(question, ts) {
      const { channel } = threadParts(question.thread);
      const words = await wordsFor(question.requester);
      const update = async (plain: boolean): Promise<Delivery> => {
        const built = withinLimits(() => questionCard(question, words, { plain }), log);
        if ('error' in built) return built;
        return edit(parts, { thread: question.thread }, { channel, ts, id: question.id }, built);
      };
      const asCard = await update(false);
      // Its old controls must not stay: a click on them would be told "already settled" for ever.
      return !asCard.ok && asCard.error === 'refused' ? update(true) : asCard;
    },

    async post(thread, post) {
      const words = await wordsFor(readerOf(post));
      const delivery = await thumbs.deliver(post, (shown) =>
        send(thread, shown.id, () => postMessage(shown, thread, words)),
      );
      if (delivery.ok || delivery.error !== 'refused') return delivery;
      // Refused means not posted, so the same id may go out again: a reply is worth more than its looks.
      return send(thread, post.id, () => ({ text: postMessage(post, thread, words).text }));
    },

    async amend(thread, post, ts) {
      const { channel } = threadParts(thread);
      const words = await wordsFor(readerOf(post));
      const built = withinLimits(() => postMessage(post, thread, words), log);
      if ('error' in built) return built;
      return edit(parts, { thread }, { channel, ts, id: post.id }, built);
    },

    async remove(thread, ts) {
      const { channel } = threadParts(thread);
      const remove = () =>
        attempted({ call: 'chat.delete', thread, ts }, () => client.chat.delete({ channel, ts }).catch(unlessGone(ts)));
      const removed = await remove();
      if (removed.ok || removed.error !== 'refused') return removed;
      // It may be a stream that nobody has ended.
      return (await previews.close(thread, ts)) ? remove() : removed;
    },

    find(thread, id, since) {
      const { channel, threadTs } = threadParts(thread);
      return readBack(client, identity, { channel, root: threadTs, id, since });
    },

    async whisper(thread, person, whisper, place = 'thread') {
      const { channel, threadTs } = threadParts(thread);
      const text = whisperText(whisper, await wordsFor(person));
      await attempted({ call: 'chat.postEphemeral', thread, person }, async () => {
        const { message_ts: ts } = await client.chat.postEphemeral({
          channel,
          ...(place === 'thread' && { thread_ts: threadTs }),
          user: person,
          text,
        });
        return { ts };
      });
    },

    async status(thread, next, requester) {
      // Not awaited: work must not wait for a decoration.
      void status.show(thread, next, wordsFor(requester));
    },

    split: (text) => splitReply(text),
    previews,
  };
}

/** In whose language a post is: of the person whom it addresses, else of who is served in the thread. */
function readerOf({ body, requester }: Post): string | undefined {
  return 'who' in body ? body.who : requester;
}
