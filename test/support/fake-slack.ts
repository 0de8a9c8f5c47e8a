import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';

export const TEAM = 'T1';
export const BOT_USER = 'UBOT';
export const BOT_ID = 'BBOT';
export const SIGNING_SECRET = 'a signing secret';

export type Call = { method: string; args: Record<string, unknown>; at: number };
/** What a method answers: Slack's JSON, or the whole response by hand (a fault). */
export type Answer =
  | Record<string, unknown>
  | ((res: ServerResponse, args: Record<string, unknown>) => void | Promise<void>);
export type Ack = { envelope_id: string; payload?: Record<string, unknown> };

/** The smallest Slack that the real Bolt and WebClient can talk to: a Web API by table, and Socket Mode. No state, no checks. */
export async function fakeSlack({ onAck = (_: Ack): void => {} } = {}) {
  const calls: Call[] = [];
  const acks: Ack[] = [];
  const answers = new Map<string, Answer[]>();
  const sockets = new Set<WebSocket>();
  let connections = 0;
  let hello = true;
  let ts = 0;

  const defaults: Record<string, () => Record<string, unknown>> = {
    'auth.test': () => ({ ok: true, team_id: TEAM, user_id: BOT_USER, bot_id: BOT_ID }),
    'apps.connections.open': () => ({ ok: true, url: `ws://127.0.0.1:${port()}/link` }),
    'users.info': () => ({ ok: true, user: { id: 'U1', team_id: TEAM } }),
    'chat.postMessage': () => ({ ok: true, channel: 'C1', ts: `${++ts}.000000` }),
    'chat.update': () => ({ ok: true, ts: '1.000000' }),
    'chat.delete': () => ({ ok: true, ts: '1.000000' }),
    'chat.postEphemeral': () => ({ ok: true, message_ts: '1.000000' }),
    'conversations.replies': () => ({ ok: true, messages: [] }),
    'assistant.threads.setStatus': () => ({ ok: true }),
    'views.open': () => ({ ok: true, view: { id: 'V1' } }),
  };

  const server = createServer(async (req, res) => {
    const method = (req.url ?? '').replace('/api/', '');
    const args = parse(await read(req));
    calls.push({ method, args, at: performance.now() });
    const queued = answers.get(method);
    const answer = queued && queued.length > 1 ? queued.shift() : queued?.[0];
    if (typeof answer === 'function') return void (await answer(res, args));
    const body = answer ?? defaults[method]?.() ?? { ok: false, error: 'unknown_method' };
    res.setHeader('content-type', 'application/json').end(JSON.stringify(body));
  });
  const port = () => (server.address() as AddressInfo).port;
  const wss = new WebSocketServer({ server });
  wss.on('connection', (socket) => {
    sockets.add(socket);
    connections += 1;
    socket.on('message', (data) => {
      const ack: Ack = JSON.parse(String(data));
      acks.push(ack);
      onAck(ack);
    });
    socket.on('close', () => sockets.delete(socket));
    if (hello) socket.send(JSON.stringify({ type: 'hello' }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    api: `http://127.0.0.1:${port()}/api/`,
    calls,
    acks,
    called: (method: string) => calls.filter((call) => call.method === method).map((call) => call.args),
    /** The answers of a method, in order; the last one stays. */
    answer: (method: string, ...with_: Answer[]) => void answers.set(method, with_),
    /** A frame to the first socket: text as it is, anything else as JSON. */
    send: (frame: unknown) => [...sockets][0]?.send(typeof frame === 'string' ? frame : JSON.stringify(frame)),
    sockets: () => sockets.size,
    connections: () => connections,
    greets: (yes: boolean) => {
      hello = yes;
    },
    /** Ends the sockets: with a goodbye, or as when a cable is cut. */
    drop: (abrupt: boolean) => {
      for (const socket of sockets) abrupt ? socket.terminate() : socket.close();
    },
    async [Symbol.asyncDispose]() {
      for (const socket of wss.clients) socket.terminate();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export type FakeSlack = Awaited<ReturnType<typeof fakeSlack>>;

/** A request as Slack signs it. */
export function signed(
  body: string,
  { type = 'application/json', secret = SIGNING_SECRET, age = 0 } = {},
): RequestInit {
  const ts = String(Math.floor(Date.now() / 1000) - age);
  const signature = `v0=${createHmac('sha256', secret).update(`v0:${ts}:${body}`).digest('hex')}`;
  return {
    method: 'POST',
    body,
    headers: { 'content-type': type, 'x-slack-signature': signature, 'x-slack-request-timestamp': ts },
  };
}

async function read(req: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of req) body += chunk;
  return body;
}

/** Slack's clients send forms in which all that is not a scalar is JSON. */
function parse(body: string): Record<string, unknown> {
  const unpacked = (value: string): unknown => {
    if (!/^[[{]/.test(value)) return value;
    try {
      return JSON.parse(value);
    } catch {
      return value;
    }
  };
  return Object.fromEntries([...new URLSearchParams(body)].map(([key, value]) => [key, unpacked(value)]));
}
