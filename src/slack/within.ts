/** A limit on waiting for something that itself goes on. */
import type { Clock } from '../thread/ports.ts';

/** What the work came to, or `late` after `ms`. A rejection in time is passed on; a later one is `onLate`'s to report. */
export async function within<T>(
  clock: Clock,
  ms: number,
  work: Promise<T>,
  onLate: (outcome: Promise<T>) => void,
): Promise<T | 'late'> {
  const done = new AbortController();
  const outcome = await Promise.race([work, clock.sleep(ms, done.signal).then(() => 'late' as const)]).finally(
    () => done.abort('in time'), // with a reason: without one, each costs an exception with its stack
  );
  if (outcome === 'late') onLate(work);
  return outcome;
}
