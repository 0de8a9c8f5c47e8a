/** Slack's side of a bot: what people send, when it was acked, and what the bot posts; over the small fake Slack of the tests. */
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { BOT_ID, BOT_USER, fakeSlack, SIGNING_SECRET, signed, TEAM } from '../test/support/fake-slack.ts';
import { startWorker, type Worker } from './process.ts';

export type Mode = 'socket' | 'http';
export type Post = { channel: string; thread: string; ts: string; blocks: Block[]; text: string };
type Block = { block_id?: string; elements?: { action_id?: string }[] };

/** Slack's deadline for an ack, in ms. */
export const DEADLINE = 3_000;
/** Who writes and clicks, unless told. */
const someone = 'U1';

export type SlackSide = Awaited<ReturnType<typeof startSlackSide>>;
export type Bot = Worker & { port: number; readyMs: number };

export async function startSlackSide(mode: Mode) {
  const acked = new Map<string, () => void>();
  const slack = await fakeSlack({ onAck: ({ envelope_id }) => acked.get(envelope_id)?.() });
  const posts: Post[] = [];
  const waiting = new Set<(post: Post) => void>();
  const agent = new Agent({ keepAlive: true });
  let envelopes = 0;

  slack.answer('chat.postMessage', (response, args) => {
    const ts = `${1_700_000_000 + posts.length}.000000`;
    const post = {
      ...(args as { channel: string; text: string }),
      ts,
      thread: String(args.thread_ts),
      blocks: blocksOf(args),
    };
    posts.push(post);
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ ok: true, channel: post.channel, ts }));
    for (const look of [...waiting]) look(post);
  });

  function overSocket(payload: object): Promise<void> {
    const id = `E${++envelopes}`;
    return new Promise((resolve) => {
      acked.set(id, () => {
        acked.delete(id);
        resolve();
      });
      slack.send({ type: 'event' in payload ? 'events_api' : 'interactive', envelope_id: id, payload });
    });
  }

  async function overHttp(payload: object, port: number): Promise<void> {
    const interaction = !('event' in payload);
    const body = interaction ? `payload=${encodeURIComponent(JSON.stringify(payload))}` : JSON.stringify(payload);
    const { headers } = signed(body, interaction ? { type: 'application/x-www-form-urlencoded' } : {});
    const asked = request({
      host: '127.0.0.1',
      port,
      path: '/slack/events',
      method: 'POST',
      agent,
      headers: headers as Record<string, string>,
    });
    asked.end(body);
    const [response] = await once(asked, 'response');
    response.resume();
    if (response.statusCode !== 200) throw new Error(`The bot answered ${response.statusCode}.`);
  }

  return {
    slack,
    posts,
    /** Starts `bench/bot.ts` or `bench/bare-bolt.ts`, connected to this Slack. */
    async start(script: 'bot' | 'bare-bolt', env: Record<string, string> = {}): Promise<Bot> {
      const worker = startWorker(`bench/${script}.ts`, {
        SLACK_BOT_TOKEN: 'xoxb-1',
        SLACK_API_URL: slack.api,
        ...(mode === 'socket'
          ? { SLACK_APP_TOKEN: 'xapp-1' }
          : { SLACK_SIGNING_SECRET: SIGNING_SECRET, HOST: '127.0.0.1', PORT: String(await freePort()) }),
        AGENT: 'bench/agent.ts',
        LOG_LEVEL: 'silent',
        ...env,
      });
      const ready = await worker.says<{ ms: number; port?: number }>('ready');
      return { ...worker, port: ready.port ?? 0, readyMs: ready.ms };
    },
    /** ms until the ack; rejects without one in time. */
    async deliver(payload: object, { port }: { port: number }, patience = DEADLINE): Promise<number> {
      const begun = performance.now();
      const ack = mode === 'socket' ? overSocket(payload) : overHttp(payload, port);
      await inTime(ack, patience, 'an ack');
      return performance.now() - begun;
    },
    /** The next message of the bot in this channel. */
    nextPost(channel: string, patience = 30_000): Promise<Post> {
      const found = new Promise<Post>((resolve) => {
        const look = (post: Post) => {
          if (post.channel !== channel) return;
          waiting.delete(look);
          resolve(post);
        };
        waiting.add(look);
      });
      return inTime(found, patience, `a post in ${channel}`);
    },
    async [Symbol.asyncDispose]() {
      agent.destroy();
      await slack[Symbol.asyncDispose]();
    },
  };
}

export type Said = { channel: string; ts: string; text: string; thread?: string; user?: string };

export function mention({ channel, ts, text, thread, user = someone }: Said): object {
  return {
    type: 'event_callback',
    team_id: TEAM,
    event_id: `Ev${channel}${ts}`,
    event: {
      type: 'app_mention',
      channel,
      user,
      ts,
      text: `<@${BOT_USER}> ${text}`,
      ...(thread && { thread_ts: thread }),
    },
  };
}

/** A click on the first option of a card. */
export function click({ channel, thread, ts, blocks }: Post, user = someone): object {
  const choices = blocks.find(({ block_id }) => block_id?.startsWith('askback|choices|'));
  const option = choices?.elements?.[0];
  if (!choices || !option) throw new Error(`No options in ${JSON.stringify(blocks)}.`);
  return clickOn({ channel, thread, ts, blockId: String(choices.block_id), actionId: String(option.action_id), user });
}

export type Control = { channel: string; thread: string; ts: string; blockId: string; actionId: string; user: string };

export function clickOn({ channel, thread, ts, blockId, actionId, user }: Control): object {
  return {
    type: 'block_actions',
    team: { id: TEAM },
    user: { id: user, team_id: TEAM },
    api_app_id: 'A1',
    trigger_id: `trigger ${ts}`,
    channel: { id: channel },
    container: { type: 'message', message_ts: ts, thread_ts: thread, channel_id: channel },
    message: { ts, bot_id: BOT_ID },
    actions: [{ type: 'button', block_id: blockId, action_id: actionId }],
  };
}

function blocksOf({ blocks }: Record<string, unknown>): Block[] {
  return Array.isArray(blocks) ? blocks : [];
}

export async function inTime<T>(work: Promise<T>, ms: number, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`There was not ${what} within ${ms} ms.`)), ms);
  });
  return await Promise.race([work, late]).finally(() => clearTimeout(timer));
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
