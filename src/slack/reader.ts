/** The Reader port on Slack's Web API: the thread before a message, who people are, and what is in a file. */
import type { WebClient } from '@slack/web-api';
import type { EarlierMessage, EarlierRead, Reader } from '../thread/ports.ts';
import type { Directory } from './directory.ts';
import { createFileReader } from './files.ts';
import type { Identity } from './identity.ts';
import { threadParts } from './ids.ts';
import type { Log } from './log.ts';
import { readEarlierMessage } from './message.ts';
import { unreadFor } from './unread.ts';
import { failureOf } from './web-api-error.ts';

const PAGE = 500;
/** Slack gives a thread from its beginning only: one that is longer is not read to its end. */
const MOST_PAGES = 10;

export type ReaderParts = {
  client: Pick<WebClient, 'conversations' | 'files'>;
  identity: Identity;
  directory: Pick<Directory, 'profile'>;
  /** The bot's, and the address of another Slack: for files. */
  token: string;
  apiUrl?: string;
  log: Log;
};

export function createReader({ client, identity, directory, log, ...access }: ReaderParts): Reader {
  return {
    file: createFileReader({ client, ...access, log }),
    profile: (person) => directory.profile(person),

    async earlier(thread, { after, before }, most): Promise<EarlierRead> {
      const { channel, threadTs } = threadParts(thread);
      // Each message of a DM is said to us, and reaches us by itself.
      if (channel.startsWith('D')) return { ok: true, messages: [], leftOut: 0 };
      const found: EarlierMessage[] = [];
      let leftOut = 0;
      let cursor: string | undefined;
      try {
        for (let page = 0; page < MOST_PAGES; page += 1) {
          const answer = await client.conversations.replies({
            channel,
            ts: threadTs,
            latest: before,
            ...(Number(after) > 0 && { oldest: after }),
            limit: PAGE,
            ...(cursor !== undefined && { cursor }),
          });
          for (const message of answer.messages ?? []) {
            const said = readEarlierMessage(message, identity);
            // The root comes whatever is asked for.
            if (said && Number(said.id) > Number(after) && Number(said.id) < Number(before)) found.push(said);
          }
          if (found.length > most) leftOut += found.splice(1, found.length - most).length;
          cursor = answer.response_metadata?.next_cursor || undefined;
          if (cursor === undefined) return { ok: true, messages: found, leftOut };
        }
        return { ok: true, messages: found, leftOut, more: true };
      } catch (error) {
        const failure = failureOf(error);
        log.warn({ call: 'conversations.replies', thread, reason: failure.reason }, 'a thread could not be read');
        return unreadFor(failure);
      }
    },
  };
}
