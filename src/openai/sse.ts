/**
 * Reads the body of an answer: events of a stream, or one JSON document from a server that does not stream although asked to.
 * The client's own decoder cannot be used: it hides keep-alive comments (which show that the server lives), whether `[DONE]` came
 * (without which a cut answer looks whole), and a body that is no event stream at all.
 */

/** `done`: the server said that the stream is over. `document`: a body that is not a stream. */
export type BodyEvent =
  | { type: 'data'; data: string; event?: string }
  | { type: 'done' }
  | { type: 'document'; text: string };

/** Waits for something of the server; throws when that takes too long (longer than `ms`, if given) or the call is aborted. */
export type Watch = <T>(wait: Promise<T>, ms?: number) => Promise<T>;

/** Ends with the body; throws what reading it or `watch` throws. */
export async function* readBody(body: ReadableStream<Uint8Array>, watch: Watch): AsyncGenerator<BodyEvent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const lines = splitter();
  let head = '';
  let kind: 'unknown' | 'events' | 'document' = 'unknown';
  try {
    for (;;) {
      const { done, value } = await watch(reader.read());
      const text = done ? decoder.decode() : decoder.decode(value, { stream: true });
      if (kind === 'events') yield* lines(text);
      else {
        head += text;
        if (kind === 'unknown') kind = kindOf(head);
        if (kind === 'events') yield* lines(head);
      }
      if (done) break;
    }
    if (kind === 'events') yield* lines('\n\n');
    else if (head.trim() !== '') yield { type: 'document', text: head };
  } finally {
    // Without waiting: a body that hangs hangs its cancellation too.
    reader.cancel().catch(() => undefined);
  }
}

/** By what it begins with, since content types are wrong as often as not. */
function kindOf(head: string): 'unknown' | 'events' | 'document' {
  const first = head.trimStart()[0];
  if (first === undefined) return 'unknown';
  return '{[<"'.includes(first) ? 'document' : 'events';
}

/** Turns text, split anywhere, into events (the rules of the HTML standard's event streams, as far as they matter here). */
function splitter(): (text: string) => Generator<BodyEvent> {
  let rest = '';
  let data: string[] = [];
  let event = '';
  return function* split(text) {
    rest += text;
    const parts = rest.split(/\r\n|\n|\r(?!$)/);
    rest = parts.pop() ?? '';
    for (const line of parts) {
      if (line === '') {
        yield* flush();
        continue;
      }
      const [, field = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
      if (field === 'event') event = value;
      if (field !== 'data') continue;
      // Some servers put no blank line between events: a data line that completes JSON is an event.
      if (data.length > 0 && isWhole(data.join('\n'))) yield* flush();
      data.push(value);
    }
  };

  function* flush(): Generator<BodyEvent> {
    const text = data.join('\n').trim();
    const named = event;
    data = [];
    event = '';
    if (text === '[DONE]') yield { type: 'done' };
    else if (text !== '') yield { type: 'data', data: text, ...(named && { event: named }) };
  }
}

function isWhole(text: string): boolean {
  if (text.trim() === '[DONE]') return true;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
