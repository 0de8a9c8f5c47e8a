import type { Clock, Windows } from './clock.ts';
import { filledIn } from './fill-in.ts';
import type { Ids } from './ids.ts';
import { isObject, listOr, stringOr } from './json.ts';
import type { Block, Json, PlaygroundMessage } from './protocol.ts';
import { checkChunks, described } from './validator/payloads.ts';
import type { StoredMessage, Workspace } from './workspace.ts';

type Open = { state: 'open' | 'stopped' | 'expired' | 'stopped_by_user'; cancel(): void };
type Task = NonNullable<PlaygroundMessage['tasks']>[number];

/** About so many characters fit one streamed message (observed: 10,000 to 12,000). */
const MOST_CHARACTERS = 12_000;
const MOST_BLOCKS = 50;

export type ChunkRefusal = { error: string; errors?: string[] };

export type Streams = ReturnType<typeof createStreams>;

/** The state of streamed messages: open for 300 s from their start, whatever is appended. */
export function createStreams(ws: Workspace, clock: Clock, windows: Windows, ids: Ids) {
  const streams = new Map<string, Open>();
  const key = (message: StoredMessage) => `${message.channel}:${message.ts}`;

  function close(message: StoredMessage, state: Open['state']): void {
    const stream = streams.get(key(message));
    if (stream?.state !== 'open') return;
    stream.state = state;
    stream.cancel();
    const current = ws.find(message.channel, message.ts);
    if (!current) return;
    const { streaming: _, ...rest } = current;
    ws.replace(rest);
  }

  return {
    begin(message: StoredMessage): void {
      const cancel = clock.after(windows.stream, () => close(message, 'expired'));
      streams.set(key(message), { state: 'open', cancel });
    },

    stateOf: (message: StoredMessage): Open['state'] | undefined => streams.get(key(message))?.state,

    end: (message: StoredMessage) => close(message, 'stopped'),

    /** The Stop button: ends what streams in a thread, and answers which messages those were. */
    stopByUser(channel: string, thread: string): string[] {
      const open = ws.thread(channel, thread).filter((message) => message.streaming);
      for (const message of open) close(message, 'stopped_by_user');
      return open.map((message) => message.ts);
    },

    forget(message: StoredMessage): void {
      streams.get(key(message))?.cancel();
      streams.delete(key(message));
    },

    /** The message with more of a stream in it: text, tasks (title and status replace, details and output append), blocks. */
    appended(
      message: StoredMessage,
      markdown: Json | undefined,
      chunks: Json | undefined,
    ): StoredMessage | ChunkRefusal {
      const problems = chunks === undefined ? [] : checkChunks(chunks);
      if (problems.length > 0) return { error: 'invalid_chunks', errors: described(problems) };
      let now = message;
      if (typeof markdown === 'string') now = { ...now, text: now.text + markdown };
      for (const chunk of listOr(chunks).filter(isObject)) {
        if (chunk.type === 'markdown_text') now = { ...now, text: now.text + stringOr(chunk.text) };
        else if (chunk.type === 'plan_update') now = { ...now, plan: stringOr(chunk.title) };
        else if (chunk.type === 'blocks') {
          now = { ...now, blocks: [...(now.blocks ?? []), ...filledIn(chunk.blocks ?? [], ids)] };
        } else {
          const known = now.tasks?.find((task) => task.id === chunk.id);
          const task = updatedTask(known, chunk);
          const tasks = known
            ? (now.tasks ?? []).map((entry) => (entry === known ? task : entry))
            : [...(now.tasks ?? []), task];
          now = { ...now, tasks };
        }
      }
      if (now.text.length > MOST_CHARACTERS) return { error: 'msg_too_long' };
      if ((now.blocks ?? []).length > MOST_BLOCKS) return { error: 'msg_blocks_too_many' };
      return withText(now);
    },

    close(): void {
      for (const stream of streams.values()) stream.cancel();
    },
  };

  /** What was streamed is Markdown: it stands as a markdown block before the others. */
  function withText(message: StoredMessage): StoredMessage {
    const others = (message.blocks ?? []).filter((block) => block.block_id !== 'stream');
    const own: Block[] = message.text === '' ? [] : [{ type: 'markdown', block_id: 'stream', text: message.text }];
    return { ...message, blocks: [...own, ...others] };
  }
}

function updatedTask(old: Task | undefined, chunk: { [key: string]: Json }): Task {
  const task: Task = {
    id: stringOr(chunk.id),
    title: stringOr(chunk.title, old?.title ?? ''),
    status: stringOr(chunk.status, old?.status ?? 'pending'),
  };
  for (const field of ['details', 'output'] as const) {
    const whole = (old?.[field] ?? '') + stringOr(chunk[field]);
    if (whole !== '') task[field] = whole;
  }
  return task;
}
