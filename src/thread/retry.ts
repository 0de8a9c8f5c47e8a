/** When to try again. */
import type { Retry } from './thread.ts';

const FIRST = 1_000;
const LONGEST = 300_000;

/** The next try after `before`: a second, then doubling, five minutes at most; or `after` ms, when the other side said so. */
export function retryLater(before: Retry | undefined, now: number, after?: number): Retry {
  const tries = (before?.tries ?? 0) + 1;
  return { at: now + (after ?? backoff(tries)), tries };
}

export function backoff(tries: number): number {
  return Math.min(LONGEST, FIRST * 2 ** Math.min(tries - 1, 20));
}
