/** What the record knows of messages in which a reply grows. Pure. */
import type { Settled } from './preview-port.ts';
import { retryLater } from './retry.ts';
import type { ThreadRecord } from './thread.ts';

/** ms until a message that was just begun is in the thread's history for certain. */
const IN_HISTORY = 5_000;

/** Known, before anything is added to it. */
export function withPreview(record: ThreadRecord, ts: string): ThreadRecord {
  return record.previews.includes(ts) ? record : { ...record, previews: [...record.previews, ts] };
}

/** `person`: it is not in the thread, but in the direct messages with them. */
export function withStray(record: ThreadRecord, ts: string, person?: string): ThreadRecord {
  if (record.strays.some((stray) => stray.ts === ts)) return record;
  return { ...record, strays: [...record.strays, { ts, ...(person !== undefined && { person }) }] };
}

function withStrays(record: ThreadRecord, strays: readonly string[]): ThreadRecord {
  return strays.reduce((next, ts) => withStray(next, ts), record);
}

/** The turn is over: its messages are posts from now on, or strays. */
export function withoutPreviews(
  record: ThreadRecord,
  { strays, unheard }: Pick<Settled, 'strays' | 'unheard'>,
  now: number,
): ThreadRecord {
  return withStrays(withUnheard({ ...record, previews: [] }, { unheard }, now), strays);
}

/** A message was begun whose `ts` nobody heard. */
export function withUnheard(
  record: ThreadRecord,
  left: { unheard?: number | undefined } | undefined,
  now: number,
): ThreadRecord {
  if (left?.unheard === undefined) return record;
  const since = Math.min(left.unheard, record.unheard?.since ?? left.unheard);
  return { ...record, unheard: { since, at: now + IN_HISTORY } };
}

/** Whoever had the agent's turn is gone, and may have begun a message that is not recorded. */
export function maybeUnheard(record: ThreadRecord, now: number): ThreadRecord {
  if (record.run?.phase.name !== 'working') return record;
  return { ...record, unheard: { since: record.unheard?.since ?? record.touchedAt, at: now } };
}

/** What was found is deleted, unless it is known. */
export function searched(record: ThreadRecord, found: string[]): ThreadRecord {
  const known = new Set([...record.previews, ...record.posts.map((post) => post.preview)]);
  const strays = found.filter((ts) => !known.has(ts));
  return withStrays({ ...record, unheard: undefined }, strays);
}

export function notSearched(record: ThreadRecord, now: number): ThreadRecord {
  if (!record.unheard) return record;
  const retry = retryLater(record.unheard.retry, now);
  return { ...record, unheard: { ...record.unheard, at: retry.at, retry } };
}

/** A message that nobody needs is gone. */
export function removed(record: ThreadRecord, ts: string): ThreadRecord {
  return {
    ...record,
    strays: record.strays.filter((stray) => stray.ts !== ts),
    previews: record.previews.filter((preview) => preview !== ts),
  };
}

export function notRemoved(record: ThreadRecord, ts: string, now: number, after?: number): ThreadRecord {
  const next = withStray({ ...record, previews: record.previews.filter((preview) => preview !== ts) }, ts);
  const strays = next.strays.map((s) => (s.ts === ts ? { ...s, retry: retryLater(s.retry, now, after) } : s));
  return { ...next, strays };
}

/** The message that was to become the post cannot: the post goes out by itself. */
export function withoutPreview(record: ThreadRecord, id: string): ThreadRecord {
  const ts = record.posts.find((post) => post.id === id)?.preview;
  if (ts === undefined) return record;
  const posts = record.posts.map(({ preview, ...post }) =>
    post.id === id
      ? { ...post, sending: { state: 'unsent' as const } }
      : { ...post, ...(preview !== undefined && { preview }) },
  );
  return withStray({ ...record, posts }, ts);
}
