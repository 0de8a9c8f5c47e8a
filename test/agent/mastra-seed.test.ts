/** The samples of the Mastra seed, with only the import changed. */
import { Agent } from 'askback/agent';
import { askUserTool } from 'askback/tools';
import { expect, test } from 'vitest';
import { resultsIn, scriptedModel } from '../support/scripted-model.ts';
import { collect } from './collect.ts';

const assistant = (model: ReturnType<typeof scriptedModel>) =>
  new Agent({
    id: 'assistant',
    name: 'Assistant',
    instructions: 'Ask the user for clarification when the request is ambiguous.',
    model,
    tools: { askUserTool },
  });

test('a suspended stream is resumed from within its own loop, and the reply is streamed', async () => {
  const model = scriptedModel([
    { calls: [{ id: 'c1', name: 'ask_user', args: { question: 'Which repo?' } }] },
    { text: 'The main repo is an agent that asks.' },
  ]);
  const agent = assistant(model);
  const shown: unknown[] = [];
  let written = '';

  const stream = await agent.stream('Summarize my project');

  for await (const chunk of stream.fullStream) {
    if (chunk.type === 'tool-call-suspended') {
      const { question, options, selectionMode } = chunk.payload.suspendPayload;
      shown.push({ question, options, selectionMode });
      const resumed = await agent.resumeStream('The main repo', { runId: stream.runId });
      for await (const c of resumed.textStream) written += c;
    }
  }

  expect(shown).toEqual([{ question: 'Which repo?', options: undefined, selectionMode: undefined }]);
  expect(written).toBe('The main repo is an agent that asks.');
  expect(resultsIn(model)).toEqual(['User responded: The main repo']);
  expect(await stream.finishReason).toBe('suspended');
  expect(await stream.text).toBe('');
});

test('a multiple choice is resumed with an array of labels', async () => {
  const options = [{ label: 'Add tests', description: 'More of them' }, { label: 'Update docs' }, { label: 'Release' }];
  const args = { question: 'What next?', options, selectionMode: 'multi_select' };
  const model = scriptedModel([{ calls: [{ id: 'c1', name: 'ask_user', args }] }, { text: 'Will do.' }]);
  const agent = assistant(model);

  const stream = await agent.stream('Go on');
  const chunks = await collect(stream.fullStream);

  expect(chunks.map((chunk) => chunk.type)).toEqual([
    'start',
    'step-start',
    'tool-call',
    'step-finish',
    'tool-call-suspended',
  ]);
  expect(chunks.at(-1)).toEqual({
    type: 'tool-call-suspended',
    runId: stream.runId,
    from: 'AGENT',
    payload: {
      toolCallId: 'c1',
      toolName: 'ask_user',
      args,
      suspendPayload: { ...args, allowFreeform: true },
      resumeSchema: '{"type":"array","items":{"type":"string","minLength":1},"minItems":1}',
    },
  });

  const resumed = await agent.resumeStream(['Update docs', 'Add tests'], { runId: stream.runId });

  expect(await resumed.text).toBe('Will do.');
  expect(resultsIn(model)).toEqual(['User selected: ["Add tests","Update docs"]']);
});

test('outside a run the tool gives a readable text with the question and its options', async () => {
  const options = [{ label: 'staging' }, { label: 'prod', description: 'live' }];
  const text = await askUserTool.execute({ question: 'Which env?', options });
  for (const part of ['Which env?', 'staging', 'prod: live', 'single_select']) expect(text).toContain(part);
});
