/** Port: runs and transcripts. A run record is changed only by compare-and-set and only by the holder whose token it has. */
import { z } from 'zod';
import { type Message, messageSchema } from './messages.ts';
import { questionSchema, settlementSchema } from './question.ts';

/**
 * A run. `messages` are this run's own since its last sealed piece: input, steps, results, never the thread's history.
 * Suspended is not a flag of an engine: it means that the last assistant message has calls that people owe.
 */
export const runSchema = z.object({
  v: z.literal(1),
  runId: z.string(),
  thread: z.string().optional(),
  resource: z.string().optional(),
  /** Token of who drives the run. */
  holder: z.string(),
  status: z.enum(['running', 'suspended', 'finished', 'failed', 'aborted']),
  /** Model calls saved so far. */
  steps: z.number().int(),
  /** Pieces written apart before `messages` (see `writePiece`). */
  pieces: z.number().int(),
  messages: z.array(messageSchema),
  /** Ids of input messages taken, so that the same one is not taken twice. */
  taken: z.array(z.string()),
  /** Calls with side effects that began and have no result yet. */
  started: z.array(z.string()),
  /** What people owe: the open and settled questions of the last step, by tool call id. */
  questions: z.record(
    z.string(),
    z.object({
      toolName: z.string(),
      args: z.unknown(),
      question: questionSchema,
      settlement: settlementSchema.optional(),
    }),
  ),
  /** Settlements of earlier steps, by tool call id: a late answer converges or learns what stood. */
  settled: z.record(z.string(), settlementSchema),
  /** Tokens of the model calls saved so far, as far as the model told. */
  usage: z.object({ inputTokens: z.number(), outputTokens: z.number() }).optional(),
  /** Of a finished run. */
  result: z
    .object({
      text: z.string(),
      finishReason: z.enum(['stop', 'length', 'content_filter', 'step_limit']),
      usage: z.object({ inputTokens: z.number(), outputTokens: z.number() }).optional(),
    })
    .optional(),
});
export type Run = z.infer<typeof runSchema>;

/** A value and the opaque state that it was read in, which a swap must still find. */
export type Stored<T> = { readonly value: T; readonly raw: string };

export interface RunStore {
  /** undefined: there is no such run. A failing store or an unreadable record throws; it never reads as "no such run". */
  load(runId: string): Promise<Stored<Run> | undefined>;
  /** Replaces `previous` (undefined: creates). Resolves to undefined when the record is no longer `previous`. */
  swap(previous: Stored<Run> | undefined, next: Run): Promise<Stored<Run> | undefined>;
  /** Deletes the run and its pieces; of a run that is not there: nothing. */
  delete(runId: string): Promise<void>;

  /** Complete steps of a long run, apart, so that a save writes what is new. The same (runId, index) is always the same. */
  writePiece(runId: string, index: number, messages: Message[]): Promise<void>;
  readPiece(runId: string, index: number): Promise<Message[]>;

  /** The thread's newest messages, oldest first, that fit in `maxChars` of JSON (`jsonCharsOf`), starting with a user message. */
  history(thread: string, maxChars: number): Promise<Message[]>;
  /** Appends an ended run's messages to the thread's transcript; the same run twice is once. */
  append(thread: string, runId: string, messages: Message[]): Promise<void>;
}
