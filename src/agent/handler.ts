/** Copilot style: drive an agent to its reply, with a handler that puts its questions to a person. */
import { untilAborted } from './abort.ts';
import type { Agent } from './agent.ts';
import { askUserTool } from './ask-user.ts';
import type { AgentStream, Suspension } from './chunks.ts';
import { InvalidAnswerError, RunAbortedError, RunFailedError } from './errors.ts';
import type { UserMessage } from './messages.ts';
import type { Answer, Option, SelectionMode, Settlement } from './question.ts';

export type UserInputRequest = {
  question: string;
  /** The labels; absent: an open question. */
  choices?: string[];
  /** Whether an answer beside the choices is taken. Always present here; true where the model left it open. */
  allowFreeform?: boolean;
};

export type UserInputContext = {
  runId: string;
  toolCallId: string;
  /** Absent for an open question. */
  selectionMode?: SelectionMode;
  /** The choices with their descriptions. */
  options?: Option[];
  /** Who is to be asked, when the model says that it is somebody else than whom it works for; in its words. */
  to?: string[];
  /** Present when the answer before was refused: why, for the person. */
  problem?: string;
  /** Aborts when nobody waits for the answer any more. */
  signal: AbortSignal;
};

export type UserInputResponse = {
  /** A label, the labels of a multiple choice, or what the person wrote. */
  answer: string | string[];
  wasFreeform: boolean;
};

/** In place of an answer: the person passed the question over. */
export type UserInputDismissal = { outcome: 'dismissed' };

export type UserInputHandler = (
  request: UserInputRequest,
  context: UserInputContext,
) => UserInputResponse | UserInputDismissal | Promise<UserInputResponse | UserInputDismissal>;

export type SessionOptions = {
  /** Absent: the agent is not offered `ask_user`, for nobody could answer. */
  onUserInputRequest?: UserInputHandler;
  /** Whose transcript the session continues. Default: one of its own. */
  thread?: string;
  newId?: () => string;
};

export type SendOptions = {
  /**
   * Ends the wait. While the agent works, an abort stops the run for good, except with `releaseReason`, which puts it down;
   * while a question is open the run stays as it is in either case. What was put down or left open goes on with `resume`.
   */
  signal?: AbortSignal;
  /** Told as soon as the run has its id, before the model is asked. */
  onRun?: (runId: string) => void;
  /** Each stretch as it begins, for whoever shows the text as it comes. */
  onStream?: (stream: AgentStream) => void;
};

export type Reply = { content: string; runId: string };

export type Session = {
  /** Rejects with a RunFailedError (`resume` tries again), a RunAbortedError, or the signal's reason while a question is open. */
  sendAndWait(prompt: string, options?: SendOptions): Promise<Reply>;
  /** Goes on with a run of before, also of another process over the same store. */
  resume(runId: string, options?: SendOptions): Promise<Reply>;
};

export function createSession(agent: Agent, options: SessionOptions): Session {
  const { onUserInputRequest: handler, newId = () => crypto.randomUUID() } = options;
  const others = agent.tools.filter((tool) => tool.id !== askUserTool.id);
  const asking = agent.tools.find((tool) => tool.id === askUserTool.id) ?? askUserTool;
  const driven = agent.withTools(handler ? [...others, asking] : others);
  const memory = { thread: options.thread ?? newId() };

  async function follow(runId: string, input: UserMessage[], send: SendOptions): Promise<Reply> {
    const { signal = new AbortController().signal } = send;
    send.onRun?.(runId);
    let stream = await driven.stream(input, { runId, memory, signal });
    for (;;) {
      send.onStream?.(stream);
      const result = await stream.result;
      switch (result.status) {
        case 'finished':
          return { content: result.text, runId };
        case 'failed':
          throw new RunFailedError(result.error);
        case 'aborted':
          throw new RunAbortedError();
        case 'suspended':
          // One at a time: a person at a terminal can read one question.
          for (const suspension of result.suspensions) stream = await ask(runId, suspension, signal);
      }
    }
  }

  async function ask(runId: string, suspension: Suspension, signal: AbortSignal): Promise<AgentStream> {
    const resume = (answer: Answer | Settlement) =>
      driven.resumeStream(answer, { runId, toolCallId: suspension.toolCallId, signal });
    try {
      try {
        return await resume(await callHandler(runId, suspension, signal));
      } catch (error) {
        if (!(error instanceof InvalidAnswerError)) throw error;
        return await resume(await callHandler(runId, suspension, signal, error.message));
      }
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof HandlerError || error instanceof InvalidAnswerError)) throw error;
      return await resume({ outcome: 'failed', reason: error.message });
    }
  }

  async function callHandler(runId: string, suspension: Suspension, signal: AbortSignal, problem?: string) {
    const { toolCallId, suspendPayload } = suspension;
    const { question, options: offered, selectionMode, allowFreeform, to } = suspendPayload;
    const request = { question, ...(offered ? { choices: offered.map(({ label }) => label) } : {}), allowFreeform };
    const context = {
      runId,
      toolCallId,
      ...(selectionMode ? { selectionMode } : {}),
      ...(offered ? { options: offered } : {}),
      ...(to ? { to } : {}),
      ...(problem === undefined ? {} : { problem }),
      signal,
    };
    if (!handler) throw new HandlerError('Nobody is there to answer.');
    signal.throwIfAborted();
    try {
      return await untilAborted((async () => await handler(request, context))(), signal);
    } catch (cause) {
      throw new HandlerError(cause instanceof Error ? cause.message : String(cause), { cause });
    }
  }

  return {
    sendAndWait: (prompt, send = {}) => follow(newId(), [{ role: 'user', content: prompt }], send),
    resume: (runId, send = {}) => follow(runId, [], send),
  };
}

/** The handler threw: its own fault, told to the model, and never a fault of the run. */
class HandlerError extends Error {}
