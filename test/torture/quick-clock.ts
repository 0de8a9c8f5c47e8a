/** A clock that goes faster than the machine's, the same in every process that is told the same beginning. */
import type { Clock } from '../../src/thread/ports.ts';

export function quickClock(beginning: number, speed: number): Clock {
  return {
    now: () => Math.floor(beginning + (Date.now() - beginning) * speed),
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve();
        const woken = () => {
          clearTimeout(timer);
          signal?.removeEventListener('abort', woken);
          resolve();
        };
        const timer = setTimeout(woken, ms / speed);
        signal?.addEventListener('abort', woken);
      }),
  };
}
