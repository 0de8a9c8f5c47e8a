/** A Messenger over a list of messages: metadata, edits, deletions, a history that lags, and faults on demand. */
import type { Clock, Delivery, Messenger, Post, QuestionView, ThreadId, Whisper } from '../../src/thread/ports.ts';

type Paper = {
  ts: string;
  at: number;
  thread: ThreadId;
  id: string;
  deleted: boolean;
  card?: { shows: QuestionView; plain: boolean };
  post?: Post['body'];
};

/** What the next calls of a method meet. `lost`: it happens, and its answer does not arrive. `dropped`: neither. */
export type Fault = 'lost' | 'dropped' | 'refused' | 'gone' | { retryAfter: number };
type Method = 'ask' | 'repaint' | 'post' | 'amend' | 'remove' | 'find';

export type PaperSlack = Messenger & {
  messages: Paper[];
  whispers: { person: string; whisper: Whisper }[];
  statuses: string[];
  calls: string[];
  /** The next calls of the method meet these, in order. */
  fault(method: Method, ...faults: (Fault | undefined)[]): void;
  /** Set: decides for every call. */
  weather: ((method: Method) => Fault | undefined) | undefined;
  standing(kind?: 'card' | Post['body']['kind']): Paper[];
};

/** `lag`: ms until a message is in the history that `find` reads. */
export function createPaperSlack(clock: Clock, lag = 0): PaperSlack {
  const messages: Paper[] = [];
  const faults: Partial<Record<Method, (Fault | undefined)[]>> = {};
  let count = 0;

  async function call(method: Method, act: () => string): Promise<Delivery> {
    slack.calls.push(method);
    const fault = slack.weather ? slack.weather(method) : faults[method]?.shift();
    if (fault === undefined) return { ok: true, ts: act() };
    if (fault === 'lost') act();
    if (fault === 'lost' || fault === 'dropped') return { ok: false, error: 'ambiguous', reason: 'timeout' };
    if (fault === 'refused' || fault === 'gone') return { ok: false, error: fault, reason: 'invalid_blocks' };
    return { ok: false, error: 'later', retryAfter: fault.retryAfter, reason: 'ratelimited' };
  }

  function put(thread: ThreadId, id: string, rest: Pick<Paper, 'card' | 'post'>): string {
    count += 1;
    const ts = `${Math.floor(clock.now() / 1000)}.${String(count).padStart(6, '0')}`;
    messages.push({ ts, at: clock.now(), thread, id, deleted: false, ...rest });
    return ts;
  }

  const slack: PaperSlack = {
    messages,
    whispers: [],
    statuses: [],
    calls: [],
    weather: undefined,
    fault(method, ...next) {
      faults[method] = next;
    },
    standing(kind) {
      return messages.filter((m) => !m.deleted && (!kind || (kind === 'card' ? m.card : m.post?.kind === kind)));
    },
    ask: (question, { plain }) =>
      call('ask', () => put(question.thread, question.id, { card: { shows: question, plain } })),
    repaint: (question, ts) =>
      call('repaint', () => {
        for (const m of messages) if (m.ts === ts && m.card) m.card = { ...m.card, shows: question };
        return ts;
      }),
    post: (thread, post) => call('post', () => put(thread, post.id, { post: post.body })),
    amend: (_thread, post, ts) =>
      call('amend', () => {
        for (const m of messages) if (m.ts === ts && m.post) m.post = post.body;
        return ts;
      }),
    remove: (_thread, ts) =>
      call('remove', () => {
        for (const m of messages) if (m.ts === ts) m.deleted = true;
        return ts;
      }),
    async find(thread, id) {
      const fault = slack.weather ? slack.weather('find') : faults.find?.shift();
      slack.calls.push('find');
      if (fault !== undefined) throw new Error('the history could not be read');
      return messages.find((m) => m.thread === thread && m.id === id && !m.deleted && m.at <= clock.now() - lag)?.ts;
    },
    async whisper(_thread, person, whisper) {
      slack.whispers.push({ person, whisper });
    },
    async status(_thread, status) {
      slack.statuses.push(status);
    },
    split: (text) => text.split('\n---\n'),
  };
  return slack;
}
