/**
 * What a person writes to us in direct messages about a question that is put to them: below the message that told them of it, or, as
 * a message of its own, the words or the number of an option. It is an answer like a click; all else is a message like any other.
 */
import { answer } from './answering.ts';
import type { IncomingMessage, Received } from './dispatcher-api.ts';
import { readHome } from './home.ts';
import type { HomeIndex, Invited } from './home-index.ts';
import type { Log } from './log.ts';
import { mayNotAnswer, type Policy } from './policy.ts';
import type { Clock, Messenger, QuestionId, ThreadId, Whisper } from './ports.ts';
import { stopped } from './run.ts';
import { channelOf, isLater, rootOf, type ThreadRecord, teamOf } from './thread.ts';
import { toldOfAnswer } from './told.ts';
import { chosen, isHelp, isStop } from './typed-reply.ts';
import { isUnreadable } from './unreadable.ts';

/** ms in which it becomes known where a message to a person is, which they may see before. */
const KNOWN_WITHIN = 1_000;

type Taken = { record: ThreadRecord | undefined; result: Result };
/** `none`: it is for the bot, and no answer. */
type Result = { is: 'answer'; whisper?: Whisper | undefined } | { is: 'duplicate' | 'none' };

/** What the message does to the thread of the question that it is about. Pure; applied twice it is a duplicate. */
export function answeredDirectly(
  found: ThreadRecord | undefined,
  id: QuestionId,
  message: IncomingMessage,
  policy: Policy,
  now: number,
): Taken {
  const { by, text } = message;
  const question = found?.questions.find((q) => q.id === id);
  const told = (whisper: Whisper): Taken => ({ record: found, result: { is: 'answer', whisper } });
  if (!found || !question) return told({ kind: 'unknown_question' });
  if (hasSeen(found, message)) return { record: found, result: { is: 'duplicate' } };
  const options = chosen(text, question.question);
  const seen = (record: ThreadRecord) => withSeen(record, message, now);
  if (!options && isHelp(text)) return { record: found, result: { is: 'none' } };
  if (!options && isStop(text)) {
    const { run, participants } = found;
    if (!run || run.runId !== question.runId || run.phase.name === 'ending') return told({ kind: 'nothing_to_stop' });
    const { requester } = run;
    const reason = mayNotAnswer(policy, by, { channel: channelOf(found.id), requester, participants });
    if (reason) return told({ kind: 'not_allowed', reason, requester });
    return { record: seen(stopped(found, by.id, now)), result: { is: 'answer' } };
  }
  const given = { kind: 'answer', ...(options ? { options } : { options: [], text }) } as const;
  const { record, answered } = answer(found, { thread: found.id, question: id, by, given }, policy, now);
  const whisper = toldOfAnswer(answered);
  return {
    record: record && answered.status === 'accepted' ? seen(record) : record,
    result: { is: 'answer', whisper },
  };
}

/** Messages of the thread itself are seen by their `ts` alone. */
const seenAs = ({ thread, id }: IncomingMessage): string => `${channelOf(thread)}:${id}`;

function hasSeen(record: ThreadRecord, message: IncomingMessage): boolean {
  return record.seen.some(({ id }) => id === seenAs(message));
}

function withSeen(record: ThreadRecord, message: IncomingMessage, now: number): ThreadRecord {
  return { ...record, seen: [...record.seen, { id: seenAs(message), at: now }] };
}

export type DirectAnswersDeps = {
  index: Pick<HomeIndex, 'of' | 'drop'>;
  read(thread: ThreadId): Promise<ThreadRecord | undefined>;
  change(
    thread: ThreadId,
    transition: (record: ThreadRecord | undefined, now: number) => { next: ThreadRecord | undefined; result: Result },
  ): Promise<Result>;
  messenger: Pick<Messenger, 'whisper'>;
  policy: Policy;
  clock: Clock;
  log: Log;
};

export function createDirectAnswers(deps: DirectAnswersDeps) {
  const { index, read, change, messenger, policy, clock, log } = deps;

  async function give(thread: ThreadId, question: QuestionId, message: IncomingMessage): Promise<Received | undefined> {
    const result = await change(thread, (found, now) => {
      const { record, result } = answeredDirectly(found, question, message, policy, now);
      return { next: record, result };
    });
    if (result.is !== 'answer') return result.is === 'duplicate' ? { status: 'duplicate' } : undefined;
    return tell(message, result.whisper);
  }

  function tell({ thread, by, root }: IncomingMessage, whisper: Whisper | undefined): Received {
    if (whisper) void messenger.whisper(thread, by.id, whisper, root ? 'channel' : 'thread');
    return { status: 'accepted' };
  }

  /** It began a run, or joined one, when it was not known to be an answer: sent again it is that still. */
  async function isTaken({ thread, id }: IncomingMessage): Promise<boolean> {
    return (await read(thread))?.seen.some((seen) => seen.id === id) ?? false;
  }

  async function invitedTo({ thread, by }: IncomingMessage): Promise<readonly Invited[]> {
    try {
      return (await index.of(teamOf(thread), by.id)).invited;
    } catch (err) {
      // Their messages are for the bot all the same.
      if (!isUnreadable(err)) throw err;
      log.error({ person: by.id, err }, 'it cannot be read which questions a person was told of');
      return [];
    }
  }

  async function below(message: IncomingMessage): Promise<Received | undefined> {
    const isIt = ({ ts }: Invited) => ts === rootOf(message.thread);
    let invited = (await invitedTo(message)).find(isIt);
    if (!invited && (await read(message.thread)) === undefined) {
      await clock.sleep(KNOWN_WITHIN);
      invited = (await invitedTo(message)).find(isIt);
    }
    return invited && !(await isTaken(message)) ? give(invited.thread, invited.question, message) : undefined;
  }

  /** Only the one that could be meant is: whoever has more waiting is asked to say which. */
  async function alone(message: IncomingMessage): Promise<Received | undefined> {
    const { thread, by, text } = message;
    const invited = (await invitedTo(message)).filter(({ ts }) => isLater(message.id, ts));
    if (invited.length === 0) return undefined;
    for (const known of new Set(invited.map((one) => one.thread))) {
      const record = await read(known).catch((err: unknown) => {
        if (!isUnreadable(err)) throw err;
      });
      if (record && hasSeen(record, message)) return { status: 'duplicate' };
    }
    const { waiting } = await readHome({ index, read, policy, log }, teamOf(thread), by);
    const isInvited = (id: QuestionId) => invited.some(({ question }) => question === id);
    const [first] = waiting.filter(({ id, question }) => isInvited(id) && chosen(text, question));
    if (!first || (await isTaken(message))) return undefined;
    return waiting.length === 1 ? give(first.thread, first.id, message) : askWhich(first.thread, message);
  }

  /** Remembered, so that it is no answer when it comes again and only one waits yet. */
  async function askWhich(thread: ThreadId, message: IncomingMessage): Promise<Received> {
    const result = await change(thread, (found, now) => {
      if (!found || hasSeen(found, message)) return { next: found, result: { is: 'duplicate' } };
      return { next: withSeen(found, message, now), result: { is: 'answer', whisper: { kind: 'several_wait' } } };
    });
    return result.is === 'answer' ? tell(message, result.whisper) : { status: 'duplicate' };
  }

  return {
    /** undefined: it answers nothing, and changed nothing. Throws when the store fails. */
    async receive(message: IncomingMessage): Promise<Received | undefined> {
      if (!message.direct || message.unseen) return undefined;
      return message.root ? alone(message) : below(message);
    },
  };
}
