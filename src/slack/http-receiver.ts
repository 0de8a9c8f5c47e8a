/** HTTP mode: Bolt's receiver, with answers of our own to what would end its process or is no request of Slack's. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { HTTPModuleFunctions, HTTPReceiver, isRawBodyError } from '@slack/bolt';
import { type Log, slackLogger } from './log.ts';
import { answerProbe, type Probes } from './probes.ts';
import { RefusedError } from './receiver.ts';

export const EVENTS_PATH = '/slack/events';
/** Slack's largest bodies are clicks, which carry their whole message. */
const BODY_LIMIT = 1024 * 1024;
/** s that Slack's clock and ours may differ; Bolt holds the past to it, but not the future. */
const TOLERANCE = 300;

export type HttpReceiverParts = { signingSecret: string; probes: Probes; now: () => number; log: Log };

export function createHttpReceiver({ signingSecret, probes, now, log }: HttpReceiverParts): HTTPReceiver {
  const receiver = new HTTPReceiver({
    signingSecret,
    endpoints: EVENTS_PATH,
    bodyLimit: BODY_LIMIT,
    logger: slackLogger(log),
    processEventErrorHandler: async ({ error, response }) => {
      const status = error instanceof RefusedError ? error.status : 500;
      log[status === 500 ? 'error' : 'warn']({ reason: error.message, status }, 'a request of Slack was not taken');
      if (!response.headersSent) response.writeHead(status).end();
      return false;
    },
    unhandledRequestHandler: ({ response }) => {
      if (response.headersSent) return;
      log.error({}, 'a request of Slack could not be saved in 3 s; Slack will send an event again');
      response.writeHead(503).end();
    },
  });
  const passOn = receiver.requestListener;
  receiver.requestListener = (req, res) => {
    if (answerProbe(probes, req, res)) return;
    guard(req, res, passOn, now).catch((error: unknown) => {
      log.warn({ reason: String(error) }, 'a request could not be read');
      respond(res, isRawBodyError(error) ? error.statusCode : 400);
    });
  };
  return receiver;
}

async function guard(
  req: IncomingMessage,
  res: ServerResponse,
  passOn: HTTPReceiver['requestListener'],
  now: () => number,
): Promise<void> {
  const { pathname } = new URL(req.url ?? '', 'http://localhost');
  if (pathname !== EVENTS_PATH) return respond(res, 404);
  if (req.method !== 'POST') return respond(res, 405);
  const buffered = await HTTPModuleFunctions.bufferIncomingMessage(req, BODY_LIMIT);
  // Bolt reads properties of the body before it looks whether there are any.
  if (!isRecord(HTTPModuleFunctions.parseHTTPRequestBody(buffered))) return respond(res, 400);
  if (Number(req.headers['x-slack-request-timestamp']) > now() / 1_000 + TOLERANCE) return respond(res, 401);
  passOn(buffered, res);
}

function respond(res: ServerResponse, status: number): void {
  if (!res.headersSent) res.writeHead(status).end();
}

function isRecord(body: unknown): boolean {
  return typeof body === 'object' && body !== null && !Array.isArray(body);
}
