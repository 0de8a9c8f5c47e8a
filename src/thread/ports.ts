/** What one conversation needs of the world: records, a messenger, a clock. `thread/` knows no Slack and no storage product. */

import type { AnswerProblem } from '../agent/answer-problem.ts';
import type { Image } from '../agent/messages.ts';
import type { Question, Settlement } from '../agent/question.ts';
import type { Stored } from '../agent/run-store.ts';
import type { Previews } from './preview-port.ts';
import type { FileRef } from './thread.ts';

/** `team:channel:thread_ts`, where team is the installation's. */
export type ThreadId = string & { readonly brand: 'ThreadId' };
/** Opaque, random, drawn once; found by (runId, toolCallId). */
export type QuestionId = string & { readonly brand: 'QuestionId' };

/** A place in the order of `due`; hand the last one back to get the next page. */
export type DueKey = { key: string; due: number };

/** Typed records with compare-and-set. Every failure of the store throws; an unreadable record throws `UnreadableRecordError`. */
export interface AtomicRecords<T> {
  read(key: string): Promise<Stored<T> | undefined>;
  /**
   * Replaces `previous` (undefined: creates) by `next` (undefined: deletes), due at `due` (ms since the epoch). Resolves to
   * false when the record is no longer `previous`; else to what is stored now. A throw leaves the outcome unknown: read.
   */
  swap(key: string, previous: Stored<T> | undefined, next: T | undefined, due?: number): Promise<Stored<T> | boolean>;
  /** Keys that were due at `now`, earliest first, at most `limit`, after the place `after`. */
  due(now: number, after: DueKey | undefined, limit: number): Promise<DueKey[]>;
  /** Keys of this kind of record, in order, at most `limit`, after the key `after`. */
  list(prefix: string, after: string | undefined, limit: number): Promise<string[]>;
}

export interface Clock {
  /** ms since the epoch. */
  now(): number;
  /** Resolves after `ms`, or at once when `signal` aborts; never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Calls `beat` every `ms` with how many ms too late the event loop came round, until the function that it returns is called. */
export type Pulse = (ms: number, beat: (late: number) => void) => () => void;

/** A person as the policy sees one. `unknown`: could not be looked up, which counts as outside. */
export type Person = { id: string; standing: 'member' | 'guest' | 'external' | 'unknown' };

/** A question as a card or a modal shows it: the record is the truth, the card a view of it. */
export type QuestionView = {
  id: QuestionId;
  thread: ThreadId;
  question: Question;
  /** Whose run it is, and who is asked unless `asked` says otherwise: by default the only one who may answer. */
  requester: string;
  /** Whom alone it is put to, when that is not the requester. */
  asked?: readonly string[];
  /** The other questions of the step: this is number `position` of `of`, from 1. */
  position: number;
  of: number;
  /** `changeable`: whoever gave it may still replace it. */
  settled?: { settlement: Settlement; by?: string; at: number; changeable?: true };
  /** On the last card of a step of several: all questions of the step, for one form. */
  step?: QuestionView[];
};

/**
 * What is posted in a thread besides cards. `id` is unique and goes into the message's metadata. `requester`: who was served
 * last, in whose language it is said. The text of a reply is blank when the agent ended without a word; `feedback`: the run whose reply
 * ends here, for people to say what they think of it.
 */
export type Post = {
  id: string;
  requester?: string;
  body:
    | { kind: 'reply'; text: string; feedback?: { runId: string } }
    /**
     * One sentence about a failure, in English; `code` tells those who say it in another language which it is. `retry`: the
     * run that a Retry button continues; `retried`: it was used.
     */
    | { kind: 'failure'; message: string; code?: string; retry?: { runId: string }; retried?: true }
    | { kind: 'stopped'; by?: string }
    /** Names `who` is asked, with `others`; `question` is the text of a question that is still open. */
    | { kind: 'reminder'; question: string; who: string; others?: string[] }
    /** `who` asked this in a form, so that the thread did not see it. */
    | { kind: 'asked'; who: string; text: string }
    /** What the bot does and how to talk to it, for `who` asked. */
    | { kind: 'help'; who: string };
};

/** The failures of a conversation itself; those of an agent have codes of its own. */
export type ThreadFailure = {
  message: string;
  code: 'answers_not_taken' | 'run_lost' | 'interrupted' | 'reply_refused';
};

/** Said to one person only; best effort. */
export type Whisper =
  /** `asked`: who is asked, when that is somebody else and all open questions are for the same. */
  | { kind: 'kept_for_later'; open: number; asked?: readonly string[] }
  | { kind: 'not_allowed'; reason: NotAllowed; requester?: string; asked?: readonly string[] }
  | { kind: 'invalid'; problem: AnswerProblem }
  | { kind: 'already_settled'; settlement: Settlement; by?: string }
  /** What they wrote to us could answer more than one question that waits for them. */
  | { kind: 'several_wait' }
  | { kind: 'not_saved' }
  /** What is known of the thread cannot be read, and will not be without the operator. */
  | { kind: 'unreadable' }
  | { kind: 'unknown_question' }
  | { kind: 'nothing_to_stop' }
  | { kind: 'nothing_to_retry' }
  /** What they think of a reply is kept. */
  | { kind: 'feedback_noted'; is: 'good' | 'bad' }
  /** There is no such thread any more. */
  | { kind: 'feedback_unknown' }
  /** What was picked was not in the click, or cannot be read. */
  | { kind: 'not_arrived' }
  /** The form for an answer did not open: it took too long, or it was refused. */
  | { kind: 'form_late' | 'form_refused' };

/** Default: the thread. `channel`: nobody has replied to the thread's first message yet, and a whisper below it would not show. */
export type WhisperPlace = 'thread' | 'channel';

/** Why a person may not: each has its sentence in the views. */
export type NotAllowed =
  | 'not_requester'
  /** The question is put to others. */
  | 'not_asked'
  | 'not_participant'
  | 'guest'
  | 'external'
  | 'unknown_person'
  | 'user_not_listed'
  | 'channel_not_listed';

/** A person as the agent is told of them, as far as it is known. `timeZone`: IANA's name, one that `Intl` knows. */
export type Profile = { name?: string; timeZone?: string };

/** A message as it stands in the thread. `by`: a person's id, another bot's name, or ourselves. */
export type EarlierMessage = {
  id: string;
  by: { kind: 'person'; id: string } | { kind: 'bot'; name: string } | { kind: 'self' };
  text: string;
  files?: FileRef[];
};

/** `later`: asked again it may be read. `refused`: it will not. */
export type Unread = { ok: false; error: 'later' | 'refused'; retryAfter?: number; reason: string };

/** `leftOut`: how many there are between the first of `messages` and the others. `more`: there are later ones that were not reached. */
export type EarlierRead = { ok: true; messages: EarlierMessage[]; leftOut: number; more?: true } | Unread;

/** `text`: the beginning of it, when it is long. */
export type FileRead = { ok: true; image: Image } | { ok: true; text: string } | Unread;

/** What a holder reads before the agent's turn. One attempt per call; no method rejects. */
export interface Reader {
  /** In order; later than `after` and earlier than `before`, the first and the latest of them, about `most`. */
  earlier(thread: ThreadId, span: { after: string; before: string }, most: number): Promise<EarlierRead>;
  /** Takes two seconds at most: who is not known by then has no name. */
  profile(person: string): Promise<Profile>;
  /** What the file says or shows; refused for good is what is too large, or of a kind that no model reads. */
  file(file: FileRef): Promise<FileRead>;
}

/** How a call that posts, edits or deletes ended. */
export type Delivery =
  | { ok: true; ts: string }
  /** It may or may not have happened (timeout, reset, 5xx, internal_error, fatal_error): read back before trying again. */
  | { ok: false; error: 'ambiguous'; reason: string }
  /** It did not happen; it may in `retryAfter` ms. */
  | { ok: false; error: 'later'; retryAfter: number; reason: string }
  /** It did not happen and never will as it is: this content was refused. */
  | { ok: false; error: 'refused'; reason: string }
  /** Nothing can be posted there: channel gone or archived, bot removed, token revoked, app uninstalled. */
  | { ok: false; error: 'gone'; reason: string };

/**
 * Posts, edits and reads back; one attempt per call, never a retry of its own. No method rejects, except `find`, which
 * throws when the thread cannot be read (its answer would be a guess).
 */
export interface Messenger {
  /** Posts the question's card, or with `plain` the numbered plain text that stands in for a card that Slack refused. */
  ask(question: QuestionView, options: { plain: boolean }): Promise<Delivery>;
  /** Makes the card at `ts` show the question as it is now. Idempotent; a card that is gone counts as done. */
  repaint(question: QuestionView, ts: string): Promise<Delivery>;
  post(thread: ThreadId, post: Post): Promise<Delivery>;
  /** Makes the post at `ts` say this. Idempotent; a post that is gone counts as done. */
  amend(thread: ThreadId, post: Post, ts: string): Promise<Delivery>;
  /** Deletes a stray; one that is gone counts as done. */
  remove(thread: ThreadId, ts: string): Promise<Delivery>;
  /** The `ts` of our own message in the thread whose metadata has this id (a QuestionId or a Post's id); `since`: ms since the epoch. */
  find(thread: ThreadId, id: string, since: number): Promise<string | undefined>;
  /** Best effort: never rejects, and nothing depends on it. */
  whisper(thread: ThreadId, person: string, whisper: Whisper, place?: WhisperPlace): Promise<void>;
  /**
   * Best effort: never rejects, and nothing depends on it. Those of a thread take effect in the order in which they are called.
   * `idle` clears. `requester`: who is served, in whose language it is.
   */
  status(thread: ThreadId, status: 'working' | 'waiting' | 'idle', requester?: string): Promise<void>;
  /** A reply's text as the messages that it is posted as: deterministic, whole, at least one. */
  split(text: string): string[];
  /** Replies that are seen as they grow, where there are such. */
  previews?: Previews;
}
