/** The use cases that `slack/` calls. Each is durable when it resolves, and throws only when the store fails. */
import type { AnswerProblem } from '../agent/answer-problem.ts';
import type { Settlement } from '../agent/question.ts';
import type { Home } from './home.ts';
import type { NotAllowed, Person, QuestionId, QuestionView, ThreadId } from './ports.ts';
import type { FileRef } from './thread.ts';

/** A message as it reaches a thread. */
export type IncomingMessage = {
  thread: ThreadId;
  /** Its `ts`: unique in the channel, and the order of messages. Both events of a mention carry the same. */
  id: string;
  by: Person;
  /** What the model reads: the bot's own mention taken out, entities decoded, files named. */
  text: string;
  /** Those of them that can be read. */
  files?: FileRef[];
  /** The bot is mentioned in it. */
  mention: boolean;
  /** A DM with the bot: needs no mention. */
  direct: boolean;
  /** It starts its thread (no `thread_ts`). */
  root: boolean;
  /** It was written in a form: nobody sees it in the thread, which is told that this person asked `text`. Never a typed answer. */
  unseen?: { text: string };
  /** Whom it mentions, besides the bot: people, and groups of people. */
  named?: readonly string[];
};

/**
 * `accepted`: recorded, will be handled; or its writer is told why not. `context`: recorded to be read with the next message to the bot. `duplicate`: seen.
 * `ignored`: not for the bot, nothing recorded. `not_allowed`: its writer may not use the bot here (policy).
 */
export type Received =
  | { status: 'accepted' | 'context' | 'duplicate' | 'ignored' }
  | { status: 'not_allowed'; reason: NotAllowed };

/** What a person gave by a control: option indexes (from 0), text, both, or Skip. */
export type Given = { kind: 'answer'; options: number[]; text?: string } | { kind: 'skip' };

export type AnswerRequest = {
  thread: ThreadId;
  question: QuestionId;
  by: Person;
  given: Given;
  /** The `ts` of the card that was clicked, when it was the card: a fact that the record may not have yet. */
  cardTs?: string;
};

export type Answered =
  | { status: 'accepted'; question: QuestionView }
  | { status: 'already_settled'; question: QuestionView; settlement: Settlement; by?: string }
  | { status: 'not_allowed'; reason: NotAllowed; requester?: string; asked?: readonly string[] }
  /** The question stays open. */
  | { status: 'invalid'; problem: AnswerProblem }
  | { status: 'unknown' };

/** `requester`: whose run it is. */
type NotYours = { status: 'not_allowed'; reason: NotAllowed; requester: string };
export type Stopped = { status: 'stopped' | 'nothing_to_stop' } | NotYours;
export type Retried = { status: 'retrying' | 'nothing_to_retry' } | NotYours;

export type FeedbackRequest = { thread: ThreadId; runId: string; by: Person; is: 'good' | 'bad' };
export type FeedbackGiven = { status: 'accepted' | 'unknown' } | { status: 'not_allowed'; reason: NotAllowed };

/** `open`: to be answered by this person, or answered by them and still theirs to change. */
export type Looked =
  | { status: 'open'; question: QuestionView }
  | Extract<Answered, { status: 'already_settled' | 'not_allowed' | 'unknown' }>;

export interface Dispatcher {
  receive(message: IncomingMessage): Promise<Received>;
  answer(request: AnswerRequest): Promise<Answered>;
  /** The requester takes the question back, and the run goes on without an answer. */
  withdraw(request: Omit<AnswerRequest, 'given'>): Promise<Answered>;
  /** The question as it is, for opening its form; `not_allowed` when this person may not answer it. */
  look(thread: ThreadId, question: QuestionId, by: Person): Promise<Looked>;
  /** All questions of its step that wait for this person, for one form; of the question itself when none does. */
  lookAtStep(
    thread: ThreadId,
    question: QuestionId,
    by: Person,
  ): Promise<{ status: 'open'; questions: QuestionView[] } | Exclude<Looked, { status: 'open' }>>;
  /** What this person's Home shows; never more than a view of what the threads say. */
  home(team: string, by: Person): Promise<Home>;
  stop(thread: ThreadId, by: Person): Promise<Stopped>;
  retry(thread: ThreadId, runId: string, by: Person): Promise<Retried>;
  /** What this person thinks of the run's reply; the last one counts. */
  feedback(request: FeedbackRequest): Promise<FeedbackGiven>;
  /** Slack says that the app is gone from the workspace, or its tokens: everything open there settles as cancelled. */
  uninstalled(team: string): Promise<void>;
}
