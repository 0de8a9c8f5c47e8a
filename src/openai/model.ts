/** The Model port on the `openai` client: Chat Completions, streaming, any base URL. */
import OpenAI from 'openai';
import type { Model, ModelChunk } from '../agent/model.ts';
import { readAnswer } from './answer.ts';
import { CallFailed, keepWords, toFailure } from './errors.ts';
import type { Watch } from './sse.ts';
import { toBody } from './wire.ts';

export type OpenaiSettings = {
  apiKey: string;
  /** Ends in `/v1` for most servers. Default: OpenAI's own. */
  baseURL?: string;
  model: string;
  /** Further attempts before the first chunk, when one can help (429, 5xx, network). Default 2. */
  maxRetries?: number;
  /** ms without anything from the server (before the answer and within it). Default 4 minutes. */
  timeoutMs?: number;
  /** ms before the first further attempt where the server names no time; doubles with each. Default 500. */
  backoffMs?: number;
  /** false: the model reads text alone. */
  seesImages?: boolean;
  fetch?: typeof fetch;
  /** Further fields of the request, as the server knows them. Nothing optional is sent that is not here. */
  extra?: Readonly<Record<string, unknown>>;
};

/** A person waits: who asks for more than this is told to come back rather than kept waiting. */
const LONGEST_WAIT_MS = 30_000;

/** See the port. A call whose signal aborts throws the signal's reason, promptly. */
export function openaiModel(settings: OpenaiSettings): Model {
  const { maxRetries = 2, timeoutMs = 240_000, backoffMs = 500, extra = {} } = settings;
  const client = new OpenAI({
    apiKey: settings.apiKey,
    baseURL: settings.baseURL ?? 'https://api.openai.com/v1',
    // All that the client would otherwise take from the environment by itself.
    organization: null,
    project: null,
    adminAPIKey: null,
    logLevel: 'off',
    // Retries are ours: the client also repeats what cannot succeed, such as a used up quota.
    maxRetries: 0,
    timeout: timeoutMs + 1_000,
    fetch: keepWords(settings.fetch ?? fetch, settings.apiKey),
  });

  return {
    ...(settings.seesImages !== undefined && { seesImages: settings.seesImages }),
    async *stream(request) {
      const body = toBody(settings.model, extra, request);
      for (let attempt = 0; ; attempt++) {
        request.signal.throwIfAborted();
        let told = false;
        try {
          for await (const chunk of call(body, request.signal)) {
            told = true;
            yield chunk;
          }
          return;
        } catch (thrown) {
          request.signal.throwIfAborted();
          const { error, again, retryAfter } = toFailure(thrown);
          const wait = retryAfter ?? backoffMs * 2 ** attempt;
          if (told || !again || attempt >= maxRetries || wait > LONGEST_WAIT_MS) throw error;
          await sleep(wait, request.signal);
        }
      }
    },
  };

  async function* call(body: ReturnType<typeof toBody>, signal: AbortSignal): AsyncGenerator<ModelChunk> {
    const connection = new AbortController();
    const watch: Watch = (wait, ms = timeoutMs) => within(Math.min(ms, timeoutMs), signal, wait);
    try {
      const response = await watch(client.chat.completions.create(body, { signal: connection.signal }).asResponse());
      if (!response.body) throw new CallFailed('empty');
      yield* readAnswer(response.body, watch);
    } finally {
      // Also when it is still open: the caller went away, or the answer ended before its body did.
      connection.abort();
    }
  }
}

/** Only waiting for the server counts as its silence, not what the reader of the chunks does between them. */
async function within<T>(ms: number, signal: AbortSignal, wait: Promise<T>): Promise<T> {
  let end = () => {};
  const ended = new Promise<never>((_, reject) => {
    const timer = setTimeout(() => reject(new CallFailed('timeout')), ms);
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort);
    end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    };
    if (signal.aborted) abort();
  });
  try {
    return await Promise.race([wait, ended]);
  } finally {
    end();
  }
}

/** Throws the signal's reason if it aborts meanwhile. */
async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const passed = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await within(ms + 1_000, signal, passed).finally(() => clearTimeout(timer));
}
