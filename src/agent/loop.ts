/** The loop: model → tools → model …, until the run is suspended or over. Read it from `drive` down. */
import { untilAborted } from './abort.ts';
import type { RunFailure, RunResult, Usage } from './chunks.ts';
import { LostRunError, RunAbortedError, releaseReason } from './errors.ts';
import type { Message, ToolCall } from './messages.ts';
import { type Model, ModelError } from './model.ts';
import { askingModel, type ModelAnswer } from './model-call.ts';
import {
  addResult,
  addStep,
  applyPlan,
  endUnfinished,
  failRun,
  finishRun,
  openCalls,
  openQuestions,
  type Plan,
  suspendedResult,
  suspendIfOwed,
} from './run.ts';
import { type RunRecord, StoreFailure } from './run-record.ts';
import type { RunStore } from './run-store.ts';
import type { StreamSource } from './stream.ts';
import type { Tool } from './tool.ts';
import { runTool, type Toolbox } from './toolbox.ts';
import { toolResult, validTranscript } from './transcript.ts';

/** The characters of the thread's transcript that a model call carries. */
export const maxHistoryChars = 200_000;
/** One step asks at most this much at once: people answer no more, and a record has to hold it. */
export const maxQuestionsPerStep = 20;

export type Drive = {
  record: RunRecord;
  store: RunStore;
  model: Model;
  toolbox: Toolbox;
  instructions: () => string | Promise<string>;
  maxSteps: number;
  emit: StreamSource['emit'];
  /** Stops this drive; by its reason: a RunAbortedError (a person's stop), `releaseReason`, a LostRunError. */
  control: AbortController;
};

/** Never rejects: however it ends is a result, and what the result says is stored. `emit` is told all but the end. */
export async function drive(to: Drive): Promise<RunResult> {
  try {
    return await loop(to);
  } catch (error) {
    return await endEarly(to, error);
  }
}

async function loop(to: Drive): Promise<RunResult> {
  const { record, emit, control } = to;
  const asked = async () => to.instructions();
  const system = await untilAborted(asked(), control.signal);
  const history = await readHistory(to);
  const { specs: tools } = to.toolbox;
  const ask = askingModel({ model: to.model, system, history, tools, signal: control.signal, emit });

  for (;;) {
    control.signal.throwIfAborted();

    // 1. Calls without a result: of the step that the model just asked for, or left open by a process that died.
    const open = openCalls(record.run);
    if (open.length > 0) {
      const plan = await planCalls(to, open);
      record.change((run) => applyPlan(run, plan));
      await record.save(); // the step, its questions and the start of its side effects, before any of it happens
      for (const { toolCallId, content, isError = false } of plan.results) tellResult(to, toolCallId, content, isError);
      await runCalls(to, plan);
      continue;
    }

    // 2. People owe results.
    if (openQuestions(record.run).length > 0) {
      record.change(suspendIfOwed);
      await record.save();
      return suspendedResult(record.run);
    }

    // 3. Everything has its result: the model goes on, with all that was said.
    if (record.run.steps >= to.maxSteps) return await finish(to, stepLimitText(to.maxSteps), 'step_limit', undefined);
    const step = record.run.steps + 1;
    emit({ type: 'step-start', payload: { step } });
    const answer = await ask(record.messages());
    const usage = answer.usage ? { usage: answer.usage } : {};
    if (answer.toolCalls.length === 0) {
      emit({ type: 'step-finish', payload: { step, ...usage } });
      return await finish(to, answer.content, answer.finishReason, answer.usage);
    }
    const { content, toolCalls } = answer;
    record.change((run) => addStep(run, { role: 'assistant', content, toolCalls }, answer.usage));
    emit({ type: 'step-finish', payload: { step, ...usage } });
  }
}

type RunnablePlan = Omit<Plan, 'calls'> & { calls: (Plan['calls'][number] & { tool: Tool; input: unknown })[] };

/** What happens to each open call, decided before any of them runs. */
async function planCalls({ record, toolbox, control }: Drive, open: ToolCall[]): Promise<RunnablePlan> {
  const understanding = open.map(async (call) => ({ call, as: await toolbox.understand(call) }));
  const understood = await untilAborted(Promise.all(understanding), control.signal);
  // The barrier: while a person is asked, nothing is changed. What they answer may be that it should not be.
  const asking = openQuestions(record.run).length > 0 || understood.some(({ as }) => as.kind === 'question');
  const plan: RunnablePlan = { results: [], questions: [], calls: [] };
  for (const { call, as } of understood) {
    if (as.kind === 'problem') plan.results.push(toolResult(call.id, as.text, true));
    else if (as.kind === 'question' && plan.questions.length === maxQuestionsPerStep)
      plan.results.push(toolResult(call.id, tooManyQuestions, true));
    else if (as.kind === 'question') plan.questions.push({ call, args: as.args, question: as.question });
    else if (asking && !as.tool.readOnly) plan.results.push(toolResult(call.id, heldBack, true));
    else plan.calls.push({ call, sideEffect: !as.tool.readOnly, tool: as.tool, input: as.input });
  }
  return plan;
}

const tooManyQuestions =
  `The question was not asked: at most ${maxQuestionsPerStep} can be asked at once. ` +
  'Ask it when the others are answered, if it still matters.';

const heldBack =
  'Not executed: in the same step a person was asked a question, and this tool can change things. ' +
  'Decide again with the answer, and make the call again if it is still right.';

/** All at once. The result of a side effect is saved as it happens; a read-only one goes with the next save. */
async function runCalls(to: Drive, { calls }: RunnablePlan): Promise<void> {
  const { record, control } = to;
  const { runId, thread, resource } = record.run;
  const about = { ...(thread === undefined ? {} : { thread }), ...(resource === undefined ? {} : { resource }) };
  const running = calls.map(async ({ call, tool, input, sideEffect }) => {
    const context = { runId, toolCallId: call.id, ...about, signal: control.signal };
    const { text, isError } = await runTool(tool, input, context);
    record.change((run) => addResult(run, toolResult(call.id, text, isError)));
    if (sideEffect) await record.save();
    tellResult(to, call.id, text, isError);
  });
  try {
    await Promise.all(running);
  } catch (error) {
    control.abort(error); // one save failed or the drive was stopped: the other tools have nobody to work for
    throw error;
  }
}

const stepLimitText = (steps: number): string =>
  `I stopped after ${steps} steps without coming to an end. Tell me to continue if I should go on.`;

async function finish(
  to: Drive,
  text: string,
  finishReason: ModelAnswer['finishReason'] | 'step_limit',
  usage: Usage | undefined,
): Promise<RunResult> {
  if (finishReason === 'step_limit') to.emit({ type: 'text-delta', payload: { text } });
  to.record.change((run) => finishRun(run, { text, finishReason }, usage));
  await to.record.save();
  await keepTranscript(to);
  const sum = to.record.run.usage;
  return { status: 'finished', text, finishReason, ...(sum ? { usage: sum } : {}) };
}

/** A run that is over joins its thread's transcript. After the record says so: a crash between is made good by re-entering. */
async function keepTranscript({ record, store }: Drive): Promise<void> {
  const { thread, runId } = record.run;
  if (thread === undefined) return;
  try {
    await store.append(thread, runId, validTranscript(record.messages()));
  } catch (cause) {
    throw new StoreFailure('The transcript could not be saved.', { cause });
  }
}

async function readHistory({ record, store }: Drive): Promise<Message[]> {
  const { thread } = record.run;
  if (thread === undefined) return [];
  try {
    return await store.history(thread, maxHistoryChars);
  } catch (cause) {
    throw new StoreFailure('The transcript could not be read.', { cause });
  }
}

/**
 * Whoever lost the run, or let it go, writes nothing, except what began it: put down within its first step, it would else be gone.
 * A stop and a failure are stored before they are told.
 */
async function endEarly(to: Drive, error: unknown): Promise<RunResult> {
  const { record } = to;
  const reason = to.control.signal.aborted ? to.control.signal.reason : error;
  try {
    if (reason === releaseReason && record.run.steps === 0) await record.save();
    const unwritten = withoutWriting(reason);
    if (unwritten) return { status: 'failed', error: unwritten };
    if (reason instanceof RunAbortedError) {
      record.change((run) => endUnfinished(run, '(Stopped before it was finished.)'));
      await record.save();
      await keepTranscript(to);
      return { status: 'aborted' };
    }
    record.change(failRun);
    await record.save();
    return { status: 'failed', error: failureOf(reason) };
  } catch (second) {
    return { status: 'failed', error: withoutWriting(second) ?? failureOf(second) };
  }
}

function withoutWriting(reason: unknown): RunFailure | undefined {
  if (reason instanceof LostRunError) {
    return { code: 'lost', message: 'This run is continued elsewhere.', retryable: false, cause: reason };
  }
  if (reason === releaseReason) {
    return { code: 'released', message: 'This run was put down and can be continued.', retryable: true };
  }
  if (reason instanceof StoreFailure) {
    const message = 'The run could not be saved or read. Nothing that was answered is lost; try again.';
    return { code: 'store', message, retryable: true, cause: reason.cause };
  }
  return undefined;
}

function failureOf(error: unknown): RunFailure {
  if (error instanceof ModelError) {
    return { code: error.code, message: error.message, retryable: error.retryable, cause: error.cause ?? error };
  }
  return { code: 'internal', message: 'Something went wrong inside the agent.', retryable: true, cause: error };
}

function tellResult({ record, emit }: Drive, toolCallId: string, result: string, isError: boolean): void {
  const step = record.run.messages.findLast((message) => message.role === 'assistant');
  const toolName = step?.toolCalls.find((call) => call.id === toolCallId)?.name ?? '';
  emit({ type: 'tool-result', payload: { toolCallId, toolName, result, isError } });
}
