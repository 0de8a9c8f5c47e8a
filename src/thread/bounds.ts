/** Keeps a record small: every write passes here. What leaves was read, is old, or is counted for the model. Pure. */
import type { Limits } from './limits.ts';
import { invitationsOf, stepQuestions, type ThreadRecord } from './thread.ts';
import { isStale } from './work.ts';

/** Slack sends an event again for an hour at most. */
const SEEN_FOR = 3 * 3_600_000;
const DELIVERED = 50;
/** Failures of a thread that still offer something, or did. */
const OFFERS = 20;
/** What people think of the replies; the oldest leaves. */
const FEEDBACK = 100;
/** More second messages of one card than any fault makes. */
const STRAYS = 50;
/** Whom the person who is served mentioned, and whom all others did: the latest. */
const NAMED = 100;

export function bounded(record: ThreadRecord, limits: Limits, now: number): ThreadRecord {
  const questions = boundedQuestions(record, limits);
  return {
    ...record,
    ...boundedContext(record, limits),
    v: questions.some(({ addressees }) => addressees) ? 2 : 1,
    seen: record.seen.filter((message) => message.at > now - SEEN_FOR),
    questions,
    delivered: record.delivered.slice(-DELIVERED),
    offers: record.offers.slice(-OFFERS),
    feedback: record.feedback.slice(-FEEDBACK),
    strays: record.strays.slice(0, STRAYS),
    previews: record.previews.slice(-STRAYS),
    named: boundedNamed(record),
  };
}

/** The latest questions of earlier steps stay, to say what they ended with; one whose card may still change always does. */
function boundedQuestions(record: ThreadRecord, limits: Limits): ThreadRecord['questions'] {
  const current = new Set(stepQuestions(record));
  let count = 0;
  let chars = 0;
  const stays = record.questions.toReversed().filter((q) => {
    if (current.has(q) || q.sending.state === 'sent') return true;
    if (isStale(q) || invitationsOf(q).some(({ sending }) => sending.state === 'sent')) return true;
    count += 1;
    chars += JSON.stringify(q).length;
    return count <= limits.past && chars <= limits.pastChars;
  });
  return stays.reverse();
}

/** However many people others mention, those whom the requester did stay. */
function boundedNamed({ named, run, inbox, requester }: ThreadRecord): ThreadRecord['named'] {
  if (named.length <= NAMED) return named;
  const served = run?.requester ?? inbox[0]?.by ?? requester;
  const others = named.filter(({ by }) => by !== served);
  const own = named.filter(({ by }) => by === served);
  return [...others.slice(-NAMED), ...own.slice(-NAMED)];
}

function boundedContext(record: ThreadRecord, limits: Limits): Pick<ThreadRecord, 'context' | 'dropped'> {
  let chars = 0;
  const stays = record.context.toReversed().filter((message, index) => {
    chars += message.text.length;
    return index < limits.context && chars <= limits.contextChars;
  });
  return { context: stays.reverse(), dropped: record.dropped + record.context.length - stays.length };
}

/** There is room for one more message to the bot. */
export function hasRoom(record: ThreadRecord, text: string, limits: Limits): boolean {
  const waiting = [...record.inbox, ...record.kept];
  const chars = waiting.reduce((sum, message) => sum + message.text.length, text.length);
  return waiting.length < limits.waiting && chars <= limits.waitingChars && record.seen.length < limits.seen;
}
