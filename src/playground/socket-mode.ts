import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Clock, Windows } from './clock.ts';
import { isAnswer, type Parcel, type Receipt, type Transport } from './delivery.ts';
import type { Ids } from './ids.ts';
import { isObject, parseJson } from './json.ts';
import type { TrafficLog } from './traffic.ts';

/** Slack allows an app so many sockets. */
const MOST_SOCKETS = 10;

type Pending = { socket: WebSocket; acceptsResponse: boolean; settle(receipt: Receipt): void };

export type SocketMode = ReturnType<typeof createSocketMode>;

/**
 * Slack's side of Socket Mode: tickets, hello, envelopes to one of several sockets, acks. While there is no socket, events wait for
 * one; interactions wait as long as an ack may take.
 */
export function createSocketMode(deps: {
  appId: string;
  clock: Clock;
  windows: Windows;
  ids: Ids;
  traffic: TrafficLog;
  changed(sockets: number): void;
}) {
  const { clock, windows, ids, traffic } = deps;
  const server = new WebSocketServer({ noServer: true });
  const tickets = new Set<string>();
  const sockets: WebSocket[] = [];
  const pending = new Map<string, Pending>();
  /** Envelopes that are over, and how: for acks that come twice or late. */
  const settled = new Map<string, 'acked' | 'timeout' | 'lost'>();
  const waiters = new Set<() => void>();
  let turn = 0;
  let closed = false;

  function hello(socket: WebSocket): void {
    const frame = {
      type: 'hello',
      num_connections: sockets.length,
      connection_info: { app_id: deps.appId },
      debug_info: { host: 'playground', build_number: 1, approximate_connection_time: 18_060 },
    };
    socket.send(JSON.stringify(frame));
  }

  function connected(socket: WebSocket): void {
    sockets.push(socket);
    hello(socket);
    deps.changed(sockets.length);
    traffic.log({ kind: 'socket', title: `Connected (${sockets.length})`, ok: true });
    let alive = true;
    const beat = () => {
      if (!alive) return socket.terminate();
      alive = false;
      socket.ping();
      stop = clock.after(windows.ping, beat);
    };
    let stop = clock.after(windows.ping, beat);
    socket.on('pong', () => {
      alive = true;
    });
    socket.on('message', (data) => received(String(data)));
    socket.on('error', () => socket.terminate());
    socket.on('close', (code) => {
      stop();
      lost(socket, code);
    });
    for (const wake of [...waiters]) wake();
  }

  function lost(socket: WebSocket, code: number): void {
    const index = sockets.indexOf(socket);
    if (index >= 0) sockets.splice(index, 1);
    for (const [id, entry] of pending) {
      if (entry.socket !== socket) continue;
      finish(id, 'lost', { acked: false, why: 'connection_failed', detail: 'the socket closed before it was acked' });
    }
    if (closed) return;
    deps.changed(sockets.length);
    traffic.log({ kind: 'socket', title: `Disconnected (${sockets.length} left)`, ok: code === 1000 || code === 1005 });
  }

  function finish(id: string, how: 'acked' | 'timeout' | 'lost', receipt: Receipt): void {
    const entry = pending.get(id);
    pending.delete(id);
    settled.set(id, how);
    for (const old of settled.keys()) {
      if (settled.size <= 1_000) break;
      settled.delete(old);
    }
    entry?.settle(receipt);
  }

  function received(data: string) {
    const frame = parseJson(data);
    const id = isObject(frame) ? frame.envelope_id : undefined;
    if (!isObject(frame) || typeof id !== 'string') {
      return traffic.warn(
        'socket',
        'Unreadable frame',
        `The bot sent a frame without envelope_id: ${data.slice(0, 200)}`,
      );
    }
    const entry = pending.get(id);
    if (!entry) {
      const how = settled.get(id);
      const warning =
        how === 'acked'
          ? 'The bot acked this envelope twice.'
          : how === undefined
            ? 'The bot acked an envelope that was never sent.'
            : 'The ack came too late, or by another socket.';
      return traffic.warn('socket', `Ack of ${id}`, warning);
    }
    if (isAnswer(frame.payload) && !entry.acceptsResponse) {
      traffic.warn(
        'socket',
        `Ack of ${id}`,
        'The ack carries a payload, but this envelope accepts none: Slack ignores it.',
      );
    }
    finish(id, 'acked', { acked: true, ...(isAnswer(frame.payload) ? { response: frame.payload } : {}) });
  }

  /** An open socket, the next in turn; undefined when none came in time. */
  function nextSocket(patience: number): Promise<WebSocket | undefined> {
    const open = sockets.filter((socket) => socket.readyState === socket.OPEN);
    if (open.length > 0) {
      turn += 1;
      return Promise.resolve(open[turn % open.length]);
    }
    if (closed) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const cancel = Number.isFinite(patience)
        ? clock.after(patience, () => {
            waiters.delete(wake);
            resolve(undefined);
          })
        : () => {};
      const wake = () => {
        waiters.delete(wake);
        cancel();
        resolve(nextSocket(patience));
      };
      waiters.add(wake);
    });
  }

  async function deliver(parcel: Parcel): Promise<Receipt> {
    const socket = await nextSocket(parcel.kind === 'events_api' ? Number.POSITIVE_INFINITY : windows.ack);
    if (!socket) return { acked: false, why: 'connection_failed', detail: 'the bot has no socket open' };
    const id = ids.uuid();
    return new Promise<Receipt>((resolve) => {
      const cancel = clock.after(windows.ack, () =>
        finish(id, 'timeout', { acked: false, why: 'timeout', detail: `nothing came within ${windows.ack} ms` }),
      );
      pending.set(id, {
        socket,
        acceptsResponse: parcel.acceptsResponse,
        settle(receipt) {
          cancel();
          resolve(receipt);
        },
      });
      const retry =
        parcel.kind === 'events_api' ? { retry_attempt: parcel.attempt, retry_reason: parcel.reason ?? '' } : {};
      socket.send(
        JSON.stringify({
          envelope_id: id,
          payload: parcel.payload,
          type: parcel.kind,
          accepts_response_payload: parcel.acceptsResponse,
          ...retry,
        }),
      );
    });
  }

  const transport: Transport = {
    deliver,
    async close() {
      closed = true;
      for (const wake of [...waiters]) wake();
      for (const socket of [...server.clients]) socket.terminate();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };

  return {
    transport,
    count: () => sockets.length,

    /** A ticket opens one socket, once. */
    ticket(): string {
      const ticket = ids.uuid();
      tickets.add(ticket);
      return ticket;
    },

    upgrade(request: IncomingMessage, stream: Duplex, head: Buffer): void {
      const ticket = new URL(request.url ?? '/', 'http://playground').searchParams.get('ticket') ?? '';
      if (!tickets.delete(ticket)) {
        traffic.warn(
          'socket',
          'Refused',
          'The ticket is unknown or used: call apps.connections.open for each connection.',
        );
        stream.end('HTTP/1.1 401 Unauthorized\r\nConnection: close\r\n\r\n');
        return;
      }
      server.handleUpgrade(request, stream, head, (socket) => {
        if (sockets.length < MOST_SOCKETS) return connected(socket);
        socket.send(JSON.stringify({ type: 'disconnect', reason: 'too_many_websockets' }));
        socket.close(1000);
      });
    },

    /** What Slack never sends: this text as a frame, on every socket. */
    sendRaw(frame: string): void {
      for (const socket of sockets) socket.send(frame);
    },

    /** `abrupt`: the connections break; else Slack asks for new ones first, and closes what is not closed. */
    disconnect({ abrupt, reason = 'refresh_requested' }: { abrupt: boolean; reason?: string }): void {
      for (const socket of [...sockets]) {
        if (abrupt) {
          socket.terminate();
          continue;
        }
        socket.send(JSON.stringify({ type: 'disconnect', reason, debug_info: { host: 'playground' } }));
        // No envelope goes to a socket that was told to leave.
        sockets.splice(sockets.indexOf(socket), 1);
        clock.after(windows.ping, () => socket.close(1000));
      }
      deps.changed(sockets.length);
    },
  };
}
