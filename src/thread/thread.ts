/**
 * The record of a thread: all that is known of one conversation besides its transcript. It is small, it is the truth, and it
 * changes only by compare-and-set (mailbox.ts). What is to be done next follows from it alone (work.ts).
 */
import { z } from 'zod';
import { userMessageSchema } from '../agent/messages.ts';
import { questionSchema, settlementSchema } from '../agent/question.ts';
import type { QuestionId, ThreadId } from './ports.ts';

const at = z.number();
const threadId = z.string() as unknown as z.ZodType<ThreadId>;
const questionId = z.string() as unknown as z.ZodType<QuestionId>;

/** A file that hangs on a message: where it is known by `id`, the holder can have it read. */
const fileSchema = z.object({ id: z.string(), name: z.string() });
export type FileRef = z.infer<typeof fileSchema>;

/**
 * A message that waits: its `ts`, who wrote it, what they wrote. `early`: its writer may answer, and it came when the place of the
 * only open card was not known.
 */
const waitingSchema = z.object({
  id: z.string(),
  by: z.string(),
  text: z.string(),
  files: z.array(fileSchema).exactOptional(),
  early: z.object({ addressed: z.boolean() }).exactOptional(),
});
export type Waiting = z.infer<typeof waitingSchema>;

/** When a thing that did not work is tried again, and how often it was tried. */
const retrySchema = z.object({ at, tries: z.number().int() });
export type Retry = z.infer<typeof retrySchema>;

/**
 * What is known of one message that must not be posted twice. `sent`: an attempt began, and may have landed; `since` is when
 * the first one did. A holder that finds `sent` looks in the thread before it sends again: twice, `looks` counts.
 */
const sendingSchema = z.discriminatedUnion('state', [
  z.object({ state: z.literal('unsent'), since: at.optional(), retry: retrySchema.optional() }),
  z.object({ state: z.literal('sent'), since: at, looks: z.number().int(), retry: retrySchema }),
  z.object({ state: z.literal('posted'), ts: z.string() }),
  /** It never will be: the question was settled before anyone saw it. */
  z.object({ state: z.literal('dropped') }),
]);
export type Sending = z.infer<typeof sendingSchema>;

/** The direct message that tells a person of a question that is put to them: a view of it, as the card is. */
const invitationSchema = z.object({
  id: z.string(),
  person: z.string(),
  sending: sendingSchema,
  /** Number of the settlement that it shows. */
  painted: z.number().int(),
  repaint: retrySchema.exactOptional(),
});
export type Invitation = z.infer<typeof invitationSchema>;

/** Whom a question is put to that is not for the requester. Nobody sees it before they are `found`; then only they may answer. */
const addresseesSchema = z.discriminatedUnion('state', [
  z.object({ state: z.literal('sought'), retry: retrySchema.exactOptional() }),
  z.object({ state: z.literal('found'), people: z.array(z.string()).min(1), invitations: z.array(invitationSchema) }),
]);

const questionRecordSchema = z.object({
  id: questionId,
  runId: z.string(),
  /** Questions of one step are shown together, and the run goes on when the last is settled. */
  step: z.number().int(),
  toolCallId: z.string(),
  question: questionSchema,
  requester: z.string(),
  /** Absent: it is for the requester. */
  addressees: addresseesSchema.exactOptional(),
  position: z.number().int(),
  of: z.number().int(),
  /** Slack refused its card: it is shown as plain text, alone, and answered by typing. */
  plain: z.boolean(),
  sending: sendingSchema,
  /** ms since the epoch, by the card's `ts`: reminders and expiry count from it. */
  shownAt: at.optional(),
  reminded: z.boolean(),
  settled: z.object({ settlement: settlementSchema, by: z.string().optional(), at }).optional(),
  /** Counts settlements; the card shows number `painted`. */
  version: z.number().int(),
  painted: z.number().int(),
  repaint: retrySchema.optional(),
});
export type QuestionRecord = z.infer<typeof questionRecordSchema>;

const postBodySchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('reply'),
    text: z.string(),
    feedback: z.object({ runId: z.string() }).exactOptional(),
  }),
  z.object({
    kind: z.literal('failure'),
    message: z.string(),
    code: z.string().exactOptional(),
    retry: z.object({ runId: z.string() }).exactOptional(),
  }),
  z.object({ kind: z.literal('asked'), who: z.string(), text: z.string() }),
  z.object({ kind: z.literal('stopped'), by: z.string().exactOptional() }),
  z.object({
    kind: z.literal('reminder'),
    question: z.string(),
    who: z.string(),
    others: z.array(z.string()).exactOptional(),
  }),
  z.object({ kind: z.literal('help'), who: z.string() }),
]);

/** A post that is owed to the thread. Delivered in order; `question`: it makes no sense once that one is settled. */
const postRecordSchema = z.object({
  id: z.string(),
  body: postBodySchema,
  sending: sendingSchema,
  question: questionId.optional(),
  /** The message that shows the beginning of it already, and is to become it. */
  preview: z.string().exactOptional(),
});
export type PostRecord = z.infer<typeof postRecordSchema>;

/**
 * Whose turn it is. `working`: the agent's (begin, go on, or take the answers). `asking`: the people's, who owe answers.
 * `failed`: the people's, who may retry. `ending`: the run is over; what is owed is delivered, then the agent forgets it.
 */
const phaseSchema = z.discriminatedUnion('name', [
  /** `takes`: the answers are all there, and what was said beside the questions is not taken yet. */
  z.object({ name: z.literal('working'), takes: z.literal(true).exactOptional() }),
  z.object({ name: z.literal('asking') }),
  /** `unsure`: not the agent failed but we did, and the agent may be done already. */
  z.object({ name: z.literal('failed'), unsure: z.literal(true).exactOptional() }),
  z.object({ name: z.literal('ending'), how: z.enum(['finished', 'given_up']) }),
]);
export type Phase = z.infer<typeof phaseSchema>;

const runRecordSchema = z.object({
  runId: z.string(),
  requester: z.string(),
  /**
   * What the agent is given in this turn: what the run begins with, then, with the answers, what was said beside the questions.
   * Recorded before it is given, so that what comes later never counts as read. Of a run that an earlier version began: as its
   * agent reads it.
   */
  taken: z.array(z.union([waitingSchema, userMessageSchema])),
  /** Messages that were for it and are not among those: there was no room. */
  dropped: z.number().int().exactOptional(),
  /** What else was said in the thread is read with what it begins with: later than `after`, earlier than `before` (both `ts`). */
  earlier: z.object({ after: z.string(), before: z.string() }).exactOptional(),
  phase: phaseSchema,
  /** Number of the step that asks; 0 before the first. */
  step: z.number().int(),
  failures: z.number().int(),
});
export type RunRecord = z.infer<typeof runRecordSchema>;

/** A failure's post that offers Retry, until it does not any more. `used`: somebody tried again, and it is to say so. */
const offerSchema = z.object({
  id: z.string(),
  ts: z.string(),
  runId: z.string(),
  message: z.string(),
  code: z.string().exactOptional(),
  used: z.literal(true).exactOptional(),
  retry: retrySchema.optional(),
});
export type Offer = z.infer<typeof offerSchema>;

/** What a person thought of a run's reply, and when. */
const feedbackSchema = z.object({ runId: z.string(), by: z.string(), is: z.enum(['good', 'bad']), at });

export const threadRecordSchema = z.object({
  /** 2: a question of it is put to others, which a build that knows 1 alone would drop, and so leave it to the wrong person. */
  v: z.union([z.literal(1), z.literal(2)]),
  id: threadId,
  /** Who wrote last: decides a swap whose outcome is unknown. */
  writer: z.string(),
  lease: z.object({ token: z.string(), until: at }).optional(),
  /** Holders that vanished since the last progress. */
  attempts: z.number().int(),
  /** Nothing is done before: a holder failed. */
  retryAt: at.optional(),
  touchedAt: at,
  /** Who was served last: their messages need no mention. */
  requester: z.string().optional(),
  participants: z.array(z.string()),
  seen: z.array(z.object({ id: z.string(), at })),
  /** Messages to the bot that no run has taken. */
  inbox: z.array(waitingSchema),
  /** Messages to the bot beside an open question: read with the answers. */
  kept: z.array(waitingSchema),
  /** Messages that were not for the bot: read with the next that is. `dropped` counts those over the limit. */
  context: z.array(waitingSchema),
  dropped: z.number().int(),
  /** The `ts` up to which runs have read the thread; `NOTHING`: none has. Absent: an earlier version made the record. */
  readTo: z.string().exactOptional(),
  run: runRecordSchema.optional(),
  /** Of the current step, and the latest of earlier steps and runs. */
  questions: z.array(questionRecordSchema),
  posts: z.array(postRecordSchema),
  /** The latest that were delivered: a second message of one is a stray. */
  delivered: z.array(z.object({ id: z.string(), ts: z.string() })),
  /** What offers Retry, and what did and is to be edited. */
  offers: z.array(offerSchema).default([]),
  /** The latest, one a person and run. */
  feedback: z.array(feedbackSchema).default([]),
  /** Second messages of one card or post, to be deleted; `person`: of an invitation, in the direct messages with them. */
  strays: z.array(z.object({ ts: z.string(), person: z.string().exactOptional(), retry: retrySchema.optional() })),
  /** Whom people mentioned here: each of these may have a question put to them at the wish of who did. */
  named: z.array(z.object({ by: z.string(), who: z.string() })).default([]),
  /** Messages in which the agent's turn is seen as it grows. When that turn is taken anew they are deleted. */
  previews: z.array(z.string()).default([]),
  /** Another may have been begun since then, without our hearing its `ts`: looked for once, not before `at`. */
  unheard: z.object({ since: at, at, retry: retrySchema.optional() }).optional(),
});
export type ThreadRecord = z.infer<typeof threadRecordSchema>;

/** For the store. Both versions have the same shape, and a record is written as the lowest that says all of it. */
export const threadKind = {
  kind: 'thread',
  schema: threadRecordSchema,
  version: 2,
  upgrade: (record: object) => record,
};

/** Earlier than all messages. */
export const NOTHING = '0';

export function newThread(id: ThreadId, now: number): ThreadRecord {
  return {
    v: 1,
    id,
    writer: '',
    attempts: 0,
    touchedAt: now,
    participants: [],
    seen: [],
    inbox: [],
    kept: [],
    context: [],
    dropped: 0,
    readTo: NOTHING,
    questions: [],
    posts: [],
    delivered: [],
    offers: [],
    feedback: [],
    strays: [],
    named: [],
    previews: [],
  };
}

/** The questions of the step that the run is at. */
export function stepQuestions(record: ThreadRecord): QuestionRecord[] {
  const { run } = record;
  return run ? record.questions.filter((q) => q.runId === run.runId && q.step === run.step) : [];
}

export function openQuestions(record: ThreadRecord): QuestionRecord[] {
  return record.run?.phase.name === 'asking' ? stepQuestions(record).filter((q) => !q.settled) : [];
}

/** Who is asked; nobody while that is not known yet. */
export function askedPeople({ addressees, requester }: QuestionRecord): readonly string[] {
  if (!addressees) return [requester];
  return addressees.state === 'found' ? addressees.people : [];
}

export function invitationsOf({ addressees }: QuestionRecord): readonly Invitation[] {
  return addressees?.state === 'found' ? addressees.invitations : [];
}

export function withInvitation(
  record: ThreadRecord,
  id: string,
  change: (invitation: Invitation) => Invitation,
): ThreadRecord {
  const questions = record.questions.map((q) => {
    const { addressees } = q;
    if (addressees?.state !== 'found' || !addressees.invitations.some((one) => one.id === id)) return q;
    const invitations = addressees.invitations.map((one) => (one.id === id ? change(one) : one));
    return { ...q, addressees: { ...addressees, invitations } };
  });
  return { ...record, questions };
}

export function withQuestion(
  record: ThreadRecord,
  id: QuestionId,
  change: (question: QuestionRecord) => QuestionRecord,
): ThreadRecord {
  return { ...record, questions: record.questions.map((q) => (q.id === id ? change(q) : q)) };
}

/** Posts that offer what nobody can do any more. */
export function staleOffers({ offers, run }: ThreadRecord): Offer[] {
  return offers.filter(({ runId, used }) => used || run?.runId !== runId || run.phase.name !== 'failed');
}

export function withPhase(record: ThreadRecord, phase: Phase): ThreadRecord {
  return record.run ? { ...record, run: { ...record.run, phase } } : record;
}

/** `team:channel:thread_ts` */
export function teamOf(thread: ThreadId): string {
  return thread.split(':')[0] ?? '';
}

export function channelOf(thread: ThreadId): string {
  return thread.split(':')[1] ?? '';
}

/** The `ts` of the message that the thread hangs on. */
export function rootOf(thread: ThreadId): string {
  return thread.split(':')[2] ?? '';
}

/** Order of messages by their `ts`, which are decimal seconds. */
export function isLater(ts: string, than: string): boolean {
  return Number(ts) > Number(than);
}
