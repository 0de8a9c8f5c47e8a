/** A run's record and its transitions: pure functions, each from one valid record to the next. Nothing here reads or writes. */
import { outcomeText, resumeSchema } from './ask-user.ts';
import type { RunResult, Suspension, Usage } from './chunks.ts';
import type { AssistantMessage, Message, ToolCall, ToolMessage, UserMessage } from './messages.ts';
import type { Question, Settlement } from './question.ts';
import type { Run } from './run-store.ts';
import { interrupted, lastStep, limited, storedCharsOf, toolResult, unansweredCalls } from './transcript.ts';

/** A message that a person sent is cut at this many characters, with a notice to the model. */
export const maxMessageChars = 100_000;
/** Complete steps leave the record for a piece of their own when they are about this long together. */
export const pieceChars = 32_000;

export type Beginning = { runId: string; holder: string; thread?: string | undefined; resource?: string | undefined };

export function beginRun(beginning: Beginning, input: readonly UserMessage[]): Run {
  const { runId, holder, thread, resource } = beginning;
  const run: Run = {
    v: 1,
    runId,
    ...(thread === undefined ? {} : { thread }),
    ...(resource === undefined ? {} : { resource }),
    holder,
    status: 'running',
    steps: 0,
    pieces: 0,
    messages: [],
    taken: [],
    started: [],
    questions: {},
    settled: {},
  };
  return takeMessages(run, input);
}

/** Each message that has an id is taken once, by a run that exists only those that have one. */
export function takeMore(run: Run, messages: readonly UserMessage[]): Run {
  return takeMessages(
    run,
    messages.filter((message) => message.id !== undefined),
  );
}

function takeMessages(run: Run, messages: readonly UserMessage[]): Run {
  const taken = new Set(run.taken);
  const fresh: UserMessage[] = [];
  for (const message of messages) {
    if (message.id !== undefined && taken.has(message.id)) continue;
    if (message.id !== undefined) taken.add(message.id);
    fresh.push({ ...message, content: limited(message.content, maxMessageChars, 'This message') });
  }
  return fresh.length === 0 ? run : { ...run, messages: [...run.messages, ...fresh], taken: [...taken] };
}

/** Another holder goes on with it. What had started has no one to tell how it ended. */
export function takeOver(run: Run, holder: string): Run {
  const lost = run.started.map((id) => toolResult(id, interrupted, true));
  return { ...run, holder, status: 'running', messages: [...run.messages, ...lost], started: [] };
}

/** Calls of the last step that have no result and that nobody is asked about. */
export function openCalls(run: Run): ToolCall[] {
  return unansweredCalls(run.messages).filter((call) => !Object.hasOwn(run.questions, call.id));
}

/** The model's answer, with its calls still open. What people settled of the step before is history now. */
export function addStep(run: Run, step: AssistantMessage, usage: Usage | undefined): Run {
  return {
    ...run,
    steps: run.steps + 1,
    ...sumOfUsage(run, usage),
    messages: [...run.messages, step],
    ...settledApart(run),
  };
}

/** What is decided about open calls before any of them runs. */
export type Plan = {
  results: ToolMessage[];
  questions: { call: ToolCall; args: unknown; question: Question }[];
  /** Calls that will run; `sideEffect`: their start must be saved first. */
  calls: { call: ToolCall; sideEffect: boolean }[];
};

export function applyPlan(run: Run, plan: Plan): Run {
  const started = plan.calls.flatMap(({ call, sideEffect }) => (sideEffect ? call.id : []));
  if (plan.results.length === 0 && plan.questions.length === 0 && started.length === 0) return run;
  const asked = plan.questions.map(({ call, args, question }) => [call.id, { toolName: call.name, args, question }]);
  const next: Run = {
    ...run,
    messages: [...run.messages, ...plan.results],
    questions: { ...run.questions, ...Object.fromEntries(asked) },
    started: [...run.started, ...started],
  };
  return plan.calls.length === 0 ? suspendIfOwed(next) : next;
}

/** A call that has its result keeps it. */
export function addResult(run: Run, result: ToolMessage): Run {
  if (!unansweredCalls(run.messages).some((call) => call.id === result.toolCallId)) return run;
  return {
    ...run,
    messages: [...run.messages, result],
    started: run.started.filter((id) => id !== result.toolCallId),
  };
}

/** In the order in which the model asked. */
export function openQuestions(run: Run): string[] {
  return unansweredCalls(run.messages).flatMap(({ id }) =>
    Object.hasOwn(run.questions, id) && run.questions[id]?.settlement === undefined ? id : [],
  );
}

export function suspendIfOwed(run: Run): Run {
  return openQuestions(run).length === 0 || run.status === 'suspended' ? run : { ...run, status: 'suspended' };
}

function suspensions(run: Run): Suspension[] {
  return openQuestions(run).map((toolCallId) => {
    const { toolName, args, question } = run.questions[toolCallId] as Run['questions'][string];
    return { toolCallId, toolName, args, suspendPayload: question, resumeSchema: resumeSchema(question) };
  });
}

export function suspendedResult(run: Run): Extract<RunResult, { status: 'suspended' }> {
  const step = run.messages.findLast((message) => message.role === 'assistant');
  return { status: 'suspended', suspensions: suspensions(run), text: step?.content ?? '' };
}

/** The last settlement of a step turns all of its questions into results, and the run can go on. */
export function settle(run: Run, toolCallId: string, settlement: Settlement): Run {
  const asked = run.questions[toolCallId] as Run['questions'][string];
  const next: Run = { ...run, questions: { ...run.questions, [toolCallId]: { ...asked, settlement } } };
  if (openQuestions(next).length > 0) return next;
  return { ...next, status: 'running', messages: [...next.messages, ...answers(next)] };
}

/** What stands for a question that has ended; undefined: it is open, or was never asked. */
export function settlementOf(run: Run, toolCallId: string): Settlement | undefined {
  if (Object.hasOwn(run.questions, toolCallId)) return run.questions[toolCallId]?.settlement;
  return Object.hasOwn(run.settled, toolCallId) ? run.settled[toolCallId] : undefined;
}

/** Questions that have ended, the last one last. */
export function settledQuestions(run: Run): string[] {
  return [...Object.keys(run.settled), ...Object.keys(run.questions).filter((id) => settlementOf(run, id))];
}

export function finishRun(run: Run, result: Omit<NonNullable<Run['result']>, 'usage'>, usage: Usage | undefined): Run {
  const sum = sumOfUsage(run, usage);
  const said: Message = { role: 'assistant', content: result.text, toolCalls: [] };
  return {
    ...run,
    ...sum,
    ...settledApart(run),
    status: 'finished',
    messages: [...run.messages, said],
    result: { ...result, ...sum },
  };
}

export function failRun(run: Run): Run {
  return { ...run, status: 'failed' };
}

/**
 * The end of a run that a person stopped or gave up: nothing stays open, and the model can see later what became of it.
 * `settled`: by the toolCallId, what people had said already of a step that still waited for others.
 */
export function endUnfinished(run: Run, note: string, settled: Record<string, Settlement> = {}): Run {
  const outcome = (id: string): Settlement =>
    (Object.hasOwn(settled, id) ? settled[id] : undefined) ?? { outcome: 'cancelled' };
  const ended = openQuestions(run).reduce((next, id) => settle(next, id, outcome(id)), run);
  const started = new Set(run.started);
  const results = openCalls(ended).map((call) =>
    toolResult(call.id, started.has(call.id) ? interrupted : 'Not executed: the run was stopped before.', true),
  );
  const said: Message = { role: 'assistant', content: note, toolCalls: [] };
  const messages = [...ended.messages, ...results, said];
  return { ...ended, ...settledApart(ended), status: 'aborted', started: [], messages };
}

export const isOver = (run: Run): boolean => run.status === 'finished' || run.status === 'aborted';

/**
 * How many messages of a *saved* record go to a piece before the next one is saved. It depends on that record alone, and
 * every save obeys it, so two holders that race write the same piece.
 */
export function sealable(saved: Run): number {
  const at = lastStep(saved.messages);
  const complete = unansweredCalls(saved.messages).length === 0 ? saved.messages.length : at;
  return storedCharsOf(saved.messages.slice(0, complete)) >= pieceChars ? complete : 0;
}

function answers(run: Run): ToolMessage[] {
  return Object.entries(run.questions).map(([id, { question, settlement }]) => {
    const settled = settlement as Settlement;
    return toolResult(id, outcomeText(settled, question), settled.outcome === 'failed');
  });
}

function settledApart(run: Run): Pick<Run, 'questions' | 'settled'> {
  const settled = { ...run.settled };
  for (const [id, { settlement }] of Object.entries(run.questions)) if (settlement) settled[id] = settlement;
  return { questions: {}, settled };
}

function sumOfUsage(run: Run, usage: Usage | undefined): { usage?: Usage } {
  const sum = {
    inputTokens: (run.usage?.inputTokens ?? 0) + (usage?.inputTokens ?? 0),
    outputTokens: (run.usage?.outputTokens ?? 0) + (usage?.outputTokens ?? 0),
  };
  return run.usage || usage ? { usage: sum } : {};
}
