/** The agent's turn: one stretch of a run, seen as it grows where that can be, and what came of it for the record. */
import type { ConversationAgent } from '../agent/conversation-agent.ts';
import { LostRunError } from '../agent/errors.ts';
import type { UserMessage } from '../agent/messages.ts';
import { brief, briefly } from './briefing.ts';
import { drive, RUN_LOST } from './drive.ts';
import type { HomeIndex } from './home-index.ts';
import { cutReply, type Limits } from './limits.ts';
import type { Log } from './log.ts';
import type { Claim, Transition } from './mailbox.ts';
import type { Clock, Messenger, QuestionId, Reader } from './ports.ts';
import { createListener } from './preview.ts';
import type { Preview, Settled } from './preview-port.ts';
import { withUnheard } from './previewed.ts';
import { failed, finished, suspended } from './run.ts';
import type { ThreadRecord } from './thread.ts';
import type { Times } from './times.ts';

export type StretchDeps = {
  agent: ConversationAgent;
  messenger: Messenger;
  reader?: Reader | undefined;
  times: Times;
  clock: Clock;
  limits: Limits;
  log: Log;
  home: Pick<HomeIndex, 'note'>;
  id(): string;
};

/** ms in which an agent that is told to end must; then it is left to itself, and the thread goes on without it. */
const DEAF_AFTER = 5_000;

/** What the holder tells its work, and is told by it. */
export type Stretching = {
  /** Ends the agent's stretch; its reason says why. */
  signal: AbortSignal;
  /** Records a message that is growing, while the thread is still held; false: it is not, and nothing more may be said. */
  seen(ts: string): Promise<boolean>;
};

export async function stretch(deps: StretchDeps, claim: Claim, { signal, seen }: Stretching): Promise<Transition> {
  const { agent, messenger, log } = deps;
  const { token } = claim;
  const { value: record } = claim.stored;
  const { run } = record;
  if (!run) return (r) => r;
  const briefing = await briefed(deps, record, signal);
  if (!briefing) return (r) => r;
  const preview = messenger.previews?.open(record.id, { requester: run.requester, record: seen });
  const { hear, text } = createListener(preview);
  try {
    const driven = drive(agent, record, run, { holder: token, signal, taken: briefing, hear, log });
    const result = await unlessDeaf(deps.clock, driven, signal);
    if (result === 'deaf') {
      log.error(
        { thread: record.id, runId: run.runId },
        'an agent did not end when it was told to; it is left to itself',
      );
      const left = await preview?.leave();
      return (r, now) => withUnheard(r, left, now);
    }
    const waits = result.status === 'suspended' || (result.status === 'failed' && result.error.retryable);
    if (waits && !signal.aborted) await deps.home.note(record);
    switch (result.status) {
      case 'finished': {
        const settled = await settle(deps, preview, text(result.text));
        // A thread never falls silent: a blank reply is posted too, and says so.
        if (settled.parts.length === 0) settled.parts.push({ text: '' });
        return (r, now) => finished(r, run.runId, settled, now);
      }
      case 'suspended': {
        const { suspensions } = result;
        const settled = await settle(deps, preview, text(result.text));
        const ids = new Map(suspensions.map((s) => [s.toolCallId, deps.id() as QuestionId]));
        const draw = (toolCallId: string) => ids.get(toolCallId) ?? (deps.id() as QuestionId);
        return (r, now) => suspended(r, run.runId, suspensions, settled, draw, now);
      }
      case 'failed': {
        const left = await preview?.leave();
        // Broken off from here: by a stop, which the record knows, or to be driven on by whoever has the thread next.
        if (signal.aborted) return (r, now) => withUnheard(r, left, now);
        const { error } = result;
        if (error.code === 'lost') throw new LostRunError(run.runId);
        // Nothing that a person could mend: it is tried again by itself, as whatever else of the store fails.
        if (error.code === 'store') throw error.cause ?? new Error(error.message);
        log.error({ thread: record.id, runId: run.runId, code: error.code, err: error.cause }, 'a run failed');
        return (r, now) => withUnheard(failed(r, run.runId, error, now), left, now);
      }
      case 'aborted': {
        const left = await preview?.leave();
        if (signal.aborted) return (r, now) => withUnheard(r, left, now);
        // Nobody here stopped it, and nothing can go on with it.
        log.error({ thread: record.id, runId: run.runId }, 'an agent ended a run by itself');
        return (r, now) => withUnheard(failed(r, run.runId, { ...RUN_LOST, retryable: false }, now), left, now);
      }
      default:
        return result satisfies never;
    }
  } catch (error) {
    await preview?.leave();
    throw error;
  }
}

/** undefined: broken off, and the agent is not to be told half of it. One that is stopped is told all the same what it was asked. */
async function briefed(
  deps: StretchDeps,
  record: ThreadRecord,
  signal: AbortSignal,
): Promise<UserMessage[] | undefined> {
  try {
    return await brief(deps, record, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    return signal.reason === 'stopped' ? briefly(deps, record) : undefined;
  }
}

async function unlessDeaf<T>(clock: Clock, work: Promise<T>, signal: AbortSignal): Promise<T | 'deaf'> {
  const over = new AbortController();
  const told = new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { signal: over.signal });
  });
  const deaf = told.then(() => clock.sleep(DEAF_AFTER, over.signal)).then(() => 'deaf' as const);
  return Promise.race([work, deaf]).finally(() => over.abort('over'));
}

/** The text as the messages that it is posted as; at least one when there is something to say. */
async function settle(
  { messenger, limits }: StretchDeps,
  preview: Preview | undefined,
  text: string,
): Promise<Settled> {
  const whole = cutReply(text, limits);
  if (preview) return preview.settle(whole);
  return { parts: whole.trim() === '' ? [] : messenger.split(whole).map((part) => ({ text: part })), strays: [] };
}
