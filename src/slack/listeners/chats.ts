/**
 * An empty chat with the bot offers what to say: in an agent's view when its chat is opened, in the older assistant's view when a
 * thread is begun there. Decoration: no event waits for it, and a plain app, which has neither, does without.
 * What the person looks at beside the chat (`assistant_thread_context_changed`) changes nothing of it, and has no listener.
 */
import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import type { Directory } from '../directory.ts';
import { slackId, slackTs } from '../fields.ts';
import type { Identity } from '../identity.ts';
import type { SlackEvent } from '../inbound.ts';
import type { Log } from '../log.ts';
import { failureOf, isUnavailable, slackErrorCode } from '../web-api-error.ts';
import { wordsIn } from '../words/catalogue.ts';
import type { Prompt } from '../words/words.ts';

/** That of both views; where Slack has not told our scopes, the first call will. */
const SCOPE = 'assistant:write';

const openedSchema = z.object({ tab: z.literal('messages'), user: slackId, channel: slackId });
const startedSchema = z.object({
  assistant_thread: z.object({ user_id: slackId, channel_id: slackId, thread_ts: slackTs }),
});

type Chat = { user: string; channel_id: string; thread_ts?: string };

export type ChatParts = {
  client: Pick<WebClient, 'assistant'>;
  directory: Pick<Directory, 'language'>;
  identity: Pick<Identity, 'scopes'>;
  /** undefined: what the reader's language has. */
  prompts: readonly Prompt[] | undefined;
  log: Log;
};

export type ChatListeners = Readonly<
  Record<'app_home_opened' | 'assistant_thread_started', (event: SlackEvent) => void>
>;

export function createChatListeners({ client, directory, identity, prompts, log }: ChatParts): ChatListeners {
  const { scopes = [SCOPE] } = identity;
  let available = scopes.includes(SCOPE) && (prompts === undefined || prompts.length > 0);

  async function offer({ user, ...chat }: Chat): Promise<void> {
    try {
      const own = wordsIn(await directory.language(user)).prompts;
      const [first, ...others] = prompts ?? own.offered;
      if (first === undefined) return;
      await client.assistant.threads.setSuggestedPrompts({ ...chat, title: own.title, prompts: [first, ...others] });
    } catch (error) {
      // Only a view that is not there is not there for good.
      if (isUnavailable(slackErrorCode(error))) available = false;
      log.debug({ channel: chat.channel_id, reason: failureOf(error).reason }, 'no prompts were offered');
    }
  }

  const chat = (opened: Chat): void => {
    if (available) void offer(opened);
  };

  return {
    app_home_opened(event) {
      const { data } = openedSchema.safeParse(event);
      if (data) chat({ user: data.user, channel_id: data.channel });
    },
    assistant_thread_started(event) {
      const { data } = startedSchema.safeParse(event);
      if (data === undefined) return log.warn({}, 'a chat was begun that is not readable');
      const { user_id, ...thread } = data.assistant_thread;
      chat({ user: user_id, ...thread });
    },
  };
}
