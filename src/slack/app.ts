/** Slack, put together: who we are, the Messenger, and Bolt with its receiver and listeners. */
import type { Server } from 'node:http';
import { App } from '@slack/bolt';
import type { Dispatcher } from '../thread/dispatcher-api.ts';
import type { Clock, Messenger, Reader } from '../thread/ports.ts';
import { createDirectory, type Directory } from './directory.ts';
import { createHttpReceiver } from './http-receiver.ts';
import { type Identity, identify } from './identity.ts';
import { createInFlight } from './in-flight.ts';
import type { SlackEvent } from './inbound.ts';
import { createAboutListeners, isAboutForm } from './listeners/about.ts';
import { createAnswerListeners } from './listeners/answers.ts';
import { createChatListeners } from './listeners/chats.ts';
import { createHomeTabs } from './listeners/home.ts';
import { createLifecycleListeners } from './listeners/lifecycle.ts';
import { createMessageListener, MESSAGE_EVENTS } from './listeners/messages.ts';
import { type Log, slackLogger } from './log.ts';
import { createMessenger } from './messenger.ts';
import { type Probes, serveProbes } from './probes.ts';
import { createReader } from './reader.ts';
import { type EventDelivery, savedFirst } from './receiver.ts';
import { createSocketReceiver } from './socket-receiver.ts';
import { createTokenWatch } from './token-watch.ts';
import { createWebClient, type TellingClient } from './web-client.ts';
import { within } from './within.ts';
import type { Prompt } from './words/words.ts';

/**
 * ms that an idle connection stays open: longer than the minute for which proxies keep theirs. Whoever closes first while the other
 * sends loses that request, and Slack sends a click only once.
 */
const KEPT_ALIVE = 75_000;

/** `feedback`: replies carry thumbs; the default. */
export type SlackSettings = { botToken: string; apiUrl?: string; feedback?: boolean } & (
  | { mode: 'socket'; appToken: string }
  | { mode: 'http'; signingSecret: string }
);

/** What we can do in Slack before anybody is listened to: the dispatcher is built on the messenger and the reader. */
export type SlackAccess = {
  identity: Identity;
  messenger: Messenger;
  reader: Reader;
  directory: Directory;
  client: TellingClient;
};

/** Rejects with SlackStartError when Slack refuses the bot token; waits while Slack cannot be reached, until `signal` aborts. */
export async function openSlack(
  { botToken, apiUrl, feedback }: SlackSettings,
  { clock, log, signal }: { clock: Clock; log: Log; signal?: AbortSignal },
): Promise<SlackAccess> {
  const client = createWebClient({ token: botToken, ...(apiUrl !== undefined && { apiUrl }), log });
  const identity = await identify(client, { clock, log, ...(signal && { signal }) });
  const directory = createDirectory({ client, team: identity.team, clock, log });
  return {
    client,
    identity,
    directory,
    messenger: createMessenger({
      client,
      identity,
      directory,
      clock,
      log,
      ...(feedback !== undefined && { feedback }),
    }),
    reader: createReader({
      ...{ client, identity, directory, token: botToken, log },
      ...(apiUrl !== undefined && { apiUrl }),
    }),
  };
}

export type SlackAppParts = {
  settings: SlackSettings;
  access: SlackAccess;
  dispatcher: Dispatcher;
  /** Where HTTP is served: Slack's requests and the probes; in Socket Mode the probes, if it is given. */
  http?: { host: string; port: number };
  probes: Probes;
  /** What an empty chat offers; absent: what the reader's language has; empty: nothing. */
  prompts?: readonly Prompt[];
  /** Slack refuses us for good; the message is for the operator. The process should end, with a code that says so. */
  onFatal: (message: string) => void;
  clock: Clock;
  log: Log;
};

export type SlackApp = {
  /** Resolves when Slack can reach us: connected, or listening. Rejects with SlackStartError when Slack refuses the app token. */
  start(): Promise<void>;
  /** Takes nothing new, and resolves when what was taken is answered, or after `deadline` ms. */
  stop(deadline: number): Promise<void>;
  /** False also when Slack refuses our token: what comes in could not be answered. */
  health(): { connected: boolean };
  /** The port that HTTP is served on, once started: the one asked for, or the one that 0 became. */
  port(): number | undefined;
};

export function createSlackApp({
  settings,
  access,
  dispatcher,
  http,
  probes,
  prompts,
  onFatal,
  clock,
  log,
}: SlackAppParts): SlackApp {
  const { client, identity } = access;
  const inFlight = createInFlight();
  const uninstalled = () => dispatcher.uninstalled(identity.team);
  const token = createTokenWatch({ client, uninstalled, onFatal, clock, log });
  const parts = { ...access, dispatcher, inFlight, token, clock, log };
  const heard = createMessageListener(parts);
  const home = createHomeTabs(parts);
  const chats = createChatListeners({ ...parts, prompts });
  const told = new Map<string, (event: SlackEvent, delivery: EventDelivery) => Promise<void>>([
    ...MESSAGE_EVENTS.map((type) => [type, heard] as const),
    ...Object.entries(createLifecycleListeners(parts)),
    [
      'app_home_opened',
      async (event: SlackEvent) => {
        chats.app_home_opened(event);
        await home.app_home_opened(event);
      },
    ] as const,
    ['assistant_thread_started', async (event: SlackEvent) => chats.assistant_thread_started(event)] as const,
  ]);
  const save = async (event: SlackEvent, delivery: EventDelivery): Promise<void> => {
    const listener = told.get(event.type);
    if (listener) await inFlight.track(listener(event, delivery));
  };

  const wire = connection({ settings, http, probes, onFatal, clock, log });
  const app = new App({
    receiver: savedFirst(wire.receiver, { identity, save }),
    token: settings.botToken,
    // Known already: Bolt need not ask again.
    botId: identity.botId,
    botUserId: identity.botUser,
    tokenVerificationEnabled: false,
    deferInitialization: true,
    convoStore: false,
    logger: slackLogger(log),
    clientOptions: { slackApiUrl: client.slackApiUrl },
  });
  const answers = createAnswerListeners({ ...parts, home });
  app.action(/^/, async ({ body, ack }) => answers.action(body, ack));
  const about = createAboutListeners(parts);
  app.shortcut(/^/, async ({ body, ack }) => about.shortcut(body, ack));
  app.view(/^/, async ({ body, ack }) => {
    const { submission } = isAboutForm(body) ? about : answers;
    await submission(body, (response) => (response ? ack(response) : ack()));
  });
  app.error(async (error) => log.error({ reason: error.message }, 'Bolt could not handle what Slack sent'));

  return {
    async start() {
      await app.init();
      await wire.start();
      void token.start();
    },
    async stop(deadline) {
      token.stop();
      const answered = async () => {
        await wire.stop();
        home.stop();
        await inFlight.settled();
      };
      const late = await within(clock, deadline, answered(), (rest) => void rest.catch(() => {}));
      if (late === 'late') log.warn({ deadline }, 'calls to Slack were left unanswered');
    },
    health: () => ({ connected: wire.connected() && token.valid() }),
    port: wire.port,
  };
}

type ConnectionParts = Pick<SlackAppParts, 'settings' | 'probes' | 'onFatal' | 'clock' | 'log'> & {
  http: SlackAppParts['http'];
};

/** Either way to Slack, behind one face. */
function connection({ settings, http, probes, onFatal, clock, log }: ConnectionParts) {
  let server: Server | undefined;
  const port = () => {
    const address = server?.address();
    return typeof address === 'object' ? address?.port : undefined;
  };
  const closeServer = async () => {
    const closing = server;
    server = undefined;
    if (closing === undefined) return;
    await new Promise<void>((resolve) => {
      // Kept-alive connections of nobody would hold the close for seconds, also those that answer a last request first.
      const sweep = setInterval(() => closing.closeIdleConnections(), 20);
      closing.close(() => {
        clearInterval(sweep);
        resolve();
      });
    });
  };

  switch (settings.mode) {
    case 'socket': {
      const { appToken, apiUrl } = settings;
      const { receiver, connected } = createSocketReceiver({
        appToken,
        ...(apiUrl !== undefined && { apiUrl }),
        clock,
        log,
        onFatal,
      });
      return {
        receiver,
        connected,
        port,
        async start() {
          // First, so that a supervisor sees a process that waits for Slack, and not none.
          if (http) server = await serveProbes(probes, http);
          await receiver.start();
        },
        async stop() {
          await receiver.stop();
          await closeServer();
        },
      };
    }
    case 'http': {
      const receiver = createHttpReceiver({
        signingSecret: settings.signingSecret,
        probes,
        now: clock.now,
        log,
      });
      return {
        receiver,
        connected: () => server !== undefined,
        port,
        async start() {
          server = (await receiver.start(http ?? { host: '127.0.0.1', port: 3000 })) as Server;
          server.keepAliveTimeout = KEPT_ALIVE;
        },
        stop: closeServer,
      };
    }
  }
}
