/** Rules of a transcript: pure functions over messages. */
import type { AssistantMessage, Image, Message, ToolCall, ToolMessage } from './messages.ts';

export const interrupted =
  'This call was interrupted and its outcome is unknown: it may or may not have happened. Check before you do it again.';

/**
 * The transcript as every model accepts it: each tool call is followed by exactly one result, before anything else is said.
 * A result that came late moves to its call, the first of several stands, one without a call goes, one that is missing is
 * filled in. Results are looked for up to the next assistant message, because ids repeat from run to run.
 */
export function validTranscript(messages: readonly Message[]): Message[] {
  const valid: Message[] = [];
  let at = 0;
  while (at < messages.length) {
    const message = messages[at++] as Message;
    if (message.role === 'tool') continue;
    valid.push(message);
    if (message.role !== 'assistant' || message.toolCalls.length === 0) continue;
    const said: Message[] = [];
    const results = new Map<string, ToolMessage>();
    for (; at < messages.length; at++) {
      const next = messages[at] as Message;
      if (next.role === 'assistant') break;
      if (next.role === 'user') said.push(next);
      else if (!results.has(next.toolCallId)) results.set(next.toolCallId, next);
    }
    valid.push(
      ...message.toolCalls.map((call) => results.get(call.id) ?? toolResult(call.id, interrupted, true)),
      ...said,
    );
  }
  return valid;
}

export function toolResult(toolCallId: string, content: string, isError: boolean): ToolMessage {
  return isError ? { role: 'tool', toolCallId, content, isError } : { role: 'tool', toolCallId, content };
}

/** The last assistant message with tool calls and what it still waits for. */
export function unansweredCalls(messages: readonly Message[]): ToolCall[] {
  const at = lastStep(messages);
  const step = messages[at] as AssistantMessage | undefined;
  if (!step) return [];
  const answered = new Set(
    messages.slice(at + 1).flatMap((message) => (message.role === 'tool' ? message.toolCallId : [])),
  );
  return step.toolCalls.filter((call) => !answered.has(call.id));
}

/** Where the last assistant message is; -1: there is none. */
export function lastStep(messages: readonly Message[]): number {
  return messages.findLastIndex((message) => message.role === 'assistant');
}

/** Every tool call id of these messages. */
export function callIds(messages: readonly Message[]): Set<string> {
  return new Set(messages.flatMap((m) => (m.role === 'assistant' ? m.toolCalls.map((call) => call.id) : [])));
}

/**
 * The model's own id when it is new in the run, else one of ours: servers leave ids out, or begin again at `call_0` in
 * every answer. Adds what it gives to `used`. Ours are short, because OpenAI takes no id over 40 characters.
 */
export function uniqueCallId(given: string | undefined, used: Set<string>): string {
  let id = given?.trim() ?? '';
  for (let n = used.size; id === '' || id === '__proto__' || used.has(id); n++) id = `askback_${n}`;
  used.add(id);
  return id;
}

/** What an image counts as where a transcript is measured by what a model reads of it. */
export const imageChars = 10_000;

/** Roughly the characters that a model reads of the messages. Exact enough to cut by, and the same for everyone. */
export function charsOf(messages: readonly Message[], ofImage: (image: Image) => number = () => imageChars): number {
  return messages.reduce((sum, message) => {
    const calls = message.role === 'assistant' ? message.toolCalls : [];
    const images = message.role === 'user' ? (message.images ?? []) : [];
    const seen = images.reduce((all, image) => all + ofImage(image), 0);
    return calls.reduce((all, call) => all + call.arguments.length + 80, sum + seen + message.content.length + 60);
  }, 0);
}

/** The same of what they take in a record. */
export function storedCharsOf(messages: readonly Message[]): number {
  return charsOf(messages, ({ data }) => data.length);
}

/** The characters of a message as JSON; an image in it counts as `imageChars`. */
export function jsonCharsOf(message: Message): number {
  const images = message.role === 'user' ? (message.images?.length ?? 0) : 0;
  if (images === 0) return JSON.stringify(message).length;
  return JSON.stringify({ ...message, images: [] }).length + images * imageChars;
}

/** `text` in at most about `limit` characters, with a notice in place of what is cut. */
export function limited(text: string, limit: number, what: string): string {
  if (text.length <= limit) return text;
  // toWellFormed: the cut may have parted a surrogate pair.
  const kept = text.slice(0, limit).toWellFormed();
  return `${kept}\n[${what} was cut here: ${text.length - limit} of ${text.length} characters are left out.]`;
}
