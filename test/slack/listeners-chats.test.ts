/** An empty chat offers what to say, where there is such a view; nothing waits for it and nothing depends on it. */
import { expect, test } from 'vitest';
import { createChatListeners } from '../../src/slack/listeners/chats.ts';
import { createWebClient } from '../../src/slack/web-client.ts';
import { en } from '../../src/slack/words/en.ts';
import type { Prompt } from '../../src/slack/words/words.ts';
import { fakeSlack } from '../support/fake-slack.ts';
import { identity, memoryLog } from './parts.ts';

const METHOD = 'assistant.threads.setSuggestedPrompts';
const opened = (tab = 'messages') => ({ type: 'app_home_opened', user: 'U1', channel: 'D1', tab });
const started = {
  type: 'assistant_thread_started',
  assistant_thread: { user_id: 'U1', channel_id: 'D1', thread_ts: '5.000000', context: {} },
};

async function setUp(prompts?: readonly Prompt[], scopes?: readonly string[]) {
  const slack = await fakeSlack();
  const log = memoryLog();
  const client = createWebClient({ token: 'xoxb-1', apiUrl: slack.api, log, timeoutMs: 300 });
  const chats = createChatListeners({
    client,
    directory: { language: async () => 'de' },
    identity: { ...identity, ...(scopes && { scopes }) },
    prompts,
    log,
  });
  const calls = () => slack.called(METHOD);
  return { slack, log, chats, calls, [Symbol.asyncDispose]: () => slack[Symbol.asyncDispose]() };
}

test('an agent’s chat that is opened offers prompts in its reader’s language, without a thread', async () => {
  await using own = await setUp();
  const { slack, chats, calls } = own;
  slack.answer(METHOD, { ok: true });
  chats.app_home_opened(opened());
  await expect.poll(calls).toHaveLength(1);
  expect(calls()[0]).toMatchObject({ channel_id: 'D1', title: expect.stringContaining('tun') });
  expect(calls()[0]).not.toHaveProperty('thread_ts');
  expect(JSON.stringify(calls()[0])).not.toContain(en.prompts.title);
});

test('an assistant’s thread that is begun offers the operator’s own there', async () => {
  await using own = await setUp([{ title: 'Deploy', message: 'Deploy billing' }]);
  const { slack, chats, calls } = own;
  slack.answer(METHOD, { ok: true });
  chats.assistant_thread_started(started);
  await expect.poll(calls).toHaveLength(1);
  expect(calls()[0]).toMatchObject({ channel_id: 'D1', thread_ts: '5.000000' });
  expect(JSON.stringify(calls()[0])).toContain('Deploy billing');
});

test('Home is none, nor is what cannot be read; and an operator may offer nothing', async () => {
  await using own = await setUp();
  const { chats, calls, log } = own;
  chats.app_home_opened(opened('home'));
  chats.app_home_opened({ type: 'app_home_opened' });
  chats.assistant_thread_started({ type: 'assistant_thread_started' });
  expect(log.lines).toMatchObject([{ level: 'warn' }]);
  await using off = await setUp([]);
  off.chats.app_home_opened(opened());
  off.chats.assistant_thread_started(started);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect([...calls(), ...off.calls()]).toEqual([]);
});

test('an app without the scope has no such view: it is not asked', async () => {
  await using own = await setUp(undefined, ['chat:write']);
  own.chats.app_home_opened(opened());
  await using agent = await setUp(undefined, ['chat:write', 'assistant:write']);
  agent.chats.app_home_opened(opened());
  await expect.poll(agent.calls).toHaveLength(1);
  expect(own.calls()).toEqual([]);
});

test.for([
  ['nor does one that is refused for good: it is asked once', { ok: false, error: 'missing_scope' }, 1],
  ['a failure is none for good: it is asked again', { ok: false, error: 'internal_error' }, 2],
] as const)('%s', async ([, answer, asked]) => {
  await using own = await setUp();
  const { slack, chats, calls, log } = own;
  slack.answer(METHOD, answer);
  for (let time = 1; time <= 2; time += 1) {
    chats.app_home_opened(opened());
    await expect.poll(() => log.lines.filter(({ level }) => level === 'debug').length).toBe(Math.min(time, asked));
  }
  expect(calls()).toHaveLength(asked);
  expect(log.lines.filter(({ level }) => level !== 'debug')).toEqual([]);
});
