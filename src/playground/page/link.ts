/** The line to the playground's server: the live socket, which comes back by itself, and the posting of actions. */
import type { Action, Done, Update } from '../protocol.ts';

const RETRY_MS = [200, 500, 1000, 2000];

/** Calls `onUpdate` for each update; the server begins every connection with a snapshot. Returns how to hang up. */
export function listen(onUpdate: (update: Update) => void, onOpen: (open: boolean) => void): () => void {
  let socket: WebSocket | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  let ended = false;
  const connect = (): void => {
    socket = new WebSocket(`${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/playground/live`);
    socket.onopen = () => {
      failures = 0;
      onOpen(true);
    };
    socket.onmessage = (event) => onUpdate(JSON.parse(String(event.data)));
    socket.onclose = () => {
      onOpen(false);
      if (ended) return;
      timer = setTimeout(connect, RETRY_MS[Math.min(failures, RETRY_MS.length - 1)]);
      failures += 1;
    };
  };
  connect();
  return () => {
    ended = true;
    clearTimeout(timer);
    socket?.close();
  };
}

/** Never rejects: a server that is away is an answer too, in words. */
export async function post(action: Action): Promise<Done> {
  try {
    const response = await fetch('/playground/do', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(action),
    });
    const text = await response.text();
    try {
      return JSON.parse(text);
    } catch {
      return { ok: false, error: `The playground answered ${response.status}: ${text.slice(0, 200)}` };
    }
  } catch {
    return { ok: false, error: 'The playground cannot be reached. Is it still running?' };
  }
}
