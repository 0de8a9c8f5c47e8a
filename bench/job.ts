/**
 * The job of a cycle, the same for whoever does it: a transcript of 17 messages (7 KB); the first model call asks a question, the
 * run is suspended and stored; it is read back and answered, and the second model call says a final text.
 */
import type { Model, ModelChunk } from '../src/agent/model.ts';

const filler = 'The release notes of the billing service “2.4” were read by nobody.\n'.repeat(6);

/** 16 messages of what was said before, and one that asks for something. */
export const transcript = (name: string): string[] => [
  ...Array.from({ length: 16 }, (_, index) => `message ${index} of ${name}: ${filler}`),
  'Deploy the service please.',
];

export const question = {
  question: 'Which environment should I deploy to?',
  options: [{ label: 'staging' }, { label: 'production' }],
};
export const answer = 'staging';
export const finalText = 'Deploying to staging now.';

/** In process: what is measured is what is around the model. */
export const instantModel: Model = {
  async *stream({ messages }): AsyncGenerator<ModelChunk> {
    // What people said, and what the bot knows of them, may stand behind the answer.
    const told = messages.findLast(({ role }) => role !== 'user');
    if (told?.role === 'tool') {
      const chosen = /User selected: (.*)/.exec(told.content)?.[1];
      yield { type: 'text-delta', text: `Deploying to ${chosen} now.` };
    } else {
      yield { type: 'tool-call', id: 'call_1', name: 'ask_user', arguments: JSON.stringify(question) };
    }
    yield { type: 'finish', finishReason: 'stop' };
  },
};
