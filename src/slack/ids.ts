/**
 * The codec of what travels in block ids, action ids and `private_metadata`. Identity is question id plus option index;
 * labels never travel. An id is a claim, not a proof: whoever decodes one still asks the record. What we did not write, or
 * what no longer reads as we write it, decodes to undefined.
 */
import type { QuestionId, ThreadId } from '../thread/ports.ts';
import { shorten } from './cut.ts';

/** For `app.action`: every control of ours, and nothing else. */
export const ANY_ACTION = /^askback:/;
/** For `app.view`: the form that takes answers. */
export const ANSWER_MODAL = 'askback:answer';

/** The shortcut "Ask about this message", its form, and the form's field. */
export const ABOUT_SHORTCUT = 'askback:about';
export const ABOUT_FORM = 'askback:about';
export const ABOUT_FIELD = 'askback|about';

const QUESTION_PARTS = ['choices', 'words', 'buttons'] as const;

/** What a block belongs to. A card has its choices, and its buttons beneath; a form has choices, and words of one's own. */
export type BlockRef =
  | { kind: 'question'; part: (typeof QUESTION_PARTS)[number]; thread: ThreadId; question: QuestionId }
  | { kind: 'run'; thread: ThreadId; runId: string }
  | { kind: 'thread'; thread: ThreadId }
  | { kind: 'home' };

const PLAIN_ACTIONS = [
  'menu',
  'choices',
  'words',
  'submit',
  'write',
  'change',
  'answer_all',
  'skip',
  'withdraw',
  'retry',
  'stop',
  'feedback',
] as const;

/**
 * What a control does. `pick` answers with its option at once; `write`, `change` and `answer_all` open the form; `page` turns
 * to that page of Home, from 0; `menu`, `choices` and `words` are fields; the others are what they say.
 */
export type ActionRef =
  | { kind: 'pick'; option: number }
  | { kind: 'page'; page: number }
  | { kind: (typeof PLAIN_ACTIONS)[number] };

/** Slack's limits of a block id and of `private_metadata`; ids come nowhere near unless a caller draws monstrous ones. */
const MAX_ID = 255;
const MAX_METADATA = 3_000;
const MAX_QUOTE = 2_000;
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
      return join(MAX_ID, 'askback', ref.part, ref.thread, ref.question);
    case 'run':
      return join(MAX_ID, 'askback', 'run', ref.thread, ref.runId);
    case 'thread':
      return join(MAX_ID, 'askback', 'thread', ref.thread);
    case 'home':
      return join(MAX_ID, 'askback', 'home');
  }
}

export function decodeBlock(id: string): BlockRef | undefined {
  if (id.length > MAX_ID) return undefined;
  const [ours, part, threadText, opaque, ...more] = id.split('|');
  if (id === encodeBlock({ kind: 'home' })) return { kind: 'home' };
  const thread = asThread(threadText);
  if (ours !== 'askback' || thread === undefined || more.length > 0) return undefined;
  if (part === 'thread') return opaque === undefined ? { kind: 'thread', thread } : undefined;
  if (opaque === undefined || !OPAQUE.test(opaque)) return undefined;
  if (part === 'run') return { kind: 'run', thread, runId: opaque };
  const known = QUESTION_PARTS.find((name) => name === part);
  return known && { kind: 'question', part: known, thread, question: opaque as QuestionId };
}

export function encodeAction(ref: ActionRef): string {
  switch (ref.kind) {
    case 'pick':
      return `askback:pick:${ref.option}`;
    case 'page':
      return `askback:page:${ref.page}`;
    default:
      return `askback:${ref.kind}`;
  }
}

export function decodeAction(id: string): ActionRef | undefined {
  const [ours, kind, number, ...more] = id.split(':');
  if (ours !== 'askback' || more.length > 0) return undefined;
  if (kind === 'pick' || kind === 'page') {
    const index = decodeOption(number);
    if (index === undefined) return undefined;
    return kind === 'pick' ? { kind, option: index } : { kind, page: index };
  }
  const plain = PLAIN_ACTIONS.find((name) => name === kind);
  return plain === undefined || number !== undefined ? undefined : { kind: plain };
}

/** The values of the thumbs under a reply. */
export const FEEDBACK = ['good', 'bad'] as const;

/** The value of an option of a menu or of checkboxes: its index in the question, from 0. */
export function encodeOption(index: number): string {
  return String(index);
}

export function decodeOption(value: string | undefined): number | undefined {
  return value !== undefined && /^(0|[1-9]\d{0,5})$/.test(value) ? Number(value) : undefined;
}

/** A form's `private_metadata`: a submission has no message that would say where it belongs. */
export function encodeForm(thread: ThreadId, questions: readonly QuestionId[]): string {
  return join(MAX_METADATA, 'askback', 'form', thread, ...questions);
}

export function decodeForm(text: string): { thread: ThreadId; questions: QuestionId[] } | undefined {
  if (text.length > MAX_METADATA) return undefined;
  const [ours, kind, threadText, ...questions] = text.split('|');
  const thread = asThread(threadText);
  if (ours !== 'askback' || kind !== 'form' || thread === undefined || questions.length === 0) return undefined;
  return questions.every((id) => OPAQUE.test(id)) ? { thread, questions: questions as QuestionId[] } : undefined;
}

/** Home's `private_metadata`: the page that it shows, from 0. */
export function encodePage(page: number): string {
  return `askback|page|${page}`;
}

export function decodePage(text: string): number | undefined {
  return text.startsWith('askback|page|') ? decodeOption(text.slice('askback|page|'.length)) : undefined;
}

/** A message that is asked about: `id` is the question's own, a `ts`; `by` wrote the message; `text` is what it says. */
export type About = { thread: ThreadId; id: string; by?: string; text: string };

/** The `private_metadata` of the form of the shortcut. A longer text is cut: it is there to say which message is meant. */
export function encodeAbout({ thread, id, by, text }: About): string {
  return `${join(MAX_METADATA, 'askback', 'about', thread, id, by ?? '-')}|${shorten(text, MAX_QUOTE)}`;
}

export function decodeAbout(text: string): About | undefined {
  const [, threadText, id, by, quoted] =
    /^askback\|about\|([^|]+)\|(\d+\.\d+)\|(-|[A-Za-z0-9]+)\|(.*)$/s.exec(text) ?? [];
  const thread = asThread(threadText);
  if (text.length > MAX_METADATA || thread === undefined || id === undefined || quoted === undefined) return undefined;
  return { thread, id, ...(by !== '-' && by !== undefined && { by }), text: quoted };
}

function join(max: number, ...parts: string[]): string {
  const id = parts.join('|');
  const bad = parts.find((part) => !OPAQUE.test(part));
  if (bad !== undefined) throw new Error(`"${bad}" cannot travel in an id: it is empty or has a space or "|" in it.`);
  if (id.length > max) throw new Error(`An id of ${id.length} characters: Slack takes ${max}. Draw shorter ids.`);
  return id;
}

function asThread(text: string | undefined): ThreadId | undefined {
  return text !== undefined && THREAD.test(text) ? (text as ThreadId) : undefined;
}
