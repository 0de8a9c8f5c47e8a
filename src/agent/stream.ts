/** The stream of one stretch of a run: it keeps what was emitted, so any number of readers may come at any time. */
import type { AgentStream, Chunk, FinishReason, RunResult } from './chunks.ts';
import { RunAbortedError, RunFailedError } from './errors.ts';

type ChunkBody = Chunk extends infer C ? (C extends Chunk ? Omit<C, 'runId' | 'from'> : never) : never;

export type StreamSource = {
  readonly stream: AgentStream;
  emit(chunk: ChunkBody): void;
  /** Tells the end of this stretch, in the chunks that say it, and ends every reader. Called once. */
  end(result: RunResult): void;
};

export function createStream(runId: string): StreamSource {
  const chunks: Chunk[] = [];
  const ended = Promise.withResolvers<RunResult>();
  let isEnded = false;
  let more = Promise.withResolvers<void>();

  const wake = () => {
    more.resolve();
    more = Promise.withResolvers<void>();
  };
  const emit = (chunk: ChunkBody) => {
    // A tool that outlives its run may still speak.
    if (isEnded) return;
    chunks.push({ runId, from: 'AGENT', ...chunk } as Chunk);
    wake();
  };

  async function* everything(): AsyncGenerator<Chunk, void> {
    for (let next = 0; ; next++) {
      while (next >= chunks.length) {
        if (isEnded) return;
        await more.promise;
      }
      yield chunks[next] as Chunk;
    }
  }

  /** Texts of different steps are parted by an empty line, which no model call would write. */
  async function* visibleText(): AsyncGenerator<string, void> {
    let said = false;
    let parted = true;
    for await (const chunk of everything()) {
      if (chunk.type === 'step-start') parted = false;
      if (chunk.type !== 'text-delta' || chunk.payload.text === '') continue;
      if (said && !parted) yield '\n\n';
      said = true;
      parted = true;
      yield chunk.payload.text;
    }
    textOf(await ended.promise);
  }

  const text = ended.promise.then(textOf);
  // A caller that never asks for the text must not bring the process down by a failed run.
  text.catch(() => {});

  return {
    stream: {
      runId,
      fullStream: { [Symbol.asyncIterator]: everything },
      textStream: { [Symbol.asyncIterator]: visibleText },
      result: ended.promise,
      text,
      finishReason: ended.promise.then(finishReasonOf),
    },
    emit,
    end(result) {
      endOf(result).forEach(emit);
      isEnded = true;
      ended.resolve(result);
      wake();
    },
  };
}

/** Like Mastra's, the stream of a suspended run ends with its suspensions and without a `finish`. */
function endOf(result: RunResult): ChunkBody[] {
  switch (result.status) {
    case 'finished': {
      const { status: _, ...payload } = result;
      return [{ type: 'finish', payload }];
    }
    case 'suspended':
      return result.suspensions.map((payload) => ({ type: 'tool-call-suspended', payload }));
    case 'failed':
      return [{ type: 'error', payload: { error: result.error } }];
    case 'aborted':
      return [{ type: 'finish', payload: { finishReason: 'aborted', text: '' } }];
  }
}

function textOf(result: RunResult): string {
  switch (result.status) {
    case 'finished':
      return result.text;
    case 'suspended':
      return '';
    case 'failed':
      throw new RunFailedError(result.error);
    case 'aborted':
      throw new RunAbortedError();
  }
}

function finishReasonOf(result: RunResult): FinishReason {
  switch (result.status) {
    case 'finished':
      return result.finishReason;
    case 'suspended':
      return 'suspended';
    case 'failed':
      return 'error';
    case 'aborted':
      return 'aborted';
  }
}
