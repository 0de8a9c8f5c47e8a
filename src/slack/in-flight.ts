/** Work that has begun and that a shutdown waits for. */
export type InFlight = {
  /** The promise itself: its failure stays with whoever awaits it. */
  track<T>(work: Promise<T>): Promise<T>;
  /** Resolves when nothing is in flight. */
  settled(): Promise<void>;
};

export function createInFlight(): InFlight {
  const running = new Set<Promise<unknown>>();
  return {
    track(work) {
      running.add(work);
      const done = () => void running.delete(work);
      work.then(done, done);
      return work;
    },
    async settled() {
      while (running.size > 0) await Promise.allSettled(running);
    },
  };
}
