/** What a message does to its thread. Pure; applied twice it is a duplicate. */
import { checkAnswer } from '../agent/ask-user.ts';
import type { Answer } from '../agent/question.ts';
import { refusal } from './answering.ts';
import { hasRoom } from './bounds.ts';
import type { IncomingMessage, Received } from './dispatcher-api.ts';
import { mayBeEarly } from './early-answers.ts';
import { cutMessage, type Limits } from './limits.ts';
import { mayNotAnswer, mayNotUse, type Policy } from './policy.ts';
import type { Whisper } from './ports.ts';
import { retried, stopped } from './run.ts';
import { settle } from './settling.ts';
import {
  askedPeople,
  channelOf,
  newThread,
  openQuestions,
  type PostRecord,
  type QuestionRecord,
  type ThreadRecord,
  type Waiting,
} from './thread.ts';
import { isHelp, isStop, typedReply } from './typed-reply.ts';
import { addressable } from './work.ts';

export type Rules = { policy: Policy; limits: Limits };

/** `record` undefined: the thread is not known and stays so. `whisper`: said to the writer. */
export type DeliveredMessage = { record: ThreadRecord | undefined; received: Received; whisper?: Whisper };

export function deliver(
  found: ThreadRecord | undefined,
  message: IncomingMessage,
  rules: Rules,
  now: number,
): DeliveredMessage {
  const toUs = addressed(message);
  if (!found && !toUs) return { record: undefined, received: { status: 'ignored' } };
  const record = found ?? newThread(message.thread, now);
  if (record.seen.some((seen) => seen.id === message.id)) return { record: found, received: { status: 'duplicate' } };
  const outside = mayNotUse(rules.policy, message.by, channelOf(message.thread));
  if (outside) {
    return { record: found, received: toUs ? { status: 'not_allowed', reason: outside } : { status: 'ignored' } };
  }
  return (
    asAnswer(record, message, rules, now) ??
    (toUs || isServed(record, message) ? toBot(record, message, rules, now) : beside(record, message, rules, now))
  );
}

/** It names the bot, or needs not to. */
function addressed(message: IncomingMessage): boolean {
  return message.mention || message.direct;
}

/** The person who is served in this thread, or was last, is heard without a mention. */
function isServed(record: ThreadRecord, message: IncomingMessage): boolean {
  return (record.run?.requester ?? record.requester) === message.by.id;
}

/** Of the only question that a typed reply could be meant for. */
function mayAnswer(record: ThreadRecord, { by }: IncomingMessage, policy: Policy): boolean {
  const [question, ...others] = addressable(record);
  return question !== undefined && others.length === 0 && !refusal(record, question, by, policy);
}

function mayStop({ id, run, participants }: ThreadRecord, { by }: IncomingMessage, policy: Policy): boolean {
  if (!run) return false;
  return mayNotAnswer(policy, by, { channel: channelOf(id), requester: run.requester, participants }) === undefined;
}

const accepted: Received = { status: 'accepted' };

/** A typed answer or a typed stop; undefined: it is neither. */
function asAnswer(
  record: ThreadRecord,
  message: IncomingMessage,
  rules: Rules,
  now: number,
): DeliveredMessage | undefined {
  const { run } = record;
  if (message.unseen || !run || run.phase.name === 'ending') return undefined;
  const open = addressable(record);
  const question = open[0];
  const reply = typedReply(
    {
      text: message.text,
      ts: message.id,
      mayAnswer: mayAnswer(record, message, rules.policy),
      mayStop: mayStop(record, message, rules.policy),
      isAsked: question !== undefined && askedPeople(question).includes(message.by.id),
      addressed: addressed(message),
    },
    open.map((q) => ({ question: q.question, cardTs: q.sending.state === 'posted' ? q.sending.ts : undefined })),
  );
  const noted = note(record, message, rules.limits, now);
  const answer = (given: Answer): DeliveredMessage | undefined => {
    const checked = question && checkAnswer(question.question, given);
    if (!question || !checked?.ok) return undefined;
    return { record: settle(noted, question.id, checked.settlement, message.by.id, now), received: accepted };
  };
  switch (reply.kind) {
    case 'options':
      return answer({ options: reply.options });
    case 'text':
      return answer({ answer: cutMessage(message.text, rules.limits), wasFreeform: true });
    case 'supersede': {
      const text = cutMessage(message.text, rules.limits);
      return question
        ? {
            record: settle(noted, question.id, { outcome: 'superseded', text }, message.by.id, now),
            received: accepted,
          }
        : undefined;
    }
    case 'stop':
      return { record: stopped(noted, message.by.id, now), received: accepted };
    case 'none':
      return undefined;
    default:
      return reply satisfies never;
  }
}

function toBot(record: ThreadRecord, message: IncomingMessage, rules: Rules, now: number): DeliveredMessage {
  const { limits } = rules;
  if (!hasRoom(record, message.text, limits)) {
    return { record, received: { status: 'ignored' }, whisper: { kind: 'not_saved' } };
  }
  const noted = announced(note(record, message, limits, now), message);
  const running = record.run !== undefined && record.run.phase.name !== 'ending';
  if (isStop(message.text) && !running && !message.root && !message.unseen) {
    return { record: noted, received: accepted, whisper: { kind: 'nothing_to_stop' } };
  }
  if (addressed(message) && isHelp(message.text)) return { record: helped(noted, message), received: accepted };
  const waiting = waitingAs(record, message, rules);
  const open = openQuestions(noted);
  if (open.length > 0) {
    const asked = askedOfAll(open);
    const whisper: Whisper = {
      kind: 'kept_for_later',
      open: open.length,
      ...(asked.length > 0 && !asked.includes(message.by.id) && { asked }),
    };
    return { record: { ...noted, kept: [...noted.kept, waiting] }, received: accepted, whisper };
  }
  return { record: retried(joined(noted, waiting, limits)), received: accepted };
}

/** Who is asked, when that is the same for all of them. */
function askedOfAll([first, ...rest]: QuestionRecord[]): readonly string[] {
  const asked = first ? askedPeople(first) : [];
  return rest.every((q) => askedPeople(q).join() === asked.join()) ? asked : [];
}

function waitingAs(record: ThreadRecord, message: IncomingMessage, { policy, limits }: Rules): Waiting {
  const early = !message.unseen && mayAnswer(record, message, policy) && mayBeEarly(record);
  return {
    id: message.id,
    by: message.by.id,
    text: cutMessage(message.text, limits),
    ...(message.files && { files: message.files }),
    ...(early && { early: { addressed: addressed(message) } }),
  };
}

/** Owes the thread a word on what was asked where it did not see it. */
function announced(record: ThreadRecord, { id, by, unseen }: IncomingMessage): ThreadRecord {
  if (!unseen) return record;
  const body = { kind: 'asked', who: by.id, text: unseen.text } as const;
  return { ...record, posts: [...record.posts, { id: `${id}:asked`, body, sending: { state: 'unsent' } }] };
}

/** Owes the thread a word on how to use the bot. Who asked for it is served: what they say next needs no mention. */
function helped(record: ThreadRecord, { id, by }: IncomingMessage): ThreadRecord {
  const post: PostRecord = { id: `${id}:help`, body: { kind: 'help', who: by.id }, sending: { state: 'unsent' } };
  return { ...record, requester: record.requester ?? by.id, posts: [...record.posts, post] };
}

/** A failed run goes on with the next message, and takes it along if its requester wrote it. */
function joined(record: ThreadRecord, message: Waiting, limits: Limits): ThreadRecord {
  const { run } = record;
  const waits = { ...record, inbox: [...record.inbox, message] };
  // An agent that may be done reads no more: it waits for the next run.
  if (run?.phase.name !== 'failed' || run.phase.unsure || run.requester !== message.by) return waits;
  const taken = [...run.taken, message];
  // A run that fails again and again must not grow with each try: the rest is for the next run.
  const chars = taken.reduce((sum, said) => sum + ('text' in said ? said.text : said.content).length, 0);
  if (taken.length > limits.waiting + limits.context || chars > limits.waitingChars + limits.contextChars) return waits;
  return { ...record, run: { ...run, taken } };
}

function beside(record: ThreadRecord, message: IncomingMessage, rules: Rules, now: number): DeliveredMessage {
  if (record.seen.length >= rules.limits.seen) {
    return { record: { ...record, dropped: record.dropped + 1 }, received: { status: 'ignored' } };
  }
  const noted = note(record, message, rules.limits, now);
  const waiting = waitingAs(record, message, rules);
  return { record: { ...noted, context: [...noted.context, waiting] }, received: { status: 'context' } };
}

/** Each once, the latest last. */
function withNamed(known: ThreadRecord['named'], { by, named = [] }: IncomingMessage): ThreadRecord['named'] {
  const fresh = [...new Set(named)].map((who) => ({ by: by.id, who }));
  if (fresh.length === 0) return known;
  return [...known.filter((one) => !fresh.some((other) => other.by === one.by && other.who === one.who)), ...fresh];
}

function note(record: ThreadRecord, message: IncomingMessage, limits: Limits, now: number): ThreadRecord {
  const known = record.participants.includes(message.by.id) || record.participants.length >= limits.participants;
  return {
    ...record,
    touchedAt: now,
    seen: [...record.seen, { id: message.id, at: now }],
    named: withNamed(record.named, message),
    participants: known ? record.participants : [...record.participants, message.by.id],
  };
}
