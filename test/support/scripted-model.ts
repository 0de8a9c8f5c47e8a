/** A model that says what a test prepared, and is as strict about transcripts as the strictest server. */

import type { Usage } from '../../src/agent/chunks.ts';
import type { Message } from '../../src/agent/messages.ts';
import { type Model, type ModelChunk, ModelError, type ModelRequest } from '../../src/agent/model.ts';

/** One answer of the model. */
export type ScriptedStep = {
  text?: string;
  /** `args`: an object, or a text for arguments that are no JSON. */
  calls?: { id?: string; name: string; args?: unknown }[];
  finishReason?: 'stop' | 'length' | 'content_filter';
  usage?: Usage;
  /** Thrown after the text and the calls. */
  error?: Error;
  /** Never ends, and ignores the signal, after the text and the calls. */
  hang?: boolean;
  /** The answer breaks off without a finish. */
  cut?: boolean;
  /** Waited for before anything is said. */
  until?: Promise<unknown>;
};

export type ScriptedModel = Model & {
  /** What was asked, in order. */
  readonly requests: ModelRequest[];
  /** Steps that nobody asked for. */
  leftovers(): number;
};

/** Gives the steps in order, or what a function makes of each request; a request too many fails the run and says so. */
export function scriptedModel(
  script: ScriptedStep[] | ((request: ModelRequest, call: number) => ScriptedStep),
): ScriptedModel {
  const requests: ModelRequest[] = [];
  return {
    requests,
    leftovers: () => (Array.isArray(script) ? Math.max(0, script.length - requests.length) : 0),
    async *stream(request) {
      requests.push(structuredClone({ ...request, signal: undefined }) as unknown as ModelRequest);
      assertTranscript(request.messages);
      const call = requests.length - 1;
      const step = Array.isArray(script) ? script[call] : script(request, call);
      if (!step) throw new ModelError('bad_request', `Unexpected model call ${call + 1}.`, { retryable: false });
      yield* chunksOf(step);
    },
  };
}

async function* chunksOf(step: ScriptedStep): AsyncGenerator<ModelChunk> {
  await step.until;
  const text = step.text ?? '';
  for (let at = 0; at < text.length; at += 8) yield { type: 'text-delta', text: text.slice(at, at + 8) };
  for (const { id, name, args = {} } of step.calls ?? []) {
    const call = { name, arguments: typeof args === 'string' ? args : JSON.stringify(args) };
    yield { type: 'tool-call', ...call, ...(id === undefined ? {} : { id }) };
  }
  if (step.error) throw step.error;
  if (step.hang) await new Promise(() => {});
  if (step.cut) return;
  yield { type: 'finish', finishReason: step.finishReason ?? 'stop', ...(step.usage ? { usage: step.usage } : {}) };
}

/** Throws unless every tool call is followed by exactly one result, before anything else is said. */
export function assertTranscript(messages: readonly Message[]): void {
  const fail = (why: string): never => {
    throw new Error(`Invalid transcript: ${why}\n${JSON.stringify(messages, null, 1)}`);
  };
  let owed: string[] = [];
  for (const message of messages) {
    if (message.role === 'tool') {
      if (!owed.includes(message.toolCallId)) fail(`a result without its call: ${message.toolCallId}`);
      owed = owed.filter((id) => id !== message.toolCallId);
      continue;
    }
    if (owed.length > 0) fail(`no result for ${owed.join(', ')}`);
    if (message.role !== 'assistant') continue;
    owed = message.toolCalls.map((call) => call.id);
    if (new Set(owed).size < owed.length) fail(`an id twice in one step: ${owed.join(', ')}`);
  }
  if (owed.length > 0) fail(`no result for ${owed.join(', ')}`);
}

/** The results that the model was shown in its request number `call` (from 0; default: the last), in order. */
export function resultsIn(model: ScriptedModel, call: number = model.requests.length - 1): string[] {
  const messages = model.requests[call]?.messages ?? [];
  return messages.flatMap((message) => (message.role === 'tool' ? message.content : []));
}
