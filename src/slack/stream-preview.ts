/** One stretch of a run as it grows in its thread: streams one after another, each fed in order and no faster than Slack likes. */
import type { AnyChunk } from '@slack/types';
import type { Clock } from '../thread/ports.ts';
import type { Preview, Settled, Task } from '../thread/preview-port.ts';
import { oneLine, shorten } from './cut.ts';
import type { Log } from './log.ts';
import { closing } from './markdown-end.ts';
import type { Place, StreamCalls } from './stream-calls.ts';
import { growing, sectionEnd } from './stream-text.ts';
import { harmless, splitReply } from './text.ts';

/** A message that began as a stream, and what of its text certainly is in it. */
export type Shown = { ts: string; text: string; since: number; state: 'open' | 'whole' | 'broken' };

/** ms from the first word to the stream: what is said within them is posted at once, with one call. */
const START_AFTER = 1_000;
/** Slack ends a stream 300 s after its start. From here the next paragraph begins a message; then it ends in any case. */
const ROLL_AFTER = 240_000;
const END_AFTER = 280_000;
/** What a reply has beyond so many messages is not seen growing. */
const MOST_MESSAGES = 5;
/** Why a wait is cut short: without a reason, each costs an exception with its stack. */
const OVER = 'over';
/** Slack's limit of a task's title. */
const TITLE = 256;
/** The id of a message that was a stream and is no post: it is found by nothing, and is not among those never heard of. */
export const LEFT = 'left';

export type PreviewParts = {
  calls: StreamCalls;
  clock: Clock;
  log: Log;
  place: Place;
  recipient: { user: string; team: string };
  /** See `Previews.open`. */
  record(ts: string): Promise<boolean>;
  /** A stream that is still open at the end: `owed`, what it has not been told yet of tasks. */
  keep(shown: Shown, owed: AnyChunk[]): void;
};

export function openPreview({ calls, clock, log, place, recipient, record, keep }: PreviewParts): Preview {
  /** The text in sections: what had to go on in a new message, though the one before had room. The last one grows. */
  const sections: string[] = [];
  let said = '';
  const tasks = new Map<string, Task & { told: Task['status'] | undefined }>();
  /** Messages with text, in order; only the last may be open. */
  const shown: Shown[] = [];
  /** An open stream in which there are tasks only. */
  let bare: Shown | undefined;
  let unheard: number | undefined;

  const over = new AbortController();
  let wake = new AbortController();
  let pumping: Promise<void> | undefined;
  let nextAt = 0;

  function changed(): void {
    if (over.signal.aborted) return;
    wake.abort(OVER);
    if (pumping !== undefined) return;
    nextAt = clock.now() + START_AFTER;
    pumping = pump();
  }

  async function pump(): Promise<void> {
    while (!over.signal.aborted) {
      wake = new AbortController();
      try {
        const wait = nextAt - clock.now();
        if (wait > 0) await clock.sleep(wait, over.signal);
        if (over.signal.aborted) return;
        const { signal } = wake;
        await turn();
        if (over.signal.aborted) return;
        nextAt = clock.now() + calls.interval();
        const stream = current();
        // Until more is said; a stream must not be forgotten over that.
        await clock.sleep(stream ? Math.max(0, stream.since + ROLL_AFTER - clock.now()) : ROLL_AFTER, signal);
      } catch (err) {
        log.error({ thread: place.thread, err }, 'a preview broke off');
        over.abort(OVER);
      }
    }
  }

  const current = (): Shown | undefined => bare ?? shown.findLast(({ state }) => state === 'open');

  const sectionMessages = (): string[] => sections.flatMap((section) => splitReply(section));

  /** Texts of the messages so far: those that are whole, then the one that grows. */
  function messages(): { whole: string[]; open: string } {
    const now = growing(said);
    return { whole: [...sectionMessages().map(harmless), ...now.whole], open: now.open };
  }

  function taskChunks(): AnyChunk[] {
    const news = [...tasks.values()].filter(({ status, told }) => status !== told);
    return news.map(({ id, title, status }) => ({
      type: 'task_update',
      id,
      title: shorten(oneLine(harmless(title)), TITLE),
      status,
    }));
  }

  function told(chunks: AnyChunk[]): void {
    for (const chunk of chunks) {
      const task = chunk.type === 'task_update' ? tasks.get(chunk.id) : undefined;
      if (task && chunk.type === 'task_update') task.told = chunk.status;
    }
  }

  /** One call, or none. */
  async function turn(): Promise<void> {
    const stream = current();
    const { whole, open } = messages();
    const index = shown.length - (stream && stream !== bare ? 1 : 0);
    const target = whole[index] ?? open;
    const news = taskChunks();
    if (!stream) {
      if (target !== '' || news.length > 0) await start(target, news);
      return;
    }
    if (!target.startsWith(stream.text)) {
      // What was said reads otherwise now, by the neutralising or the splitting: the end edits the message.
      if (whole[index] !== undefined || !stream.text.startsWith(target)) await giveUp(stream);
      return;
    }
    const age = clock.now() - stream.since;
    if (whole[index] !== undefined) return end(stream, target, news);
    if (age >= ROLL_AFTER) {
      if (stream === bare) return leaveBare(stream, news);
      const at = sectionEnd(said, index - sectionMessages().length, stream.text);
      if (at !== undefined) {
        sections.push(said.slice(0, at));
        said = said.slice(at);
        return end(stream, messages().whole[index] ?? '', news);
      }
      if (age >= END_AFTER) return void (await giveUp(stream));
    }
    if (target.length === stream.text.length && news.length === 0) return;
    await append(stream, target, news);
  }

  async function start(text: string, news: AnyChunk[]): Promise<void> {
    if (shown.length >= MOST_MESSAGES) return over.abort(OVER);
    const since = clock.now();
    const done = await calls.start(place, recipient, [...news, ...markdownChunk(text)]);
    if (done.ok) {
      const stream: Shown = { ts: done.ts, text, since, state: 'open' };
      if (text === '') bare = stream;
      else shown.push(stream);
      told(news);
      calls.opened();
      // Nothing is added to a message that nobody would find after a crash.
      if (!(await record(done.ts))) over.abort(OVER);
      return;
    }
    if (done.error === 'later') nextAt = clock.now() + done.retryAfter;
    else over.abort(OVER);
    if (done.error === 'ambiguous') unheard = since;
    if (done.error === 'later') await clock.sleep(done.retryAfter, over.signal);
  }

  async function append(stream: Shown, target: string, news: AnyChunk[]): Promise<void> {
    const done = await calls.append(place, stream.ts, [...news, ...markdownChunk(target.slice(stream.text.length))]);
    if (done.ok) return grown(stream, target, news);
    // Told once more by the next turn, which waits as long as Slack said.
    if (done.error === 'later') wake.abort(OVER);
    else broken(stream);
  }

  /** The message is complete; the next text goes into a new one. */
  async function end(stream: Shown, target: string, news: AnyChunk[]): Promise<void> {
    if (!target.startsWith(stream.text)) return void (await giveUp(stream));
    const chunks = [...news, ...markdownChunk(target.slice(stream.text.length))];
    const done = await calls.stop(place, stream.ts, chunks, LEFT);
    if (done.ok) {
      grown(stream, target, news);
      close(stream, 'whole');
      wake.abort(OVER);
    } else if (done.error === 'later') await clock.sleep(done.retryAfter, over.signal).then(() => wake.abort(OVER));
    else broken(stream);
  }

  function grown(stream: Shown, text: string, news: AnyChunk[]): void {
    if (stream === bare && text !== '') {
      shown.push(stream);
      bare = undefined;
    }
    stream.text = text;
    told(news);
  }

  function close(stream: Shown, state: 'whole' | 'broken'): void {
    if (stream.state === 'open') calls.closed();
    stream.state = state;
  }

  /** Nobody knows what is in it, or it takes no more: the end edits it, and nothing grows until then. */
  function broken(stream: Shown): void {
    close(stream, 'broken');
    over.abort(OVER);
  }

  /** false: the stream did not take its end. */
  async function giveUp(stream: Shown, news: AnyChunk[] = []): Promise<boolean> {
    const { ok } = await calls.stop(place, stream.ts, news, LEFT);
    broken(stream);
    return ok;
  }

  /** Only tasks, and its time is over: it stays as it is. */
  async function leaveBare(stream: Shown, news: AnyChunk[]): Promise<void> {
    await calls.stop(place, stream.ts, news, LEFT);
    told(news);
    bare = undefined;
    close(stream, 'whole');
  }

  async function quiet(): Promise<void> {
    over.abort(OVER);
    wake.abort(OVER);
    await pumping;
  }

  const heard = (): Pick<Settled, 'unheard'> => (unheard === undefined ? {} : { unheard });

  return {
    say(text) {
      if (text === '') return;
      said += text;
      changed();
    },
    task(task) {
      tasks.set(task.id, { ...task, told: tasks.get(task.id)?.told });
      changed();
    },

    async settle(text) {
      await quiet();
      const parts = partsOf(text, sections).map((part) => ({ text: part }));
      if (bare && shown.length < parts.length) {
        shown.push(bare);
        bare = undefined;
      }
      if (bare) await leaveBare(bare, taskChunks());
      const strays = shown.splice(parts.length);
      for (const stream of strays) close(stream, 'broken');
      for (const stream of shown) if (stream.state === 'open') keep(stream, taskChunks());
      return {
        parts: parts.map((part, index) => {
          const { ts, text: seen, state } = shown[index] ?? {};
          if (ts === undefined) return part;
          return { ...part, preview: { ts, whole: state === 'whole' && seen === harmless(part.text) } };
        }),
        strays: strays.map(({ ts }) => ts),
        ...heard(),
      };
    },

    async leave() {
      await quiet();
      const stream = current();
      for (const task of tasks.values()) if (task.status === 'in_progress') task.status = 'error';
      const last = bare ? undefined : shown.at(-1);
      const rest = last && last.state !== 'whole' ? closing(last.text) : '';
      const closed = stream && (await giveUp(stream, [...taskChunks(), ...markdownChunk(rest)]));
      // One that was over already: by whoever stopped it, or by its time.
      if (!closed && last && rest !== '') await calls.edit(place, last.ts, last.text + rest, LEFT);
      return heard();
    },
  };
}

export function markdownChunk(text: string): AnyChunk[] {
  return text === '' ? [] : [{ type: 'markdown_text', text }];
}

/** The text as messages, with an end after each section of it. */
function partsOf(text: string, sections: string[]): string[] {
  if (text.trim() === '') return [];
  const before = sections.join('');
  if (text.startsWith(before)) {
    const rest = text.slice(before.length);
    return [...sections.flatMap((section) => splitReply(section)), ...(rest.trim() === '' ? [] : splitReply(rest))];
  }
  return before.trimEnd() === text.trimEnd() ? sections.flatMap((section) => splitReply(section)) : splitReply(text);
}
