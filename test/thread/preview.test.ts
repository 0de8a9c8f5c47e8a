import { expect, test } from 'vitest';
import type { Chunk } from '../../src/agent/chunks.ts';
import { createListener } from '../../src/thread/preview.ts';
import type { Preview } from '../../src/thread/preview-port.ts';

type Body = Chunk extends infer C ? (C extends Chunk ? Omit<C, 'runId' | 'from'> : never) : never;

function listen(...bodies: Body[]) {
  let said = '';
  const tasks: string[] = [];
  const preview: Preview = {
    say(text) {
      said += text;
    },
    task: ({ title, status }) => void tasks.push(`${title}: ${status}`),
    settle: async () => ({ parts: [], strays: [] }),
    leave: async () => ({}),
  };
  const listener = createListener(preview);
  for (const body of bodies) listener.hear({ runId: 'r', from: 'AGENT', ...body } as Chunk);
  return { listener, tasks, said: () => said };
}

const step = (n: number): Body => ({ type: 'step-start', payload: { step: n } });
const end = (n: number): Body => ({ type: 'step-finish', payload: { step: n } });
const say = (text: string): Body => ({ type: 'text-delta', payload: { text } });
const call = (toolCallId: string, toolName: string): Body => ({
  type: 'tool-call',
  payload: { toolCallId, toolName, args: {} },
});
const result = (toolCallId: string, isError = false): Body => ({
  type: 'tool-result',
  payload: { toolCallId, toolName: 'x', result: '', isError },
});

test('what was said in each step is the reply, and grew in the same words', () => {
  const { listener, said } = listen(
    step(1),
    say('Let me '),
    say('look.'),
    call('a', 'look_up'),
    end(1),
    result('a'),
    step(2),
    say('It is 42.'),
    end(2),
  );
  expect(listener.text('It is 42.')).toBe('Let me look.\n\nIt is 42.');
  expect(said()).toBe(listener.text('It is 42.'));
});

test('a run that is told again says its end alone', () => {
  expect(listen().listener.text('It is 42.')).toBe('It is 42.');
  expect(listen(step(1), say('Half of')).listener.text('It is 42.')).toBe('It is 42.');
});

test('tools are tasks in words, from when they all are known to their end', () => {
  const { tasks } = listen(
    step(1),
    call('a', 'deployService'),
    call('b', 'read-the_log'),
    end(1),
    result('b', true),
    result('a'),
  );
  expect(tasks).toEqual([
    'Deploy service: in_progress',
    'Read the log: in_progress',
    'Read the log: error',
    'Deploy service: complete',
  ]);
});

test('a step that asks has cards, and no tasks', () => {
  expect(listen(step(1), call('a', 'deploy'), call('q', 'ask_user'), end(1), result('a', true)).tasks).toEqual([]);
});
