/** Where a thread is to be found, for a browser and for Slack. */
import type { ThreadId } from '../thread/ports.ts';
import type { Identity } from './identity.ts';
import { threadParts } from './ids.ts';

/** The thread, or the message at `ts` in it; made from the workspace's address, without a call. undefined: that is not known. */
export function linkTo({ url }: Pick<Identity, 'url'>, thread: ThreadId, ts?: string): string | undefined {
  const { channel, threadTs } = threadParts(thread);
  if (url === undefined) return undefined;
  const message = new URL(`archives/${channel}/p${(ts ?? threadTs).replace('.', '')}`, url);
  message.search = new URLSearchParams({ thread_ts: threadTs, cid: channel }).toString();
  return message.href;
}
