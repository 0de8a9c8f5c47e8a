/** The agent: begins, continues and resumes runs over a store. What a run does while it is driven is in loop.ts. */
import { problemText } from './answer-problem.ts';
import { checkAnswer, sameSettlement } from './ask-user.ts';
import type { AgentStream, RunResult } from './chunks.ts';
import type { ConversationAgent, ResumeOptions, StreamOptions } from './conversation-agent.ts';
import {
  AlreadySettledError,
  AmbiguousQuestionError,
  InvalidAnswerError,
  LostRunError,
  UnknownQuestionError,
  UnknownRunError,
} from './errors.ts';
import { createLiveRuns } from './live-runs.ts';
import { drive } from './loop.ts';
import { createMemoryRunStore } from './memory-run-store.ts';
import type { Message, UserMessage } from './messages.ts';
import type { Model } from './model.ts';
import type { Answer, Question, Settlement } from './question.ts';
import {
  beginRun,
  endUnfinished,
  isOver,
  openQuestions,
  settle,
  settledQuestions,
  settlementOf,
  suspendedResult,
  takeMore,
  takeOver,
} from './run.ts';
import { openRecord, readPieces, swapRun } from './run-record.ts';
import type { Run, RunStore, Stored } from './run-store.ts';
import { createStream, type StreamSource } from './stream.ts';
import type { Tool } from './tool.ts';
import { createToolbox, type Toolbox } from './toolbox.ts';
import { validTranscript } from './transcript.ts';

export type InstructionsContext = { runId: string; thread?: string; resource?: string };

export type AgentOptions = {
  id: string;
  name: string;
  /** The system text; a function is asked once for every stretch of a run. */
  instructions: string | ((context: InstructionsContext) => string | Promise<string>);
  model: Model;
  /** The keys are for the reader: the model knows a tool by its id. */
  tools?: Record<string, Tool>;
  /** Default: this process's memory, which is lost with it. */
  store?: RunStore;
  /** Model calls in one run, default 50. At the limit the run ends with a sentence that says so. */
  maxSteps?: number;
  /** Draws run ids and holder tokens. */
  newId?: () => string;
};

/** How often an opening begins again because another wrote the record between its read and its swap. */
const maxAttempts = 50;

export class Agent implements ConversationAgent {
  readonly id: string;
  readonly name: string;
  readonly tools: readonly Tool[];
  readonly #options: AgentOptions;
  readonly #store: RunStore;
  readonly #toolbox: Toolbox;
  readonly #newId: () => string;
  readonly #live = createLiveRuns();

  constructor(options: AgentOptions) {
    this.id = options.id;
    this.name = options.name;
    this.tools = Object.values(options.tools ?? {});
    this.#options = options;
    this.#store = options.store ?? createMemoryRunStore();
    this.#toolbox = createToolbox(this.tools);
    this.#newId = options.newId ?? (() => crypto.randomUUID());
  }

  /** The same agent over the same store with other tools. */
  withTools(tools: readonly Tool[]): Agent {
    const byId = Object.fromEntries(tools.map((tool) => [tool.id, tool]));
    return new Agent({ ...this.#options, store: this.#store, tools: byId });
  }

  /**
   * Begins a run, or continues the one that `runId` names: unfinished from its last step, suspended with its suspensions
   * again, finished with its result again. To a run that exists, messages are added only by ids that it has not taken; a run
   * that is driven in this process is joined as it is. Without messages the run must exist (else an UnknownRunError).
   */
  async stream(input: string | UserMessage[], options: StreamOptions = {}): Promise<AgentStream> {
    const runId = options.runId ?? this.#newId();
    const messages: UserMessage[] = typeof input === 'string' ? [{ role: 'user', content: input }] : input;
    return await this.#live.oneAtATime(runId, () => this.#enter(runId, messages, options));
  }

  async resumeStream(answer: Answer | Settlement, options: ResumeOptions): Promise<AgentStream> {
    return await this.#live.oneAtATime(options.runId, () => this.#resume(answer, options));
  }

  async forget(runId: string): Promise<void> {
    await this.abandon(runId);
    await this.#store.delete(runId);
  }

  async abandon(runId: string, options: { holder?: string; settled?: Record<string, Settlement> } = {}): Promise<void> {
    const holder = options.holder ?? this.#newId();
    await this.#live.oneAtATime(runId, async () => {
      const ended = await this.#transition(runId, (run) =>
        isOver(run) ? run : endUnfinished({ ...run, holder }, '(Given up before it was finished.)', options.settled),
      );
      this.#live.get(runId)?.lose();
      if (ended) await this.#keepTranscript(ended.value);
    });
  }

  async #enter(runId: string, messages: UserMessage[], options: StreamOptions): Promise<AgentStream> {
    const live = this.#live.toJoin(runId, options.holder);
    if (live) {
      live.stopOn(options.signal);
      return live.stream;
    }
    const holder = options.holder ?? this.#newId();
    const saved = await this.#transition(runId, (run) => {
      if (isOver(run)) return run;
      return takeMore(run.status === 'suspended' ? run : takeOver(run, holder), messages);
    });
    if (saved) return await this.#continue(saved, options, []);
    if (messages.length === 0) throw new UnknownRunError(runId);
    const { thread, resource } = options.memory ?? {};
    return this.#drive(beginRun({ runId, holder, thread, resource }, messages), undefined, [], options);
  }

  async #resume(answer: Answer | Settlement, options: ResumeOptions): Promise<AgentStream> {
    const { runId, messages = [] } = options;
    const holder = options.holder ?? this.#newId();
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const saved = await this.#store.load(runId);
      if (!saved) throw new UnknownRunError(runId);
      const run = saved.value;
      const toolCallId = options.toolCallId ?? theQuestion(run);
      const stands = settlementOf(run, toolCallId);
      if (stands) {
        const question = await this.#questionOf(run, toolCallId);
        if (!agrees(answer, stands, question)) throw new AlreadySettledError(toolCallId, stands);
        return await this.#enter(runId, messages, options);
      }
      if (!openQuestions(run).includes(toolCallId)) throw new UnknownQuestionError(runId, toolCallId);
      const asked = run.questions[toolCallId] as Run['questions'][string];
      const settled = settle(run, toolCallId, judge(answer, asked.question, toolCallId));
      const complete = openQuestions(settled).length === 0;
      const next = takeMore(complete ? takeOver(settled, holder) : settled, messages);
      const swapped = await swapRun(this.#store, saved, next);
      if (swapped) return await this.#continue(swapped, options, complete ? Object.keys(run.questions) : []);
    }
    throw new LostRunError(runId);
  }

  /** One transition of a stored run; undefined: there is no such run. One that changes nothing writes nothing. */
  async #transition(runId: string, transition: (run: Run) => Run): Promise<Stored<Run> | undefined> {
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const saved = await this.#store.load(runId);
      if (!saved) return undefined;
      const next = transition(saved.value);
      if (next === saved.value) return saved;
      const swapped = await swapRun(this.#store, saved, next);
      if (swapped) return swapped;
    }
    throw new LostRunError(runId);
  }

  /** The stream of a run as it is stored now. `answered`: calls whose results the settlement just made. */
  async #continue(saved: Stored<Run>, options: StreamOptions, answered: string[]): Promise<AgentStream> {
    const run = saved.value;
    switch (run.status) {
      case 'finished':
        await this.#keepTranscript(run);
        return told(run, finishedResult(run));
      case 'aborted':
        await this.#keepTranscript(run);
        return told(run, { status: 'aborted' });
      case 'suspended':
        return told(run, suspendedResult(run));
      case 'running':
      case 'failed':
        return this.#drive(run, saved, await readPieces(this.#store, run), options, answered);
    }
  }

  #drive(
    run: Run,
    saved: Stored<Run> | undefined,
    earlier: Message[],
    options: StreamOptions,
    answered: string[] = [],
  ): AgentStream {
    const { runId } = run;
    const source = createStream(runId);
    const live = this.#live.begin(source.stream, run.holder);
    live.stopOn(options.signal);

    tellBeginning(source, run, answered);
    const { instructions, model, maxSteps = 50 } = this.#options;
    const { thread, resource } = run;
    const about = {
      runId,
      ...(thread === undefined ? {} : { thread }),
      ...(resource === undefined ? {} : { resource }),
    };
    const driven = drive({
      record: openRecord(this.#store, run, saved, earlier),
      store: this.#store,
      model,
      toolbox: this.#toolbox,
      instructions: () => (typeof instructions === 'string' ? instructions : instructions(about)),
      maxSteps,
      emit: source.emit,
      control: live.control,
    });
    void driven.then((result) => {
      live.end();
      source.end(result);
    });
    return source.stream;
  }

  async #keepTranscript(run: Run): Promise<void> {
    if (run.thread === undefined) return;
    const messages = [...(await readPieces(this.#store, run)), ...run.messages];
    await this.#store.append(run.thread, run.runId, validTranscript(messages));
  }

  /** The question of a step that is over is read from the call that asked it. undefined: the tool is gone or has changed. */
  async #questionOf(run: Run, toolCallId: string): Promise<Question | undefined> {
    if (Object.hasOwn(run.questions, toolCallId)) return run.questions[toolCallId]?.question;
    const messages = [...(await readPieces(this.#store, run)), ...run.messages];
    const calls = messages.flatMap((message) => (message.role === 'assistant' ? message.toolCalls : []));
    const call = calls.find(({ id }) => id === toolCallId);
    const understood = call && (await this.#toolbox.understand(call));
    return understood?.kind === 'question' ? understood.question : undefined;
  }
}

/** The question that is meant when none is named: the only open one; with none open, the one that ended last. */
function theQuestion(run: Run): string {
  const open = openQuestions(run);
  if (open.length > 1) throw new AmbiguousQuestionError(open);
  const meant = open[0] ?? settledQuestions(run).at(-1);
  if (meant === undefined) throw new UnknownQuestionError(run.runId, undefined);
  return meant;
}

const isSettlement = (answer: Answer | Settlement): answer is Settlement =>
  typeof answer === 'object' && answer !== null && 'outcome' in answer;

function judge(answer: Answer | Settlement, question: Question, toolCallId: string): Settlement {
  if (isSettlement(answer)) return answer;
  const checked = checkAnswer(question, answer);
  if (!checked.ok) throw new InvalidAnswerError(toolCallId, problemText(checked.problem, question));
  return checked.settlement;
}

function agrees(answer: Answer | Settlement, stands: Settlement, question: Question | undefined): boolean {
  if (isSettlement(answer)) return sameSettlement(answer, stands);
  const checked = question && checkAnswer(question, answer);
  return checked?.ok === true && sameSettlement(checked.settlement, stands);
}

function finishedResult(run: Run): RunResult {
  if (!run.result) throw new Error(`Run ${run.runId} is finished but has no result.`);
  const { text, finishReason, usage } = run.result;
  return { status: 'finished', text, finishReason, ...(usage ? { usage } : {}) };
}

function tellBeginning({ emit }: StreamSource, run: Run, answered: string[]): void {
  emit({ type: 'start', payload: {} });
  for (const message of run.messages) {
    if (message.role !== 'tool' || !answered.includes(message.toolCallId)) continue;
    const { toolCallId, content: result, isError = false } = message;
    const toolName = run.questions[toolCallId]?.toolName ?? '';
    emit({ type: 'tool-result', payload: { toolCallId, toolName, result, isError } });
  }
}

/** The stream of a run that nothing needs to be done for. */
function told(run: Run, result: RunResult): AgentStream {
  const source = createStream(run.runId);
  source.emit({ type: 'start', payload: {} });
  if (result.status === 'finished') source.emit({ type: 'text-delta', payload: { text: result.text } });
  source.end(result);
  return source.stream;
}
