/** Which of Slack's events are messages to the agent, and what each says. Both events of a mention give the same message. */
import { z } from 'zod';
import type { Dispatcher, IncomingMessage, Received } from '../../thread/dispatcher-api.ts';
import type { Clock, Messenger, Person, Whisper } from '../../thread/ports.ts';
import { isUnreadable } from '../../thread/unreadable.ts';
import type { Directory } from '../directory.ts';
import { slackId, slackTs } from '../fields.ts';
import type { Identity } from '../identity.ts';
import { threadId, threadParts } from '../ids.ts';
import type { InFlight } from '../in-flight.ts';
import type { SlackEvent } from '../inbound.ts';
import type { Log } from '../log.ts';
import { fileSchema, filesOf, SAID, wordsOf } from '../message.ts';
import type { EventDelivery } from '../receiver.ts';
import { namedIn } from '../text.ts';

export const MESSAGE_EVENTS: readonly string[] = ['message', 'app_mention'];

/** Messages whose writers were told that nothing comes of them: a mention comes as two events, and is refused once. */
const REFUSED_KNOWN = 200;

/** s after the first message of a thread in which a reply to it may come before it, and ms to wait for it: within the time for an ack. */
const SOON = 10;
const OVERTAKEN = 1_000;

/** From this sending of the same event on, a writer whom Slack does not tell us of is refused: it has been a minute, and few are left. */
const ENOUGH = 2;

/** A slow Slack must not turn anybody away: the event is not acked, and by the time it comes again we may know. */
class UnknownWriterError extends Error {
  override readonly name = 'UnknownWriterError';
  override readonly message = 'Slack did not say in time who wrote a message.';
}

const present = z.unknown().optional();

const messageSchema = z.object({
  channel: slackId,
  channel_type: z.string().optional(),
  user: slackId,
  ts: slackTs,
  thread_ts: slackTs.optional(),
  text: z.string().default(''),
  files: z.array(fileSchema).optional(),
});

/** Looked at first: what is told of has other fields than a message, and is none of ours to find fault with. */
const kindSchema = z.object({
  subtype: z.string().optional(),
  hidden: z.boolean().optional(),
  user: present,
  edited: present,
  bot_id: present,
  bot_profile: present,
  app_id: present,
});

/** `undefined`: nobody said this to us. Throws a ZodError at a message that is not readable. */
export function readMessage(
  event: SlackEvent,
  { team, botUser }: Identity,
): (Omit<IncomingMessage, 'by'> & { by: string }) | undefined {
  const kind = kindSchema.parse(event);
  if (!SAID.includes(kind.subtype) || kind.hidden || kind.edited) return undefined;
  if (kind.bot_id || kind.bot_profile || kind.app_id || kind.user === botUser || kind.user === 'USLACKBOT')
    return undefined;
  const said = messageSchema.parse(event);
  return {
    thread: threadId(team, said.channel, said.thread_ts ?? said.ts),
    id: said.ts,
    by: said.user,
    text: wordsOf(said.text, said.files ?? [], botUser),
    ...filesOf(said.files ?? []),
    mention: event.type === 'app_mention' || mentions(said.text, botUser),
    // A mention's event has no channel_type; a DM's id begins with D.
    direct: said.channel_type === 'im' || said.channel.startsWith('D'),
    root: said.thread_ts === undefined || said.thread_ts === said.ts,
    named: namedIn(said.text).filter((who) => who !== botUser),
  };
}

function mentions(text: string, botUser: string): boolean {
  return text.includes(`<@${botUser}>`) || text.includes(`<@${botUser}|`);
}

/** A reply so soon after the first message of its thread that it may have overtaken it. */
function isSoon({ thread, id, root }: IncomingMessage): boolean {
  return !root && Number(id) - Number(threadParts(thread).threadTs) < SOON;
}

export type MessageParts = {
  dispatcher: Pick<Dispatcher, 'receive'>;
  directory: Pick<Directory, 'known'>;
  identity: Identity;
  messenger: Pick<Messenger, 'whisper'>;
  inFlight: InFlight;
  clock: Clock;
  log: Log;
};

/** Resolves when the message is saved, or is none. Rejects when it is neither, and should be sent again. */
export function createMessageListener(parts: MessageParts) {
  const { dispatcher, directory, identity, messenger, inFlight, clock, log } = parts;
  const refused = new Set<string>();

  /** What two sockets bring may change places: the mention that began the thread is saved in a moment, and makes the reply one to us. */
  async function receive(message: IncomingMessage): Promise<Received> {
    const received = await dispatcher.receive(message);
    if (received.status !== 'ignored' || !isSoon(message)) return received;
    await clock.sleep(OVERTAKEN);
    return dispatcher.receive(message);
  }

  async function writer(id: string, { again }: EventDelivery): Promise<Person> {
    const person = await directory.known(id);
    if (person) return person;
    if (again < ENOUGH) throw new UnknownWriterError();
    return { id, standing: 'unknown' };
  }

  return async (event: SlackEvent, delivery: EventDelivery): Promise<void> => {
    const message = readable(event);
    if (message === undefined) return;
    // Most of what is said in a channel: not worth a lookup of its writer.
    if (message.root && !message.mention && !message.direct) return;
    const by = await writer(message.by, delivery);
    const toUs = message.mention || message.direct;
    try {
      const received = await receive({ ...message, by });
      log.debug({ thread: message.thread, message: message.id, status: received.status }, 'a message');
      if (received.status === 'not_allowed' && toUs) refuse(message, { kind: 'not_allowed', reason: received.reason });
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      // Sent again it would be no more readable, and its thread must not be silent.
      log.error({ thread: message.thread, reason: String(error) }, 'a message to a thread that cannot be read is lost');
      if (toUs) refuse(message, { kind: 'unreadable' });
    }
  };

  function refuse({ thread, id, by, root }: NonNullable<ReturnType<typeof readMessage>>, whisper: Whisper): void {
    const message = `${thread}:${id}`;
    if (refused.has(message)) return;
    if (refused.size === REFUSED_KNOWN) refused.clear();
    refused.add(message);
    // Saved or not, this was decided: the event's ack does not wait for it.
    void inFlight.track(messenger.whisper(thread, by, whisper, root ? 'channel' : 'thread'));
  }

  function readable(event: SlackEvent) {
    try {
      return readMessage(event, identity);
    } catch (error) {
      if (!(error instanceof z.ZodError)) throw error;
      // Sent again it would be no better.
      log.warn(
        { problems: error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) },
        'a message is not readable',
      );
      return undefined;
    }
  }
}
