import type { Snapshot, Update } from './protocol.ts';

export type WaitOptions = {
  timeoutMs?: number;
  /** What is waited for, in words, for the error. */
  what?: string;
};

/** Who watches the workspace: subscribers, and those that wait for a state. */
export function createObservers(state: () => Snapshot) {
  const subscribers = new Set<(update: Update) => void>();

  return {
    tell(update: Update): void {
      for (const subscriber of subscribers) subscriber(update);
    },

    /** The answer ends it. */
    subscribe(fn: (update: Update) => void): () => void {
      subscribers.add(fn);
      return () => subscribers.delete(fn);
    },

    /**
     * Resolves with what `predicate` answers, once that is not undefined, null or false. Rejects after `timeoutMs` (10 s unless told) with what was
     * waited for and what the last warnings were.
     */
    wait<T>(
      predicate: (state: Snapshot) => T | undefined | null | false,
      { timeoutMs = 10_000, what = 'the state' }: WaitOptions = {},
    ): Promise<T> {
      return new Promise((resolve, reject) => {
        let scheduled = false;
        const over = () => {
          clearTimeout(timer);
          subscribers.delete(look);
        };
        const check = () => {
          scheduled = false;
          try {
            const found = predicate(state());
            if (found === undefined || found === null || found === false) return;
            over();
            resolve(found);
          } catch (error) {
            over();
            reject(error);
          }
        };
        // Many changes come in one tick: one look at the end of it is enough.
        const look = () => {
          if (scheduled) return;
          scheduled = true;
          setImmediate(check);
        };
        const timer = setTimeout(() => {
          over();
          reject(new Error(`Waited ${timeoutMs} ms for ${what}, in vain.${recent(state())}`));
        }, timeoutMs);
        subscribers.add(look);
        check();
      });
    },
  };
}

function recent(state: Snapshot): string {
  const warnings = state.traffic.filter((line) => line.warning).slice(-5);
  const traffic = state.traffic.slice(-8).map((line) => `${line.kind} ${line.title}`);
  return [
    `\nLast traffic: ${traffic.join(', ') || 'none'}`,
    ...warnings.map((line) => `\nWarning: ${line.title}: ${line.warning}`),
    ...state.bot.log.slice(-10).map((line) => `\nBot: ${line}`),
  ].join('');
}
