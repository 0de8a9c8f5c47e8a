/** Time as the workspace sees it. Tests may pass one that runs faster. */
export type Clock = {
  /** Unix time in ms. */
  now(): number;
  /** Calls `fn` once after `ms`; the answer cancels it. */
  after(ms: number, fn: () => void): () => void;
};

export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, fn) {
    const timer = setTimeout(fn, ms);
    return () => clearTimeout(timer);
  },
};

/** Slack's own time limits, in ms. Tests shorten those that they wait for. */
export type Windows = {
  /** How long the bot has for an ack (Events API and interactivity: 3 s). */
  ack: number;
  /** Waits before the retries of an unacked event: at once, 1 min, 5 min. */
  retries: readonly number[];
  trigger: number;
  responseUrl: number;
  /** A stream is over this long after its start, whatever is appended (observed: 300.3 s). */
  stream: number;
  /** An assistant status disappears by itself. */
  status: number;
  /** The server pings each socket this often, and drops one that did not answer the ping before. */
  ping: number;
};

export const slackWindows: Windows = {
  ack: 3_000,
  retries: [0, 60_000, 300_000],
  trigger: 3_000,
  responseUrl: 30 * 60_000,
  stream: 300_000,
  status: 120_000,
  ping: 10_000,
};
