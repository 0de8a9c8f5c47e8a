/** The use cases, over threads that any replica may hold; and the sweep, which finds what is due and nobody holds. */
import type { ConversationAgent } from '../agent/conversation-agent.ts';
import type { Addressees } from './addressees-port.ts';
import { answer, look, lookAtStep, withdraw } from './answering.ts';
import { deliver } from './deliver.ts';
import { createDirectAnswers } from './direct-answer.ts';
import type {
  AnswerRequest,
  Dispatcher,
  FeedbackRequest,
  IncomingMessage,
  Retried,
  Stopped,
} from './dispatcher-api.ts';
import { giveFeedback } from './feedback.ts';
import { type Holding, hold } from './holder.ts';
import { type Holders, strangers } from './holders.ts';
import { readHome } from './home.ts';
import { createHomeIndex, type PersonRecord } from './home-index.ts';
import { defaultLimits, type Limits } from './limits.ts';
import type { Log } from './log.ts';
import { type Claim, createMailbox, type Transition } from './mailbox.ts';
import { mayNotAnswer, type Policy } from './policy.ts';
import type {
  AtomicRecords,
  Clock,
  Messenger,
  NotAllowed,
  Person,
  Pulse,
  QuestionId,
  Reader,
  ThreadId,
} from './ports.ts';
import { BEAT, createRoom } from './room.ts';
import { gone, retried, stopped } from './run.ts';
import { createRunner } from './runner.ts';
import { createSweep } from './sweep.ts';
import { channelOf, type ThreadRecord } from './thread.ts';
import { createTimes } from './times.ts';
import type { Timing } from './work.ts';

export type DispatcherDeps = {
  records: AtomicRecords<ThreadRecord>;
  /** For Home: by `team:user`. */
  people: AtomicRecords<PersonRecord>;
  agent: ConversationAgent;
  messenger: Messenger;
  /** Default: the agent knows what was said to it and by which id, and no more. */
  reader?: Reader;
  addressees: Addressees;
  clock: Clock;
  /** A new random id at each call, not to be guessed. */
  id(): string;
  policy: Policy;
  timing: Timing;
  log: Log;
  /** Default: every lease runs its time. */
  holders?: Holders;
  /** Threads that this process works on at once; beyond, their work is left due. */
  maxRuns: number;
  /** Tells when fewer should be worked on, for acks to be in time. Default: `maxRuns` alone. */
  pulse?: Pulse;
  /** ms between two sweeps; default a second. */
  sweepEvery?: number;
  limits?: Limits;
  /** Deletes a thread's transcript when the thread leaves the store. */
  forgetThread?: (thread: ThreadId) => Promise<void>;
};

export type RunningDispatcher = Dispatcher & {
  /** Sweeps from now on. */
  start(): void;
  /**
   * Takes nothing new, and gives back what it holds: after what is being done now where the agent is not at work, else when that is
   * done or `deadline` ms have passed; and whatever hangs, a second later. Resolves when nothing is held any more.
   */
  close(deadline: number): Promise<void>;
  /** One sweep now. Rejects when the store fails. */
  sweep(): Promise<void>;
  /** When the last sweep that reached the store ended, ms since the epoch; undefined: none did. */
  sweptAt(): number | undefined;
  /** Resolves when this process holds no thread. */
  idle(): Promise<void>;
};

const SWEEP_EVERY = 1_000;
const PAGE = 100;
/** ms for work that was broken off to say how far it came. */
const LAST_WORDS = 1_000;

export function createDispatcher(deps: DispatcherDeps): RunningDispatcher {
  const { records, agent, messenger, addressees, clock, policy, timing, log, id, forgetThread } = deps;
  const limits = deps.limits ?? defaultLimits;
  const holdings = new Set<Holding>();
  const closing = new AbortController();
  let stopPulse: (() => void) | undefined;

  const room = createRoom({
    most: deps.maxRuns,
    beats: deps.pulse !== undefined,
    takeUp: (thread) => void sweep.takeUp(thread),
  });
  const holders = deps.holders ?? strangers(id);
  const mailbox = createMailbox({ records, clock, id, holders, timing, limits });
  const index = createHomeIndex({ records: deps.people, forParticipants: policy.answers !== 'requester', log });
  const runner = createRunner({
    ...{ agent, messenger, addressees, reader: deps.reader, times: createTimes(), clock, limits, log, id },
    ...{ home: index, forgetThread },
  });
  const sweep = createSweep({ records, clock, log, room, adopt });

  type Change<T> = (record: ThreadRecord | undefined, now: number) => { next: ThreadRecord | undefined; result: T };

  /** One durable change; the work that it leaves goes on here, at once or when there is room, unless somebody has the thread. */
  async function change<T>(thread: ThreadId, transition: Change<T>): Promise<T> {
    const hold = room.take();
    let claim: Claim | undefined;
    try {
      const changed = await mailbox.change(thread, transition, { hold });
      claim = changed.claim;
      if (changed.left) room.later(thread);
      return changed.result;
    } finally {
      if (claim) begin(claim);
      else if (hold) room.giveBack();
    }
  }

  function begin(claim: Claim): void {
    const { thread } = claim;
    const report = (fact: Transition) =>
      change(thread, (record, now) => ({ next: record && fact(record, now), result: undefined }));
    const holding = hold({ mailbox, runner, messenger, clock, log }, claim, report);
    holdings.add(holding);
    if (closing.signal.aborted) holding.release();
    void holding.done.then(() => {
      holdings.delete(holding);
      room.giveBack();
    });
  }

  /** Written in any case: what the store has as due may be so by settings that were changed since. */
  async function adopt(thread: ThreadId): Promise<void> {
    await change(thread, (found, now) => ({
      next: found && mailbox.isFree(found, now) ? { ...found } : found,
      result: undefined,
    }));
  }

  const direct = createDirectAnswers({ index, read: mailbox.read, change, messenger, policy, clock, log });

  function mayNotCommand(record: ThreadRecord, requester: string, by: Person): NotAllowed | undefined {
    const { participants } = record;
    return mayNotAnswer(policy, by, { channel: channelOf(record.id), requester, participants });
  }

  return {
    async receive(message: IncomingMessage) {
      const given = await direct.receive(message);
      if (given) return given;
      const { received, whisper } = await change(message.thread, (found, now) => {
        const delivered = deliver(found, message, { policy, limits }, now);
        return { next: delivered.record, result: delivered };
      });
      if (whisper) void messenger.whisper(message.thread, message.by.id, whisper);
      return received;
    },

    answer(request: AnswerRequest) {
      return change(request.thread, (found, now) => {
        const { record, answered } = answer(found, request, policy, now);
        return { next: record, result: answered };
      });
    },

    withdraw(request) {
      return change(request.thread, (found, now) => {
        const { record, answered } = withdraw(found, request, policy, now);
        return { next: record, result: answered };
      });
    },

    async look(thread: ThreadId, id: QuestionId, by: Person) {
      return look(await mailbox.read(thread), id, by, policy);
    },

    async lookAtStep(thread: ThreadId, id: QuestionId, by: Person) {
      return lookAtStep(await mailbox.read(thread), id, by, policy);
    },

    home(team: string, by: Person) {
      return readHome({ index, read: mailbox.read, policy, log }, team, by);
    },

    stop(thread: ThreadId, by: Person) {
      return change<Stopped>(thread, (found, now) => {
        const { run } = found ?? {};
        if (!found || !run || run.phase.name === 'ending')
          return { next: found, result: { status: 'nothing_to_stop' } };
        const reason = mayNotCommand(found, run.requester, by);
        if (reason) return { next: found, result: { status: 'not_allowed', reason, requester: run.requester } };
        return { next: stopped(found, by.id, now), result: { status: 'stopped' } };
      });
    },

    retry(thread: ThreadId, runId: string, by: Person) {
      return change<Retried>(thread, (found) => {
        const { run } = found ?? {};
        if (!found || run?.runId !== runId || run.phase.name !== 'failed') {
          return { next: found, result: { status: 'nothing_to_retry' } };
        }
        const reason = mayNotCommand(found, run.requester, by);
        if (reason) return { next: found, result: { status: 'not_allowed', reason, requester: run.requester } };
        return { next: retried(found), result: { status: 'retrying' } };
      });
    },

    async feedback(request: FeedbackRequest) {
      const { thread, runId, by, is } = request;
      const given = await change(thread, (found, now) => {
        const { record, given } = giveFeedback(found, request, policy, now);
        return { next: record, result: given };
      });
      if (given.status === 'accepted') log.info({ thread, runId, by: by.id, feedback: is }, 'feedback on a reply');
      return given;
    },

    async uninstalled(team: string) {
      let after: string | undefined;
      for (;;) {
        const page = await records.list(`${team}:`, after, PAGE);
        for (const key of page) {
          await change(key as ThreadId, (found, now) => ({ next: found && gone(found, now), result: undefined })).catch(
            (err: unknown) => log.error({ thread: key, err }, 'a thread of a workspace that is gone stays open'),
          );
        }
        after = page.at(-1);
        if (page.length < PAGE) return;
      }
    },

    start() {
      stopPulse = deps.pulse?.(BEAT, room.beat);
      void sweep.run(deps.sweepEvery ?? SWEEP_EVERY, closing.signal);
    },
    sweep: sweep.once,
    sweptAt: sweep.at,

    async close(deadline: number) {
      closing.abort('closing');
      room.close();
      stopPulse?.();
      for (const holding of holdings) holding.release();
      const over = new AbortController();
      const done = Promise.all([...holdings].map((holding) => holding.done)).then(() => true);
      const doneWithin = (ms: number) => Promise.race([done, clock.sleep(ms, over.signal).then(() => false)]);
      if (!(await doneWithin(deadline))) {
        for (const holding of holdings) holding.breakOff();
        if (!(await doneWithin(LAST_WORDS))) await Promise.all([...holdings].map((holding) => holding.giveBack()));
      }
      over.abort();
    },

    async idle() {
      while (holdings.size > 0) await Promise.all([...holdings].map((holding) => holding.done));
    },
  };
}
