/** A message as Slack gives it, read for the model: whose it is and what it says, also when it says it in blocks alone. */
import { z } from 'zod';
import type { EarlierMessage } from '../thread/ports.ts';
import type { FileRef } from '../thread/thread.ts';
import { plainName } from './directory.ts';
import { slackId, slackTs } from './fields.ts';
import type { Identity } from './identity.ts';
import { readMessageText } from './text.ts';

/** A person said something. All others tell of something: an edit, a deletion, a join, an unfurled link. */
export const SAID: readonly (string | undefined)[] = [undefined, 'file_share', 'thread_broadcast', 'me_message'];

/** Longest file name that is passed on, and how many. */
const NAME = 255;
const MOST_FILES = 20;

export const fileSchema = z.object({
  id: slackId.optional().catch(undefined),
  name: z.string().nullish(),
  title: z.string().nullish(),
});
type File = z.infer<typeof fileSchema>;

/** What a person wrote, and the names of what is attached. */
export function wordsOf(text: string, files: readonly File[], botUser: string): string {
  return [readMessageText(text, botUser), ...attached(files)].filter((part) => part !== '').join('\n');
}

function attached(files: readonly File[]): string[] {
  if (files.length === 0) return [];
  const names = files.slice(0, MOST_FILES).map(nameOf);
  const more = files.length - names.length;
  return [`[attached: ${names.join(', ')}${more > 0 ? `, and ${more} more` : ''}]`];
}

const nameOf = ({ name, title }: File): string =>
  (name || title || 'a file')
    .replace(/[\s[\]\p{Cc}\p{Cf}]+/gu, ' ')
    .slice(0, NAME)
    .toWellFormed();

/** Those that can be asked for. */
export function filesOf(files: readonly File[]): { files?: FileRef[] } {
  const known = files.slice(0, MOST_FILES).flatMap((file) => (file.id ? { id: file.id, name: nameOf(file) } : []));
  return known.length > 0 ? { files: known } : {};
}

const word = z.string().optional().catch(undefined);
const messageSchema = z.object({
  ts: slackTs,
  subtype: word,
  hidden: z.boolean().optional().catch(undefined),
  user: word,
  bot_id: word,
  username: word,
  bot_profile: z.object({ name: word }).optional().catch(undefined),
  text: z.string().catch(''),
  blocks: z.array(z.unknown()).catch([]),
  attachments: z.array(z.unknown()).catch([]),
  files: z.array(fileSchema).catch([]),
});
type Message = z.infer<typeof messageSchema>;

/** undefined: nobody said this. */
export function readEarlierMessage(message: unknown, { botUser, botId }: Identity): EarlierMessage | undefined {
  const { data: said } = messageSchema.safeParse(message);
  if (!said || said.hidden || !(SAID.includes(said.subtype) || said.subtype === 'bot_message')) return undefined;
  if (said.user === 'USLACKBOT') return undefined;
  const by = writerOf(said, { botUser, botId });
  const text = by.kind === 'bot' ? botWords(said, botUser) : wordsOf(said.text, said.files, botUser);
  return text === '' ? undefined : { id: said.ts, by, text, ...filesOf(said.files) };
}

function writerOf(said: Message, { botUser, botId }: Pick<Identity, 'botUser' | 'botId'>): EarlierMessage['by'] {
  if (said.bot_id === botId || said.user === botUser) return { kind: 'self' };
  if (said.bot_id === undefined && said.user !== undefined) return { kind: 'person', id: said.user };
  return { kind: 'bot', name: plainName(said.username || said.bot_profile?.name || '') || 'without a name' };
}

/** A bot often says in blocks and attachments what it does not say in its text. */
function botWords({ text, blocks, attachments, files }: Message, botUser: string): string {
  const own = text.trim() === '' ? textsIn(blocks) : [text];
  return wordsOf([...own, ...textsIn(attachments)].join('\n'), files, botUser);
}

/** Keys under which blocks and attachments have words, in the order in which they are shown. */
const WORDS = ['pretext', 'author_name', 'title', 'label', 'value', 'text'] as const;
const INSIDE = ['title', 'text', 'description', 'fields', 'elements', 'blocks', 'rows'] as const;
const MOST_WORDS = 20_000;

function textsIn(list: readonly unknown[], depth = 0): string[] {
  if (depth > 8) return [];
  const texts = list.flatMap((part) => {
    if (Array.isArray(part)) return textsIn(part, depth + 1);
    if (typeof part !== 'object' || part === null) return [];
    const fields = part as Record<string, unknown>;
    const own = WORDS.flatMap((key) => (typeof fields[key] === 'string' && fields[key] !== '' ? [fields[key]] : []));
    const inside = textsIn(
      INSIDE.flatMap((key) => (typeof fields[key] === 'object' ? [fields[key]] : [])),
      depth + 1,
    );
    const fallback = typeof fields.fallback === 'string' ? [fields.fallback] : [];
    return own.length + inside.length === 0 ? fallback : [...own, ...inside];
  });
  return depth > 0 ? texts : [texts.join('\n').slice(0, MOST_WORDS).toWellFormed()].filter((all) => all !== '');
}
