/** A clock that stands until it is moved. */
import type { Clock } from '../../src/thread/ports.ts';

export type VirtualClock = Clock & {
  /** Lets everything run that waits for no time, then goes on to `ms` later, stopping at each sleep that ends on the way. */
  advance(ms: number): Promise<void>;
  /** Moves to the next sleeper's time at the latest, without letting anything run. */
  step(most: number): void;
};

type Sleeper = { at: number; wake(): void };

export function createVirtualClock(start = 1_800_000_000_000): VirtualClock {
  let now = start;
  const sleepers = new Set<Sleeper>();
  const next = () => [...sleepers].reduce<Sleeper | undefined>((a, b) => (!a || b.at < a.at ? b : a), undefined);
  function wake(): void {
    for (const sleeper of [...sleepers].sort((a, b) => a.at - b.at)) {
      if (sleeper.at <= now) sleeper.wake();
    }
  }
  const clock: VirtualClock = {
    now: () => now,
    sleep(ms, signal) {
      return new Promise((resolve) => {
        if (signal?.aborted) return resolve();
        const sleeper = {
          at: now + ms,
          wake() {
            sleepers.delete(sleeper);
            signal?.removeEventListener('abort', sleeper.wake);
            resolve();
          },
        };
        signal?.addEventListener('abort', sleeper.wake);
        sleepers.add(sleeper);
      });
    },
    async advance(ms) {
      const end = now + ms;
      await settled();
      for (;;) {
        const sleeper = next();
        if (!sleeper || sleeper.at > end) break;
        now = Math.max(now, sleeper.at);
        wake();
        await settled();
      }
      now = end;
    },
    step(most) {
      now = Math.min(now + most, Math.max(now, next()?.at ?? now + most));
      wake();
    },
  };
  return clock;
}

/** Everything that can run now has run. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
}
