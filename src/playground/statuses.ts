import type { Clock, Windows } from './clock.ts';
import type { Workspace } from './workspace.ts';

export const sessionStates = ['active', 'processing', 'suspended', 'closed'];

export type Statuses = ReturnType<typeof createStatuses>;

/** "is thinking…" under a thread, gone with the app's next message there or by itself; and the state of an agent's session. */
export function createStatuses(ws: Workspace, clock: Clock, windows: Windows) {
  const timers = new Map<string, () => void>();
  const key = (channel: string, thread: string) => `${channel}:${thread}`;

  function set(channel: string, thread_ts: string, status: string): void {
    const at = key(channel, thread_ts);
    timers.get(at)?.();
    timers.delete(at);
    const session = ws.statuses.get(at)?.session;
    const kept = { channel, thread_ts, status, ...(session === undefined ? {} : { session }) };
    if (status === '') {
      ws.setStatus(kept);
      return;
    }
    ws.setStatus({ ...kept, until: clock.now() + windows.status });
    timers.set(
      at,
      clock.after(windows.status, () => set(channel, thread_ts, '')),
    );
  }

  return {
    set,

    /** The app wrote into the thread: its status is over. */
    answered(channel: string, thread_ts: string): void {
      const status = ws.statuses.get(key(channel, thread_ts));
      if (status && status.status !== '') set(channel, thread_ts, '');
    },

    setSession(channel: string, thread_ts: string, session: string): void {
      const { session: _, ...old } = ws.statuses.get(key(channel, thread_ts)) ?? { channel, thread_ts, status: '' };
      ws.setStatus(session === 'closed' ? old : { ...old, session });
    },

    close(): void {
      for (const cancel of timers.values()) cancel();
    },
  };
}
