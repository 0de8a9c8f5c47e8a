/** Failures of a call, as sentences that a person in the thread may read; the vendor's own words stay in `cause`, for the log. */
import OpenAI from 'openai';
import { ModelError, type ModelErrorCode } from '../agent/model.ts';

/** `retryAfter`: ms that the server asks to wait. `again`: the same request may succeed a moment later. */
export type CallFailure = { error: ModelError; again: boolean; retryAfter?: number };

/** What every code says. `retry`: trying the run again can help. `again`: so can trying the call again at once. */
const sentences: Record<ModelErrorCode, { say: string; retry: boolean; again: boolean }> = {
  rate_limited: {
    say: 'The model has too many requests at the moment. Try again in a minute.',
    retry: true,
    again: true,
  },
  quota: {
    say: "The model's account has no credit left. Whoever runs this bot needs to look at its billing.",
    retry: true,
    again: false,
  },
  auth: {
    say: 'The model does not accept the key that it was given. Whoever runs this bot needs to check OPENAI_API_KEY.',
    retry: true,
    again: false,
  },
  not_found: {
    say: 'There is no such model at this address. Whoever runs this bot needs to check OPENAI_MODEL and OPENAI_BASE_URL.',
    retry: true,
    again: false,
  },
  context_too_long: {
    say: 'This conversation has become too long for the model. Start a new thread and say what matters from this one.',
    retry: false,
    again: false,
  },
  bad_request: {
    say: 'The model did not accept the request. The log says why; a new thread may help.',
    retry: true,
    again: false,
  },
  refused: {
    say: 'The answer was held back by the content filter of the model. Try to put it in other words.',
    retry: false,
    again: false,
  },
  empty: { say: 'The model gave an empty answer. Try again.', retry: true, again: true },
  bad_response: { say: 'The model gave an answer that cannot be read. Try again.', retry: true, again: true },
  server: { say: 'The model has a problem of its own at the moment. Try again in a minute.', retry: true, again: true },
  network: { say: 'The connection to the model failed. Try again in a minute.', retry: true, again: true },
  timeout: { say: 'The model did not answer in time. Try again.', retry: true, again: false },
};

function failure(
  code: ModelErrorCode,
  cause: unknown,
  special: Partial<CallFailure> & { say?: string } = {},
): CallFailure {
  const { say: usual, retry, again } = sentences[code];
  const { say = usual, ...rest } = special;
  return { error: new ModelError(code, say, { retryable: retry, cause }), again, ...rest };
}

/** A failure on its way through the generator that reads the answer. */
export class CallFailed extends Error {
  readonly failure: CallFailure;
  constructor(code: ModelErrorCode, cause?: unknown, special?: { say?: string; again?: boolean }) {
    super(code);
    this.failure = failure(code, cause, special);
  }
}

/** Anything that the client, the connection or the reading of the answer threw. */
export function toFailure(thrown: unknown): CallFailure {
  if (thrown instanceof CallFailed) return thrown.failure;
  if (thrown instanceof OpenAI.APIConnectionTimeoutError) return failure('timeout', thrown);
  if (thrown instanceof OpenAI.APIConnectionError) return failure('network', thrown);
  if (thrown instanceof OpenAI.APIError) {
    const facts = factsOf(thrown.error ?? thrown.message);
    return failure(codeOf({ ...facts, status: thrown.status }), thrown, retryAfterOf(thrown.headers));
  }
  if (thrown instanceof OpenAI.OpenAIError) return failure('bad_request', thrown);
  if (isBroken(thrown)) return failure('network', thrown);
  throw thrown;
}

/**
 * The client keeps only an `error` of a failed answer's body; this keeps what servers write there in other forms. It goes to the
 * log, so what some servers repeat of a request stays out: the key, and what people said.
 */
export function keepWords(inner: typeof fetch, apiKey: string): typeof fetch {
  return async (input, init) => {
    const response = await inner(input, init);
    if (response.ok) return response;
    const text = withoutKey(await response.text(), apiKey).slice(0, 10_000);
    const { status, statusText, headers } = response;
    return new Response(JSON.stringify({ error: wordsOf(text) }), { status, statusText, headers });
  };
}

/** A short one is a word, such as `none` for servers that need no key. */
function withoutKey(text: string, apiKey: string): string {
  return apiKey.length < 8 ? text : text.replaceAll(apiKey, '***');
}

function wordsOf(text: string): unknown {
  try {
    // `input` is how FastAPI's servers give back the value that they did not like.
    const json: unknown = JSON.parse(text, (key, value) => (key === 'input' ? undefined : value));
    // Google's servers wrap it in an array.
    const body = Array.isArray(json) ? json[0] : json;
    return is(body) && body.error ? body.error : body;
  } catch {
    return { message: text };
  }
}

/** An error that the server wrote into its answer after it had said 200. */
export function toldFailure(told: unknown): CallFailed {
  const facts = factsOf(told);
  const code = codeOf({ ...facts, status: facts.status ?? 500 });
  return new CallFailed(code, new Error(`The server wrote an error into its answer: ${facts.words}`));
}

type Facts = { status: number | undefined; words: string };

const is = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** Servers put it in `message`, `detail`, `msg` or nowhere; as text, number or object: all its words are looked at. */
function factsOf(told: unknown): Facts {
  if (!is(told)) return { status: undefined, words: String(told) };
  const number = [told.code, told.status, told.status_code].map(Number).find((n) => n >= 400 && n <= 599);
  return { status: number, words: JSON.stringify(told) };
}

const quota =
  /insufficient[_ ](quota|balance|credit|fund)|exceeded your current quota|billing[_ ](hard[_ ])?(limit|not)|out of credit|payment required/i;
const tooLong = new RegExp(
  [
    'context[_ -]?(length|window|size)',
    'maximum context',
    '(prompt|input|request|conversation|messages?)[^.]{0,40}(is|are) too (long|large)',
    'too many (input )?tokens',
    'input token count.{0,40}exceeds',
    '(input|prompt)[_ ](is |length |tokens? )?(too long|too large|exceeds?)',
    'exceeds the (model.s )?(max|limit)[^.]{0,60}(token|context)',
    'reduce the length of',
    "content'?: string too long",
    'max(imum)?[_ ](prompt|input|seq(uence)?)[_ ](length|tokens)',
  ].join('|'),
  'i',
);

/** Said in many ways, under 400, 404, 415, 422 and 500, by servers whose model reads text alone. */
const noImages = new RegExp(
  [
    'image[_ ]?(url|input)',
    '(support|accept|process|handle)[^.]{0,30}(image|vision|multimodal)',
    '(image|vision|multimodal)[^.]{0,40}(not|n.t) (supported|available|enabled|allowed)',
    'content[^.]{0,60}(must be|should be|expected|valid)[^.]{0,20}string',
  ].join('|'),
  'i',
);

/** By what the words say first, since gateways pass everything on under a status of their own. */
function codeOf({ status = 0, words }: Facts): ModelErrorCode {
  if (status === 402 || quota.test(words)) return 'quota';
  if (status === 429 || /rate[_ ]limit|too many requests/i.test(words)) return 'rate_limited';
  if (status === 413 || (status !== 401 && status !== 403 && tooLong.test(words))) return 'context_too_long';
  if (status === 401 || status === 403 || /invalid[_ ]api[_ ]key/i.test(words)) return 'auth';
  if (status >= 400 && noImages.test(words)) return 'bad_request';
  if (status === 404 || /model_not_found/i.test(words)) return 'not_found';
  if (/content_filter|content_policy|content management policy/i.test(words)) return 'refused';
  if (status === 408 || status === 409 || status >= 500) return 'server';
  return status >= 400 ? 'bad_request' : 'bad_response';
}

/** `Retry-After` is seconds or a date; a date counts from the server's own clock. */
function retryAfterOf(headers: Headers | undefined): { retryAfter?: number } {
  const ms = headers?.get('retry-after-ms');
  if (ms && Number(ms) >= 0) return { retryAfter: Number(ms) };
  const after = headers?.get('retry-after');
  if (!after) return {};
  if (Number(after) >= 0) return { retryAfter: Number(after) * 1_000 };
  const wait = Date.parse(after) - Date.parse(headers?.get('date') ?? '');
  return Number.isNaN(wait) ? {} : { retryAfter: Math.max(0, wait) };
}

/** Undici's "terminated" (its cause is the socket's error), or a system error: the connection broke within the answer. */
function isBroken(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  return (
    (thrown instanceof TypeError && thrown.cause !== undefined) || ('code' in thrown && typeof thrown.code === 'string')
  );
}
