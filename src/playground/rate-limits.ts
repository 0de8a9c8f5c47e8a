import type { Clock } from './clock.ts';
import type { Tier } from './web-api/method.ts';

const PER_MINUTE = { 1: 1, 2: 20, 3: 50, 4: 100 };
/** chat.postMessage: one a second in a channel, and short bursts. */
const POSTS_PER_MINUTE = 60;
const BURST = 5;

type Bucket = { tokens: number; at: number };

/** Seconds to wait (Retry-After) when a call is one too many; undefined when it may go. */
export function createRateLimits(clock: Clock) {
  const buckets = new Map<string, Bucket>();

  function take(key: string, perMinute: number, size: number): number | undefined {
    const bucket = buckets.get(key) ?? { tokens: size, at: clock.now() };
    const refilled = bucket.tokens + ((clock.now() - bucket.at) / 60_000) * perMinute;
    const tokens = Math.min(size, refilled);
    if (tokens >= 1) {
      buckets.set(key, { tokens: tokens - 1, at: clock.now() });
      return undefined;
    }
    buckets.set(key, { tokens, at: clock.now() });
    return Math.max(1, Math.ceil(((1 - tokens) / perMinute) * 60));
  }

  return (method: string, tier: Tier, channel: string): number | undefined => {
    if (tier !== 'special') return take(method, PER_MINUTE[tier], PER_MINUTE[tier]);
    return method === 'chat.postMessage' ? take(`${method}:${channel}`, POSTS_PER_MINUTE, BURST) : undefined;
  };
}
