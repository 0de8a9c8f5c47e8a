import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { Agent, type AgentOptions } from '../../src/agent/agent.ts';
import type { AgentStream } from '../../src/agent/chunks.ts';
import {
  AlreadySettledError,
  AmbiguousQuestionError,
  InvalidAnswerError,
  RunAbortedError,
  RunFailedError,
  releaseReason,
  UnknownQuestionError,
  UnknownRunError,
} from '../../src/agent/errors.ts';
import { createMemoryRunStore } from '../../src/agent/memory-run-store.ts';
import { ModelError } from '../../src/agent/model.ts';
import type { Answer, Settlement } from '../../src/agent/question.ts';
import { askUserTool, createTool, type Tool } from '../../src/agent/tools.ts';
import { resultsIn, type ScriptedStep, scriptedModel } from '../support/scripted-model.ts';
import { collect } from './collect.ts';
import { watchedStore } from './watched-store.ts';

const ask = (id: string, question = `${id}?`, more = {}) => ({ id, name: 'ask_user', args: { question, ...more } });
const yesNo = { options: ['yes', 'no'], allowFreeform: false };

/** `act` has side effects, `look` has none; both record what they did. */
function world(script: Parameters<typeof scriptedModel>[0], more: Partial<AgentOptions> = {}) {
  const model = scriptedModel(script);
  const done: string[] = [];
  const inputSchema = z.object({ what: z.string().default('it') });
  const act = createTool({
    id: 'act',
    description: 'Changes things.',
    inputSchema,
    execute: ({ what }) => {
      done.push(`act ${what}`);
      return `acted on ${what}`;
    },
  });
  const look = createTool({
    id: 'look',
    description: 'Looks.',
    inputSchema,
    readOnly: true,
    execute: ({ what }) => {
      done.push(`look ${what}`);
      return `saw ${what}`;
    },
  });
  const store = watchedStore();
  const tools = { askUserTool, act, look };
  const agent = new Agent({ id: 'a', name: 'A', instructions: 'Be good.', model, tools, store, ...more });
  return { model, done, store, agent, tools };
}

const stuckTool: Tool = {
  id: 'stuck',
  description: 'Never reads its arguments.',
  parameters: { type: 'object' },
  readOnly: true,
  parse: () => new Promise(() => {}),
  execute: async () => 'never',
};

const types = async (stream: AgentStream) => (await collect(stream.fullStream)).map((chunk) => chunk.type);
const failureOf = async (stream: AgentStream) => {
  const result = await stream.result;
  if (result.status !== 'failed') throw new Error(`It did not fail but ${result.status}.`);
  return result.error;
};

describe('the loop', () => {
  test('model, tools, model: the chunks tell it in order, to every reader at any time', async () => {
    const { agent, model, done } = world([
      {
        text: 'Let me see.',
        calls: [
          { id: 'c1', name: 'look' },
          { id: 'c2', name: 'act' },
        ],
        usage: { inputTokens: 10, outputTokens: 2 },
      },
      { text: 'All done.', usage: { inputTokens: 20, outputTokens: 3 } },
    ]);
    const stream = await agent.stream('Do it');
    const early = types(stream);

    expect(await stream.result).toEqual({
      status: 'finished',
      text: 'All done.',
      finishReason: 'stop',
      usage: { inputTokens: 30, outputTokens: 5 },
    });
    const told = ['start', 'step-start', 'text-delta', 'text-delta', 'tool-call', 'tool-call', 'step-finish'];
    told.push('tool-result', 'tool-result', 'step-start', 'text-delta', 'text-delta', 'step-finish', 'finish');
    expect(await early).toEqual(told);
    expect(await types(stream)).toEqual(told);
    expect((await collect(stream.textStream)).join('')).toBe('Let me see.\n\nAll done.');
    expect(await stream.text).toBe('All done.');
    expect(done).toEqual(['look it', 'act it']);
    expect(model.requests[0]?.system).toBe('Be good.');
    expect(resultsIn(model)).toEqual(['saw it', 'acted on it']);
    expect(model.leftovers()).toBe(0);
  });

  test('a run goes on whether or not anybody reads, and a failure that nobody reads is no unhandled rejection', async () => {
    const { agent } = world([{ error: new Error('boom') }]);
    const stream = await agent.stream('Hi');
    expect(await stream.result).toMatchObject({ status: 'failed' });
    await new Promise((resolve) => setTimeout(resolve, 5));
  });

  test('calls of one step run at the same time', async () => {
    const gate = Promise.withResolvers<void>();
    let waiting = 0;
    const meet = createTool({
      id: 'meet',
      description: 'Waits for the other.',
      inputSchema: z.object({}),
      execute: async () => {
        if (++waiting === 2) gate.resolve();
        await gate.promise;
      },
    });
    const { agent } = world(
      [
        {
          calls: [
            { id: '1', name: 'meet' },
            { id: '2', name: 'meet' },
          ],
        },
        { text: 'Met.' },
      ],
      { tools: { meet } },
    );
    expect(await (await agent.stream('Go')).text).toBe('Met.');
  });

  test('call ids that a server repeats or leaves out are made unique in the run', async () => {
    const { agent, model, store } = world([
      { calls: [{ id: 'call_0', name: 'look' }, { id: 'call_0', name: 'look' }, { name: 'look' }] },
      { calls: [{ id: 'call_0', name: 'look' }] },
      { text: 'ok' },
    ]);
    expect(await (await agent.stream('Go')).text).toBe('ok');
    const ids = store.saved
      .at(-1)
      ?.messages.flatMap((m) => (m.role === 'assistant' ? m.toolCalls.map((c) => c.id) : []));
    expect(ids?.length).toBe(4);
    expect(new Set(ids).size).toBe(4);
    expect(resultsIn(model)).toHaveLength(4);
  });

  test('bad calls go back to the model as readable errors and end nothing', async () => {
    const { agent, model } = world([
      {
        calls: [
          { id: '1', name: 'nope' },
          { id: '2', name: 'look', args: '{"what":' },
          { id: '3', name: 'act', args: { what: 7 } },
        ],
      },
      { calls: [{ id: '4', name: 'ask_user', args: { question: '' } }] },
      { text: 'ok' },
    ]);
    expect(await (await agent.stream('Go')).text).toBe('ok');
    const [unknown, broken, unfit, unasked] = resultsIn(model);
    expect(unknown).toContain('no tool "nope"');
    expect(broken).toContain('not valid JSON');
    expect(unfit).toContain('do not fit act');
    expect(unasked).toContain('The question was not asked.');
  });

  test('instructions may be a function of the run', async () => {
    const { agent, model } = world([{ text: 'ok' }], {
      instructions: async ({ thread, resource }) => `For ${resource} in ${thread}`,
    });
    await (await agent.stream('Hi', { memory: { thread: 't', resource: 'ann' } })).result;
    expect(model.requests[0]?.system).toBe('For ann in t');
  });

  test('the step limit ends the run with a sentence and a valid transcript', async () => {
    const { agent, store } = world((_, n) => ({ calls: [{ id: `c${n}`, name: 'look' }] }), { maxSteps: 3 });
    const stream = await agent.stream('Go on for ever');
    expect(await stream.result).toMatchObject({ status: 'finished', finishReason: 'step_limit' });
    expect(await stream.text).toMatch(/stopped after 3 steps/);
    expect((await collect(stream.textStream)).join('')).toContain(await stream.text);
    expect(store.saved.at(-1)).toMatchObject({ status: 'finished', steps: 3 });
  });

  test.each<[string, ScriptedStep, RegExp, string]>([
    [
      'cut at the length limit',
      { text: 'Half', finishReason: 'length' },
      /^Half\n\n\(The answer was cut off here/,
      'length',
    ],
    ['cut by the filter', { text: 'Half', finishReason: 'content_filter' }, /^Half\n\n\(.*filter/, 'content_filter'],
  ])('an answer %s says so', async (_, step, text, reason) => {
    const stream = await world([step]).agent.stream('Hi');
    expect(await stream.text).toMatch(text);
    expect(await stream.finishReason).toBe(reason);
    expect((await collect(stream.textStream)).join('')).toBe(await stream.text);
  });

  test.each<[string, ScriptedStep, string, RegExp, boolean]>([
    ['an empty answer', { text: ' ' }, 'empty', /empty answer/, true],
    ['nothing before the length limit', { finishReason: 'length' }, 'empty', /length limit/, true],
    ['a refusal', { finishReason: 'content_filter' }, 'refused', /refused/, false],
    ['an answer that breaks off', { text: 'Ha', cut: true }, 'bad_response', /broke off/, true],
    [
      'a model error',
      { error: new ModelError('quota', 'No credit left.', { retryable: false }) },
      'quota',
      /No credit left/,
      false,
    ],
    ['any other error', { error: new Error('socket') }, 'bad_response', /could not be asked/, true],
  ])('%s is a failure that a person can read', async (_, step, code, message, retryable) => {
    const stream = await world([step]).agent.stream('Hi');
    expect(await failureOf(stream)).toMatchObject({ code, message: expect.stringMatching(message), retryable });
    expect((await types(stream)).at(-1)).toBe('error');
    await expect(stream.text).rejects.toThrow(RunFailedError);
    await expect(collect(stream.textStream)).rejects.toThrow(message);
    expect(await stream.finishReason).toBe('error');
  });

  test('a tool call that was cut off is told as such, and the others of its step run', async () => {
    const { agent, model, done } = world([
      {
        calls: [
          { id: '1', name: 'act' },
          { id: '2', name: 'act', args: '{"what":"th' },
        ],
        finishReason: 'length',
      },
      { text: 'ok' },
    ]);
    expect(await (await agent.stream('Go')).text).toBe('ok');
    expect(done).toEqual(['act it']);
    expect(resultsIn(model)[1]).toContain('cut off');
  });
});

describe('a question', () => {
  test('is a barrier: read-only calls run, calls with side effects are told why they did not', async () => {
    const { agent, model, done } = world([
      { calls: [{ id: '1', name: 'act' }, ask('q', 'Sure?', yesNo), { id: '2', name: 'look' }] },
      { calls: [{ id: '3', name: 'act' }] },
      { text: 'ok' },
    ]);
    const stream = await agent.stream('Go');
    expect(await stream.result).toMatchObject({ status: 'suspended', suspensions: [{ toolCallId: 'q' }] });
    expect(done).toEqual(['look it']);
    expect(await (await agent.resumeStream('yes', { runId: stream.runId })).text).toBe('ok');
    expect(done).toEqual(['look it', 'act it']);
    const [held, answer, saw] = resultsIn(model, 1);
    expect(held).toMatch(/^Not executed: .*asked a question/);
    expect([answer, saw]).toEqual(['User selected: yes', 'saw it']);
  });

  test('one of several is answered in any order, and the run goes on after the last', async () => {
    const { agent, model } = world([{ calls: [ask('q1'), ask('q2'), ask('q3')] }, { text: 'ok' }]);
    const stream = await agent.stream('Go');
    const { runId } = stream;
    expect((await types(stream)).filter((type) => type === 'tool-call-suspended')).toHaveLength(3);

    const open = async (s: AgentStream) => {
      const result = await s.result;
      return result.status === 'suspended' ? result.suspensions.map(({ toolCallId }) => toolCallId) : result.status;
    };
    expect(await open(await agent.resumeStream('two', { runId, toolCallId: 'q2' }))).toEqual(['q1', 'q3']);
    await expect(agent.resumeStream('which?', { runId })).rejects.toThrow(AmbiguousQuestionError);
    expect(await open(await agent.stream('Go', { runId }))).toEqual(['q1', 'q3']);
    expect(await open(await agent.resumeStream('three', { runId, toolCallId: 'q3' }))).toEqual(['q1']);
    const last = await agent.resumeStream('one', { runId });
    expect(await open(last)).toBe('finished');
    expect((await types(last)).slice(0, 5)).toEqual([
      'start',
      'tool-result',
      'tool-result',
      'tool-result',
      'step-start',
    ]);
    expect(resultsIn(model)).toEqual(['User responded: one', 'User responded: two', 'User responded: three']);
  });

  test('more than can be asked at once are refused, and the model may ask the rest later', async () => {
    const calls = Array.from({ length: 23 }, (_, n) => ask(`q${n}`));
    const { agent, model } = world([{ calls }, { text: 'ok' }]);
    const stream = await agent.stream('Go');
    const { runId } = stream;
    const asked = await stream.result;
    if (asked.status !== 'suspended') throw new Error(asked.status);
    expect(asked.suspensions).toHaveLength(20);
    for (const { toolCallId } of asked.suspensions) await agent.resumeStream('yes', { runId, toolCallId });
    expect(await (await agent.stream([], { runId })).text).toBe('ok');
    expect(resultsIn(model).filter((result) => /^The question was not asked: at most 20/.test(result))).toHaveLength(3);
  });

  test('answered at once by two calls in parallel, both count', async () => {
    const { agent, model } = world([{ calls: [ask('q1'), ask('q2')] }, { text: 'ok' }]);
    const { runId, result } = await agent.stream('Go');
    await result;
    const streams = await Promise.all(
      ['q1', 'q2'].map((id) => agent.resumeStream(`for ${id}`, { runId, toolCallId: id })),
    );
    const ends = await Promise.all(streams.map(async (stream) => (await stream.result).status));
    expect(ends.toSorted()).toEqual(['finished', 'suspended']);
    expect(resultsIn(model)).toEqual(['User responded: for q1', 'User responded: for q2']);
  });

  test('refuses a bad answer and stays open', async () => {
    const { agent, store } = world([{ calls: [ask('q', 'Sure?', yesNo)] }, { text: 'ok' }]);
    const { runId, result } = await agent.stream('Go');
    await result;
    const before = store.saved.length;
    for (const bad of ['maybe', '', ['yes', 'no'], { options: [5] }]) {
      await expect(agent.resumeStream(bad, { runId })).rejects.toThrow(InvalidAnswerError);
    }
    expect(store.saved).toHaveLength(before);
    expect(await (await agent.resumeStream('yes', { runId })).text).toBe('ok');
  });

  test.each<[Settlement, string]>([
    [{ outcome: 'dismissed' }, 'User dismissed the question without answering.'],
    [{ outcome: 'expired', after: '1 day' }, 'Nobody answered within 1 day.'],
    [{ outcome: 'superseded', text: 'stop that' }, 'User did not pick an option. They wrote: stop that'],
  ])('a settlement is never refused: %o', async (settlement, text) => {
    const { agent, model } = world([{ calls: [ask('q', 'Sure?', yesNo)] }, { text: 'ok' }]);
    const { runId, result } = await agent.stream('Go');
    await result;
    await (await agent.resumeStream(settlement, { runId, toolCallId: 'q' })).result;
    expect(resultsIn(model)).toEqual([text]);
  });

  test('the same answer converges, at any time and in any form; another learns what stands', async () => {
    const { agent, model } = world([{ calls: [ask('q', 'Sure?', yesNo)] }, { calls: [ask('next')] }, { text: 'ok' }]);
    const { runId, result } = await agent.stream('Go');
    await result;
    const at = { runId, toolCallId: 'q' };
    const both = await Promise.all([agent.resumeStream('yes', at), agent.resumeStream('yes', at)]);
    expect(both[0]).toBe(both[1]);
    expect((await both[0].result).status).toBe('suspended');

    const same: (Answer | Settlement)[] = [
      'YES',
      ['yes'],
      { options: [0] },
      { answer: 'yes' },
      { outcome: 'answered', labels: ['yes'] },
    ];
    const differs: (Answer | Settlement)[] = ['no', { options: [1] }, 'never asked', { outcome: 'dismissed' }];
    const check = async (status: string) => {
      for (const answer of same) {
        const again = await agent.resumeStream(answer, at);
        expect((await again.result).status).toBe(status);
      }
      for (const answer of differs) {
        const refused = agent.resumeStream(answer, at);
        await expect(refused).rejects.toThrow(AlreadySettledError);
        await expect(refused).rejects.toMatchObject({ settlement: { outcome: 'answered', labels: ['yes'] } });
      }
    };
    await check('suspended');
    await (await agent.resumeStream('fine', { runId })).result;
    await check('finished');
    expect(await (await agent.resumeStream('fine', { runId })).text).toBe('ok');
    expect(model.requests).toHaveLength(3);
  });

  test('a run or question that does not exist is a typed error', async () => {
    const { agent } = world([{ text: 'ok' }, { calls: [ask('q')] }]);
    await expect(agent.resumeStream('x', { runId: 'nowhere' })).rejects.toThrow(UnknownRunError);
    await expect(agent.stream([], { runId: 'nowhere' })).rejects.toThrow(UnknownRunError);
    const plain = await agent.stream('Hi');
    await plain.result;
    await expect(agent.resumeStream('x', { runId: plain.runId })).rejects.toThrow(UnknownQuestionError);
    const asking = await agent.stream('Hi');
    await asking.result;
    await expect(agent.resumeStream('x', { runId: asking.runId, toolCallId: 'z' })).rejects.toThrow(
      UnknownQuestionError,
    );
  });

  test('messages said meanwhile are read after the answers, once by their id', async () => {
    const { agent, model } = world([{ calls: [ask('q1'), ask('q2')] }, { calls: [ask('q3')] }, { text: 'ok' }]);
    const { runId, result } = await agent.stream([{ role: 'user', content: 'Go', id: '1' }]);
    await result;
    const said = (id: string) => ({ role: 'user' as const, content: `said ${id}`, id });
    await (await agent.resumeStream('a', { runId, toolCallId: 'q1', messages: [said('2')] })).result;
    await (await agent.resumeStream('b', { runId, toolCallId: 'q2', messages: [said('2'), said('3')] })).result;
    await (await agent.resumeStream('c', { runId, messages: [said('1'), said('3'), said('4')] })).result;
    const roles = model.requests[2]?.messages.map((m) => (m.role === 'user' ? m.content : m.role));
    expect(roles).toEqual(['Go', 'assistant', 'tool', 'tool', 'said 2', 'said 3', 'assistant', 'tool', 'said 4']);
  });
});

describe('the thread', () => {
  test('the model sees what was said before, and each run joins the transcript once', async () => {
    const { agent, model, store } = world([
      { calls: [{ id: 'c', name: 'look' }] },
      { text: 'First.' },
      { text: 'Second.' },
    ]);
    const memory = { thread: 't' };
    const { runId, result } = await agent.stream('One', { memory });
    await result;
    await (await agent.stream('One', { memory, runId })).result;
    await agent.forget(runId);
    await (await agent.stream('Two', { memory })).result;
    const contents = ['One', '', 'saw it', 'First.', 'Two'];
    expect(model.requests[2]?.messages.map((m) => m.content)).toEqual(contents);
    expect((await store.history('t', 10_000)).map((m) => m.content)).toEqual([...contents, 'Second.']);
    expect(await store.load(runId)).toBeUndefined();
  });

  test('a run that is given up leaves a valid transcript and a settled question', async () => {
    const { agent, store, model } = world([{ calls: [ask('q'), { id: 'l', name: 'look' }] }, { text: 'ok' }]);
    const memory = { thread: 't' };
    const { runId, result } = await agent.stream('Go', { memory });
    await result;
    await agent.abandon(runId);
    await agent.abandon(runId);
    expect((await (await agent.stream([], { runId })).result).status).toBe('aborted');
    await expect(agent.resumeStream('late', { runId, toolCallId: 'q' })).rejects.toMatchObject({
      name: 'AlreadySettledError',
      settlement: { outcome: 'cancelled' },
    });
    await agent.forget(runId);
    await agent.forget(runId);
    await (await agent.stream('Again', { memory })).result;
    expect(resultsIn(model)).toEqual(['The question was cancelled.', 'saw it']);
    expect(await store.history('t', 10_000)).toHaveLength(7);
  });
});

test('given up with one of two answers: that one stands, the other question is cancelled', async () => {
  const { agent, store } = world([{ calls: [ask('p'), ask('q')] }]);
  const { runId, result } = await agent.stream('Go', { memory: { thread: 't' } });
  await result;
  await agent.abandon(runId, { settled: { p: { outcome: 'answered', labels: [], text: 'blue' } } });
  const contents = (await store.history('t', 10_000)).flatMap((m) => (m.role === 'tool' ? m.content : []));
  expect(contents).toEqual(['User responded: blue', 'The question was cancelled.']);
});

describe('failing, stopping, letting go', () => {
  test('a model failure keeps the run and its answers; the run goes on when it is asked to', async () => {
    const { agent, model, store } = world([
      { calls: [ask('q')] },
      { text: 'Hal', error: new ModelError('server', 'The model is down.', { retryable: true }) },
      { text: 'ok' },
    ]);
    const { runId, result } = await agent.stream('Go');
    await result;
    expect(await failureOf(await agent.resumeStream('blue', { runId }))).toMatchObject({
      code: 'server',
      retryable: true,
    });
    expect(store.saved.at(-1)).toMatchObject({ status: 'failed' });
    await expect(agent.resumeStream('red', { runId })).rejects.toThrow(AlreadySettledError);
    const more = { role: 'user' as const, content: 'Well?', id: '9' };
    expect(await (await agent.stream([more], { runId })).text).toBe('ok');
    expect(model.requests[2]?.messages.map((m) => m.content)).toEqual(['Go', '', 'User responded: blue', 'Well?']);
  });

  test('instructions that throw fail the run, not the process, and it can be continued', async () => {
    let broken = true;
    const instructions = () => {
      if (broken) throw new Error('no template');
      return 'Be good.';
    };
    const { agent } = world([{ text: 'ok' }], { instructions });
    const stream = await agent.stream('Go');
    expect(await failureOf(stream)).toMatchObject({ code: 'internal', retryable: true });
    broken = false;
    expect(await (await agent.stream([], { runId: stream.runId })).text).toBe('ok');
  });

  test('a run that is forgotten while it is driven leaves nothing', async () => {
    const { agent, store } = world([{ text: 'ok', until: new Promise(() => {}) }]);
    const stream = await agent.stream('Go');
    await agent.forget(stream.runId);
    expect(await failureOf(stream)).toMatchObject({ code: 'lost' });
    expect(store.saved).toEqual([]);
  });

  test('a run that fails at its very first call can be continued too', async () => {
    const { agent } = world([{ error: new Error('x') }, { text: 'ok' }]);
    const { runId, result } = await agent.stream('Go');
    await result;
    expect(await (await agent.stream([], { runId })).text).toBe('ok');
  });

  const hanging = (signal: AbortSignal) => {
    const began = Promise.withResolvers<void>();
    const hang = createTool({
      id: 'hang',
      description: 'Hangs.',
      inputSchema: z.object({}),
      execute: () => {
        began.resolve();
        return new Promise(() => {});
      },
    });
    const made = world([{ calls: [{ id: 'h', name: 'hang' }] }, { text: 'ok' }]);
    const agent = made.agent.withTools([hang]);
    return { ...made, agent, began: began.promise, stream: agent.stream('Go', { signal, memory: { thread: 't' } }) };
  };

  test('a stop ends model and tools, is stored, and what had started is unknown', async () => {
    const control = new AbortController();
    const { stream, began, store, agent, model } = hanging(control.signal);
    await began;
    control.abort();
    const stopped = await stream;
    expect(await stopped.result).toEqual({ status: 'aborted' });
    expect(await stopped.finishReason).toBe('aborted');
    await expect(stopped.text).rejects.toThrow(RunAbortedError);
    expect(store.saved.at(-1)).toMatchObject({ status: 'aborted', started: [] });
    expect((await (await agent.stream([], { runId: stopped.runId })).result).status).toBe('aborted');
    await (await agent.stream('Next', { memory: { thread: 't' } })).result;
    expect(resultsIn(model)[0]).toContain('outcome is unknown');
  });

  test('a release writes nothing, and the run goes on later', async () => {
    const control = new AbortController();
    const { stream, began, store, agent, model } = hanging(control.signal);
    await began;
    const before = store.saved.length;
    control.abort(releaseReason);
    const released = await stream;
    expect(await failureOf(released)).toMatchObject({ code: 'released', retryable: true });
    expect(store.saved).toHaveLength(before);
    expect(await (await agent.stream([], { runId: released.runId })).text).toBe('ok');
    expect(resultsIn(model)[0]).toContain('outcome is unknown');
  });

  test('a run that is released within its first model call is kept with what began it', async () => {
    const control = new AbortController();
    const { agent, model, store } = world([{ text: 'Hm', hang: true }, { text: 'ok' }]);
    const stream = await agent.stream('Go', { signal: control.signal });
    for await (const _ of stream.textStream) break;
    control.abort(releaseReason);
    expect(await failureOf(stream)).toMatchObject({ code: 'released' });
    const successor = new Agent({ id: 'a', name: 'A', instructions: '', model, store });
    expect(await (await successor.stream([], { runId: stream.runId })).text).toBe('ok');
    expect(model.requests[1]?.messages).toEqual([{ role: 'user', content: 'Go' }]);
  });

  test.each<[string, Partial<AgentOptions>]>([
    ['instructions that never come', { instructions: () => new Promise<string>(() => {}) }],
    ['a tool that never reads its arguments', { tools: { stuck: stuckTool } }],
  ])('a stop ends %s', async (_, more) => {
    const control = new AbortController();
    const { agent } = world([{ calls: [{ id: 'c', name: 'stuck' }] }], more);
    const stream = await agent.stream('Go', { signal: control.signal });
    setTimeout(() => control.abort(), 20);
    expect(await stream.result).toEqual({ status: 'aborted' });
  });

  test('a model that hangs and ignores its signal is left', async () => {
    const control = new AbortController();
    const { agent } = world([{ text: 'Hm', hang: true }]);
    const stream = await agent.stream('Go', { signal: control.signal });
    for await (const _ of stream.textStream) break;
    control.abort();
    expect(await stream.result).toEqual({ status: 'aborted' });
  });

  test('an identical call joins the run that is driven; another holder takes it over', async () => {
    const gate = Promise.withResolvers<void>();
    const { agent, model } = world([
      { text: 'never read', until: new Promise(() => {}) },
      { text: 'ok', until: gate.promise },
    ]);
    const first = await agent.stream('Go', { runId: 'r', holder: 'one' });
    expect(await agent.stream('Go', { runId: 'r' })).toBe(first);
    expect(await agent.stream('Go', { runId: 'r', holder: 'one' })).toBe(first);
    const second = await agent.stream('Go', { runId: 'r', holder: 'two' });
    expect(await failureOf(first)).toMatchObject({ code: 'lost', retryable: false });
    gate.resolve();
    expect(await second.text).toBe('ok');
    expect(model.requests).toHaveLength(2);
  });

  test('two identical calls at once are one run', async () => {
    const { agent, model } = world([{ text: 'ok' }]);
    const streams = await Promise.all([1, 2, 3].map(() => agent.stream('Go', { runId: 'r' })));
    expect(new Set(streams).size).toBe(1);
    expect(await streams[0]?.text).toBe('ok');
    expect(model.requests).toHaveLength(1);
  });

  test('who lost the run to another process starts no tool and writes nothing', async () => {
    const store = createMemoryRunStore();
    const gate = Promise.withResolvers<void>();
    const loser = world([{ calls: [{ id: 'x', name: 'act' }], until: gate.promise }], { store });
    const winner = world([{ text: 'mine' }], { store });
    const lost = await loser.agent.stream('Go', { runId: 'r' });
    expect(await (await winner.agent.stream('Go', { runId: 'r' })).text).toBe('mine');
    gate.resolve();
    expect(await failureOf(lost)).toMatchObject({ code: 'lost' });
    expect(loser.done).toEqual([]);
    expect((await store.load('r'))?.value.result?.text).toBe('mine');
  });
});
