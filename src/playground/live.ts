import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { isObject, parseJson } from './json.ts';
import type { Action, Done, Snapshot, Update } from './protocol.ts';
import { readBody } from './web-api/request.ts';

/** A page of another origin must not act in the workspace, nor read it: a browser sends Origin, our own page's or its own. */
function foreign(request: IncomingMessage): boolean {
  const { origin, host } = request.headers;
  if (host === undefined || !/^(127\.0\.0\.1|localhost)(:\d+)?$/.test(host)) return true;
  return origin !== undefined && origin !== `http://${host}`;
}

/** What the page talks to: the live socket, and actions by POST. */
export function createLive(snapshot: () => Snapshot, act: (action: Action) => Promise<Done>) {
  const server = new WebSocketServer({ noServer: true });

  return {
    upgrade(request: IncomingMessage, stream: Duplex, head: Buffer): void {
      if (foreign(request)) return void stream.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n');
      server.handleUpgrade(request, stream, head, (socket) => {
        socket.on('error', () => socket.terminate());
        socket.send(JSON.stringify(snapshot()));
      });
    },

    tell(update: Update): void {
      if (server.clients.size === 0) return;
      const frame = JSON.stringify(update);
      for (const socket of server.clients) if (socket.readyState === socket.OPEN) socket.send(frame);
    },

    async act(request: IncomingMessage, response: ServerResponse): Promise<void> {
      const answer = (status: number, done: Done) =>
        void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(done));
      if (foreign(request)) return answer(403, { ok: false, error: 'foreign_origin' });
      if (request.method !== 'POST' || !request.headers['content-type']?.startsWith('application/json')) {
        return answer(400, { ok: false, error: 'POST an action as application/json' });
      }
      const body = await readBody(request);
      const action = body && parseJson(body.toString('utf8'));
      if (!isObject(action) || typeof action.as !== 'string' || typeof action.do !== 'string') {
        return answer(400, { ok: false, error: 'An action is an object with `as` and `do`' });
      }
      try {
        return answer(200, await act(action as unknown as Action));
      } catch (error) {
        // An action that lacks its parts: the page is ours and sends whole ones, a hand-made request may not.
        return answer(400, { ok: false, error: `This action cannot be done: ${String(error)}` });
      }
    },

    async close(): Promise<void> {
      for (const socket of server.clients) socket.terminate();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
