/**
 * Builds the page once, in memory, and serves it. A build rather than Vite's dev server: no second socket, no reload when
 * the playground restarts (the page reconnects by itself), no cache folder that two test processes would fight over.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const TYPES: { [extension: string]: string } = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};

/** Answers the request when it is for the page; false when it is for somebody else. */
export type PageHandler = (req: IncomingMessage, res: ServerResponse) => boolean;

/** Takes about a second. A page that does not compile is thrown. */
export async function buildPage(): Promise<PageHandler> {
  const built = await build({
    root: fileURLToPath(new URL('.', import.meta.url)),
    configFile: false,
    logLevel: 'error',
    build: { write: false, modulePreload: false, chunkSizeWarningLimit: 2000 },
  });
  const files = new Map<string, string | Uint8Array>();
  for (const result of Array.isArray(built) ? built : [built]) {
    if (!('output' in result))
      throw new Error('Vite answered a build with a watcher: buildPage must not be in watch mode.');
    for (const file of result.output) {
      files.set(`/${file.fileName}`, file.type === 'chunk' ? file.code : file.source);
    }
  }
  return (req, res) => {
    if (req.method !== 'GET' && req.method !== 'HEAD') return false;
    const path = (req.url ?? '/').split('?', 1)[0] ?? '/';
    const name = path === '/' ? '/index.html' : path;
    const body = files.get(name);
    if (body === undefined) return false;
    res.setHeader('content-type', TYPES[name.split('.').pop() ?? ''] ?? 'application/octet-stream');
    res.setHeader('cache-control', name === '/index.html' ? 'no-store' : 'max-age=31536000, immutable');
    res.end(req.method === 'HEAD' ? undefined : body);
    return true;
  };
}
