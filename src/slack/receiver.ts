/**
 * Saved before acked. Bolt acks an event before its listeners have begun; here an event is acked only when it has been saved,
 * and what could not be saved is not acked, so that Slack sends it again. The work itself is driven from what was saved: a
 * socket may die between the two.
 */
import type { App, Receiver } from '@slack/bolt';
import type { Identity } from './identity.ts';
import { readInbound, type SlackEvent } from './inbound.ts';

/** `again`: how many times Slack sent it before; without an ack it does so at once, then a minute and five minutes later. */
export type EventDelivery = { again: number };

export type Inbox = {
  identity: Identity;
  /** Resolves when the event is durable (or nothing to us); a rejection leaves it to Slack to send it again. */
  save(event: SlackEvent, delivery: EventDelivery): Promise<void>;
};

/** Not for us, or not readable: no ack, and in HTTP this status. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
  readonly status: 400 | 403;
  constructor(status: 400 | 403, reason: string) {
    super(`Refused what Slack sent: ${reason}.`);
    this.status = status;
  }
}

/** The same receiver, passing only interactions on to Bolt's listeners, who ack them after they have settled. */
export function savedFirst<R extends Receiver>(receiver: R, { identity, save }: Inbox): R {
  const init = receiver.init.bind(receiver);
  receiver.init = (app) => {
    const processEvent: App['processEvent'] = async (event) => {
      const inbound = readInbound(event.body, identity);
      switch (inbound.kind) {
        case 'event':
          await save(inbound.event, { again: event.retryNum ?? 0 });
          return event.ack();
        case 'interaction':
          return app.processEvent(event);
        case 'other':
          return event.ack();
        case 'refused':
          throw new RefusedError(inbound.status, inbound.reason);
      }
    };
    // Receivers call nothing else of the app.
    init({ processEvent } as App);
  };
  return receiver;
}
