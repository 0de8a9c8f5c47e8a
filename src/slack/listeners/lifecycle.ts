/** What Slack tells about the app itself and about a person's Stop. Each is durable before it is acked. */
import { z } from 'zod';
import type { Dispatcher } from '../../thread/dispatcher-api.ts';
import type { Messenger } from '../../thread/ports.ts';
import type { Directory } from '../directory.ts';
import { slackId, slackTs } from '../fields.ts';
import type { Identity } from '../identity.ts';
import { threadId } from '../ids.ts';
import type { InFlight } from '../in-flight.ts';
import type { SlackEvent } from '../inbound.ts';
import type { Log } from '../log.ts';
import type { TokenWatch } from '../token-watch.ts';

const revokedSchema = z.object({ tokens: z.object({ bot: z.array(z.string()).nullish() }) });
const stoppedSchema = z.object({ channel: slackId, user: slackId, thread_ts: slackTs });

export type LifecycleParts = {
  dispatcher: Pick<Dispatcher, 'stop'>;
  directory: Pick<Directory, 'person'>;
  identity: Identity;
  messenger: Pick<Messenger, 'whisper'>;
  inFlight: InFlight;
  token: Pick<TokenWatch, 'doubt'>;
  log: Log;
};

/** By event type; each rejects when the store fails. */
export function createLifecycleListeners({
  dispatcher,
  directory,
  identity,
  messenger,
  inFlight,
  token,
  log,
}: LifecycleParts): Readonly<
  Record<'app_uninstalled' | 'tokens_revoked' | 'agent_session_stopped', (event: SlackEvent) => Promise<void>>
> {
  return {
    // Both events may come, in any order, more than once, and when the app has long been installed again.
    app_uninstalled: () => token.doubt('the app was uninstalled'),
    async tokens_revoked(event) {
      const { data } = revokedSchema.safeParse(event);
      // People's own tokens are none of ours.
      if (data?.tokens.bot?.length) await token.doubt('the bot token was revoked');
    },
    async agent_session_stopped(event) {
      const { data } = stoppedSchema.safeParse(event);
      if (data === undefined) return log.warn({}, 'a stop that is not readable');
      const thread = threadId(identity.team, data.channel, data.thread_ts);
      const stopped = await dispatcher.stop(thread, await directory.person(data.user));
      if (stopped.status === 'not_allowed') {
        const { reason, requester } = stopped;
        const whisper = { kind: 'not_allowed', reason, requester } as const;
        void inFlight.track(messenger.whisper(thread, data.user, whisper));
      }
    },
  };
}
