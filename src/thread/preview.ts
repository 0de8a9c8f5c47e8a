/** What an agent says and does in a stretch of a run: told to those who watch, and collected for the reply. */
import type { Chunk } from '../agent/chunks.ts';
import type { Preview, Task } from './preview-port.ts';

/** Its questions are shown by their cards. */
const ASKING = 'ask_user';
const BETWEEN_STEPS = '\n\n';

export type Listener = {
  hear(chunk: Chunk): void;
  /**
   * All that was said, if it ends with `last`, the text of the last step: what people saw grow is not taken back. A run that is
   * told again says only its end.
   */
  text(last: string): string;
};

export function createListener(preview: Preview | undefined): Listener {
  const steps: string[] = [];
  let step = '';
  let calls: { tool: string; task: Task }[] = [];

  function endStep(): void {
    if (step.trim() === '') return;
    steps.push(step);
    step = '';
    if (calls.length > 0) preview?.say(BETWEEN_STEPS);
  }

  /** Beside a question nothing that changes anything is done, and the question has a card. */
  const isShown = (): boolean => !calls.some(({ tool }) => tool === ASKING);

  return {
    hear(chunk) {
      switch (chunk.type) {
        case 'step-start':
          endStep();
          calls = [];
          break;
        case 'text-delta':
          step += chunk.payload.text;
          preview?.say(chunk.payload.text);
          break;
        case 'tool-call': {
          const { toolCallId: id, toolName: tool } = chunk.payload;
          calls.push({ tool, task: { id, title: inWords(tool), status: 'in_progress' } });
          break;
        }
        case 'step-finish':
          endStep();
          if (isShown()) for (const { task } of calls) preview?.task(task);
          break;
        case 'tool-result': {
          const { toolCallId, isError } = chunk.payload;
          const call = calls.find(({ task }) => task.id === toolCallId);
          if (call && isShown()) preview?.task({ ...call.task, status: isError ? 'error' : 'complete' });
          break;
        }
        case 'start':
        case 'tool-call-suspended':
        case 'finish':
        case 'error':
          break;
        default:
          chunk satisfies never;
      }
    },
    text(last) {
      endStep();
      return steps.at(-1) === last ? steps.join(BETWEEN_STEPS) : last;
    },
  };
}

/** `deploy_service` and `deployService` as a person says it: "Deploy service". */
function inWords(name: string): string {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/[_\-.\s]+/g, ' ')
    .trim();
  return words === '' ? name : `${words.charAt(0).toUpperCase()}${words.slice(1).toLowerCase()}`;
}
