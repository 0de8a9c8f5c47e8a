/** Holds one thread from the claim to the release: do, write what came of it, do what is next; beside it, keep the lease. */
import { LostRunError, releaseReason } from '../agent/errors.ts';
import { isHolder, LEASE, LOOK_EVERY, RENEW_AFTER } from './lease.ts';
import type { Log } from './log.ts';
import type { Claim, Mailbox, Transition } from './mailbox.ts';
import type { Outcome } from './outcome.ts';
import type { Clock, Messenger } from './ports.ts';
import { withPreview, withStray } from './previewed.ts';
import { type Runner, recordPosted } from './runner.ts';
import type { ThreadRecord } from './thread.ts';

export type HolderDeps = { mailbox: Mailbox; runner: Runner; messenger: Messenger; clock: Clock; log: Log };

export type Holding = {
  /** Never rejects. */
  done: Promise<void>;
  /** Give the thread back after what is being done now. */
  release(): void;
  /** What is being done now is the agent's: break it off, to be driven on by whoever takes the thread next. */
  breakOff(): void;
  /** Give the thread back now, whatever is being done: what comes of it is recorded like any fact that somebody else brings. */
  giveBack(): Promise<void>;
};

/** `report` records a fact of a thread that is not held any more. */
export function hold(deps: HolderDeps, first: Claim, report: (fact: Transition) => Promise<void>): Holding {
  const { mailbox, runner, messenger, clock, log } = deps;
  const { thread, token } = first;
  const ended = new AbortController();
  let releasing = false;
  let until = first.stored.value.lease?.until ?? 0;
  let stretch: { runId: string; abort: AbortController } | undefined;

  /** At once, awaited by nobody: what is done next, such as the end of a stream, must not say otherwise. */
  function tell(status: 'working' | 'waiting' | 'idle', requester?: string): void {
    void messenger.status(thread, status, requester).catch(() => {});
  }

  function lost(): void {
    stretch?.abort.abort(new LostRunError(stretch.runId));
    ended.abort('lost');
  }

  /** Every second: a stop, a lost lease, a lease to renew. */
  async function watch(): Promise<void> {
    for (;;) {
      await clock.sleep(LOOK_EVERY, ended.signal);
      if (ended.signal.aborted) return;
      // A look that began before this stretch did knows nothing of it.
      const watched = stretch;
      try {
        const record = await mailbox.read(thread);
        if (ended.signal.aborted) return;
        if (!isHolder(record, token)) return lost();
        until = Math.max(until, record.lease?.until ?? 0);
        if (watched && !isWorking(record, watched.runId)) watched.abort.abort('stopped');
        const renewable = clock.now() >= until - LEASE + RENEW_AFTER;
        if (renewable && (await mailbox.renew(thread, token))) until = clock.now() + LEASE;
      } catch (error) {
        log.warn({ thread, err: error }, 'a thread that is being worked on could not be looked at');
        if (clock.now() >= until) return lost();
      }
    }
  }

  async function perform(claim: Claim): Promise<Outcome> {
    const { work } = claim;
    const { value: record } = claim.stored;
    if (work.kind !== 'drive' || !record.run) return runner.perform(claim, { signal: ended.signal, seen });
    const abort = new AbortController();
    stretch = { runId: record.run.runId, abort };
    if (releasing) abort.abort(releaseReason);
    if (ended.signal.aborted) lost();
    tell('working', record.run.requester);
    try {
      return await runner.perform(claim, { signal: abort.signal, seen });
    } finally {
      stretch = undefined;
    }
  }

  async function work(): Promise<void> {
    let claim = first;
    for (;;) {
      // Whoever was stopped for longer than the lease does nothing more: another may be at it.
      if (clock.now() >= until || ended.signal.aborted) return;
      const outcome = await perform(claim);
      if (outcome.kind === 'retired') return mailbox.remove(thread, token);
      const apply = outcome.kind === 'posted' ? recordPosted(outcome.id, outcome.ts) : outcome.apply;
      // To tidy up is no progress: a run that ends its process each time must come to its end.
      const progress = claim.work.kind !== 'remove' && claim.work.kind !== 'search';
      const next = await mailbox.advance(claim, apply, { release: releasing, progress });
      if (next === 'lost') return outcome.kind === 'posted' ? report(apply) : undefined;
      if (next === 'released') return;
      until = Math.max(until, next.stored.value.lease?.until ?? 0);
      tellAbout(claim.stored.value, next.stored.value);
      claim = next;
    }
  }

  /** A composer may be shut while a status shows, so it changes with the phase, not later. */
  function tellAbout(before: ThreadRecord, after: ThreadRecord): void {
    if (after.run?.phase.name === before.run?.phase.name) return;
    if (after.run?.phase.name === 'asking') tell('waiting');
    if (after.run?.phase.name === 'failed' || after.run?.phase.name === 'ending') tell('idle');
  }

  async function seen(ts: string): Promise<boolean> {
    if (await mailbox.note(thread, token, (record) => withPreview(record, ts))) return true;
    await report((record) => withStray(record, ts));
    return false;
  }

  /** A store that is away for a while need not cost the whole lease: when it is back, so is the thread. */
  async function falter(): Promise<void> {
    for (;;) {
      try {
        return await mailbox.falter(thread, token);
      } catch (err) {
        if (releasing || clock.now() >= until) {
          return log.error({ thread, err }, 'a thread could not be given back; its lease will run out');
        }
        await clock.sleep(LOOK_EVERY);
      }
    }
  }

  async function run(): Promise<void> {
    const watching = watch();
    try {
      // The next turn of the event loop: Slack gets the ack of what was just saved before its work makes it wait.
      await new Promise<void>((resolve) => setImmediate(resolve));
      await work();
    } catch (error) {
      if (!(error instanceof LostRunError)) log.error({ thread, err: error }, 'work on a thread broke off');
      await falter();
    } finally {
      ended.abort('over');
      await watching;
    }
  }

  return {
    done: run(),
    release() {
      releasing = true;
    },
    breakOff() {
      stretch?.abort.abort(releaseReason);
    },
    async giveBack() {
      ended.abort('given back');
      await mailbox
        .advance({ thread, token }, (record) => record, { release: true, progress: false })
        .catch((err: unknown) => {
          log.error({ thread, err }, 'a thread could not be given back; its lease will run out');
        });
    },
  };
}

function isWorking(record: ThreadRecord, runId: string): boolean {
  return record.run?.runId === runId && record.run.phase.name === 'working';
}
