/** Reads the body of a 200 answer into chunks, or into the failure that it really is. */
import type { FinishReason } from '../agent/chunks.ts';
import type { ModelChunk } from '../agent/model.ts';
import { addDelta, assembled, isJson } from './assemble.ts';
import { type Piece, readPiece, type Usage } from './chunk.ts';
import { CallFailed, toFailure, toldFailure } from './errors.ts';
import { readBody, type Watch } from './sse.ts';

type FinalReason = Extract<FinishReason, 'stop' | 'length' | 'content_filter'>;

const webPage =
  'A web page came where the answer of a model was expected. Whoever runs this bot needs to check OPENAI_BASE_URL.';
const cut = 'The answer of the model became too long and was cut. Try again, or ask for less at once.';
const usedUp = 'The model used up its length limit before it came to an answer. Try again, or ask for less at once.';

/** Ends with one `finish` chunk; throws a `CallFailed`, or what reading the body throws. `watch`: see `readBody`. */
export function readAnswer(body: ReadableStream<Uint8Array>, watch: Watch): AsyncGenerator<ModelChunk> {
  return toChunks(pieces(body, watch));
}

/** ms. Once an answer has its finish reason, all that can follow is its usage. */
const LAST_WORDS_MS = 2_000;

/** The answer's pieces; throws if it was not told to its end. */
async function* pieces(body: ReadableStream<Uint8Array>, watch: Watch): AsyncGenerator<Piece> {
  let over = false;
  try {
    for await (const event of readBody(body, (wait) => watch(wait, over ? LAST_WORDS_MS : undefined))) {
      if (event.type === 'done') return;
      const piece = event.type === 'data' ? parse(event.data, event.event) : parse(event.text, undefined);
      over ||= event.type === 'document' || piece.finishReason !== undefined;
      yield piece;
    }
  } catch (error) {
    if (!over) throw error;
    // It was whole: a connection that breaks or hangs after that is of no account. (An abort is not a failure: it is thrown.)
    toFailure(error);
  }
  // Neither a finish reason nor [DONE]: something between us and the model closed the connection properly but too early.
  if (!over) throw new CallFailed('network', new Error('The stream ended without a finish reason and without [DONE].'));
}

function parse(text: string, event: string | undefined): Piece {
  if (/^\s*</.test(text)) {
    throw new CallFailed('bad_response', new Error(`The page begins: ${text.slice(0, 500)}`), {
      say: webPage,
      again: false,
    });
  }
  if (!isJson(text)) throw event === 'error' ? toldFailure(text) : new CallFailed('bad_response', unreadable(text));
  const json: unknown = JSON.parse(text);
  // Google's servers wrap an error in an array.
  const told = toldError(Array.isArray(json) ? json[0] : json, event);
  if (told !== undefined) throw toldFailure(told);
  const piece = readPiece(json);
  if (!piece) throw new CallFailed('bad_response', unreadable(text));
  return piece;
}

/** For the log, so without what the model said. */
function unreadable(text: string): Error {
  const shape = isJson(text)
    ? JSON.stringify(JSON.parse(text, (_, value) => (typeof value === 'string' ? '…' : value))).slice(0, 500)
    : `${text.length} characters that are no JSON`;
  return new Error(`The answer cannot be read: ${shape}`);
}

/** `{ error }`, an event named error, or an object that calls itself one. */
function toldError(json: unknown, event: string | undefined): unknown {
  if (event === 'error') return typeof json === 'object' && json !== null && 'error' in json ? json.error : json;
  if (typeof json !== 'object' || json === null) return undefined;
  if ('error' in json && json.error) return json.error;
  return ('object' in json && json.object === 'error') || ('detail' in json && !('choices' in json)) ? json : undefined;
}

async function* toChunks(pieces: AsyncIterable<Piece>): AsyncGenerator<ModelChunk> {
  let calls: Parameters<typeof addDelta>[0] = [];
  let reason = '';
  let usage: Usage | undefined;
  let said = false;
  for await (const piece of pieces) {
    if (piece.text !== '') yield { type: 'text-delta', text: piece.text };
    said ||= piece.text.trim() !== '';
    calls = piece.calls.reduce(addDelta, calls);
    reason = piece.finishReason ?? reason;
    usage = piece.usage ?? usage;
  }

  const finishReason = reasonOf(reason);
  const whole = assembled(calls);
  if (reason === 'error') throw toldFailure('finish_reason: error');
  // A call that was cut is not the model's wish, and half a call in the transcript would spoil it.
  if (finishReason !== 'stop' && whole.some((call) => !isJson(call.arguments)))
    throw new CallFailed('bad_response', new Error(`finish_reason ${reason} within a tool call`), {
      say: cut,
      again: false,
    });
  if (!said && whole.length === 0) throw emptyAnswer(finishReason);
  for (const call of whole) yield { type: 'tool-call', ...call };
  yield { type: 'finish', finishReason, ...(usage && { usage }) };
}

function emptyAnswer(finishReason: FinalReason): CallFailed {
  if (finishReason === 'content_filter') return new CallFailed('refused');
  if (finishReason === 'length') return new CallFailed('empty', undefined, { say: usedUp, again: false });
  return new CallFailed('empty');
}

/** Servers invent reasons ("eos", "end_turn", "tool_calls" without calls): only these two change anything. */
function reasonOf(reason: string): FinalReason {
  if (/^(length|max_(output_)?tokens|model_length)$/i.test(reason)) return 'length';
  return /^(content_filter|safety|blocked|prohibited_content)$/i.test(reason) ? 'content_filter' : 'stop';
}
