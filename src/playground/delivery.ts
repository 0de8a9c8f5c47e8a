import type { Clock, Windows } from './clock.ts';
import type { JsonObject } from './json.ts';
import type { Json } from './protocol.ts';
import type { TrafficLog } from './traffic.ts';

/** One thing to bring to the bot. */
export type Parcel = {
  kind: 'events_api' | 'interactive';
  payload: JsonObject;
  /** Only a view_submission may be answered with more than an empty ack. */
  acceptsResponse: boolean;
  /** Of an event: 0 at first, then 1 to 3. */
  attempt: number;
  reason?: string;
};

/** What came of bringing it: an ack, maybe with a payload, or why there was none (Slack's words for retries). */
export type Receipt =
  | { acked: true; response?: Json }
  | { acked: false; why: 'timeout' | 'connection_failed' | 'http_error'; detail: string; noRetry?: boolean };

/** Socket Mode or HTTP. */
export type Transport = {
  deliver(parcel: Parcel): Promise<Receipt>;
  close(): Promise<void>;
};

export type Delivery = ReturnType<typeof createDelivery>;

/** Brings events with Slack's retries, and interactions once. */
export function createDelivery(
  transport: Transport,
  { clock, windows, traffic }: { clock: Clock; windows: Windows; traffic: TrafficLog },
) {
  const waiting = new Set<() => void>();
  let closed = false;

  function later(ms: number, fn: () => void): void {
    const cancel = clock.after(ms, () => {
      waiting.delete(cancel);
      fn();
    });
    waiting.add(cancel);
  }

  async function attempt(payload: JsonObject, title: string, number: number, reason?: string): Promise<void> {
    if (closed) return;
    const started = clock.now();
    const receipt = await transport.deliver({
      kind: 'events_api',
      payload,
      acceptsResponse: false,
      attempt: number,
      ...(reason === undefined ? {} : { reason }),
    });
    if (closed) return;
    const line = {
      kind: 'event' as const,
      title: number === 0 ? title : `${title} (retry ${number})`,
      ms: clock.now() - started,
    };
    if (receipt.acked) return traffic.log({ ...line, ok: true, request: payload });
    const wait = receipt.noRetry ? undefined : windows.retries[number];
    const next = wait === undefined ? 'It is lost.' : `It comes again in ${wait / 1000} s.`;
    traffic.log({ ...line, ok: false, request: payload, warning: `No ack: ${receipt.detail}. ${next}` });
    if (wait !== undefined) later(wait, () => void attempt(payload, title, number + 1, receipt.why));
  }

  return {
    event(payload: JsonObject, title: string): void {
      void attempt(payload, title, 0);
    },

    /** Slack does not retry interactions: without an ack the person sees that it did not work. */
    async interaction(payload: JsonObject, title: string, acceptsResponse: boolean): Promise<Receipt> {
      const started = clock.now();
      const receipt = await transport.deliver({ kind: 'interactive', payload, acceptsResponse, attempt: 0 });
      const line = { kind: 'interaction' as const, title, ms: clock.now() - started, request: payload };
      if (receipt.acked)
        traffic.log({ ...line, ok: true, ...(receipt.response === undefined ? {} : { response: receipt.response }) });
      else
        traffic.log({
          ...line,
          ok: false,
          warning: `No ack: ${receipt.detail}. The person sees that it did not work.`,
        });
      return receipt;
    },

    async close(): Promise<void> {
      closed = true;
      for (const cancel of waiting) cancel();
      await transport.close();
    },
  };
}

/** An answer to an ack that counts as one: not the empty object that Bolt always sends. */
export function isAnswer(payload: Json | undefined): payload is Json {
  if (payload === undefined || payload === null || payload === '') return false;
  return typeof payload !== 'object' || Object.keys(payload).length > 0;
}
