import type { AddressInfo } from 'node:net';
import { App, HTTPReceiver, LogLevel, SocketModeReceiver } from '@slack/bolt';
import { WebClient } from '@slack/web-api';
import { type Playground, type PlaygroundOptions, startPlayground } from '../../src/playground/server.ts';

export const mara = 'U0MARA0001';
export const tomas = 'U0TOMAS001';
export const general = 'C0GENERAL1';
export const bot = 'U0ASKBACK1';

type Setup = (app: App) => void;

/** A real Bolt app on a playground of its own, in Socket Mode or HTTP mode. */
export async function boltOn(mode: 'socket' | 'http', options: PlaygroundOptions, setup: Setup) {
  const http = mode === 'http' ? await httpReceiver() : undefined;
  const slack = await startPlayground({ ...options, mode, ...(http ? { eventsUrl: http.eventsUrl } : {}) });
  const app = http ? await startHttp(slack, http.port, setup) : await startSocket(slack, setup);
  return {
    slack,
    app,
    async [Symbol.asyncDispose]() {
      await app.stop();
      await slack.close();
    },
  };
}

export async function startSocket(slack: Playground, setup: Setup): Promise<App> {
  const receiver = new SocketModeReceiver({
    appToken: slack.appToken,
    // Bolt waits as long as this before it connects again; 5 s is its own.
    clientPingTimeout: 1_000,
    logLevel: LogLevel.ERROR,
    installerOptions: { clientOptions: { slackApiUrl: slack.apiUrl } },
  });
  const before = slack.state().bot.sockets;
  const app = await started(slack, receiver, setup);
  // Bolt's own stop() answers before the socket is closed.
  app.stop = () => receiver.client.disconnect();
  await app.start();
  await slack.wait((state) => state.bot.sockets > before, { what: 'a socket of Bolt' });
  return app;
}

async function startHttp(slack: Playground, port: number, setup: Setup): Promise<App> {
  const receiver = new HTTPReceiver({ signingSecret: slack.signingSecret, logLevel: LogLevel.ERROR });
  const app = await started(slack, receiver, setup);
  await app.start({ port, host: '127.0.0.1' });
  return app;
}

async function started(slack: Playground, receiver: SocketModeReceiver | HTTPReceiver, setup: Setup): Promise<App> {
  const app = new App({
    token: slack.botToken,
    receiver,
    clientOptions: { slackApiUrl: slack.apiUrl, retryConfig: { retries: 0 } },
    logLevel: LogLevel.ERROR,
    convoStore: false,
    deferInitialization: true,
  });
  setup(app);
  await app.init();
  return app;
}

/** A port that is free now, for the receiver to listen on after the playground knows it. */
async function httpReceiver() {
  const { createServer } = await import('node:net');
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise<void>((resolve) => probe.close(() => resolve()));
  return { port, eventsUrl: `http://127.0.0.1:${port}/slack/events` };
}

/** A client that tries once and says what happened. */
export function clientOf(slack: Playground, token = slack.botToken, options = {}): WebClient {
  return new WebClient(token, {
    slackApiUrl: slack.apiUrl,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    logLevel: LogLevel.ERROR as never,
    ...options,
  });
}

/** The refusal of a call as Slack words it. */
export async function refusalOf(call: Promise<unknown>): Promise<{ error: string; [key: string]: unknown }> {
  try {
    await call;
  } catch (error) {
    return (error as { data: { error: string } }).data;
  }
  throw new Error('The call was not refused.');
}

export const section = (text: string, more: object = {}) => ({
  type: 'section',
  text: { type: 'mrkdwn', text },
  ...more,
});
export const button = (action_id: string, value = 'v') => ({
  type: 'button',
  action_id,
  text: { type: 'plain_text', text: action_id },
  value,
});
