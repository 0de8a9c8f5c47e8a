/** Slack takes about one post a second per channel, with short bursts; each channel waits for itself alone. */
import type { Clock } from '../thread/ports.ts';

const INTERVAL = 1_000;
const BURST = 3;

/** Longer waits are given back to the caller: it checks its lease before each send, and a send must follow that check closely. */
const LONGEST_WAIT = 2_000;

/** A channel that has not been used for this long is as good as new. */
const FORGET_OVER = 1_000;

export type Pace = {
  /** Waits for this channel's turn and takes it: 0. Or takes none and resolves at once to the ms to come back in. */
  turn(channel: string): Promise<number>;
  /** Slack asked for silence in this channel, for `ms`. */
  hold(channel: string, ms: number): void;
};

export function createPace(clock: Clock): Pace {
  /** When each channel would be idle again if it got one post per interval. */
  const busyUntil = new Map<string, number>();

  function forgetIdle(now: number): void {
    if (busyUntil.size < FORGET_OVER) return;
    for (const [channel, until] of busyUntil) if (until <= now) busyUntil.delete(channel);
  }

  return {
    async turn(channel) {
      const now = clock.now();
      forgetIdle(now);
      const until = Math.max(now, busyUntil.get(channel) ?? 0);
      const wait = Math.max(0, until - now - (BURST - 1) * INTERVAL);
      if (wait > LONGEST_WAIT) return wait;
      busyUntil.set(channel, until + INTERVAL);
      if (wait > 0) await clock.sleep(wait);
      return 0;
    },
    hold(channel, ms) {
      busyUntil.set(channel, Math.max(busyUntil.get(channel) ?? 0, clock.now() + ms + (BURST - 1) * INTERVAL));
    },
  };
}
