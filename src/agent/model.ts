/** Port: what the loop needs of a model. The loop knows no vendor and no wire format. */
import type { FinishReason, Usage } from './chunks.ts';
import type { Message } from './messages.ts';

/** A tool as the model is told of it. `parameters` is a JSON Schema. */
export type ToolSpec = { name: string; description: string; parameters: Record<string, unknown> };

export type ModelRequest = { system: string; messages: Message[]; tools: ToolSpec[]; signal: AbortSignal };

/** Deltas of text as they come; each tool call whole, once. `id` may be missing or repeated: the loop makes ids unique. */
export type ModelChunk =
  | { type: 'text-delta'; text: string }
  | { type: 'tool-call'; id?: string; name: string; arguments: string }
  | { type: 'finish'; finishReason: Extract<FinishReason, 'stop' | 'length' | 'content_filter'>; usage?: Usage };

export interface Model {
  /** false: it cannot be shown images, and is told of them in words. */
  readonly seesImages?: boolean;
  /**
   * One call. Ends with one `finish` chunk, or throws a `ModelError`. Never retries once a chunk was yielded. An empty
   * answer (no text, no tool call) is a `ModelError` too.
   */
  stream(request: ModelRequest): AsyncIterable<ModelChunk>;
}

export type ModelErrorCode =
  | 'rate_limited'
  | 'quota'
  | 'auth'
  | 'not_found'
  | 'context_too_long'
  | 'bad_request'
  | 'refused'
  | 'empty'
  | 'bad_response'
  | 'server'
  | 'network'
  | 'timeout';

/** `message` is a sentence that a person in the thread may read; the vendor's own words go to `cause`, for the log. */
export class ModelError extends Error {
  override readonly name = 'ModelError';
  readonly code: ModelErrorCode;
  readonly retryable: boolean;
  constructor(code: ModelErrorCode, message: string, options: { retryable: boolean; cause?: unknown }) {
    super(message, { cause: options.cause });
    this.code = code;
    this.retryable = options.retryable;
  }
}
