/** `GET /healthz` and `GET /readyz`, for whoever restarts or routes to this process. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

/** `ok` decides between 200 and 503; the whole is the answer's body. */
export type Health = { ok: boolean } & Record<string, unknown>;

export type Probes = {
  /** False: this process is past mending, restart it. */
  live(): Health | Promise<Health>;
  /** False: send it nothing now. */
  ready(): Health | Promise<Health>;
};

/** Answers when it is a probe. */
export function answerProbe(probes: Probes, req: IncomingMessage, res: ServerResponse): boolean {
  const path = req.url?.split('?')[0];
  const probe = path === '/healthz' ? probes.live : path === '/readyz' ? probes.ready : undefined;
  if (probe === undefined) return false;
  if (req.method !== 'GET' && req.method !== 'HEAD') {
    res.writeHead(405).end();
    return true;
  }
  void answer(probe, res);
  return true;
}

async function answer(probe: Probes['live'], res: ServerResponse): Promise<void> {
  const health = await Promise.resolve()
    .then(probe)
    .catch((error: unknown): Health => ({ ok: false, reason: String(error) }));
  res.writeHead(health.ok ? 200 : 503, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  res.end(JSON.stringify(health));
}

/** For Socket Mode, where no other server listens. */
export async function serveProbes(probes: Probes, { host, port }: { host: string; port: number }): Promise<Server> {
  const server = createServer((req, res) => {
    if (!answerProbe(probes, req, res)) res.writeHead(404).end();
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return server;
}
