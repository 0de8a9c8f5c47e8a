import { createHmac } from 'node:crypto';
import { request } from 'node:http';
import type { Clock, Windows } from './clock.ts';
import { isAnswer, type Parcel, type Receipt, type Transport } from './delivery.ts';
import type { JsonObject } from './json.ts';
import { parseJson } from './json.ts';
import type { TrafficLog } from './traffic.ts';

type Answer = { status: number; body: string; noRetry: boolean };

/** `v0=` and the HMAC of `v0:<timestamp>:<body>`. */
export function signature(secret: string, timestamp: string, body: string): string {
  return `v0=${createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex')}`;
}

/** Slack's side of HTTP mode: signed POSTs to the bot's request URL, a 2xx within the ack window. */
export function createHttpDelivery(deps: {
  url: string;
  signingSecret: string;
  clock: Clock;
  windows: Windows;
  traffic: TrafficLog;
}) {
  const { clock, windows, traffic } = deps;
  const open = new Set<() => void>();

  function post(body: string, contentType: string, extra: { [header: string]: string }): Promise<Answer> {
    const timestamp = String(Math.floor(clock.now() / 1000));
    return new Promise((resolve, reject) => {
      const call = request(deps.url, {
        method: 'POST',
        // A connection of its own: an idle one that is kept would hold up the bot's server.close().
        agent: false,
        headers: {
          // Bare: Bolt answers 400 to a form whose type names a charset.
          'content-type': contentType,
          'content-length': Buffer.byteLength(body),
          'user-agent': 'Slackbot 1.0 (playground)',
          'x-slack-request-timestamp': timestamp,
          'x-slack-signature': signature(deps.signingSecret, timestamp, body),
          ...extra,
        },
      });
      const cancel = clock.after(windows.ack, () => call.destroy(new Timeout()));
      const abort = () => call.destroy(new Error('the playground closed'));
      open.add(abort);
      const over = () => {
        cancel();
        open.delete(abort);
      };
      call.on('error', (error) => {
        over();
        reject(error);
      });
      call.on('response', (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', (error) => call.destroy(error));
        response.on('end', () => {
          over();
          resolve({
            status: response.statusCode ?? 0,
            body: Buffer.concat(chunks).toString('utf8'),
            noRetry: response.headers['x-slack-no-retry'] === '1',
          });
        });
      });
      call.end(body);
    });
  }

  async function deliver(parcel: Parcel): Promise<Receipt> {
    const json = JSON.stringify(parcel.payload);
    const event = parcel.kind === 'events_api';
    const retry =
      parcel.attempt > 0
        ? { 'x-slack-retry-num': String(parcel.attempt), 'x-slack-retry-reason': retryReason(parcel) }
        : {};
    try {
      const answer = event
        ? await post(json, 'application/json', retry)
        : await post(new URLSearchParams({ payload: json }).toString(), 'application/x-www-form-urlencoded', {});
      if (answer.status < 200 || answer.status > 299) {
        return {
          acked: false,
          why: 'http_error',
          detail: `the bot answered ${answer.status}`,
          noRetry: answer.noRetry,
        };
      }
      const response = answer.body === '' ? undefined : (parseJson(answer.body) ?? answer.body);
      if (isAnswer(response) && !parcel.acceptsResponse) {
        traffic.warn(
          'interaction',
          'Ack',
          `The ack carries a body, but this request accepts none: ${answer.body.slice(0, 200)}`,
        );
      }
      return { acked: true, ...(isAnswer(response) ? { response } : {}) };
    } catch (error) {
      if (error instanceof Timeout)
        return { acked: false, why: 'timeout', detail: `nothing came within ${windows.ack} ms` };
      return { acked: false, why: 'connection_failed', detail: `${deps.url} cannot be reached (${String(error)})` };
    }
  }

  const transport: Transport = {
    deliver,
    async close() {
      for (const abort of open) abort();
    },
  };

  return {
    transport,
    /** Slack's check of a request URL: whether the bot is there and knows the signing secret. */
    async verify(challenge: string): Promise<boolean> {
      const body: JsonObject = { token: 'verification-token', challenge, type: 'url_verification' };
      const answer = await post(JSON.stringify(body), 'application/json', {}).catch(() => undefined);
      return answer?.status === 200 && answer.body.includes(challenge);
    },
  };
}

class Timeout extends Error {}

function retryReason(parcel: Parcel): string {
  return parcel.reason === 'timeout' ? 'http_timeout' : (parcel.reason ?? 'unknown_error');
}
