/** The direct messages that tell people of questions that are put to them: posted once, found again, edited when it is over. */
import type { ChatPostMessageArguments, WebClient } from '@slack/web-api';
import type { Addressees } from '../thread/addressees-port.ts';
import type { Delivery, QuestionView } from '../thread/ports.ts';
import { attempt, edit, unlessGone, withinLimits } from './attempt.ts';
import type { Directory } from './directory.ts';
import type { Identity } from './identity.ts';
import { linkTo } from './links.ts';
import type { Log } from './log.ts';
import { metadataOf, readBack } from './read-back.ts';
import { invitation } from './views/invitation.ts';
import { type Failure, failureOf } from './web-api-error.ts';
import { wordsIn } from './words/catalogue.ts';

/** ms before another try when it is not known whether Slack opened the messages with a person: nothing was posted there. */
const AGAIN = 5_000;
/** People whose channel is known. */
const MOST = 5_000;

export type InvitationParts = {
  client: Pick<WebClient, 'chat' | 'conversations'>;
  identity: Identity;
  directory: Pick<Directory, 'language'>;
  log: Log;
};

export function createInvitations(parts: InvitationParts): Omit<Addressees, 'address'> {
  const { client, identity, directory, log } = parts;
  const channels = new Map<string, string>();

  /** The channel of the messages with this person, which is always the same one. */
  async function open(person: string): Promise<string | Failure> {
    const known = channels.get(person);
    if (known !== undefined) return known;
    try {
      const { channel } = await client.conversations.open({ users: person });
      if (!channel?.id) return { ok: false, error: 'ambiguous', reason: 'an answer without a channel' };
      if (channels.size === MOST) channels.clear();
      channels.set(person, channel.id);
      return channel.id;
    } catch (error) {
      return failureOf(error);
    }
  }

  /** To open twice is to open once, so an unknown outcome is only one to try again. */
  async function inMessages(person: string, act: (channel: string) => Promise<Delivery>): Promise<Delivery> {
    const channel = await open(person);
    if (typeof channel === 'string') return act(channel);
    log.warn({ person, outcome: channel.error, reason: channel.reason }, 'a person cannot be written to');
    return channel.error === 'ambiguous' ? { ...channel, error: 'later', retryAfter: AGAIN } : channel;
  }

  async function contentFor(question: QuestionView, person: string, cardTs: string) {
    const words = wordsIn(await directory.language(person));
    return withinLimits(() => invitation(question, linkTo(identity, question.thread, cardTs), words), log);
  }

  return {
    async invite(question, person, id, cardTs) {
      const built = await contentFor(question, person, cardTs);
      if ('error' in built) return built;
      return inMessages(person, (channel) =>
        attempt(log, { call: 'chat.postMessage', person, id }, () =>
          client.chat.postMessage({
            channel,
            ...built,
            metadata: metadataOf(id),
            unfurl_links: false,
            unfurl_media: false,
          } as ChatPostMessageArguments),
        ),
      );
    },

    async repaint(question, person, ts, id, cardTs) {
      const built = await contentFor(question, person, cardTs);
      if ('error' in built) return built;
      return inMessages(person, (channel) => edit(parts, { person }, { channel, ts, id }, built));
    },

    async find(person, id, since) {
      const channel = await open(person);
      if (typeof channel === 'string') return readBack(client, identity, { channel, id, since });
      // Who cannot be written to for good has got nothing.
      if (channel.error === 'refused' || channel.error === 'gone') return undefined;
      throw new Error(`The messages with ${person} could not be opened: ${channel.reason}`);
    },

    remove(person, ts) {
      return inMessages(person, (channel) =>
        attempt(log, { call: 'chat.delete', person, ts }, () =>
          client.chat.delete({ channel, ts }).catch(unlessGone(ts)),
        ),
      );
    },
  };
}
