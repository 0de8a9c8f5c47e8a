/** What people attached, as far as the agent can read it: within limits, the most wanted first. */
import { cutTo, type Limits } from './limits.ts';
import type { Log } from './log.ts';
import { persistently } from './persistently.ts';
import type { Clock, FileRead, Reader } from './ports.ts';
import type { FileRef } from './thread.ts';

/** By id; what is not there was not read, because there are too many. Rejects with the signal's reason when that aborts. */
export async function readFiles(
  { clock, limits, log }: { clock: Clock; limits: Limits; log: Log },
  reader: Reader,
  wanted: readonly FileRef[],
  signal: AbortSignal,
): Promise<Map<string, FileRead>> {
  const files = [...new Map(wanted.map((file) => [file.id, file])).values()].slice(0, limits.files);
  const reads = await Promise.all(
    files.map(async (file) => {
      const read = await persistently<Extract<FileRead, { ok: true }>>(clock, signal, () => reader.file(file));
      if (!read.ok) log.warn({ file: file.id, reason: read.reason }, 'a file is not read');
      return [file.id, read] as const;
    }),
  );
  return new Map(withinLimits(reads, limits));
}

function withinLimits(reads: (readonly [string, FileRead])[], limits: Limits): (readonly [string, FileRead])[] {
  let images = 0;
  let chars = 0;
  return reads.map(([id, read]) => {
    if (!read.ok) return [id, read];
    if ('image' in read) {
      images += 1;
      return [id, images <= limits.images ? read : refused(`no more than ${limits.images} images are shown at once`)];
    }
    const room = limits.fileChars - chars;
    if (room < LEAST) return [id, refused('there is no room for it beside the others')];
    const text = cutTo(read.text, Math.min(room, limits.messageChars), 'file');
    chars += text.length;
    return [id, { ok: true, text }];
  });
}

/** Of less of a file than this a model makes nothing. */
const LEAST = 200;

const refused = (reason: string): FileRead => ({ ok: false, error: 'refused', reason });
