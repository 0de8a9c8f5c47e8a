/**
 * What is in a file that somebody attached: an image or a text, fetched with the bot's token from Slack's own file host and from
 * nowhere else. What a file is, its first bytes say, not its name.
 */
import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import type { Image } from '../agent/messages.ts';
import type { FileRead, Unread } from '../thread/ports.ts';
import type { FileRef } from '../thread/thread.ts';
import type { Log } from './log.ts';
import { later, refused, unreadFor } from './unread.ts';
import { failureOf, slackErrorCode } from './web-api-error.ts';

/** Bytes. An image is kept in the transcript as long as that is. */
const MOST_IMAGE = 1_000_000;
const MOST_TEXT = 200_000;
/** ms for the bytes of one file. */
const TIMEOUT = 15_000;

const HOSTS = ['https://files.slack.com', 'https://files.slack-gov.com'];

/** The one rule of where the token may go: Slack's file hosts over https, and another Slack where the operator named one. */
export function mayFetch(url: string, apiUrl: string | undefined): boolean {
  if (!URL.canParse(url)) return false;
  const { origin, host, username, password } = new URL(url);
  // `blob:https://…` has the origin of what follows, and no host.
  if (host === '' || username !== '' || password !== '') return false;
  return HOSTS.includes(origin) || (apiUrl !== undefined && origin === new URL(apiUrl).origin);
}

const word = z.string().optional().catch(undefined);
const infoSchema = z.object({
  mimetype: z.string().catch(''),
  size: z.number().optional().catch(undefined),
  url_private: word,
  thumb_1024: word,
  thumb_960: word,
  thumb_720: word,
});
type Info = z.infer<typeof infoSchema>;

export type FileParts = { client: Pick<WebClient, 'files'>; token: string; apiUrl?: string; log: Log };

/** One attempt; never rejects. */
export function createFileReader({ client, token, apiUrl, log }: FileParts): (file: FileRef) => Promise<FileRead> {
  async function infoOf(file: FileRef): Promise<Info | Unread> {
    try {
      return infoSchema.parse((await client.files.info({ file: file.id })).file);
    } catch (error) {
      if (error instanceof z.ZodError) return refused('Slack says nothing of it');
      const failure = failureOf(error);
      log.warn({ call: 'files.info', file: file.id, reason: failure.reason }, 'a call to Slack failed');
      if (slackErrorCode(error) === 'missing_scope') return refused('the app lacks the scope files:read');
      return unreadFor(failure);
    }
  }

  async function bytesOf(url: string, most: number): Promise<{ ok: true; bytes: Buffer; type: string } | Unread> {
    if (!mayFetch(url, apiUrl)) return refused('it is not kept by Slack');
    try {
      const response = await fetch(url, {
        headers: { authorization: `Bearer ${token}` },
        // Where else it would lead, the token must not go.
        redirect: 'manual',
        signal: AbortSignal.timeout(TIMEOUT),
      });
      const problem = problemOf(response);
      if (problem) {
        await response.body?.cancel();
        return problem;
      }
      const bytes = await atMost(response, most);
      return bytes ? { ok: true, bytes, type: response.headers.get('content-type') ?? '' } : refused(tooLarge);
    } catch (error) {
      log.warn({ reason: error instanceof Error ? error.name : String(error) }, 'the bytes of a file did not come');
      return later('Slack did not send it');
    }
  }

  return async (file) => {
    const info = await infoOf(file);
    if ('ok' in info) return info;
    const kind = kindOf(info.mimetype);
    if (kind === 'other') return refused(`files of the type ${plainType(info.mimetype)} are not read here`);
    const most = kind === 'image' ? MOST_IMAGE : MOST_TEXT;
    const url = urlOf(info, most);
    if (url === undefined) return refused(info.url_private === undefined ? 'Slack does not give it' : tooLarge);
    const fetched = await bytesOf(url, most);
    if (!fetched.ok) return fetched;
    if (isSignIn(fetched, info, url))
      return refused('Slack gave its sign-in page: the app may lack the scope files:read');
    return kind === 'image' ? readImage(fetched.bytes, file.name) : readText(fetched.bytes);
  };
}

const tooLarge = 'it is too large';

/** Of an image that is too large Slack has a smaller one; no model sees more of it than that. */
function urlOf({ size = 0, url_private, thumb_1024, thumb_960, thumb_720 }: Info, most: number): string | undefined {
  return size <= most ? url_private : (thumb_1024 ?? thumb_960 ?? thumb_720);
}

function problemOf({ status, headers }: Response): Unread | undefined {
  if (status === 200) return undefined;
  if (status === 429) return later('rate limited', Math.max(1, Number(headers.get('retry-after')) || 5) * 1_000);
  if (status >= 500) return later(`HTTP ${status}`);
  if (status >= 300 && status < 400)
    return refused('Slack sends elsewhere for it: the app may lack the scope files:read');
  return refused(status === 404 ? 'it is gone' : `HTTP ${status}`);
}

/** undefined: there are more. */
async function atMost(response: Response, most: number): Promise<Buffer | undefined> {
  const parts: Uint8Array[] = [];
  let length = 0;
  // Leaving the loop cancels the rest.
  for await (const part of response.body ?? []) {
    length += part.length;
    if (length > most) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** Slack answers one who may not with 200 and a page. A page that somebody attached is as long as Slack said that it is. */
function isSignIn({ bytes, type }: { bytes: Buffer; type: string }, info: Info, url: string): boolean {
  if (!/^text\/html/i.test(type)) return false;
  return !/^text\/html/i.test(info.mimetype) || (url === info.url_private && bytes.length !== info.size);
}

function kindOf(mimetype: string): 'image' | 'text' | 'other' {
  if (/^image\/(png|jpe?g|gif|webp)$/i.test(mimetype)) return 'image';
  return /^text\/|^application\/([\w.-]*(json|xml|yaml|javascript|typescript|sql|toml|csv|sh|graphql))$|\+(json|xml|yaml)$/i.test(
    mimetype,
  )
    ? 'text'
    : 'other';
}

const plainType = (mimetype: string): string => (/^[\w.+/-]{1,100}$/.test(mimetype) ? mimetype : 'unknown');

/** The first bytes, as hex. */
const SIGNATURES: [Image['mediaType'], RegExp][] = [
  ['image/png', /^89504e470d0a1a0a/],
  ['image/jpeg', /^ffd8ff/],
  ['image/gif', /^474946383[79]61/],
  ['image/webp', /^52494646.{8}57454250/],
];

function readImage(bytes: Buffer, name: string): FileRead {
  const head = bytes.toString('hex', 0, 12);
  const mediaType = SIGNATURES.find(([, signature]) => signature.test(head))?.[0];
  if (mediaType === undefined) return refused('it is no PNG, JPEG, GIF or WebP image');
  return { ok: true, image: { name, mediaType, data: bytes.toString('base64') } };
}

/** UTF-8, UTF-16 with its mark, or what old programs write. */
function readText(bytes: Buffer): FileRead {
  const mark = bytes.toString('hex', 0, 2);
  const encoding = mark === 'fffe' ? 'utf-16le' : mark === 'feff' ? 'utf-16be' : 'utf-8';
  let text: string;
  try {
    text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    text = new TextDecoder('windows-1252').decode(bytes);
  }
  return text.includes('\0') ? refused('it is no text') : { ok: true, text };
}
