/** One stretch of a run: the agent begins, goes on or takes the answers, until it replies, asks or fails. */
import type { AgentStream, Chunk, RunResult } from '../agent/chunks.ts';
import type { ConversationAgent } from '../agent/conversation-agent.ts';
import { AlreadySettledError, UnknownRunError } from '../agent/errors.ts';
import type { UserMessage } from '../agent/messages.ts';
import type { Log } from './log.ts';
import type { ThreadFailure } from './ports.ts';
import type { RunRecord, ThreadRecord } from './thread.ts';
import { stepQuestions } from './thread.ts';

export type DriveOptions = {
  holder: string;
  signal: AbortSignal;
  /** What the agent is given. */
  taken: UserMessage[];
  /** Told all that is said and done, as it happens. */
  hear(chunk: Chunk): void;
  log: Log;
};

export const RUN_LOST: ThreadFailure = {
  message: 'I lost track of what I was doing here, and cannot use the answers. Please ask again.',
  code: 'run_lost',
};

/** Both calls of the agent are re-entrant by runId, so a stretch that broke off is simply driven again. */
export async function drive(
  agent: ConversationAgent,
  record: ThreadRecord,
  run: RunRecord,
  options: DriveOptions,
): Promise<RunResult> {
  const { holder, signal, taken, log } = options;
  const { runId } = run;
  const questions = stepQuestions(record);
  let stream: AgentStream | undefined;
  try {
    for (const [index, question] of questions.entries()) {
      if (!question.settled) continue;
      const last = index === questions.length - 1;
      const { toolCallId } = question;
      const messages = last && taken.length > 0 ? { messages: taken } : {};
      try {
        stream = await agent.resumeStream(question.settled.settlement, {
          runId,
          toolCallId,
          holder,
          signal,
          ...messages,
        });
      } catch (error) {
        if (!(error instanceof AlreadySettledError)) throw error;
        log.warn({ thread: record.id, runId, toolCallId, err: error }, 'the agent knows another outcome of a question');
        stream = undefined;
        continue;
      }
      if (!last) await stream.result;
    }
  } catch (error) {
    if (!(error instanceof UnknownRunError)) throw error;
    log.error({ thread: record.id, runId, err: error }, 'the agent does not know a run that waits for answers');
    return { status: 'failed', error: { ...RUN_LOST, retryable: false } };
  }
  if (stream) return heard(stream, options);
  const memory = { thread: record.id, resource: run.requester };
  const begun = await agent.stream(taken, { runId, memory, holder, signal });
  return heard(begun, options);
}

/** The stream's result, when all of it was heard. Who only listens breaks nothing. */
async function heard(stream: AgentStream, { hear, log }: DriveOptions): Promise<RunResult> {
  const listening = (async () => {
    for await (const chunk of stream.fullStream) hear(chunk);
  })().catch((err: unknown) => log.warn({ runId: stream.runId, err }, 'a run could not be listened to'));
  const result = await stream.result;
  await listening;
  return result;
}
