/** What came of a piece of work, for the record. */
import type { Transition } from './mailbox.ts';

/** `posted`: a message that is in Slack now, to be recorded by whoever did it, also by one who lost the lease. */
export type Outcome =
  | { kind: 'change'; apply: Transition }
  | { kind: 'posted'; id: string; ts: string }
  | { kind: 'retired' };

export const nothing: Outcome = { kind: 'change', apply: (record) => record };
export const change = (apply: Transition): Outcome => ({ kind: 'change', apply });

/** ms that our clock may be ahead of the one by which messages are found. */
export const CLOCK_SKEW = 60_000;
