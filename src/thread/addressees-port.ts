/** Whom a question is put to when it is not for the requester: finding them, and telling each in a direct message. */
import type { Delivery, QuestionView, ThreadId } from './ports.ts';

/** `to` and `named` are opaque here: who was named is named by the same ids that `people` have. */
export type AddressRequest = {
  thread: ThreadId;
  requester: string;
  /** As the model wrote it. */
  to: readonly string[];
  /** Whom the requester mentioned in the thread: nobody else is asked, besides those whom the operator has a name for. */
  named: readonly string[];
};

/**
 * `refused`: nobody is asked, and the model reads why, in a sentence. `later`: it cannot be told now, and may in `retryAfter` ms;
 * `unreadable`: there was an answer that says nothing, and it may never say more.
 */
export type Addressed =
  | { status: 'found'; people: readonly string[] }
  | { status: 'refused'; reason: string }
  | { status: 'later'; reason: string; retryAfter?: number; unreadable?: true };

/** No method rejects, except `find`, which throws when the messages cannot be read. One attempt per call. */
export interface Addressees {
  /** Changes nothing anywhere. Whoever is found may use the bot, and is in the thread's channel. */
  address(request: AddressRequest): Promise<Addressed>;
  /** Tells the person that the question waits for them, and where: its card is at `cardTs`. */
  invite(question: QuestionView, person: string, id: string, cardTs: string): Promise<Delivery>;
  /** Makes the invitation at `ts` show the question as it is now. Idempotent; one that is gone counts as done. */
  repaint(question: QuestionView, person: string, ts: string, id: string, cardTs: string): Promise<Delivery>;
  /** The `ts` of our own message to the person whose metadata has this id; `since`: ms since the epoch. */
  find(person: string, id: string, since: number): Promise<string | undefined>;
  /** Deletes a second invitation; one that is gone counts as done. */
  remove(person: string, ts: string): Promise<Delivery>;
}
