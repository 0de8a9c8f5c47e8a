/**
 * Each thread's transcript: a small head record with the newest messages, and older ones in pieces that never change. An append
 * writes what is new and rewrites at most the head's tail; it costs the same in a thread of ten and of a thousand messages.
 *
 * A piece knows the piece before it, and its key comes from its content: whoever writes the same piece again writes the same
 * key, writers that race never share one, and a piece counts only once a head, or a later piece, names it.
 */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { type Message, messageSchema } from '../agent/messages.ts';
import { jsonCharsOf } from '../agent/transcript.ts';
import { deletePieces, padded, piecesOf } from './pieces.ts';
import { createRecords, UnreadableRecordError } from './records.ts';
import type { Store } from './store.ts';

/** Both bound the head's tail: by characters for long messages, by number so that many short ones do not make an append dear. */
const TAIL_CHARS = 16_000;
const TAIL_MESSAGES = 16;
/** Appends are repeated soon or never: a crash's successor repeats the last one. */
const REMEMBERED_RUNS = 24;

const headSchema = z.object({
  v: z.literal(1),
  /** How many pieces there are, and the key of the newest. */
  pieces: z.number().int(),
  newest: z.string().optional(),
  tail: z.array(messageSchema),
  /** The runs appended last, the newest last. */
  runs: z.array(z.string()),
});
type Head = z.infer<typeof headSchema>;

const pieceSchema = z.object({ v: z.literal(1), before: z.string().optional(), messages: z.array(messageSchema) });

const EMPTY: Head = { v: 1, pieces: 0, tail: [], runs: [] };

export type Transcripts = {
  /** See the RunStore port. */
  history(thread: string, maxChars: number): Promise<Message[]>;
  append(thread: string, runId: string, messages: Message[]): Promise<void>;
  /** Deletes all that was said in the thread; of a thread that is not there: nothing. */
  forgetThread(thread: string): Promise<void>;
};

export function createTranscripts(store: Store): Transcripts {
  const heads = createRecords(store, { kind: 'transcript', schema: headSchema, version: 1 });
  const pieces = createRecords(store, { kind: 'piece', schema: pieceSchema, version: 1 });

  async function seal(thread: string, head: Head, messages: Message[]): Promise<string> {
    const piece = { v: 1 as const, messages, ...(head.newest !== undefined && { before: head.newest }) };
    const hash = createHash('sha256').update(JSON.stringify(piece)).digest('hex').slice(0, 24);
    const key = `${piecesOf('thread', thread)}${padded(head.pieces)}-${hash}`;
    await pieces.swap(key, undefined, piece);
    return key;
  }

  return {
    async append(thread, runId, messages) {
      for (;;) {
        const stored = await heads.read(thread);
        const head = stored?.value ?? EMPTY;
        if (head.runs.includes(runId)) return;
        const tail = [...head.tail, ...messages];
        const full = tail.length > TAIL_MESSAGES || storedChars(tail) > TAIL_CHARS;
        const next: Head = {
          ...head,
          ...(full ? { pieces: head.pieces + 1, newest: await seal(thread, head, tail), tail: [] } : { tail }),
          runs: [...head.runs, runId].slice(-REMEMBERED_RUNS),
        };
        if (await heads.swap(thread, stored, next)) return;
      }
    },

    async history(thread, maxChars) {
      const head = (await heads.read(thread))?.value ?? EMPTY;
      let found = head.tail;
      let chars = charsOf(found);
      let key = head.newest;
      while (key !== undefined && chars <= maxChars) {
        const piece = await pieces.read(key);
        if (!piece) throw new UnreadableRecordError(`piece/${key}`, 'is missing, and the transcript needs it');
        found = [...piece.value.messages, ...found];
        chars += charsOf(piece.value.messages);
        key = piece.value.before;
      }
      return newestWhole(found, maxChars);
    },

    async forgetThread(thread) {
      // The head first: a crash in between leaves pieces that nothing names, for the next call to delete.
      await store.delete(`transcript/${thread}`);
      await deletePieces(store, 'thread', thread);
    },
  };
}

/** What they take in the store. */
const storedChars = (messages: readonly Message[]) =>
  messages.reduce((sum, message) => sum + JSON.stringify(message).length, 0);

const charsOf = (messages: readonly Message[]) => messages.reduce((sum, message) => sum + jsonCharsOf(message), 0);

/** The longest end that fits in `maxChars`, begins with a user message, and has no result whose call stands before it. */
function newestWhole(messages: readonly Message[], maxChars: number): Message[] {
  let start = messages.length;
  let chars = 0;
  const parted = new Set<string>();
  for (const [at, message] of [...messages.entries()].reverse()) {
    chars += jsonCharsOf(message);
    if (chars > maxChars) break;
    if (message.role === 'tool') parted.add(message.toolCallId);
    if (message.role === 'assistant') for (const { id } of message.toolCalls) parted.delete(id);
    if (message.role === 'user' && parted.size === 0) start = at;
  }
  return messages.slice(start);
}
