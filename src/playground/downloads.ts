import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from './clock.ts';
import type { Faults } from './faults.ts';
import type { FileStore } from './file-store.ts';
import type { Manifest } from './manifest.ts';
import type { TrafficLog } from './traffic.ts';

/** What faults of downloads are called by. */
export const DOWNLOAD = 'file download';

/** Slack's answer to one who may not: a page, with 200. */
const SIGN_IN = '<!DOCTYPE html><html><head><title>Sign in to Slack</title></head><body>Sign in</body></html>';

/** Files under `url_private`: for the bot's token, if the app has the scope. */
export function createDownloads(deps: {
  files: FileStore;
  faults: Faults;
  traffic: TrafficLog;
  manifest: Manifest;
  clock: Clock;
  botToken: string;
}): (path: string, request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const { files, faults, traffic, manifest, clock } = deps;

  function signIn(response: ServerResponse, warning: string): void {
    traffic.warn('api', DOWNLOAD, warning);
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(SIGN_IN);
  }

  return async (path, request, response) => {
    const fault = faults.take(DOWNLOAD, undefined);
    if (fault) traffic.warn('fault', DOWNLOAD, fault.kind);
    switch (fault?.kind) {
      case 'drop_before':
      case 'drop_after':
        return void request.socket.destroy();
      case 'http_500_before':
      case 'http_500_after':
      case 'internal_error':
        return void response.writeHead(500).end();
      case 'rate_limited':
        return void response.writeHead(429, { 'retry-after': String(fault.value ?? 1) }).end();
      case 'refuse':
        return signIn(response, 'The sign-in page, by a fault.');
      case 'slow':
        await new Promise<void>((resolve) => void clock.after(fault.value ?? 1_000, resolve));
        break;
      case undefined:
        break;
      default:
        fault?.kind satisfies undefined;
    }
    if (request.headers.authorization !== `Bearer ${deps.botToken}`)
      return signIn(response, 'A file was asked for without the bot’s token: the sign-in page.');
    if (!manifest.scopes.includes('files:read'))
      return signIn(response, 'The app lacks the scope files:read: the sign-in page.');
    const file = files.get(path.split('/')[2]?.split('-')[1] ?? '');
    if (!file) return void response.writeHead(404).end();
    response.writeHead(200, { 'content-type': file.mimetype, 'content-length': file.size }).end(file.content);
  };
}
