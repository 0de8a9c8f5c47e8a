/** Does what is next in a thread that this process holds, and says what came of it. Writes nothing: the mailbox does. */
import type { ConversationAgent } from '../agent/conversation-agent.ts';
import { UnknownRunError } from '../agent/errors.ts';
import type { Addressees } from './addressees-port.ts';
import type { HomeIndex } from './home-index.ts';
import { createInviting } from './inviting.ts';
import type { Limits } from './limits.ts';
import type { Log } from './log.ts';
import type { Claim, Transition } from './mailbox.ts';
import { CLOCK_SKEW, change, nothing, type Outcome } from './outcome.ts';
import type { Clock, Delivery, Messenger, QuestionId, Reader, ThreadFailure, ThreadId } from './ports.ts';
import { notRemoved, notSearched, removed, searched, withoutPreview } from './previewed.ts';
import { retryLater } from './retry.ts';
import { closed, gone } from './run.ts';
import { notFound, posted, postponed, unreadable } from './sending.ts';
import { settle, viewOf } from './settling.ts';
import { type Stretching, stretch } from './stretch.ts';
import { type PostRecord, type RunRecord, type ThreadRecord, withQuestion } from './thread.ts';
import type { Times } from './times.ts';

export type RunnerDeps = {
  agent: ConversationAgent;
  messenger: Messenger;
  reader?: Reader | undefined;
  times: Times;
  addressees: Addressees;
  clock: Clock;
  limits: Limits;
  log: Log;
  id(): string;
  home: Pick<HomeIndex, 'note' | 'invited' | 'forget'>;
  /** The thread's transcript goes, with the thread. */
  forgetThread?: ((thread: ThreadId) => Promise<void>) | undefined;
};

export type Runner = ReturnType<typeof createRunner>;

export function createRunner(deps: RunnerDeps) {
  const { agent, messenger, addressees, log } = deps;
  const inviting = createInviting(deps);

  async function perform(claim: Claim, stretching: Stretching): Promise<Outcome> {
    const { work } = claim;
    const { value: record } = claim.stored;
    switch (work.kind) {
      case 'remove':
        return remove(record, work.ts, work.person);
      case 'search':
        return search(record);
      case 'repaint':
        return repaint(record, work.question);
      case 'address':
        return inviting.address(record, work.question);
      case 'renew':
        return inviting.renew(record, work.id);
      case 'withdraw':
        return withdraw(record, work.id);
      case 'send':
        if (work.what === 'invitation') return inviting.send(record, work.id);
        return work.what === 'card' ? sendCard(record, work.id as QuestionId) : sendPost(record, work.id);
      case 'look':
        return work.what === 'invitation' ? inviting.look(record, work.id) : look(record, work.id);
      case 'drive':
        return change(await stretch(deps, claim, stretching));
      case 'close':
        return close(claim);
      case 'retire':
        return retire(claim);
      default:
        return work satisfies never;
    }
  }

  async function sendCard(record: ThreadRecord, id: QuestionId): Promise<Outcome> {
    const question = record.questions.find((q) => q.id === id);
    if (!question) return nothing;
    const delivery = await messenger.ask(viewOf(record, question), { plain: question.plain });
    if (delivery.ok || delivery.error !== 'refused') return afterSend(record, id, delivery);
    log.error(
      { thread: record.id, question: id, plain: question.plain, reason: delivery.reason },
      'a card was refused',
    );
    if (question.plain) {
      const { reason } = delivery;
      return change((r, now) => settle(postponed(r, id, now), id, { outcome: 'failed', reason }, undefined, now));
    }
    return change((r) => withQuestion(r, id, (q) => ({ ...q, plain: true, sending: { state: 'unsent' } })));
  }

  async function sendPost(record: ThreadRecord, id: string): Promise<Outcome> {
    const post = record.posts.find((p) => p.id === id);
    if (!post) return nothing;
    // Settled while it was on its way to be sent.
    if (isMoot(record, post)) return change((r) => without(r, id));
    const requester = record.run?.requester ?? record.requester;
    const content = { id, body: post.body, ...(requester && { requester }) };
    if (post.preview !== undefined) {
      const delivery = await messenger.previews?.complete(record.id, content, post.preview);
      if (delivery?.ok || (delivery && delivery.error !== 'refused')) return afterSend(record, id, delivery);
      return change((r) => withoutPreview(r, id));
    }
    const delivery = await messenger.post(record.id, content);
    if (delivery.ok || delivery.error !== 'refused') return afterSend(record, id, delivery);
    log.error({ thread: record.id, post: id, kind: post.body.kind, reason: delivery.reason }, 'a post was refused');
    return change((r) => refusedPost(r, post));
  }

  function afterSend(record: ThreadRecord, id: string, delivery: Exclude<Delivery, { error: 'refused' }>): Outcome {
    if (delivery.ok) return { kind: 'posted', id, ts: delivery.ts };
    log.warn({ thread: record.id, id, error: delivery.error, reason: delivery.reason }, 'a message was not delivered');
    switch (delivery.error) {
      // It stays marked as sent: the next thing is to look for it.
      case 'ambiguous':
        return nothing;
      case 'later':
        return change((r, now) => postponed(r, id, now, delivery.retryAfter));
      case 'gone':
        return change(gone);
      default:
        return delivery satisfies never;
    }
  }

  async function look(record: ThreadRecord, id: string): Promise<Outcome> {
    const sending = [...record.questions, ...record.posts].find((item) => item.id === id)?.sending;
    if (sending?.state !== 'sent') return nothing;
    try {
      const ts = await messenger.find(record.id, id, sending.since - CLOCK_SKEW);
      return ts === undefined ? change((r, now) => notFound(r, id, now)) : { kind: 'posted', id, ts };
    } catch (error) {
      log.warn({ thread: record.id, id, err: error }, 'a thread could not be read back');
      return change((r, now) => unreadable(r, id, now));
    }
  }

  async function repaint(record: ThreadRecord, id: QuestionId): Promise<Outcome> {
    const question = record.questions.find((q) => q.id === id);
    if (question?.sending.state !== 'posted') return nothing;
    const { version } = question;
    const delivery = await messenger.repaint(viewOf(record, question), question.sending.ts);
    const painted = change((r) => withQuestion(r, id, (q) => ({ ...q, painted: version, repaint: undefined })));
    if (delivery.ok) return painted;
    log.warn({ thread: record.id, question: id, error: delivery.error, reason: delivery.reason }, 'a card is stale');
    switch (delivery.error) {
      case 'refused':
        return painted;
      case 'gone':
        return change(gone);
      case 'ambiguous':
      case 'later': {
        const after = delivery.error === 'later' ? delivery.retryAfter : undefined;
        return change((r, now) => withQuestion(r, id, (q) => ({ ...q, repaint: retryLater(q.repaint, now, after) })));
      }
      default:
        return delivery satisfies never;
    }
  }

  /** The post of a failure says no more what can be done than is so. */
  async function withdraw(record: ThreadRecord, id: string): Promise<Outcome> {
    const offer = record.offers.find((known) => known.id === id);
    if (!offer) return nothing;
    const { ts, message, code, used } = offer;
    const body = {
      kind: 'failure',
      message,
      ...(code !== undefined && { code }),
      ...(used && { retried: used }),
    } as const;
    const requester = record.run?.requester ?? record.requester;
    const delivery = await messenger.amend(record.id, { id, body, ...(requester && { requester }) }, ts);
    if (!delivery.ok)
      log.warn({ thread: record.id, id, error: delivery.error, reason: delivery.reason }, 'a failure is stale');
    if (delivery.ok || delivery.error === 'refused') {
      return change((r) => ({ ...r, offers: r.offers.filter((known) => known.id !== id) }));
    }
    if (delivery.error === 'gone') return change(gone);
    const after = delivery.error === 'later' ? delivery.retryAfter : undefined;
    return change((r, now) => ({
      ...r,
      offers: r.offers.map((known) =>
        known.id === id ? { ...known, retry: retryLater(known.retry, now, after) } : known,
      ),
    }));
  }

  async function remove(record: ThreadRecord, ts: string, person: string | undefined): Promise<Outcome> {
    const delivery = await (person === undefined ? messenger.remove(record.id, ts) : addressees.remove(person, ts));
    if (!delivery.ok) log.warn({ thread: record.id, error: delivery.error, reason: delivery.reason }, 'a stray stays');
    // Where a person cannot be written to, nothing can be deleted either.
    if (delivery.ok || delivery.error === 'refused' || (delivery.error === 'gone' && person !== undefined)) {
      return change((r) => removed(r, ts));
    }
    if (delivery.error === 'gone') return change(gone);
    const after = delivery.error === 'later' ? delivery.retryAfter : undefined;
    return change((r, now) => notRemoved(r, ts, now, after));
  }

  /** For messages that were begun and never heard of. */
  async function search(record: ThreadRecord): Promise<Outcome> {
    if (!record.unheard) return nothing;
    try {
      const found = (await messenger.previews?.unheard(record.id, record.unheard.since)) ?? [];
      return change((r) => searched(r, found));
    } catch (error) {
      log.warn({ thread: record.id, err: error }, 'a thread could not be searched for what was begun in it');
      return change((r, now) => notSearched(r, now));
    }
  }

  async function close({ stored: { value: record }, token }: Claim): Promise<Outcome> {
    const { run } = record;
    if (run?.phase.name !== 'ending') return nothing;
    await letGo(record, run, run.phase.how, token);
    return change((r, now) => closed(r, run.runId, now));
  }

  async function letGo(
    { questions }: ThreadRecord,
    { runId }: RunRecord,
    how: 'finished' | 'given_up',
    holder: string,
  ): Promise<void> {
    if (how === 'given_up') {
      // What people have answered of a step that waited for others, the agent has not heard.
      const known = questions.flatMap((q) =>
        q.runId === runId && q.settled ? [[q.toolCallId, q.settled.settlement]] : [],
      );
      try {
        await agent.abandon?.(runId, { holder, settled: Object.fromEntries(known) });
      } catch (error) {
        // It never began.
        if (!(error instanceof UnknownRunError)) throw error;
      }
    }
    await agent.forget?.(runId);
  }

  async function retire({ stored: { value: record }, token }: Claim): Promise<Outcome> {
    if (record.run) await letGo(record, record.run, 'given_up', token);
    await deps.home.forget(record);
    await deps.forgetThread?.(record.id);
    log.info({ thread: record.id }, 'a thread left the store');
    return { kind: 'retired' };
  }

  return { perform };
}

const REPLY_REFUSED: ThreadFailure = {
  message: 'A part of my reply was refused and is missing here.',
  code: 'reply_refused',
};

/** What was to be said is refused for good: the thread is told so, unless that is what was refused. */
function refusedPost(record: ThreadRecord, refused: PostRecord): ThreadRecord {
  const rest = without(record, refused.id);
  if (refused.body.kind !== 'reply') return rest;
  const notice: PostRecord = {
    id: `${refused.id}:refused`,
    body: { kind: 'failure', ...REPLY_REFUSED },
    sending: { state: 'unsent' },
  };
  return { ...rest, posts: [notice, ...rest.posts] };
}

function without(record: ThreadRecord, post: string): ThreadRecord {
  return { ...record, posts: record.posts.filter(({ id }) => id !== post) };
}

/** What it says of a question is no longer so. */
function isMoot(record: ThreadRecord, { question }: PostRecord): boolean {
  return question !== undefined && record.questions.some((q) => q.id === question && q.settled);
}

export function recordPosted(id: string, ts: string): Transition {
  return (record, now) => posted(record, id, ts, now);
}
