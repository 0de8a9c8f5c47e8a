/** What a stream emits, and the stream itself. Names and nesting follow Mastra's `fullStream`. */
import type { Question } from './question.ts';

/** A question that a suspended run waits for. */
export type Suspension = {
  toolCallId: string;
  toolName: string;
  /** The arguments as the model gave them, parsed. */
  args: unknown;
  suspendPayload: Question;
  /** JSON Schema, as text, of what `resumeStream` takes for it. */
  resumeSchema: string;
};

export type FinishReason = 'stop' | 'length' | 'content_filter' | 'step_limit' | 'suspended' | 'aborted' | 'error';

export type Usage = { inputTokens: number; outputTokens: number };

/** An error as a person may read it; `cause` is for the log. */
export type RunFailure = {
  /** One or two sentences, without a stack, that can be shown in a thread. */
  message: string;
  code: string;
  /** Trying the same run again can help. */
  retryable: boolean;
  cause?: unknown;
};

export type Chunk = { runId: string; from: 'AGENT' } & (
  | { type: 'start'; payload: Record<string, never> }
  | { type: 'step-start'; payload: { step: number } }
  | { type: 'text-delta'; payload: { text: string } }
  | { type: 'tool-call'; payload: { toolCallId: string; toolName: string; args: unknown } }
  | { type: 'tool-result'; payload: { toolCallId: string; toolName: string; result: string; isError: boolean } }
  | { type: 'tool-call-suspended'; payload: Suspension }
  | { type: 'step-finish'; payload: { step: number; usage?: Usage } }
  | { type: 'finish'; payload: { finishReason: FinishReason; text: string; usage?: Usage } }
  | { type: 'error'; payload: { error: RunFailure } }
);

/** How the stretch of the run that a stream shows ended. */
export type RunResult =
  | { status: 'finished'; text: string; finishReason: FinishReason; usage?: Usage }
  /** `text`: what the model said beside its questions, often ''. */
  | { status: 'suspended'; suspensions: Suspension[]; text: string }
  | { status: 'failed'; error: RunFailure }
  | { status: 'aborted' };

/**
 * One stretch of a run: from `stream` or `resumeStream` to its end or the next suspension. The run goes on whether or not
 * anybody reads. Each iterable may be read by several readers and at any time; it then tells everything from the start.
 */
export interface AgentStream {
  readonly runId: string;
  readonly fullStream: AsyncIterable<Chunk>;
  /** The visible text; throws the run's error if it fails, so that a cut text never looks whole. */
  readonly textStream: AsyncIterable<string>;
  /** Never rejects: a failure is a result. */
  readonly result: Promise<RunResult>;
  /** The reply's whole text; '' if suspended; rejects if the run failed or was aborted. */
  readonly text: Promise<string>;
  readonly finishReason: Promise<FinishReason>;
}
