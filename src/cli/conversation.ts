/** The chat itself: what a person writes goes to the agent, its questions come to the person, until one of them is gone. */
import type { Agent } from '../agent/agent.ts';
import type { AgentStream } from '../agent/chunks.ts';
import { RunFailedError, releaseReason } from '../agent/errors.ts';
import {
  createSession,
  type Reply,
  type SendOptions,
  type UserInputContext,
  type UserInputRequest,
} from '../agent/handler.ts';
import type { Question } from '../agent/question.ts';
import { howTo, readAnswerLine } from './answer-line.ts';
import type { Terminal } from './terminal.ts';

export type ConversationOptions = {
  agent: Agent;
  terminal: Terminal;
  /** Whose transcript is continued. */
  thread: string;
  /** A run of before to go on with first. */
  resume?: string;
  /** Aborted (Ctrl-C): leave now. */
  signal: AbortSignal;
};

/** How it ended. `runId`: the run that was left in the middle, which can be resumed. */
export type Left = { why: 'interrupted' | 'end_of_input'; runId?: string };

/** Rejects only for what is neither the person's nor the model's: a failing store, a run that does not exist. */
export async function converse(options: ConversationOptions): Promise<Left> {
  const { agent, terminal, thread, signal } = options;
  /** Also when the input ends while a question is open: then nobody is there to answer. */
  const gone = new AbortController();
  const leave = AbortSignal.any([signal, gone.signal]);
  let runId: string | undefined;
  let shown = '';
  let showing = Promise.resolve();

  const show = async ({ textStream }: AgentStream) => {
    shown = '';
    const reply = terminal.reply();
    try {
      for await (const text of textStream) {
        shown += text;
        reply.write(text);
      }
    } catch {
      // The same failure is what sendAndWait rejects with, and is told there.
    }
    if (shown !== '') reply.end();
  };

  const session = createSession(agent, {
    thread,
    async onUserInputRequest(request, context) {
      await showing;
      const given = await askPerson(request, context);
      if (given) return given;
      // No answer and no skip: the question stays open, for whoever resumes the run.
      if (!signal.aborted) gone.abort(releaseReason);
      return await new Promise<never>(() => {});
    },
  });

  async function askPerson(request: UserInputRequest, context: UserInputContext) {
    const question = questionOf(request, context);
    const forWhom = question.to ? `for ${question.to.join(', ')}; ` : '';
    terminal.write(`\n? ${question.question} (${forWhom}run ${context.runId})\n`);
    for (const [i, { label, description }] of (question.options ?? []).entries())
      terminal.write(`  ${i + 1}) ${label}${description ? ` - ${description}` : ''}\n`);
    terminal.write(`${context.problem ? `${context.problem} ` : ''}${howTo(question)}\n`);
    for (;;) {
      const line = await terminal.line('answer> ');
      if (line === undefined || signal.aborted) return undefined;
      const given = readAnswerLine(question, line);
      switch (given.kind) {
        case 'answer':
          return { answer: given.answer, wasFreeform: given.wasFreeform };
        case 'skip':
          return { outcome: 'dismissed' as const };
        case 'wrong':
          terminal.write(`${given.problem}\n`);
      }
    }
  }

  /** One message and what follows from it. true: the person can go on. */
  async function turn(send: (options: SendOptions) => Promise<Reply>): Promise<boolean> {
    try {
      const reply = await send({
        signal: leave,
        onRun: (id) => {
          runId = id;
        },
        onStream: (stream) => {
          showing = showing.then(() => show(stream));
        },
      });
      await showing;
      if (!shown.trimEnd().endsWith(reply.content.trimEnd())) {
        const whole = terminal.reply();
        whole.write(reply.content);
        whole.end();
      }
      runId = undefined;
      // Its transcript stays; nobody asks for the run itself any more.
      await agent.forget(reply.runId);
      return true;
    } catch (error) {
      await showing;
      if (leave.aborted) return false;
      if (!(error instanceof RunFailedError)) throw error;
      terminal.write(`! ${error.message}\n`);
      return await afterFailure(error.failure.retryable);
    }
  }

  /** The run keeps what was said and answered: it is tried again, or given up for a new message. */
  async function afterFailure(retryable: boolean): Promise<boolean> {
    const failed = runId;
    if (failed === undefined) return true;
    if (retryable) {
      const line = await terminal.line('Press Enter to try again, or write something else> ');
      if (line === undefined || leave.aborted) return false;
      if (line.trim() === '') return await turn((send) => session.resume(failed, send));
      await agent.abandon(failed);
      return await turn((send) => session.sendAndWait(line, send));
    }
    await agent.abandon(failed);
    runId = undefined;
    return true;
  }

  const left = (): Left => ({
    why: signal.aborted ? 'interrupted' : 'end_of_input',
    ...(runId !== undefined && { runId }),
  });

  const { resume } = options;
  if (resume !== undefined && !(await turn((send) => session.resume(resume, send)))) return left();
  for (;;) {
    const line = await terminal.line('you> ');
    if (line === undefined || signal.aborted) return left();
    if (line.trim() !== '' && !(await turn((send) => session.sendAndWait(line, send)))) return left();
  }
}

function questionOf(request: UserInputRequest, { options, selectionMode, to }: UserInputContext): Question {
  return {
    question: request.question,
    ...(options && { options }),
    ...(selectionMode && { selectionMode }),
    allowFreeform: request.allowFreeform ?? true,
    ...(to && { to }),
  };
}
