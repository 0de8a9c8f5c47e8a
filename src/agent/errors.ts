/** The typed errors of `stream`, `resumeStream` and a stream's `text`: what a caller can tell apart and act on. */
import type { RunFailure } from './chunks.ts';
import type { Settlement } from './question.ts';

/** The answer does not fit the question, which stays open. `message` is a sentence that the person who answered may read. */
export class InvalidAnswerError extends Error {
  override readonly name = 'InvalidAnswerError';
  readonly toolCallId: string;
  constructor(toolCallId: string, problem: string) {
    super(problem);
    this.toolCallId = toolCallId;
  }
}

/** The question has ended already, otherwise than this call wants. `settlement` is what stands. */
export class AlreadySettledError extends Error {
  override readonly name = 'AlreadySettledError';
  readonly toolCallId: string;
  // Private: a log writes out an error's properties, and this one has people's words in it.
  readonly #settlement: Settlement;
  constructor(toolCallId: string, settlement: Settlement) {
    super(`The question ${toolCallId} was settled before (${settlement.outcome}); what was settled first stands.`);
    this.toolCallId = toolCallId;
    this.#settlement = settlement;
  }
  get settlement(): Settlement {
    return this.#settlement;
  }
}

export class UnknownRunError extends Error {
  override readonly name = 'UnknownRunError';
  readonly runId: string;
  constructor(runId: string) {
    super(`There is no run ${runId}: it never suspended, or it was forgotten, or its store is another one.`);
    this.runId = runId;
  }
}

/** The run exists; the question does not. */
export class UnknownQuestionError extends Error {
  override readonly name = 'UnknownQuestionError';
  constructor(runId: string, toolCallId: string | undefined) {
    super(
      toolCallId === undefined
        ? `Run ${runId} has asked nothing.`
        : `Run ${runId} has asked no question ${toolCallId}.`,
    );
  }
}

/** `toolCallId` was left out and more than one question is open. */
export class AmbiguousQuestionError extends Error {
  override readonly name = 'AmbiguousQuestionError';
  readonly open: readonly string[];
  constructor(open: readonly string[]) {
    super(`Several questions are open; say which one is answered by its toolCallId: ${open.join(', ')}.`);
    this.open = open;
  }
}

/** Another holder drives the run now. As the reason of a signal: stop driving, write nothing. */
export class LostRunError extends Error {
  override readonly name = 'LostRunError';
  constructor(runId: string) {
    super(`Run ${runId} is driven by another holder now.`);
  }
}

/** The reason to abort a signal with so that driving stops, nothing is written, and the run can be continued (a shutdown). */
export const releaseReason = 'release';

/** What `text` and `textStream` throw of a run that failed. */
export class RunFailedError extends Error {
  override readonly name = 'RunFailedError';
  readonly failure: RunFailure;
  constructor(failure: RunFailure) {
    super(failure.message, { cause: failure.cause });
    this.failure = failure;
  }
}

/** What `text` and `textStream` throw of a run that was stopped. */
export class RunAbortedError extends Error {
  override readonly name = 'RunAbortedError';
  constructor() {
    super('The run was stopped before it finished.');
  }
}
