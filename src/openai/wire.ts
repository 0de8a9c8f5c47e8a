/** The transcript as the messages of Chat Completions, in the form that the strictest of the compatible servers takes. */
import type {
  ChatCompletionCreateParamsStreaming,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions';
import type { AssistantMessage, Message, ToolCall, UserMessage } from '../agent/messages.ts';
import type { ModelRequest } from '../agent/model.ts';

/**
 * `extra` is what the operator configured (temperature, parallel_tool_calls, stream_options, ...): nothing optional is sent
 * besides. What only makes sense with tools is left out where there are none, since servers refuse it.
 */
export function toBody(
  model: string,
  extra: Readonly<Record<string, unknown>>,
  request: Pick<ModelRequest, 'system' | 'messages' | 'tools'>,
): ChatCompletionCreateParamsStreaming {
  const { tool_choice, parallel_tool_calls, ...always } = extra;
  const withTools = {
    ...(tool_choice !== undefined && { tool_choice }),
    ...(parallel_tool_calls !== undefined && { parallel_tool_calls }),
    tools: request.tools.map(({ name, description, parameters }) => ({
      type: 'function' as const,
      function: { name, description, parameters },
    })),
  };
  return {
    ...always,
    model,
    messages: [
      ...(request.system.trim() === '' ? [] : [{ role: 'system' as const, content: request.system }]),
      ...request.messages.map(toMessage),
    ],
    ...(request.tools.length > 0 && withTools),
    stream: true,
  } as ChatCompletionCreateParamsStreaming;
}

function toMessage(message: Message): ChatCompletionMessageParam {
  switch (message.role) {
    case 'user':
      return toUser(message);
    case 'assistant':
      return toAssistant(message);
    case 'tool':
      return { role: 'tool', tool_call_id: message.toolCallId, content: message.content };
  }
}

/** A text alone is a text: not every server takes it in parts. */
function toUser({ content, images = [] }: UserMessage): ChatCompletionMessageParam {
  if (images.length === 0) return { role: 'user', content };
  const shown = images.map(({ mediaType, data }) => ({
    type: 'image_url' as const,
    image_url: { url: `data:${mediaType};base64,${data}` },
  }));
  return { role: 'user', content: [{ type: 'text', text: content }, ...shown] };
}

/** Beside tool calls an empty text is null, as OpenAI writes it: several servers refuse an empty text there. */
function toAssistant({ content, toolCalls }: AssistantMessage): ChatCompletionMessageParam {
  if (toolCalls.length === 0) return { role: 'assistant', content };
  return { role: 'assistant', content: content === '' ? null : content, tool_calls: toolCalls.map(toCall) };
}

/**
 * What a model once wrote must not make every later request invalid: names have OpenAI's alphabet, and arguments are a JSON
 * object, since servers parse them when they render the transcript. The model still sees what it wrote.
 */
function toCall(call: ToolCall) {
  return {
    id: call.id,
    type: 'function' as const,
    function: {
      name: call.name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) || 'unknown',
      arguments: isObject(call.arguments) ? call.arguments : JSON.stringify({ not_json: call.arguments }),
    },
  };
}

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
