import { randomBytes } from 'node:crypto';
import { createActions } from './actions.ts';
import { type Clock, slackWindows, systemClock, type Windows } from './clock.ts';
import { createDelivery, type Receipt } from './delivery.ts';
import { createDownloads } from './downloads.ts';
import { createEvents, type TwinOrder } from './events.ts';
import { createFaults } from './faults.ts';
import { createFileStore } from './file-store.ts';
import { createHttpDelivery } from './http-delivery.ts';
import { createIds } from './ids.ts';
import { createInteractions } from './interactions.ts';
import type { JsonObject } from './json.ts';
import { createLive } from './live.ts';
import { type Manifest, readManifest, unreachableEvents } from './manifest.ts';
import { createObservers, type WaitOptions } from './observe.ts';
import { createPosts } from './posts.ts';
import { type BotCommand, createBotProcess } from './process.ts';
import type { Action, BotState, Done, PlaygroundChannel, PlaygroundUser, Snapshot, Update } from './protocol.ts';
import { createRateLimits } from './rate-limits.ts';
import { createResponseUrls } from './response-urls.ts';
import { app, workspaceSeed } from './seed.ts';
import { createSocketMode } from './socket-mode.ts';
import { createStatuses } from './statuses.ts';
import { createStreams } from './streams.ts';
import { createTraffic } from './traffic.ts';
import { createTriggers } from './triggers.ts';
import { createViewDesk } from './view-desk.ts';
import { type ApiCall, createWebApi, type OnCall, type Tokens } from './web-api/api.ts';
import type { Context } from './web-api/method.ts';
import { createWebServer, listen, type PageHandler } from './web-server.ts';
import { createWorkspace } from './workspace.ts';

export type PlaygroundOptions = {
  /** 0 or absent: a free one. */
  port?: number;
  /** Serves the page at `/`; building it takes about a second. */
  page?: boolean;
  /** The app's manifest, or its path; absent: an app that may do everything. */
  manifest?: string | object;
  /** `socket` unless told. */
  mode?: 'socket' | 'http';
  /** HTTP mode: where the bot takes events and interactions. Absent with `bot`: `/slack/events` of a free port, which the bot gets as PORT. */
  eventsUrl?: string;
  clock?: Clock;
  windows?: Partial<Windows>;
  /** An unknown argument is refused (default); false: it is only loud. */
  strict?: boolean;
  /** Only the long-standing methods exist: no streams, agents.*, assistant.*. */
  legacy?: boolean;
  rateLimits?: boolean;
  twins?: TwinOrder;
  /** Starts the bot as a process of its own. */
  bot?: BotCommand;
  /** More people; one with a known id replaces that one. They are in the open channels. */
  people?: PlaygroundUser[];
  channels?: PlaygroundChannel[];
  onCall?: OnCall;
  /** Makes ids repeatable. */
  seed?: string;
};

export type Playground = {
  /** Such as `http://127.0.0.1:8765`. */
  url: string;
  /** For SLACK_API_URL. */
  apiUrl: string;
  botToken: string;
  appToken: string;
  signingSecret: string;
  /** HTTP mode: where the bot takes what Slack sends. */
  eventsUrl?: string;
  do(action: Action): Promise<Done>;
  state(): Snapshot;
  wait<T>(predicate: (state: Snapshot) => T | undefined | null | false, options?: WaitOptions): Promise<T>;
  subscribe(fn: (update: Update) => void): () => void;
  /** The bot's calls of the Web API, oldest first. */
  calls(method?: string): ApiCall[];
  /** Brings to the bot, once, what no person's action would: forged, repeated, of another workspace. The traffic does not show it. */
  deliver(payload: JsonObject): Promise<Receipt>;
  /** Socket Mode: a frame that Slack would never send. */
  sendRaw(frame: string): void;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

/** A local Slack workspace: Web API, Socket Mode or signed HTTP, people who act, and the page. */
export async function startPlayground(options: PlaygroundOptions = {}): Promise<Playground> {
  const mode = options.mode ?? 'socket';
  const clock = options.clock ?? systemClock;
  const windows = { ...slackWindows, ...options.windows };
  const seed = options.seed ?? randomBytes(8).toString('hex');
  const ids = createIds(seed);
  const manifest = readManifest(options.manifest);
  const secret = (use: string) => createIds(`${seed}:${use}`).hex(24);
  const tokens: Tokens = { bot: `xoxb-${secret('bot')}`, app: `xapp-1-${app.id}-${secret('app')}`, revoked: false };
  const signingSecret = secret('signing');
  let address = '';
  let sockets = 0;

  const observers = createObservers(state);
  // `live` is made last, of what is made before it; nothing changes until then.
  const changed = (update: Update) => {
    live.tell(update);
    observers.tell(update);
  };
  const ws = createWorkspace(
    workspaceSeed(options, manifest, () => address),
    clock,
    ids,
    changed,
  );
  const traffic = createTraffic(clock, changed);
  const faults = createFaults(changed);
  const socketMode =
    mode === 'socket'
      ? createSocketMode({ appId: app.id, clock, windows, ids, traffic, changed: socketsChanged })
      : undefined;
  const eventsUrl = options.eventsUrl ?? `http://127.0.0.1:${mode === 'http' ? await freePort() : 0}/slack/events`;
  const http =
    mode === 'http' ? createHttpDelivery({ url: eventsUrl, signingSecret, clock, windows, traffic }) : undefined;
  const transport = socketMode?.transport ?? http?.transport;
  if (!transport) throw new Error(`mode is "${mode}"; it must be "socket" or "http".`);
  const delivery = createDelivery(transport, { clock, windows, traffic });
  const events = createEvents({ ws, manifest, delivery, clock, ids, twins: options.twins ?? 'message_first' });
  const statuses = createStatuses(ws, clock, windows);
  const posts = createPosts({ ws, events, ids, statuses });
  const triggers = createTriggers(clock, windows, ids);
  const desk = createViewDesk(ws, clock, ids);
  const streams = createStreams(ws, clock, windows, ids);
  const files = createFileStore(ids);
  const urls = createResponseUrls({ ws, posts, clock, windows, ids, traffic });
  const interactions = createInteractions({ ws, manifest, delivery, desk, triggers, urls, traffic });
  const context: Context = {
    ...{ ws, manifest, clock, windows, ids, events, posts, statuses, triggers, desk, streams, files },
    ...(socketMode ? { sockets: socketMode } : {}),
    warn: (title, warning) => traffic.warn('api', title, warning),
  };
  const api = createWebApi({
    ...{ context, tokens, faults, traffic },
    strict: options.strict ?? true,
    legacy: options.legacy ?? false,
    limits: options.rateLimits ? createRateLimits(clock) : undefined,
    onCall: options.onCall,
  });
  const bot = options.bot && createBotProcess(options.bot, botEnvironment, botChanged);
  const act = createActions({
    ...{ ws, manifest, events, posts, files, statuses, streams, desk, interactions, faults, tokens, bot },
    sockets: socketMode,
  });
  const live = createLive(state, act);
  const page: PageHandler | undefined = options.page ? await (await import('./page/serve.ts')).buildPage() : undefined;
  const download = createDownloads({ files, faults, traffic, manifest, clock, botToken: tokens.bot });
  const server = createWebServer({ api, urls, files, download, live, sockets: socketMode, page });
  address = `http://127.0.0.1:${await listen(server, options.port ?? 0)}`;

  for (const { event, scope } of unreachableEvents(manifest)) {
    traffic.warn('event', event, `The manifest subscribes to ${event} without the scope ${scope}: it never comes.`);
  }
  let probe: (() => void) | undefined;
  let closed: Promise<void> | undefined;
  if (bot) {
    bot.start();
    if (http) probeHttp();
  }

  function botEnvironment(): { [name: string]: string } {
    const common = { SLACK_BOT_TOKEN: tokens.bot, SLACK_API_URL: `${address}/api/` };
    if (mode === 'socket') return { ...common, SLACK_APP_TOKEN: tokens.app };
    return { ...common, SLACK_SIGNING_SECRET: signingSecret, HOST: '127.0.0.1', PORT: new URL(eventsUrl).port };
  }

  function botState(): BotState {
    return { ...(bot?.snapshot() ?? { state: 'absent', log: [] }), sockets, ...(http && { http: true as const }) };
  }

  function botChanged(): void {
    changed({ type: 'bot', bot: botState() });
  }

  function socketsChanged(count: number): void {
    sockets = count;
    if (count > 0) bot?.isUp();
    botChanged();
  }

  /** In HTTP mode the bot is up when it answers Slack's check of the request URL. */
  function probeHttp(): void {
    probe = clock.after(200, () => {
      const starting = bot?.snapshot().state === 'starting';
      const check = starting && http ? http.verify(ids.hex(24)) : Promise.resolve(false);
      void check.then((up) => {
        if (up) bot?.isUp();
        if (!closed) probeHttp();
      });
    });
  }

  function state(): Snapshot {
    return {
      type: 'snapshot',
      team: { id: ws.team.id, name: ws.team.name },
      app: {
        id: ws.app.id,
        name: ws.app.name,
        botUser: ws.app.botUser,
        view: viewOf(manifest),
        shortcuts: manifest.shortcuts,
      },
      users: [...ws.users.values()],
      channels: [...ws.channels.values()],
      userGroups: ws.userGroups,
      messages: ws.all(),
      views: [...ws.views.values()],
      statuses: [...ws.statuses.values()],
      prompts: [...ws.prompts.values()],
      traffic: [...traffic.lines()],
      faults: faults.list(),
      bot: botState(),
    };
  }

  async function shutDown(): Promise<void> {
    probe?.();
    await bot?.stop();
    await delivery.close();
    statuses.close();
    streams.close();
    await live.close();
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  }

  function close(): Promise<void> {
    closed ??= shutDown();
    return closed;
  }

  return {
    url: address,
    apiUrl: `${address}/api/`,
    botToken: tokens.bot,
    appToken: tokens.app,
    signingSecret,
    ...(http ? { eventsUrl } : {}),
    do: act,
    state,
    wait: observers.wait,
    subscribe: observers.subscribe,
    calls: api.calls,
    deliver: (payload) =>
      transport.deliver({
        kind: payload.type === 'event_callback' ? 'events_api' : 'interactive',
        payload,
        acceptsResponse: payload.type === 'view_submission',
        attempt: 0,
      }),
    sendRaw: (frame) => socketMode?.sendRaw(frame),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function viewOf({ agent, assistant }: Manifest): Snapshot['app']['view'] {
  if (agent) return 'agent';
  return assistant ? 'assistant' : 'plain';
}

/** A port that was free just now, for the bot to listen on. */
async function freePort(): Promise<number> {
  const { createServer } = await import('node:net');
  const server = createServer();
  const port = await new Promise<number>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const at = server.address();
      resolve(typeof at === 'object' && at ? at.port : 0);
    });
  });
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return port;
}
