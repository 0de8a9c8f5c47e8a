/** Runs and transcripts in this process's memory: lost with it. For trying the agent out and for tests. */
import type { Message } from './messages.ts';
import type { Run, RunStore, Stored } from './run-store.ts';
import { jsonCharsOf } from './transcript.ts';

export function createMemoryRunStore(): RunStore {
  const runs = new Map<string, string>();
  const pieces = new Map<string, Map<number, string>>();
  const threads = new Map<string, { runIds: Set<string>; messages: Message[] }>();

  // Kept as text, so that nothing that a caller changes later changes the record.
  const stored = (raw: string): Stored<Run> => ({ value: JSON.parse(raw) as Run, raw });

  return {
    async load(runId) {
      const raw = runs.get(runId);
      return raw === undefined ? undefined : stored(raw);
    },
    async swap(previous, next) {
      if (runs.get(next.runId) !== previous?.raw) return undefined;
      const raw = JSON.stringify(next);
      runs.set(next.runId, raw);
      return stored(raw);
    },
    async delete(runId) {
      runs.delete(runId);
      pieces.delete(runId);
    },
    async writePiece(runId, index, messages) {
      const ofRun = pieces.get(runId) ?? new Map<number, string>();
      pieces.set(runId, ofRun.set(index, JSON.stringify(messages)));
    },
    async readPiece(runId, index) {
      const raw = pieces.get(runId)?.get(index);
      if (raw === undefined) throw new Error(`Piece ${index} of run ${runId} is missing; the run cannot be continued.`);
      return JSON.parse(raw) as Message[];
    },
    async history(thread, maxChars) {
      const messages = threads.get(thread)?.messages ?? [];
      let from = messages.length;
      let chars = 0;
      for (let at = messages.length - 1; at >= 0; at--) {
        chars += jsonCharsOf(messages[at] as Message);
        if (chars > maxChars) break;
        if (messages[at]?.role === 'user') from = at;
      }
      return structuredClone(messages.slice(from));
    },
    async append(thread, runId, messages) {
      const known = threads.get(thread) ?? { runIds: new Set(), messages: [] };
      threads.set(thread, known);
      if (known.runIds.has(runId)) return;
      known.runIds.add(runId);
      known.messages.push(...structuredClone(messages));
    },
  };
}
