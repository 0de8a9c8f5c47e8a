import type { Clock, Windows } from './clock.ts';
import type { Ids } from './ids.ts';

export type Trigger = { user: string /** Issued by an action inside this view. */; view?: string };
type Issued = Trigger & { at: number; used: boolean };

export type Triggers = ReturnType<typeof createTriggers>;

/** trigger_ids: 3 s, once. */
export function createTriggers(clock: Clock, windows: Windows, ids: Ids) {
  const issued = new Map<string, Issued>();
  let count = 0;

  return {
    issue(trigger: Trigger): string {
      count += 1;
      const id = `${1_000_000_000_000 + count}.${4_000_000_000_000 + count}.${ids.hex(32)}`;
      issued.set(id, { ...trigger, at: clock.now(), used: false });
      for (const old of issued.keys()) {
        if (issued.size <= 5_000) break;
        issued.delete(old);
      }
      return id;
    },

    redeem(id: string): Trigger | 'invalid_trigger_id' | 'exchanged_trigger_id' | 'expired_trigger_id' {
      const trigger = issued.get(id);
      if (!trigger) return 'invalid_trigger_id';
      if (trigger.used) return 'exchanged_trigger_id';
      if (clock.now() - trigger.at > windows.trigger) return 'expired_trigger_id';
      trigger.used = true;
      return trigger;
    },
  };
}
