import type { Fault, Update } from './protocol.ts';

export type Faults = ReturnType<typeof createFaults>;

/** What goes wrong on demand: the first fault whose method matches takes a call. */
export function createFaults(changed: (update: Update) => void) {
  let faults: Fault[] = [];
  const tell = () => changed({ type: 'faults', faults: [...faults] });

  return {
    list: (): Fault[] => [...faults],

    add(fault: Fault): void {
      faults = [...faults, fault];
      tell();
    },

    clear(): void {
      faults = [];
      tell();
    },

    /** The fault that hits this call, counted. */
    take(method: string, channel: string | undefined): Fault | undefined {
      const matching = faults.filter(
        (fault) =>
          (fault.method === method || fault.method === '*') &&
          (fault.channel === undefined || fault.channel === channel),
      );
      const waiting = matching.filter((fault) => (fault.after ?? 0) > 0);
      const hit = matching.find((fault) => (fault.after ?? 0) <= 0);
      if (!hit && waiting.length === 0) return undefined;
      faults = faults.flatMap((fault) => {
        if (waiting.includes(fault)) return [{ ...fault, after: (fault.after ?? 1) - 1 }];
        if (fault !== hit || fault.times === undefined) return [fault];
        return fault.times > 1 ? [{ ...fault, times: fault.times - 1 }] : [];
      });
      tell();
      return hit;
    },
  };
}
