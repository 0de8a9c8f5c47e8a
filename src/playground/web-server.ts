import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { createDownloads } from './downloads.ts';
import type { FileStore } from './file-store.ts';
import type { createLive } from './live.ts';
import type { ResponseUrls } from './response-urls.ts';
import type { SocketMode } from './socket-mode.ts';
import type { WebApi } from './web-api/api.ts';
import { readBody } from './web-api/request.ts';

export type PageHandler = (request: IncomingMessage, response: ServerResponse) => boolean;

type Rooms = {
  api: WebApi;
  urls: ResponseUrls;
  files: FileStore;
  live: ReturnType<typeof createLive>;
  sockets: SocketMode | undefined;
  page: PageHandler | undefined;
  download: ReturnType<typeof createDownloads>;
};

/** All that the workspace serves, on one port. */
export function createWebServer(rooms: Rooms): Server {
  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = pathOf(request);
    if (path.startsWith('/api/')) return rooms.api.handle(path.slice('/api/'.length), request, response);
    if (path === '/playground/do') return rooms.live.act(request, response);
    if (path.startsWith('/actions/') && request.method === 'POST') {
      const body = await readBody(request);
      const answer = rooms.urls.use(path, body?.toString('utf8') ?? '');
      return void response.writeHead(answer.status, { 'content-type': 'text/plain' }).end(answer.body);
    }
    if (path.startsWith('/upload/') && request.method === 'POST') {
      const body = await readBody(request);
      const taken = body !== undefined && rooms.files.receive(path, body);
      return void response.writeHead(taken ? 200 : 400, { 'content-type': 'text/plain' }).end(taken ? 'OK' : 'invalid');
    }
    if (path.startsWith('/files-pri/')) return rooms.download(path, request, response);
    if (rooms.page?.(request, response)) return;
    response.writeHead(404, { 'content-type': 'text/plain' }).end('The playground has nothing here.');
  }

  const server = createServer((request, response) => {
    respond(request, response).catch((error: unknown) => {
      // A bug of the playground: it must not look like an answer of Slack.
      const text = `The playground failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
      if (response.headersSent) request.socket.destroy();
      else response.writeHead(500, { 'content-type': 'text/plain' }).end(text);
    });
  });
  server.on('upgrade', (request, stream, head) => {
    stream.on('error', () => stream.destroy());
    const path = pathOf(request);
    if (path === '/link/' && rooms.sockets) return rooms.sockets.upgrade(request, stream, head);
    if (path === '/playground/live') return rooms.live.upgrade(request, stream, head);
    stream.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n');
  });
  return server;
}

function pathOf(request: IncomingMessage): string {
  return (request.url ?? '/').split('?', 1)[0] ?? '/';
}

/** Listens on 127.0.0.1 and answers the port; rejects with EADDRINUSE when it is taken. */
export function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}
