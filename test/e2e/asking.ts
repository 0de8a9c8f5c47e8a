/**
 * A model without a mind of its own: a message "ask [questions as JSON]" makes it ask them all in one step, and then it says
 * what it was told: "Heard: …" the tool results, "And: …" what was said meanwhile. Any other message it repeats: "Said: …".
 * A message with "slowly" in it takes it a while.
 */
import type { ScriptRequest, WireMessage } from '../../src/playground/model-request.ts';
import type { Reply } from '../../src/playground/model-server.ts';

export type Asked = {
  question: string;
  options?: { label: string; description?: string }[];
  selectionMode?: 'single_select' | 'multi_select';
  allowFreeform?: boolean;
  to?: string[];
};

/** The message that makes the model ask; escaped as Slack escapes what people write. */
export const askFor = (...questions: Asked[]): string =>
  `ask ${JSON.stringify(questions)}`.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

export const options = (...labels: string[]) => labels.map((label) => ({ label }));

/** An image is told by its kind and the length of what came. */
const partsOf = (parts: unknown[]): string =>
  (parts as { text?: string; image_url?: { url: string } }[])
    .map(({ text, image_url }) => text ?? `{${image_url?.url.replace(/,.*/s, '')} ${image_url?.url.length}}`)
    .join('\n');

const COMMAND = /(?:^|\n)(?:.*? )?ask (\[\{.*\}\])/;
/** Without the line that says who speaks: it has the time in it. */
const textOf = ({ content }: WireMessage): string =>
  (typeof content === 'string' ? content : partsOf(content ?? [])).replace(/^\[From [^\n]*\]\n/, '');

/** What of a transcript belongs to the last thing that it was asked to do. */
function errand({ messages }: ScriptRequest) {
  const at = messages.findLastIndex((m) => m.role === 'user' && COMMAND.test(textOf(m)));
  const done = messages.findLastIndex((m, index) => index > at && m.role === 'assistant' && !m.tool_calls?.length);
  const command = at > done ? messages[at] : undefined;
  const after = messages.slice(Math.max(at > done ? at : -1, done) + 1);
  return {
    questions: command ? (JSON.parse(COMMAND.exec(textOf(command))?.[1] ?? '[]') as Asked[]) : [],
    results: after.filter((m) => m.role === 'tool').map(textOf),
    said: after.filter((m) => m.role === 'user').map(textOf),
  };
}

export const isAnswered = (request: ScriptRequest): boolean => errand(request).results.length > 0;

export function asking(request: ScriptRequest): Reply & { type: 'answer' } {
  const { questions, results, said } = errand(request);
  if (questions.length > 0 && results.length === 0) {
    const calls = questions.map((question) => ({ name: 'ask_user', arguments: question }));
    return { type: 'answer', ...(calls.length > 1 && { text: `Let me ask ${calls.length} things.` }), calls };
  }
  const parts = [
    ...(results.length > 0 ? [`Heard: ${results.join(' | ')}`] : []),
    ...(said.length > 0 ? [`${results.length > 0 ? 'And' : 'Said'}: ${said.join(' | ')}`] : []),
  ];
  const think = said.some((words) => words.includes('slowly')) ? { think: 1_000 } : {};
  return { type: 'answer', text: parts.join('\n') || 'Nothing was said.', ...think };
}
