import type { Clock } from './clock.ts';
import type { Traffic, Update } from './protocol.ts';

/** The inspector shows the last so many lines. */
const KEPT = 1_000;

export type TrafficLog = ReturnType<typeof createTraffic>;

/** What passes between the bot and the workspace, line by line; the misbehaviour of the bot is a `warning`. */
export function createTraffic(clock: Clock, changed: (update: Update) => void) {
  const lines: Traffic[] = [];
  let count = 0;

  function log(line: Omit<Traffic, 'id' | 'at'>): void {
    count += 1;
    const traffic = { id: count, at: clock.now(), ...line };
    lines.push(traffic);
    if (lines.length > KEPT) lines.splice(0, lines.length - KEPT);
    changed({ type: 'traffic', traffic });
  }

  return {
    log,
    /** A line that is only a warning. */
    warn(kind: Traffic['kind'], title: string, warning: string): void {
      log({ kind, title, ok: false, warning });
    },
    lines: (): readonly Traffic[] => lines,
  };
}
