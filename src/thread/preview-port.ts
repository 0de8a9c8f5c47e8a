/**
 * What a messenger may offer besides posts: a reply that is seen while it grows. A preview is no delivery, and nothing depends
 * on it: what is owed to the thread is recorded first, and the preview then becomes it.
 */
import type { Delivery, Post, ThreadId } from './ports.ts';

/** What the agent does, in words. */
export type Task = { id: string; title: string; status: 'pending' | 'in_progress' | 'complete' | 'error' };

/** One message of a text. `preview`: the message that shows it, or the beginning of it; `whole`: there is nothing to add. */
export type Part = { text: string; preview?: { ts: string; whole: boolean } };

export type Settled = {
  parts: Part[];
  /** Messages that show what the text does not say. */
  strays: string[];
  /** When a message was begun of which no `ts` was heard, ms since the epoch. */
  unheard?: number;
};

/** Of one stretch of a run. Nothing rejects, and nothing but the ends is waited for. */
export interface Preview {
  say(text: string): void;
  task(task: Task): void;
  /** All is said, and this is the text: how it is posted. Nothing grows any more. */
  settle(text: string): Promise<Settled>;
  /** Nothing will be posted: what is seen stays as it is. */
  leave(): Promise<Pick<Settled, 'unheard'>>;
}

export interface Previews {
  /**
   * undefined: there is none in this place. `record` is told each message as soon as it has a `ts`, and nothing is added to
   * that before `record` says yes.
   */
  open(thread: ThreadId, options: { requester: string; record(ts: string): Promise<boolean> }): Preview | undefined;
  /** Makes the message at `ts` the post. Idempotent; `refused`: it cannot be, and the post may be posted anew. */
  complete(thread: ThreadId, post: Post, ts: string): Promise<Delivery>;
  /** Our own messages since then that are no posts: begun, and never heard of. Throws when the thread cannot be read. */
  unheard(thread: ThreadId, since: number): Promise<string[]>;
}
