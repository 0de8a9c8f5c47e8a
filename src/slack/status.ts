/** The "is working…" line of a thread. Decoration: nothing waits for it, and a workspace without it loses nothing else. */
import type { WebClient } from '@slack/web-api';
import type { ThreadId } from '../thread/ports.ts';
import { threadParts } from './ids.ts';
import type { Log } from './log.ts';
import { failureOf, slackErrorCode } from './web-api-error.ts';

/** This workspace, plan or server has no such thing, or not for us: not asked again until the next start. */
const FOR_GOOD = new Set([
  'unknown_method',
  'method_deprecated',
  'feature_disabled',
  'missing_scope',
  'not_allowed_token_type',
  'not_allowed',
  'not_authorized',
  'no_permission',
  'team_access_not_granted',
]);

export type StatusLine = {
  /** Never rejects. Calls for one thread reach Slack in the order in which they were made. */
  show(thread: ThreadId, status: 'working' | 'waiting' | 'idle'): Promise<void>;
};

export function createStatusLine({ client, log }: { client: Pick<WebClient, 'assistant'>; log: Log }): StatusLine {
  let available = true;
  /** Threads that show something, or are about to. A clear that overtook its "working" would leave it there. */
  const shown = new Map<ThreadId, Promise<void>>();

  async function set(thread: ThreadId, status: string): Promise<void> {
    // Asked again here: what came before in this thread may have taught us.
    if (!available) return;
    const { channel, threadTs } = threadParts(thread);
    try {
      await client.assistant.threads.setStatus({ channel_id: channel, thread_ts: threadTs, status });
    } catch (error) {
      if (FOR_GOOD.has(slackErrorCode(error) ?? '')) available = false;
      log.debug({ thread, reason: failureOf(error).reason, available }, 'the status was not shown');
    }
  }

  return {
    show(thread, status) {
      const before = shown.get(thread);
      // While people are asked, Slack's status would close their composer to a typed answer: it is cleared, as when idle.
      if (status !== 'working') {
        if (before === undefined) return Promise.resolve();
        shown.delete(thread);
        return before.then(() => set(thread, ''));
      }
      if (!available) return Promise.resolve();
      const now = (before ?? Promise.resolve()).then(() => set(thread, 'is working…'));
      shown.set(thread, now);
      return now;
    },
  };
}
