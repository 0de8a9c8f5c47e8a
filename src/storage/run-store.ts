/** The RunStore port on a store: runs, their pieces, and the transcripts of threads. */
import { z } from 'zod';
import { messageSchema } from '../agent/messages.ts';
import { type RunStore, runSchema } from '../agent/run-store.ts';
import { deletePieces, padded, piecesOf } from './pieces.ts';
import { createRecords, UnreadableRecordError } from './records.ts';
import type { Store } from './store.ts';
import { createTranscripts, type Transcripts } from './transcripts.ts';

const pieceSchema = z.object({ v: z.literal(1), messages: z.array(messageSchema) });

/** The port, and `forgetThread`, which deletes a thread's transcript (its runs have their own `delete`). */
export function createRunStore(store: Store): RunStore & Pick<Transcripts, 'forgetThread'> {
  const runs = createRecords(store, { kind: 'run', schema: runSchema, version: 1 });
  const pieces = createRecords(store, { kind: 'piece', schema: pieceSchema, version: 1 });

  return {
    ...createTranscripts(store),
    load: (runId) => runs.read(runId),
    async swap(previous, next) {
      const stored = await runs.swap(next.runId, previous, next);
      return typeof stored === 'object' ? stored : undefined;
    },
    async delete(runId) {
      // The run first: a run without its pieces could not be continued, pieces without a run are deleted by the next call.
      await store.delete(`run/${runId}`);
      await deletePieces(store, 'run', runId);
    },
    async writePiece(runId, index, messages) {
      const key = pieceKey(runId, index);
      const written = await pieces.swap(key, undefined, { v: 1, messages });
      if (written) return;
      // Whoever raced us, or was here before a crash, wrote the same; anything else would change what a run already rests on.
      const there = await pieces.read(key);
      const same = JSON.stringify(there?.value.messages) === JSON.stringify(z.array(messageSchema).parse(messages));
      if (!same) throw new Error(`Piece ${index} of run ${runId} is there with other messages, and was left as it is.`);
    },
    async readPiece(runId, index) {
      const piece = await pieces.read(pieceKey(runId, index));
      if (piece) return piece.value.messages;
      throw new UnreadableRecordError(`piece/${pieceKey(runId, index)}`, 'is missing, and its run needs it');
    },
  };
}

const pieceKey = (runId: string, index: number) => piecesOf('run', runId) + padded(index);
