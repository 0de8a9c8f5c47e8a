/** Reading that did not work, tried again while that may help and somebody can be kept waiting. */
import { untilAborted } from '../agent/abort.ts';
import type { Clock, Unread } from './ports.ts';
import { backoff } from './retry.ts';

/** ms that somebody waits for what may matter to them, and how often it is tried. */
export const PATIENCE = 30_000;
const TRIES = 3;

/** For `patience` ms at most. Rejects with the signal's reason when that aborts. */
export async function persistently<T extends { ok: true }>(
  clock: Clock,
  signal: AbortSignal,
  ask: () => Promise<T | Unread>,
  patience = PATIENCE,
): Promise<T | Unread> {
  const until = clock.now() + patience;
  for (let tries = 1; ; tries += 1) {
    const read = await untilAborted(ask(), signal);
    if (read.ok || read.error === 'refused' || tries === TRIES) return read;
    const wait = read.retryAfter ?? backoff(tries);
    if (clock.now() + wait > until) return read;
    await clock.sleep(wait, signal);
    signal.throwIfAborted();
  }
}
