import { describe, expect, test } from 'vitest';
import { Agent } from '../../src/agent/agent.ts';
import { RunAbortedError, RunFailedError, releaseReason, UnknownRunError } from '../../src/agent/errors.ts';
import {
  createSession,
  type UserInputContext,
  type UserInputHandler,
  type UserInputRequest,
} from '../../src/agent/handler.ts';
import { createMemoryRunStore } from '../../src/agent/memory-run-store.ts';
import { resultsIn, scriptedModel } from '../support/scripted-model.ts';

const agentOf = (script: Parameters<typeof scriptedModel>[0], store = createMemoryRunStore()) => {
  const model = scriptedModel(script);
  return { model, store, agent: new Agent({ id: 'a', name: 'A', instructions: '', model, store }) };
};
const ask = (args: object) => ({ calls: [{ id: 'q', name: 'ask_user', args }] });
const end = { text: 'ok' };

describe('the samples of the Copilot seed', () => {
  test('an answer of one’s own beside the choices', async () => {
    const { agent, model } = agentOf([
      ask({ question: 'Which language?', choices: ['Go', 'Rust'] }),
      { text: 'PHP it is.' },
    ]);
    const asked: UserInputRequest[] = [];
    const session = createSession(agent, {
      onUserInputRequest: (request) => {
        asked.push(request);
        return { answer: 'PHP', wasFreeform: true };
      },
    });
    const response = await session.sendAndWait('Ask the user for their favourite language');
    expect(response.content).toBe('PHP it is.');
    expect(asked).toEqual([{ question: 'Which language?', choices: ['Go', 'Rust'], allowFreeform: true }]);
    expect(resultsIn(model)).toEqual(['User responded: PHP']);
  });

  test('a choice where there are choices, a line of text where there are none', async () => {
    const { agent, model } = agentOf([
      {
        calls: [
          { id: 'q1', name: 'ask_user', args: { question: 'Stack?', choices: ['web', 'cli'] } },
          { id: 'q2', name: 'ask_user', args: { question: 'Name?' } },
        ],
      },
      { text: 'Set up.' },
    ]);
    const session = createSession(agent, {
      onUserInputRequest: (request) => {
        if (request.choices) return { answer: request.choices[0] ?? '', wasFreeform: false };
        return { answer: 'askback', wasFreeform: true };
      },
    });
    expect((await session.sendAndWait('Set the project up')).content).toBe('Set up.');
    expect(resultsIn(model)).toEqual(['User selected: web', 'User responded: askback']);
  });
});

describe('a handler', () => {
  test('may be slow, and is told the ids, the mode and the descriptions', async () => {
    const { agent, model } = agentOf([
      ask({
        question: 'Which?',
        options: [{ label: 'a', description: 'first' }, 'b'],
        selectionMode: 'multi_select',
        allowFreeform: false,
      }),
      end,
    ]);
    let told: UserInputContext | undefined;
    const session = createSession(agent, {
      onUserInputRequest: async (_, context) => {
        told = context;
        await new Promise((resolve) => setTimeout(resolve, 20));
        return { answer: ['b', 'a'], wasFreeform: false };
      },
    });
    const { runId } = await session.sendAndWait('Go');
    expect(told).toMatchObject({ runId, toolCallId: 'q', selectionMode: 'multi_select' });
    expect(told?.options).toEqual([{ label: 'a', description: 'first' }, { label: 'b' }]);
    expect(resultsIn(model)).toEqual(['User selected: ["a","b"]']);
  });

  test.each<[string, UserInputHandler, string]>([
    [
      'throws',
      () => {
        throw new Error('no terminal');
      },
      'The question could not be shown: no terminal.',
    ],
    [
      'rejects',
      async () => {
        throw 'gone';
      },
      'The question could not be shown: gone.',
    ],
    [
      'never answers as it may',
      () => ({ answer: 'blue', wasFreeform: true }),
      'The question could not be shown: This question takes only its options. Pick one of: a, b',
    ],
    ['gives what is no answer', () => undefined as never, 'The question could not be shown: This is no answer.'],
  ])('that %s fails the question, not the run', async (_, onUserInputRequest, text) => {
    const { agent, model } = agentOf([ask({ question: 'Which?', choices: ['a', 'b'], allow_freeform: false }), end]);
    expect((await createSession(agent, { onUserInputRequest }).sendAndWait('Go')).content).toBe('ok');
    expect(resultsIn(model)[0]?.replace(/\.$/, '')).toBe(text.replace(/\.$/, ''));
  });

  test('is asked once more with the problem when its answer does not fit', async () => {
    const { agent, model } = agentOf([ask({ question: 'Which?', choices: ['a', 'b'], allow_freeform: false }), end]);
    const problems: (string | undefined)[] = [];
    const session = createSession(agent, {
      onUserInputRequest: (_, { problem }) => {
        problems.push(problem);
        return { answer: problem === undefined ? 'blue' : 'b', wasFreeform: false };
      },
    });
    await session.sendAndWait('Go');
    expect(problems).toEqual([undefined, expect.stringContaining('Pick one of: a, b')]);
    expect(resultsIn(model)).toEqual(['User selected: b']);
  });

  test('is what makes the tool exist', async () => {
    const { agent, model } = agentOf([end, end]);
    await createSession(agent, {}).sendAndWait('Hi');
    await createSession(agent, { onUserInputRequest: () => ({ answer: '', wasFreeform: true }) }).sendAndWait('Hi');
    expect(model.requests.map(({ tools }) => tools.map((tool) => tool.name))).toEqual([[], ['ask_user']]);
  });
});

describe('a session', () => {
  test('remembers what was said in it, and another session does not', async () => {
    const { agent, model } = agentOf([end, end, end]);
    const session = createSession(agent, {});
    await session.sendAndWait('One');
    await session.sendAndWait('Two');
    await createSession(agent, {}).sendAndWait('Three');
    expect(model.requests.map(({ messages }) => messages.map((m) => m.content))).toEqual([
      ['One'],
      ['One', 'ok', 'Two'],
      ['Three'],
    ]);
  });

  test('left with a question open, the run is resumed by another process', async () => {
    const { agent, store } = agentOf([ask({ question: 'Name?' })]);
    const control = new AbortController();
    let runId = '';
    const leaving = createSession(agent, {
      onUserInputRequest: () => {
        control.abort(releaseReason);
        return new Promise(() => {});
      },
    }).sendAndWait('Go', { signal: control.signal, onRun: (id) => (runId = id) });
    await expect(leaving).rejects.toBe(releaseReason);

    const later = agentOf([{ text: 'Hello Ann.' }], store);
    const session = createSession(later.agent, { onUserInputRequest: () => ({ answer: 'Ann', wasFreeform: true }) });
    expect(await session.resume(runId)).toEqual({ content: 'Hello Ann.', runId });
    expect(await session.resume(runId)).toEqual({ content: 'Hello Ann.', runId });
    await expect(session.resume('nowhere')).rejects.toThrow(UnknownRunError);
  });

  test('tells a failure, which resume tries again, and a stop', async () => {
    const { agent } = agentOf([{ error: new Error('x') }, end, { text: 'Hm', hang: true }]);
    const session = createSession(agent, {});
    let runId = '';
    await expect(session.sendAndWait('Go', { onRun: (id) => (runId = id) })).rejects.toThrow(RunFailedError);
    expect((await session.resume(runId)).content).toBe('ok');

    const control = new AbortController();
    const stopped = session.sendAndWait('Go', {
      signal: control.signal,
      onStream: () => setTimeout(() => control.abort(), 5),
    });
    await expect(stopped).rejects.toThrow(RunAbortedError);
  });
});
