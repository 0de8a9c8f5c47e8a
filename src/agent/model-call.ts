/** Asking the model: told as it comes, checked, never half an answer that looks whole, and no more than it can read. */
import { iterateUntilAborted } from './abort.ts';
import type { FinishReason, Usage } from './chunks.ts';
import { fitted, leastRoom } from './fit.ts';
import { hasImages, maxImages, showing, unseen } from './images.ts';
import type { Message, ToolCall } from './messages.ts';
import { type Model, ModelError, type ModelRequest } from './model.ts';
import type { StreamSource } from './stream.ts';
import { callIds, charsOf, uniqueCallId, validTranscript } from './transcript.ts';

/** One answer of the model, whole: with text, calls or both, and with ids that are unique in the run. */
export type ModelAnswer = {
  content: string;
  toolCalls: ToolCall[];
  finishReason: FinishReason & ('stop' | 'length' | 'content_filter');
  usage?: Usage;
};

type Asking = Omit<ModelRequest, 'messages'> & {
  model: Model;
  /** The thread's messages before this run. */
  history: Message[];
  emit: StreamSource['emit'];
};

/**
 * Asks with what the run has said so far. A model that finds it too long is asked again with half as much, and from then on
 * with no more than that; one that refuses a request with images is asked without them. Rejects as `callModel` does.
 */
export function askingModel({ model, history, emit, ...request }: Asking): (own: Message[]) => Promise<ModelAnswer> {
  let room = Number.POSITIVE_INFINITY;
  let blind = model.seesImages === false;
  return async (own) => {
    for (;;) {
      const fitting = validTranscript(fitted(history, own, room));
      const messages = blind ? showing(fitting, 0, unseen.blind) : showing(fitting, maxImages, unseen.room);
      try {
        return await callModel(model, { ...request, messages }, callIds(own), emit);
      } catch (error) {
        if (error instanceof ModelError && error.code === 'bad_request' && hasImages(messages)) {
          blind = true;
          continue;
        }
        const half = Math.floor(Math.min(room, charsOf(messages)) / 2);
        if (!(error instanceof ModelError) || error.code !== 'context_too_long' || half < leastRoom) throw error;
        room = half;
      }
    }
  };
}

/**
 * Asks the model once. `used`: the call ids that the run has already. Rejects with a ModelError, or with the signal's reason as
 * soon as it aborts.
 */
async function callModel(
  model: Model,
  request: ModelRequest,
  used: Set<string>,
  emit: StreamSource['emit'],
): Promise<ModelAnswer> {
  const { signal } = request;
  const toolCalls: ToolCall[] = [];
  let content = '';
  let end: { finishReason: ModelAnswer['finishReason']; usage?: Usage } | undefined;
  const say = (text: string) => {
    content += text;
    emit({ type: 'text-delta', payload: { text } });
  };
  try {
    for await (const chunk of iterateUntilAborted(model.stream(request), signal)) {
      switch (chunk.type) {
        case 'text-delta':
          say(chunk.text);
          break;
        case 'tool-call': {
          const call = { id: uniqueCallId(chunk.id, used), name: chunk.name, arguments: chunk.arguments };
          toolCalls.push(call);
          emit({
            type: 'tool-call',
            payload: { toolCallId: call.id, toolName: call.name, args: readable(call.arguments) },
          });
          break;
        }
        case 'finish':
          end = { finishReason: chunk.finishReason, ...(chunk.usage ? { usage: chunk.usage } : {}) };
          break;
      }
    }
  } catch (cause) {
    signal.throwIfAborted();
    if (cause instanceof ModelError) throw cause;
    throw new ModelError('bad_response', 'The model could not be asked.', { retryable: true, cause });
  }
  if (!end) throw new ModelError('bad_response', 'The answer of the model broke off.', { retryable: true });
  if (toolCalls.length === 0) {
    if (content.trim() === '') throw emptyAnswer(end.finishReason);
    if (end.finishReason !== 'stop') say(`\n\n${cutNotice[end.finishReason]}`);
  }
  return { content, toolCalls, ...end };
}

const cutNotice = {
  length: '(The answer was cut off here: it reached the length limit of the model.)',
  content_filter: '(The answer was cut off here by the content filter of the model.)',
};

function emptyAnswer(reason: ModelAnswer['finishReason']): ModelError {
  switch (reason) {
    case 'content_filter':
      return new ModelError('refused', 'The model refused to answer this.', { retryable: false });
    case 'length':
      return new ModelError('empty', 'The model reached its length limit before it answered.', { retryable: true });
    case 'stop':
      return new ModelError('empty', 'The model gave an empty answer.', { retryable: true });
  }
}

/** The arguments for whoever watches: parsed where they can be, else as the model wrote them. */
function readable(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
