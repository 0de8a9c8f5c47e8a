/** An agent's tools: what the model is told of them, what a call means, and one call run so that it always ends in a text. */
import { untilAborted } from './abort.ts';
import type { ToolCall } from './messages.ts';
import type { ToolSpec } from './model.ts';
import type { Question } from './question.ts';
import { defaultTimeoutMs, type Tool, type ToolContext } from './tool.ts';
import { limited } from './transcript.ts';

/** A tool's result is cut at this many characters, with a notice to the model. */
export const maxResultChars = 30_000;

/** What a call turns out to be. `problem`: it cannot run; the text tells the model what to change. */
export type Understood =
  | { kind: 'problem'; text: string }
  | { kind: 'question'; question: Question; args: unknown }
  | { kind: 'call'; tool: Tool; input: unknown };

export type ToolOutcome = { text: string; isError: boolean };

export type Toolbox = {
  readonly specs: ToolSpec[];
  understand(call: ToolCall): Promise<Understood>;
};

export function createToolbox(tools: readonly Tool[]): Toolbox {
  const byId = new Map(tools.map((tool) => [tool.id, tool]));
  if (byId.size < tools.length) {
    throw new TypeError(`Two tools have the same id; ids: ${tools.map((tool) => tool.id).join(', ')}.`);
  }
  return {
    specs: tools.map(({ id, description, parameters }) => ({ name: id, description, parameters })),
    async understand(call) {
      const tool = byId.get(call.name);
      if (!tool) {
        const names = [...byId.keys()].join(', ') || 'none';
        return { kind: 'problem', text: `There is no tool ${JSON.stringify(call.name)}. Tools: ${names}.` };
      }
      const args = parseArguments(call.arguments);
      if (!args.ok) return { kind: 'problem', text: args.problem };
      if (tool.ask) {
        const asked = tool.ask(args.value);
        if (!asked.ok) return { kind: 'problem', text: `The question was not asked. ${asked.problem}` };
        return { kind: 'question', question: asked.question, args: args.value };
      }
      const parsed = await parseWith(tool, args.value);
      if (!parsed.ok) return { kind: 'problem', text: `The arguments do not fit ${tool.id}:\n${parsed.problem}` };
      return { kind: 'call', tool, input: parsed.input };
    },
  };
}

/** A parser is the tool author's code: what it throws is about this call, not about the run. */
async function parseWith(tool: Tool, args: unknown) {
  if (!tool.parse) return { ok: true as const, input: args };
  try {
    return await tool.parse(args);
  } catch (error) {
    return { ok: false as const, problem: messageOf(error) };
  }
}

/** Models leave the text empty for a tool without arguments, and some encode it twice. */
function parseArguments(text: string): { ok: true; value: unknown } | { ok: false; problem: string } {
  if (text.trim() === '') return { ok: true, value: {} };
  try {
    const value: unknown = JSON.parse(text);
    return { ok: true, value: typeof value === 'string' ? JSON.parse(value) : (value ?? {}) };
  } catch {
    const hint = 'If they were cut off, make the call again with shorter ones.';
    return { ok: false, problem: `The call was not executed: its arguments are not valid JSON. ${hint}` };
  }
}

/**
 * Runs one call. Rejects only with the reason of `context.signal`: whatever the tool does is an outcome. A tool that ignores
 * its signal is left alone.
 */
export async function runTool(tool: Tool, input: unknown, context: ToolContext): Promise<ToolOutcome> {
  context.signal.throwIfAborted();
  // A longer timer would fire at once; 24 days are as good as for ever.
  const timeoutMs = Math.min(tool.timeoutMs ?? defaultTimeoutMs, 2 ** 31 - 1);
  const time = new AbortController();
  const timer = setTimeout(() => time.abort(new Error('The time for this call is over.')), timeoutMs);
  const signal = AbortSignal.any([context.signal, time.signal]);
  try {
    // async: a tool made by hand may throw before it returns a promise.
    const running = (async () => await tool.execute(input, { ...context, signal }))();
    return textOf(await untilAborted(running, signal));
  } catch (error) {
    context.signal.throwIfAborted();
    if (time.signal.aborted) return failed(timeoutText(tool, timeoutMs));
    return failed(`The tool failed: ${messageOf(error)}`);
  } finally {
    clearTimeout(timer);
  }
}

function timeoutText(tool: Tool, timeoutMs: number): string {
  const text = `The tool did not end within ${timeoutMs / 1000} seconds.`;
  return tool.readOnly ? text : `${text} Its outcome is unknown: check before you call it again.`;
}

function textOf(value: unknown): ToolOutcome {
  if (value === undefined || value === '') return { text: 'Done; the tool returned nothing.', isError: false };
  if (typeof value === 'string') return { text: limited(value, maxResultChars, 'The result'), isError: false };
  try {
    const json = JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? String(part) : part)) as
      | string
      | undefined;
    if (json === undefined) return failed(`The tool ran, but it returned a ${typeof value}, which is no text.`);
    return { text: limited(json, maxResultChars, 'The result'), isError: false };
  } catch (error) {
    return failed(`The tool ran, but its result cannot be written as JSON: ${messageOf(error)}`);
  }
}

const failed = (text: string): ToolOutcome => ({ text: limited(text, maxResultChars, 'The error'), isError: true });

/** Anything can be thrown, also what cannot be made a string. */
function messageOf(error: unknown): string {
  try {
    return error instanceof Error ? error.message || error.name : String(error);
  } catch {
    return 'unknown error';
  }
}
