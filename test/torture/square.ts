/** The people of a torture run, on a thread each: they write, both answer every question, and do again what nobody confirmed. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answered, AnswerRequest, IncomingMessage, Retried } from '../../src/thread/dispatcher-api.ts';
import type { Person, QuestionId, ThreadId } from '../../src/thread/ports.ts';
import type { PaperSlack } from '../thread/paper-slack.ts';
import { ann, bob } from '../thread/town.ts';
import type { Replicas } from './replicas.ts';

export type Place = {
  thread: ThreadId;
  messages: IncomingMessage[];
  /** Who was told that their answer was taken, by the question. */
  accepted: Map<string, string>;
  mistakes: string[];
};

/** Nobody begins anything new once it is `calm`; at `over` everybody goes. */
export type SquareOptions = {
  replicas: Replicas;
  slack: PaperSlack;
  now(): number;
  calm: AbortSignal;
  over: AbortSignal;
};

const perhaps = (odds: number) => Math.random() < odds;
/** ms before a person does again what was not confirmed. */
const AGAIN = 300;

/** Lives until `over`; the thread's own end is what the verdict looks at. */
export async function visit(index: number, { replicas, slack, now, calm, over }: SquareOptions): Promise<Place> {
  const root = `${Math.floor(now() / 1000)}.${String(900_000 + index)}`;
  const thread = `T1:C${index}:${root}` as ThreadId;
  const place: Place = { thread, messages: [], accepted: new Map(), mistakes: [] };

  /** Until it is confirmed. */
  async function insist<T>(method: string, ...args: unknown[]): Promise<T | undefined> {
    while (!over.aborted) {
      try {
        return (await replicas.ask(method, ...args)) as T;
      } catch {
        await sleep(AGAIN);
      }
    }
    return undefined;
  }

  async function write(message: IncomingMessage): Promise<void> {
    place.messages.push(message);
    const copies = perhaps(0.3) ? 2 : 1;
    await Promise.all(Array.from({ length: copies }, () => insist('receive', message)));
    // Slack tells again what it was confirmed too late.
    if (perhaps(0.2)) await insist('receive', message);
  }

  async function answer(by: Person, card: { id: string; ts: string; words: boolean }): Promise<void> {
    await sleep(Math.random() * 200);
    const option = by === ann ? 0 : 1;
    const given = card.words
      ? { kind: 'answer' as const, options: [], text: `because of ${by.id}` }
      : { kind: 'answer' as const, options: [option] };
    const request: AnswerRequest = { thread, question: card.id as QuestionId, by, given, cardTs: card.ts };
    for (let times = perhaps(0.2) ? 2 : 1; times > 0; times--) {
      const answered = await insist<Answered>('answer', request);
      if (answered?.status === 'unknown') place.mistakes.push('a click found no question');
      if (answered?.status !== 'accepted') continue;
      const before = place.accepted.get(card.id);
      if (before !== undefined && before !== by.id) place.mistakes.push('two people were told that they had answered');
      place.accepted.set(card.id, by.id);
    }
  }

  const mention = (text: string, id: string, isRoot: boolean): IncomingMessage => ({
    ...{ thread, id, by: ann, text, mention: true, direct: false, root: isRoot },
  });

  await write(mention(`deploy ${index}`, root, true));
  const asked = new Set<string>();
  const retried = new Set<string>();
  let more = perhaps(0.3);
  while (!over.aborted) {
    await sleep(50);
    for (const m of slack.messages.filter((message) => message.thread === thread && !message.deleted)) {
      const { card, post } = m;
      if (card && !card.shows.settled && !asked.has(m.ts)) {
        asked.add(m.ts);
        const shown = { id: m.id, ts: m.ts, words: card.shows.question.options === undefined };
        for (const by of [ann, bob]) void answer(by, shown);
      }
      if (post?.kind === 'failure' && post.retry && !retried.has(m.ts)) {
        retried.add(m.ts);
        void insist<Retried>('retry', thread, post.retry.runId, ann);
      }
    }
    if (more && !calm.aborted && perhaps(0.02)) {
      more = false;
      void write(mention(`again ${index}`, `${Math.floor(now() / 1000)}.${String(100_000 + index)}`, false));
    }
  }
  return place;
}
