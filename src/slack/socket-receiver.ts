/**
 * Socket Mode: Bolt's receiver on a connection of our own keeping. The client's own reconnecting waits five seconds without a
 * connection and ends the process when Slack refuses the token or its retries run out; a bad frame ends it too.
 */
import { SocketModeReceiver } from '@slack/bolt';
import type { Clock } from '../thread/ports.ts';
import { SlackStartError } from './identity.ts';
import { type Log, slackLogger } from './log.ts';
import { failureOf, isTokenRefused, slackErrorCode } from './web-api-error.ts';

/** ms in which Slack must say hello. */
const HELLO = 15_000;
/** A connection that lived this long (ms) was a good one: the next is made at once. */
const GOOD = 10_000;
const SHORTEST_WAIT = 250;
const LONGEST_WAIT = 30_000;
/** ms for the closing handshake when we leave. */
const GOODBYE = 1_000;

export type SocketReceiverParts = {
  appToken: string;
  apiUrl?: string;
  clock: Clock;
  log: Log;
  /** Slack will not have us any more; the message says what to mend. Nothing is tried again. */
  onFatal: (message: string) => void;
};

export type SocketReceiver = { receiver: SocketModeReceiver; connected(): boolean };

export function createSocketReceiver({ appToken, apiUrl, clock, log, onFatal }: SocketReceiverParts): SocketReceiver {
  const receiver = new SocketModeReceiver({
    appToken,
    logger: slackLogger(log),
    autoReconnectEnabled: false,
    installerOptions: {
      clientOptions: {
        ...(apiUrl === undefined ? {} : { slackApiUrl: apiUrl }),
        retryConfig: { retries: 0 },
        rejectRateLimitedCalls: true,
        timeout: 10_000,
      },
    },
    processEventErrorHandler: async ({ error }) => {
      log.error({ reason: error.message }, 'what Slack sent was not taken, and is not acked');
      return false;
    },
  });
  const { client } = receiver;
  const [onMessage] = client.listeners('ws_message');
  client.off('ws_message');
  client.on('ws_message', (...frame) => {
    Promise.resolve(onMessage?.(...frame)).catch((error: unknown) =>
      log.warn({ reason: String(error) }, 'a frame that is not readable was dropped'),
    );
  });

  const leaving = new AbortController();
  let open = false;
  let lost = Promise.withResolvers<void>();
  client.on('disconnected', () => lost.resolve());

  async function connect(): Promise<void> {
    lost = Promise.withResolvers<void>();
    const tooLong = new AbortController();
    // Its rejection is looked at once, here; after a timeout nobody is left to do so.
    const hello = client.start().then(() => true);
    hello.catch(() => {});
    const greeted = await Promise.race([hello, clock.sleep(HELLO, tooLong.signal).then(() => false)]).finally(() =>
      tooLong.abort(),
    );
    if (greeted) return;
    await client.disconnect();
    throw new Error(`Slack did not say hello within ${HELLO / 1_000} s`);
  }

  /** Resolves when we leave; rejects when there is no point in trying again. `connected` is called at each connection. */
  async function stayConnected(connected: () => void): Promise<void> {
    let wait = 0;
    const next = () => Math.min(Math.max(wait * 2, SHORTEST_WAIT), LONGEST_WAIT);
    for (let everConnected = false; !leaving.signal.aborted; ) {
      await clock.sleep(wait, leaving.signal);
      if (leaving.signal.aborted) return;
      try {
        await connect();
      } catch (error) {
        const failure = failureOf(error);
        const never = isTokenRefused(slackErrorCode(error)) || failure.error === 'gone';
        if (never || (failure.error === 'refused' && !everConnected)) {
          throw new SlackStartError(
            `Slack refused SLACK_APP_TOKEN (${failure.reason}): make an app-level token (xapp-…) with the scope connections:write on your app’s "Basic Information" page, and see that Socket Mode is on and the app installed.`,
          );
        }
        wait = failure.error === 'later' ? Math.max(next(), failure.retryAfter) : next();
        log.warn({ reason: failure.reason, wait }, 'no connection to Slack; trying again');
        continue;
      }
      const since = clock.now();
      everConnected = true;
      open = true;
      log.info({}, 'connected to Slack');
      connected();
      await lost.promise;
      open = false;
      if (leaving.signal.aborted) return;
      wait = clock.now() - since >= GOOD ? 0 : next();
      log.info({ wait }, 'the connection to Slack is closed; making another');
    }
  }

  receiver.start = () => {
    // Nobody reads what Slack said about the connection; Bolt's type promises it.
    const first = Promise.withResolvers<Awaited<ReturnType<SocketModeReceiver['start']>>>();
    let started = false;
    stayConnected(() => {
      started = true;
      first.resolve({ ok: true });
    }).then(
      () => first.reject(new Error('Stopped before Slack was connected.')),
      (error: Error) => (started ? onFatal(error.message) : first.reject(error)),
    );
    return first.promise;
  };
  receiver.stop = async () => {
    leaving.abort();
    open = false;
    const left = new AbortController();
    await Promise.race([client.disconnect(), clock.sleep(GOODBYE, left.signal)]);
    left.abort();
  };
  return { receiver, connected: () => open };
}
