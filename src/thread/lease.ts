/** Who holds a thread. Pure; a lease is taken, kept and given back only in a write of the whole record. */
import type { RunFailure } from '../agent/chunks.ts';
import type { ThreadFailure } from './ports.ts';
import { maybeUnheard } from './previewed.ts';
import { failed, giveUp } from './run.ts';
import type { ThreadRecord } from './thread.ts';

/** ms. A request's timeout is under a third of it. */
export const LEASE = 30_000;
/** How often a holder looks at its record, and how long after the last write it renews, in ms. */
export const LOOK_EVERY = 1_000;
export const RENEW_AFTER = 10_000;
/** A run whose holders vanish this often without progress ends with a sentence: it may be what ends them. */
const ATTEMPTS = 3;

const TOO_OFTEN: ThreadFailure = {
  message: 'I was interrupted several times while working on this and gave up. Please ask again.',
  code: 'interrupted',
};

const FALTERED: RunFailure = {
  message: 'Something went wrong inside the agent.',
  code: 'internal',
  retryable: true,
};

export function isHeld(record: ThreadRecord, now: number): boolean {
  return record.lease !== undefined && record.lease.until > now;
}

/** Takes a lease that nobody has, or whose time is over; the latter counts, and is once too often. */
export function takeLease(record: ThreadRecord, token: string, now: number): ThreadRecord {
  const next = { ...record, lease: { token, until: now + LEASE }, retryAt: undefined };
  return record.lease ? interrupted(next, now) : next;
}

/** A holder vanished without progress. */
export function interrupted(record: ThreadRecord, now: number): ThreadRecord {
  return counted(record, now, (r) => giveUp(r, TOO_OFTEN, now));
}

/** A holder failed and lives: once too often, and its run waits, with its answers, for a person to have it tried again. */
export function faltered(record: ThreadRecord, now: number): ThreadRecord {
  const { run } = record;
  if (run?.phase.name !== 'working') return interrupted(record, now);
  return counted(record, now, (r) => failed(r, run.runId, FALTERED, now, { name: 'failed', unsure: true }));
}

function counted(
  record: ThreadRecord,
  now: number,
  onceTooOften: (record: ThreadRecord) => ThreadRecord,
): ThreadRecord {
  const attempts = record.attempts + 1;
  const next = { ...maybeUnheard(record, now), attempts };
  if (attempts < ATTEMPTS || !record.run || record.run.phase.name === 'ending') return next;
  return { ...onceTooOften(next), attempts: 0 };
}

export function isHolder(record: ThreadRecord | undefined, token: string): record is ThreadRecord {
  return record?.lease?.token === token;
}

export function renewed(record: ThreadRecord, token: string, now: number): ThreadRecord {
  return { ...record, lease: { token, until: now + LEASE } };
}
