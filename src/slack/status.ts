/**
 * What a thread shows of the work in it: the state of an agent's session where Slack has those, else the "is working…" line.
 * Decoration: nothing waits for it, and a workspace without it loses nothing else.
 */
import type { WebClient } from '@slack/web-api';
import type { ThreadId } from '../thread/ports.ts';
import { threadParts } from './ids.ts';
import type { Log } from './log.ts';
import { failureOf, isUnavailable, slackErrorCode } from './web-api-error.ts';
import { en } from './words/en.ts';
import type { Words } from './words/words.ts';

export type Status = 'working' | 'waiting' | 'idle';

export type StatusLine = {
  /** Never rejects. Calls for one thread reach Slack in the order in which they were made. `words`: of who is served there. */
  show(thread: ThreadId, status: Status, words?: Promise<Words>): Promise<void>;
  /** The state of the thread's session, where Slack has those: the end of a stream would make it "active" by itself. */
  session(thread: ThreadId): (typeof SESSION)[Status] | undefined;
};

const SESSION = { working: 'processing', waiting: 'suspended', idle: 'active' } as const;
/** While people are asked, the line would close their composer to a typed answer: it is cleared, as when idle. */
const HAS_LINE = { working: true, waiting: false, idle: false } as const;

const MOST_THREADS = 5_000;

export type StatusParts = { client: Pick<WebClient, 'agents' | 'assistant'>; log: Log };

export function createStatusLine({ client, log }: StatusParts): StatusLine {
  /** The best that this workspace has, as far as is known. */
  let kind: 'session' | 'line' | 'none' = 'session';
  let hasSessions = false;
  /**
   * What each thread shows, or is about to; the oldest leave. A thread that is not here may show what a process that died left
   * there: whatever is to be shown is told.
   */
  const shown = new Map<ThreadId, { status: Status; done: Promise<void>; isDone: boolean }>();

  function isShown(before: { status: Status; isDone: boolean }, status: Status): boolean {
    if (before.status === status) return true;
    if (kind !== 'line') return false;
    // Whoever is idle has something to say, and Slack clears the line at our next message; unless the line is still on its way.
    return HAS_LINE[before.status] === HAS_LINE[status] || (status === 'idle' && before.isDone);
  }

  /** Asked again for each call: what came before in this thread may have taught us. */
  async function tell(thread: ThreadId, status: Status, words: Promise<Words>): Promise<void> {
    const { channel, threadTs } = threadParts(thread);
    if (kind === 'session') {
      const failed = await attempt(thread, () =>
        client.agents.sessions.setStatus({ channel_id: channel, thread_ts: threadTs, status: SESSION[status] }),
      );
      hasSessions ||= failed === undefined;
      if (!isUnavailable(failed)) return;
      kind = 'line';
    }
    if (kind === 'line') {
      const line = HAS_LINE[status] ? (await words).working : '';
      const failed = await attempt(thread, () =>
        client.assistant.threads.setStatus({ channel_id: channel, thread_ts: threadTs, status: line }),
      );
      if (isUnavailable(failed)) kind = 'none';
    }
  }

  async function attempt(thread: ThreadId, call: () => Promise<unknown>): Promise<string | undefined> {
    try {
      await call();
      return undefined;
    } catch (error) {
      log.debug({ thread, reason: failureOf(error).reason }, 'a status was not shown');
      return slackErrorCode(error) ?? 'no_answer';
    }
  }

  return {
    show(thread, status, words = Promise.resolve(en)) {
      if (kind === 'none') return Promise.resolve();
      const before = shown.get(thread);
      if (before && isShown(before, status)) {
        before.status = status;
        return before.done;
      }
      const next = { status, done: Promise.resolve(), isDone: false };
      next.done = (before?.done ?? Promise.resolve())
        .then(() => tell(thread, status, words))
        .then(() => {
          next.isDone = true;
        });
      shown.delete(thread);
      shown.set(thread, next);
      const [oldest] = shown.keys();
      if (shown.size > MOST_THREADS && oldest !== undefined) shown.delete(oldest);
      return next.done;
    },
    session(thread) {
      const { status } = shown.get(thread) ?? {};
      return hasSessions && status !== undefined ? SESSION[status] : undefined;
    },
  };
}
