/** A transcript made to fit a model that found it too long: what is oldest goes first, and each gap says so. Pure. */
import { showing, unseen } from './images.ts';
import type { Message, ToolMessage } from './messages.ts';
import { charsOf, imageChars, lastStep, limited } from './transcript.ts';

/** Less room than this is given to no model: what it would then be told means nothing. */
export const leastRoom = 4_000;
const shortestCut = 200;

const leftOut = 'Earlier messages of this thread were left out here: the conversation is too long for the model.';

/**
 * `history` (the thread's, of earlier runs) and `own` (this run's) in about `maxChars`: first old history goes, then the results
 * of old tool calls, then every text is cut, and images go. The last step keeps its results as long as that is possible.
 */
export function fitted(history: readonly Message[], own: readonly Message[], maxChars: number): Message[] {
  const whole = [...history, ...own];
  if (charsOf(whole) <= maxChars) return whole;
  const kept = newest(history, maxChars - charsOf(own));
  const gap: Message[] = kept.length < history.length ? [{ role: 'user', content: `[${leftOut}]` }] : [];
  return cutTexts([...gap, ...kept, ...withoutOldResults(own, maxChars)], maxChars);
}

/** The longest end that fits and begins with a user message. */
function newest(messages: readonly Message[], maxChars: number): readonly Message[] {
  let from = messages.length;
  let chars = 0;
  for (let at = messages.length - 1; at >= 0; at--) {
    const message = messages[at] as Message;
    chars += charsOf([message]);
    if (chars > maxChars) break;
    if (message.role === 'user') from = at;
  }
  return messages.slice(from);
}

function withoutOldResults(messages: readonly Message[], maxChars: number): Message[] {
  const last = lastStep(messages);
  let chars = charsOf(messages);
  return messages.map((message, at) => {
    if (message.role !== 'tool' || at > last || chars <= maxChars) return message;
    const short = withoutContent(message);
    chars -= charsOf([message]) - charsOf([short]);
    return short;
  });
}

function withoutContent(result: ToolMessage): ToolMessage {
  const content = `[This result of ${result.content.length} characters was left out to make room. Call the tool again if you need it.]`;
  return content.length < result.content.length ? { ...result, content } : result;
}

/** Every text and all arguments in at most so many characters that the whole fits, or in `shortestCut`. */
function cutTexts(messages: Message[], maxChars: number): Message[] {
  let fitting = messages;
  for (let most = maxChars / 2; charsOf(fitting) > maxChars && most >= shortestCut; most /= 2) {
    const seen = most < imageChars ? showing(messages, 0, unseen.room) : messages;
    fitting = seen.map((message) => cut(message, Math.floor(most)));
  }
  return fitting;
}

function cut(message: Message, most: number): Message {
  const content = limited(message.content, most, 'This text');
  if (message.role !== 'assistant') return { ...message, content };
  const toolCalls = message.toolCalls.map((call) => {
    const size = call.arguments.length;
    return size <= most ? call : { ...call, arguments: JSON.stringify({ left_out: `${size} characters` }) };
  });
  return { ...message, content, toolCalls };
}
