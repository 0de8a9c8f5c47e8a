/**
 * `fetch` as far as Slack's client uses it, over node:http: that takes half of the processor's time, and a click with its run makes four
 * calls. One attempt; nothing is followed. Rejects with Node's error codes when there is no whole answer.
 */
import { type IncomingMessage, request as overHttp } from 'node:http';
import { request as overHttps } from 'node:https';
import type { FetchFunction } from '@slack/web-api';

export type Answer = Awaited<ReturnType<FetchFunction>>;

export const slackFetch: FetchFunction = (url, { method = 'GET', headers, body = '', signal } = {}) =>
  new Promise((resolve, reject) => {
    if (typeof body !== 'string') throw new TypeError('Files are not sent to Slack by this client.');
    const begin = String(url).startsWith('https:') ? overHttps : overHttp;
    const length = String(Buffer.byteLength(body));
    const call = begin(url, { method, headers: { ...headers, 'content-length': length }, ...(signal && { signal }) });
    call.on('error', reject);
    call.on('response', (message) => {
      const parts: Buffer[] = [];
      message.on('data', (part: Buffer) => parts.push(part));
      message.on('error', reject);
      message.on('end', () => resolve(answerOf(String(url), message, Buffer.concat(parts))));
    });
    call.end(body);
  });

function answerOf(url: string, { statusCode: status = 0, statusMessage = '', headers }: IncomingMessage, body: Buffer) {
  const told = (value: string | string[] | undefined) => (Array.isArray(value) ? value.join(', ') : value);
  return {
    ok: status >= 200 && status < 300,
    status,
    statusText: statusMessage,
    url,
    headers: {
      get: (name) => told(headers[name.toLowerCase()]) ?? null,
      entries: () => Object.entries(headers).map(([name, value]) => [name, told(value) ?? '']),
    },
    text: async () => body.toString(),
    json: async () => JSON.parse(body.toString()),
    arrayBuffer: async () => new Uint8Array(body).buffer,
  } satisfies Answer;
}
