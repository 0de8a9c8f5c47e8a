/** The runs that are driven in this process, and the order in which streams of one run are opened. */
import type { AgentStream } from './chunks.ts';
import { LostRunError, RunAbortedError, releaseReason } from './errors.ts';

/** A run that is driven in this process. */
export type LiveRun = {
  readonly stream: AgentStream;
  readonly holder: string;
  /** What the drive obeys. */
  readonly control: AbortController;
  /** A caller's signal stops the run, or by its reason lets it go. */
  stopOn(signal: AbortSignal | undefined): void;
  /** Another drives it now. */
  lose(): void;
  /** No longer driven: the callers' signals are let go. */
  end(): void;
};

export type LiveRuns = {
  begin(stream: AgentStream, holder: string): LiveRun;
  get(runId: string): LiveRun | undefined;
  /**
   * The run to join: of this holder, or of any when none is given. Another holder does not join; it drives the run itself, and
   * the one before has lost it.
   */
  toJoin(runId: string, holder: string | undefined): LiveRun | undefined;
  /** Openings of one run come one after another, so that two identical calls at once end in one stream. */
  oneAtATime<T>(runId: string, open: () => Promise<T>): Promise<T>;
};

/** Only what runs: of a suspended run nothing is kept. */
export function createLiveRuns(): LiveRuns {
  const live = new Map<string, LiveRun>();
  const openings = new Map<string, Promise<void>>();
  return {
    get: (runId) => live.get(runId),
    begin(stream, holder) {
      const control = new AbortController();
      const over = new AbortController();
      const run: LiveRun = {
        stream,
        holder,
        control,
        stopOn(signal) {
          const stop = () => control.abort(stopReason(signal?.reason));
          if (signal?.aborted) stop();
          else signal?.addEventListener('abort', stop, { signal: over.signal });
        },
        lose: () => control.abort(new LostRunError(stream.runId)),
        end() {
          over.abort('over'); // with a reason: without one, each costs an exception with its stack
          if (live.get(stream.runId) === run) live.delete(stream.runId);
        },
      };
      live.set(stream.runId, run);
      return run;
    },
    toJoin(runId, holder) {
      const run = live.get(runId);
      if (!run || holder === undefined || holder === run.holder) return run;
      run.lose();
      return undefined;
    },
    async oneAtATime(runId, open) {
      const opening = (openings.get(runId) ?? Promise.resolve()).then(open);
      const done = opening.then(
        () => {},
        () => {},
      );
      openings.set(runId, done);
      try {
        return await opening;
      } finally {
        if (openings.get(runId) === done) openings.delete(runId);
      }
    },
  };
}

function stopReason(reason: unknown): unknown {
  return reason instanceof LostRunError || reason === releaseReason ? reason : new RunAbortedError();
}
