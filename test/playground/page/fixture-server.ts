/** The page's test double of the playground: it keeps what is posted, answers as told, and sends what a test wants to be seen. */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import type { PageHandler } from '../../../src/playground/page/serve.ts';
import type { Action, Done, Snapshot, Update } from '../../../src/playground/protocol.ts';

export type Fixture = Awaited<ReturnType<typeof startFixture>>;

const PICTURE =
  '<svg xmlns="http://www.w3.org/2000/svg" width="360" height="140"><rect width="360" height="140" fill="#dcefed"/><path d="M0 120L60 80L120 96L180 40L240 70L300 24L360 50" fill="none" stroke="#0b7a75" stroke-width="4"/></svg>';

export async function startFixture(page: PageHandler, snapshot: () => Snapshot, port = 0) {
  const actions: Action[] = [];
  const answers: ((action: Action) => Done | undefined | Promise<Done | undefined>)[] = [];
  const server = createServer(async (req, res) => {
    if (req.method === 'POST' && req.url === '/playground/do') {
      const action: Action = JSON.parse(await bodyOf(req));
      actions.push(action);
      let done: Done | undefined;
      for (const answer of answers) done ??= await answer(action);
      res.setHeader('content-type', 'application/json').end(JSON.stringify(done ?? { ok: true }));
    } else if (req.url === '/fixture/picture.svg') {
      res.setHeader('content-type', 'image/svg+xml').end(PICTURE);
    } else if (!page(req, res)) {
      res.writeHead(404).end();
    }
  });
  const sockets = new WebSocketServer({ server, path: '/playground/live' });
  sockets.on('connection', (socket) => socket.send(JSON.stringify(snapshot())));
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    actions,
    /** The first answer that is not undefined counts; the newest is asked first. */
    answer: (answer: (typeof answers)[number]): void => void answers.unshift(answer),
    reset(): void {
      actions.length = 0;
      answers.length = 0;
    },
    send(update: Update): void {
      for (const client of sockets.clients) client.send(JSON.stringify(update));
    },
    async close(): Promise<void> {
      for (const client of sockets.clients) client.terminate();
      sockets.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function bodyOf(req: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of req) body += chunk;
  return body;
}
