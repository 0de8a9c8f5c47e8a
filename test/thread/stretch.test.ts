/** The agent's turn, when the store fails now and then, and with agents that do not listen or end by themselves. */
import { expect, test } from 'vitest';
import type { ConversationAgent } from '../../src/agent/conversation-agent.ts';
import { createMemoryRunStore } from '../../src/agent/memory-run-store.ts';
import { ask, type Line, storyAgent } from './story.ts';
import { ann, createTown, thread } from './town.ts';

const where: Line[] = [[ask('Where?', ['staging', 'production'], { allowFreeform: false })], 'Deployed.'];

/** A town whose agent has a store that fails while `broken` says so. */
function shakyTown(lines: Line[]) {
  const inner = createMemoryRunStore();
  const shaky = { broken: false };
  const check = () => {
    if (shaky.broken) throw new Error('the disk is gone');
  };
  const store = {
    ...inner,
    async swap(...args: Parameters<typeof inner.swap>) {
      check();
      return inner.swap(...args);
    },
    async append(...args: Parameters<typeof inner.append>) {
      check();
      return inner.append(...args);
    },
  };
  let drawn = 0;
  const agent = storyAgent({
    store,
    lines: (step) => lines[step] ?? 'More.',
    effects: new Map(),
    newId: () => `s${++drawn}`,
  });
  return { town: createTown({ deps: { agent } }), shaky };
}

test('a store that fails for a moment while the agent works costs time, and nobody hears of it', async () => {
  const { town, shaky } = shakyTown(where);
  await town.say('deploy it');
  shaky.broken = true;
  await town.click('Where?', [1]);
  shaky.broken = false;
  await town.pass(10_000);
  expect(town.replies()).toEqual(['Deployed.']);
  expect(town.slack.standing('failure')).toEqual([]);
});

test('a store that fails on leaves the run, with its answers, to a Retry', async () => {
  const { town, shaky } = shakyTown(where);
  await town.say('deploy it');
  shaky.broken = true;
  await town.click('Where?', [1]);
  await town.pass(60_000);
  const failures = town.slack.standing('failure').map((m) => m.post);
  expect(failures).toEqual([expect.objectContaining({ retry: { runId: expect.any(String) } })]);
  shaky.broken = false;
  const runId = (await town.record())?.run?.runId ?? '';
  expect(await town.dispatcher.retry(thread, runId, ann)).toEqual({ status: 'retrying' });
  await town.pass(10_000);
  expect(town.replies()).toEqual(['Deployed.']);
  expect(town.card('Where?').shows.settled?.settlement).toMatchObject({ labels: ['production'] });
});

test('an agent that does not end when it is told to is left, and the thread goes on', async () => {
  let deaf = true;
  const inner = storyAgent({
    store: createMemoryRunStore(),
    lines: () => 'Hello.',
    effects: new Map(),
    newId: () => 'x',
  });
  const agent: ConversationAgent = {
    id: 'deaf',
    name: 'Deaf',
    stream: (...args) => (deaf ? new Promise(() => {}) : inner.stream(...args)),
    resumeStream: (...args) => inner.resumeStream(...args),
  };
  const town = createTown({ deps: { agent } });
  await town.say('deploy it');
  await town.say('stop', { mention: false });
  await town.pass(10_000);
  expect(town.slack.standing('stopped')).toHaveLength(1);
  deaf = false;
  await town.say('hello?');
  expect(town.replies()).toEqual(['Hello.']);
});

test('an agent that ends a run by itself leaves no thread silent', async () => {
  const inner = storyAgent({
    store: createMemoryRunStore(),
    lines: () => 'Hello.',
    effects: new Map(),
    newId: () => 'x',
  });
  const agent: ConversationAgent = {
    id: 'moody',
    name: 'Moody',
    async stream(input, options) {
      const signal = AbortSignal.abort();
      return inner.stream(input, { ...options, signal });
    },
    resumeStream: (...args) => inner.resumeStream(...args),
  };
  const town = createTown({ deps: { agent } });
  await town.say('deploy it');
  expect(town.slack.standing('failure')).toHaveLength(1);
  expect((await town.record())?.run).toBeUndefined();
});
