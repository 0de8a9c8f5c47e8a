/**
 * What `thread/` needs of an agent: the interface of Mastra's Agent as far as the seeds use it, so that an agent that a
 * team already has plugs in where ours does.
 */
import type { AgentStream } from './chunks.ts';
import type { UserMessage } from './messages.ts';
import type { Answer, Settlement } from './question.ts';

export type StreamOptions = {
  /**
   * Drawn by the caller, or by the agent when absent. Of a run that exists: continues that run (re-entrant), which takes the
   * messages whose ids it has not taken.
   */
  runId?: string;
  /** `thread` keeps one transcript; runs of one thread come one after another. `resource` is the person or tenant. */
  memory?: { thread: string; resource?: string };
  /** Who drives the run; written into the run, and whoever finds another's token there stops. Default: drawn. */
  holder?: string;
  signal?: AbortSignal;
};

export type ResumeOptions = {
  runId: string;
  /** May be left out while exactly one question of the run is open. */
  toolCallId?: string;
  /** Messages said since the run was suspended; the model reads them after the answers. Taken once by their id. */
  messages?: UserMessage[];
  holder?: string;
  signal?: AbortSignal;
};

export interface ConversationAgent {
  readonly id: string;
  readonly name: string;
  stream(input: string | UserMessage[], options?: StreamOptions): Promise<AgentStream>;
  /**
   * An answer is checked against the question and refused with an `InvalidAnswerError` that leaves the question open; a
   * settlement is never refused. The same again converges; a different one is an `AlreadySettledError`; a run that does not
   * exist an `UnknownRunError`.
   */
  resumeStream(answer: Answer | Settlement, options: ResumeOptions): Promise<AgentStream>;
  /** The run is over for the caller (its reply was delivered, or it was given up): its record goes, its transcript stays. */
  forget?(runId: string): Promise<void>;
  /**
   * End a run that is not driven now (suspended or failed): open calls get results, the transcript keeps what was said. A
   * question ends as `settled` says, by its toolCallId; one that it does not name is cancelled.
   */
  abandon?(runId: string, options?: { holder?: string; settled?: Record<string, Settlement> }): Promise<void>;
}
