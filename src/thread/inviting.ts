/**
 * The work for a question that is put to others: they are found, and each is told by a direct message. Whatever becomes of those
 * messages holds up nothing in the thread, whose card names the same people.
 */
import type { Addressees } from './addressees-port.ts';
import { addressed, namedBy } from './addressing.ts';
import type { HomeIndex } from './home-index.ts';
import type { Log } from './log.ts';
import { CLOCK_SKEW, change, nothing, type Outcome } from './outcome.ts';
import type { QuestionId } from './ports.ts';
import { retryLater } from './retry.ts';
import { dropped, notFound, postponed, unreadable } from './sending.ts';
import { viewOf } from './settling.ts';
import { type Invitation, invitationsOf, type QuestionRecord, type ThreadRecord, withInvitation } from './thread.ts';

export type InvitingDeps = { addressees: Addressees; home: Pick<HomeIndex, 'note' | 'invited'>; log: Log };

export function createInviting({ addressees, home, log }: InvitingDeps) {
  async function address(record: ThreadRecord, id: QuestionId): Promise<Outcome> {
    const question = record.questions.find((q) => q.id === id);
    const to = question?.question.to;
    if (!question || !to) return nothing;
    const { requester } = question;
    const about = { thread: record.id, question: id };
    const found = await addressees.address({ thread: record.id, requester, to, named: namedBy(record, requester) });
    if (found.status === 'found') await home.note(record, found.people);
    if (found.status === 'later') log.warn({ ...about, reason: found.reason }, 'nobody is asked yet');
    if (found.status === 'refused') {
      log.warn(about, 'a question cannot be put to those whom it is for');
      // It repeats what the model wrote.
      log.debug({ ...about, reason: found.reason }, 'why they cannot be asked');
    }
    return change((r, now) => addressed(r, id, found, now));
  }

  async function send(record: ThreadRecord, id: string): Promise<Outcome> {
    const found = find(record, id);
    if (!found) return nothing;
    const { question, invitation, cardTs } = found;
    const delivery = await addressees.invite(viewOf(record, question), invitation.person, id, cardTs);
    if (delivery.ok) return isPosted(record, question, invitation, delivery.ts);
    log.warn(
      { thread: record.id, id, error: delivery.error, reason: delivery.reason },
      'an invitation was not delivered',
    );
    switch (delivery.error) {
      // It stays marked as sent: the next thing is to look for it.
      case 'ambiguous':
        return nothing;
      case 'later':
        return change((r, now) => postponed(r, id, now, delivery.retryAfter));
      case 'refused':
      case 'gone':
        return change((r) => dropped(r, id));
      default:
        return delivery satisfies never;
    }
  }

  async function look(record: ThreadRecord, id: string): Promise<Outcome> {
    const { question, invitation } = find(record, id) ?? {};
    if (!question || invitation?.sending.state !== 'sent') return nothing;
    try {
      const ts = await addressees.find(invitation.person, id, invitation.sending.since - CLOCK_SKEW);
      if (ts === undefined) return change((r, now) => notFound(r, id, now));
      return await isPosted(record, question, invitation, ts);
    } catch (error) {
      log.warn({ thread: record.id, id, err: error }, 'the messages to a person could not be read back');
      return change((r, now) => unreadable(r, id, now));
    }
  }

  /** What is written below it is known by its place to be meant for the question; not written, it is found again, and that once more. */
  async function isPosted(
    record: ThreadRecord,
    question: QuestionRecord,
    { id, person }: Invitation,
    ts: string,
  ): Promise<Outcome> {
    try {
      await home.invited(person, { ts, thread: record.id, question: question.id });
      return { kind: 'posted', id, ts };
    } catch (err) {
      log.warn({ thread: record.id, id, err }, 'it is not saved where an invitation is');
      return change((r, now) => unreadable(r, id, now));
    }
  }

  /** It must not be left saying that the question waits. */
  async function renew(record: ThreadRecord, id: string): Promise<Outcome> {
    const found = find(record, id);
    if (found?.invitation.sending.state !== 'posted') return nothing;
    const { question, invitation, cardTs } = found;
    const { version } = question;
    const { ts } = found.invitation.sending;
    const delivery = await addressees.repaint(viewOf(record, question), invitation.person, ts, id, cardTs);
    if (!delivery.ok) {
      log.warn({ thread: record.id, id, error: delivery.error, reason: delivery.reason }, 'an invitation is stale');
    }
    if (!delivery.ok && (delivery.error === 'ambiguous' || delivery.error === 'later')) {
      const after = delivery.error === 'later' ? delivery.retryAfter : undefined;
      return change((r, now) =>
        withInvitation(r, id, (one) => ({ ...one, repaint: retryLater(one.repaint, now, after) })),
      );
    }
    return change((r) => withInvitation(r, id, ({ repaint: _, ...one }) => ({ ...one, painted: version })));
  }

  return { address, send, look, renew };
}

type Found = { question: QuestionRecord; invitation: Invitation; cardTs: string };

/** The invitation and what it is to; undefined: there is none, or no card that it could lead to. */
function find(record: ThreadRecord, id: string): Found | undefined {
  for (const question of record.questions) {
    const invitation = invitationsOf(question).find((one) => one.id === id);
    const { sending } = question;
    if (invitation && sending.state === 'posted') return { question, invitation, cardTs: sending.ts };
  }
  return undefined;
}
