/**
 * The codec of what travels in block ids, action ids and `private_metadata`. Identity is question id plus option index;
 * labels never travel. An id is a claim, not a proof: whoever decodes one still asks the record. What we did not write, or
 * what no longer reads as we write it, decodes to undefined.
 */
import type { QuestionId, ThreadId } from '../thread/ports.ts';

/** For `app.action`: every control of ours, and nothing else. */
export const ANY_ACTION = /^askback:/;
/** For `app.view`: the modal that takes a written answer. */
export const ANSWER_MODAL = 'askback:answer';
/** Block and action id of the modal's one field; a modal has one, so they are constants and an error finds them. */
export const ANSWER_FIELD = 'askback:answer-field';
export const ANSWER_INPUT = 'askback:answer-input';

/** What a block belongs to. A card has two blocks of controls: its choices, and its buttons beneath. */
export type BlockRef =
  | { kind: 'question'; part: 'choices' | 'buttons'; thread: ThreadId; question: QuestionId }
  | { kind: 'run'; thread: ThreadId; runId: string }
  | { kind: 'thread'; thread: ThreadId };

/** What a control does. `pick` answers with its option at once, `write` opens the modal, the others are what they say. */
export type ActionRef =
  | { kind: 'pick'; option: number }
  | { kind: 'menu' | 'choices' | 'submit' | 'write' | 'skip' | 'retry' | 'stop' };

const PLAIN_ACTIONS = ['menu', 'choices', 'submit', 'write', 'skip', 'retry', 'stop'] as const;
/** Slack's limit of a block id; ids come nowhere near it unless a caller draws monstrous question or run ids. */
const MAX_ID = 255;
const THREAD = /^([A-Za-z0-9]+):([A-Za-z0-9]+):(\d+\.\d+)$/;
const OPAQUE = /^[^|\s]+$/;

export function threadId(team: string, channel: string, threadTs: string): ThreadId {
  const id = asThread(`${team}:${channel}:${threadTs}`);
  if (id === undefined) throw new Error(`Not a Slack thread: team "${team}", channel "${channel}", ts "${threadTs}".`);
  return id;
}

export function threadParts(thread: ThreadId): { team: string; channel: string; threadTs: string } {
  const [, team, channel, threadTs] = THREAD.exec(thread) ?? [];
  if (team === undefined || channel === undefined || threadTs === undefined)
    throw new Error(`Not a thread id: "${thread}". It must be team:channel:thread_ts.`);
  return { team, channel, threadTs };
}

export function encodeBlock(ref: BlockRef): string {
  switch (ref.kind) {
    case 'question':
      return join('askback', ref.part, ref.thread, ref.question);
    case 'run':
      return join('askback', 'run', ref.thread, ref.runId);
    case 'thread':
      return join('askback', 'thread', ref.thread);
  }
}

export function decodeBlock(id: string): BlockRef | undefined {
  if (id.length > MAX_ID) return undefined;
  const [ours, part, threadText, opaque, ...more] = id.split('|');
  const thread = asThread(threadText);
  if (ours !== 'askback' || thread === undefined || more.length > 0) return undefined;
  if (part === 'thread') return opaque === undefined ? { kind: 'thread', thread } : undefined;
  if (opaque === undefined || !OPAQUE.test(opaque)) return undefined;
  if (part === 'run') return { kind: 'run', thread, runId: opaque };
  if (part === 'choices' || part === 'buttons')
    return { kind: 'question', part, thread, question: opaque as QuestionId };
  return undefined;
}

export function encodeAction(ref: ActionRef): string {
  return ref.kind === 'pick' ? `askback:pick:${ref.option}` : `askback:${ref.kind}`;
}

export function decodeAction(id: string): ActionRef | undefined {
  const [ours, kind, option, ...more] = id.split(':');
  if (ours !== 'askback' || more.length > 0) return undefined;
  if (kind === 'pick') {
    const index = decodeOption(option);
    return index === undefined ? undefined : { kind, option: index };
  }
  const plain = PLAIN_ACTIONS.find((name) => name === kind);
  return plain === undefined || option !== undefined ? undefined : { kind: plain };
}

/** The value of an option of a menu or of checkboxes: its index in the question, from 0. */
export function encodeOption(index: number): string {
  return String(index);
}

export function decodeOption(value: string | undefined): number | undefined {
  return value !== undefined && /^(0|[1-9]\d{0,5})$/.test(value) ? Number(value) : undefined;
}

/** A modal's `private_metadata`: a submission has no message that would say where it belongs. */
export function encodeMetadata(thread: ThreadId, question: QuestionId): string {
  return join('askback', 'modal', thread, question);
}

export function decodeMetadata(text: string): { thread: ThreadId; question: QuestionId } | undefined {
  if (text.length > MAX_ID) return undefined;
  const [ours, kind, threadText, question, ...more] = text.split('|');
  const thread = asThread(threadText);
  if (ours !== 'askback' || kind !== 'modal' || thread === undefined || more.length > 0) return undefined;
  return question === undefined || !OPAQUE.test(question) ? undefined : { thread, question: question as QuestionId };
}

function join(...parts: string[]): string {
  const id = parts.join('|');
  const bad = parts.find((part) => !OPAQUE.test(part));
  if (bad !== undefined) throw new Error(`"${bad}" cannot travel in an id: it is empty or has a space or "|" in it.`);
  if (id.length > MAX_ID) throw new Error(`An id of ${id.length} characters: Slack takes ${MAX_ID}. Draw shorter ids.`);
  return id;
}

function asThread(text: string | undefined): ThreadId | undefined {
  return text !== undefined && THREAD.test(text) ? (text as ThreadId) : undefined;
}
