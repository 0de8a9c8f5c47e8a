/** A reply that is seen as it grows: whole and once in the thread afterwards, whatever becomes of its stream. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { ScriptRequest } from '../../src/playground/model-request.ts';
import type { Reply } from '../../src/playground/model-server.ts';
import type { Fault, PlaygroundMessage } from '../../src/playground/protocol.ts';
import { harmless } from '../../src/slack/text.ts';
import { asking, options } from './asking.ts';
import { isCard, startTalk, type Talk, talkOf } from './talk.ts';
import { root, startWorld, type World } from './world.ts';

const poem = Array.from({ length: 40 }, (_, n) => `Line ${n}: <!channel> and @here say **nothing** loud.`).join('\n');
const chapters = Array.from({ length: 60 }, (_, n) =>
  `Part ${n}. ${'All of this is said in words. '.repeat(10)}`.trim(),
);
const book = chapters.join('\n\n');
const code = `\`\`\`sh\n${'echo "nothing *loud" && sleep 1\n'.repeat(60)}\`\`\`\n`;
const aside = 'word '.repeat(200).trim();

/** "poem 4", "book 8" and "code 9" are said over about so many seconds; beside questions much is said; anything else as `asking` has it. */
function slowly(request: ScriptRequest): Reply {
  const last = request.messages.at(-1);
  const [, name, seconds] =
    (last?.role === 'user' && /(poem|book|code) (\d+)/.exec(JSON.stringify(last.content))) || [];
  const reply = asking(request);
  if (name === undefined) return reply.calls ? { ...reply, text: aside, slice: 20, pace: 60 } : reply;
  const text = { poem, book, code }[name] ?? '';
  const slice = 40;
  return { type: 'answer', text, slice, pace: (Number(seconds) * 1_000) / (text.length / slice) };
}

const calls = (world: World, channel: string) =>
  world.slack
    .calls()
    .filter(({ method, args }) => method.startsWith('chat.') && args.channel === channel)
    .map(({ method }) => method.slice('chat.'.length));

const wholeText = ({ blocks = [] }: PlaygroundMessage) =>
  blocks.map((block) => (block.type === 'markdown' ? block.text : '')).join('');

/** The thread is at rest, and the bot's only message in it is the poem, to be found by its id. */
async function endsAsPoem(talk: Talk) {
  await talk.reads('Line 39');
  // What was begun without our hearing of it is looked for after a while.
  await expect.poll(() => talk.posts().map(wholeText), { timeout: 20_000, interval: 100 }).toEqual([harmless(poem)]);
  await talk.atRest();
  const posts = talk.posts();
  expect(posts[0]).not.toHaveProperty('streaming');
  expect(posts[0]?.metadata?.event_type).toBe('askback');
  return posts[0] as PlaygroundMessage;
}

const streams = (world: World, talk: Talk) => world.sees(talk.thread, 'a stream', (m) => m.streaming === true);

describe('where nothing fails', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld({ script: slowly });
  });
  afterAll(() => world[Symbol.asyncDispose]());

  test('a long reply is seen as it grows, and takes few calls', async () => {
    const place = world.place();
    const talk = await startTalk(world, place, 'poem 4');
    const begun = await streams(world, talk);
    const grown = await world.sees(talk.thread, 'more of it', (m) => m.streaming === true && m.text > begun.text);
    expect(harmless(poem).startsWith(grown.text)).toBe(true);
    const done = await endsAsPoem(talk);
    expect(done.ts).toBe(begun.ts);
    const [first, ...made] = calls(world, place.channel);
    expect([first, made.pop()]).toEqual(['startStream', 'stopStream']);
    expect(new Set(made)).toEqual(new Set(['appendStream']));
    expect(made.length).toBeLessThanOrEqual(4);
  });

  test('a short reply is one post', async () => {
    const place = world.place();
    const talk = await startTalk(world, place, 'hello');
    await talk.reads('Said: hello');
    await talk.atRest();
    expect(calls(world, place.channel)).toEqual(['postMessage']);
  });

  test('what is said beside a question is closed before its card', async () => {
    const place = world.place();
    const talk = await talkOf(world, place, { question: 'Where to?', options: options('a', 'b') });
    await streams(world, talk);
    await talk.card();
    await talk.atRest();
    const posts = talk.posts();
    expect(posts.map((m) => (isCard(m) ? 'card' : wholeText(m)))).toEqual([aside, 'card']);
    expect(posts.some((m) => m.streaming)).toBe(false);
    expect(calls(world, place.channel).slice(-2)).toEqual(['stopStream', 'postMessage']);
  });

  test('stopped while it grows, what was said stays, closed, and the thread says that it was stopped', async () => {
    const talk = await startTalk(world, world.place(), 'code 30');
    const begun = await streams(world, talk);
    await talk.say('stop');
    await world.sees(talk.thread, 'the end', (m) => m.ts !== begun.ts && m.text.includes('Stopped'));
    await talk.atRest();
    const [said, ...others] = talk.posts();
    expect(said?.ts).toBe(begun.ts);
    expect(said?.streaming).toBeUndefined();
    expect(code.startsWith(said?.text.replace(/\n```$/, '') ?? '-')).toBe(true);
    expect(said?.text).toMatch(/sleep[^`]*\n```$/);
    expect(others).toHaveLength(1);
  });

  test('a reply of several messages goes on in the next as it grows', async () => {
    const place = world.place();
    const talk = await startTalk(world, place, 'book 12');
    await talk.reads('Part 59');
    await talk.atRest();
    expect(talk.posts().map(wholeText).join('\n\n')).toBe(book);
    const made = calls(world, place.channel);
    expect(made.filter((call) => call === 'stopStream').length).toBeGreaterThan(1);
    expect(made.filter((call) => /^(startStream|postMessage)$/.test(call))).toHaveLength(talk.posts().length);
    expect(made).not.toContain('update');
  });
});

type Case = [what: string, fault: Omit<Fault, 'channel'>, calls: string[]];

const START = 'startStream';
const APPEND = 'appendStream';
const STOP = 'stopStream';
const cases: Case[] = [
  [
    'no streams in such a channel',
    { method: 'chat.startStream', kind: 'refuse', error: 'channel_type_not_supported' },
    [START, 'postMessage'],
  ],
  [
    'a recipient that Slack does not know',
    { method: 'chat.startStream', kind: 'refuse', error: 'user_not_found' },
    [START, 'postMessage'],
  ],
  ['a start that never arrived', { method: 'chat.startStream', kind: 'drop_before', times: 1 }, [START, 'postMessage']],
  [
    'a start whose answer was lost',
    { method: 'chat.startStream', kind: 'drop_after', times: 1 },
    [START, 'delete', 'postMessage'],
  ],
  [
    'an append whose answer was lost',
    { method: 'chat.appendStream', kind: 'drop_after', times: 1 },
    [START, APPEND, STOP, 'update'],
  ],
  [
    'an append that is too many',
    { method: 'chat.appendStream', kind: 'rate_limited', value: 1, times: 1 },
    [START, APPEND, STOP],
  ],
  [
    'an append that Slack cannot do',
    { method: 'chat.appendStream', kind: 'http_500_before', times: 1 },
    [START, APPEND, STOP, 'update'],
  ],
  [
    'a stop that never arrived',
    { method: 'chat.stopStream', kind: 'drop_before', times: 1 },
    [START, APPEND, STOP, 'update'],
  ],
  [
    'a stop whose answer was lost',
    { method: 'chat.stopStream', kind: 'http_500_after', times: 1 },
    [START, APPEND, STOP],
  ],
  [
    'a stop that is too many',
    { method: 'chat.stopStream', kind: 'rate_limited', value: 2, times: 1 },
    [START, APPEND, STOP],
  ],
  [
    'a stop that is refused',
    { method: 'chat.stopStream', kind: 'refuse', error: 'user_not_found' },
    [START, APPEND, STOP, 'update', 'postMessage', 'delete'],
  ],
];

const scenarios: Record<string, () => Promise<void>> = {
  'at each call, in each way': async () => {
    await using world = await startWorld({ script: slowly });
    const told = cases.map(async ([what, fault, expected]) => {
      const place = world.place();
      await world.act({ do: 'fault', as: place.as, fault: { ...fault, channel: place.channel } });
      // So many streams at once share the appends that Slack takes: each has one about every eight seconds.
      const talk = await startTalk(world, place, 'poem 16');
      await endsAsPoem(talk);
      expect([...new Set(calls(world, place.channel))].toSorted(), what).toEqual(expected.toSorted());
    });
    await Promise.all(told);
  },

  'what is said beside a question is whole, once, and before its card, whatever becomes of its stream': async () => {
    await using world = await startWorld({ script: slowly, windows: { stream: 2_000 } });
    const faults: [string, Omit<Fault, 'channel'> | undefined, means?: string][] = [
      ['it ends in the middle', undefined, 'update'],
      ['refused', { method: 'chat.startStream', kind: 'refuse', error: 'user_not_found' }],
      ['cut', { method: 'chat.appendStream', kind: 'drop_after', times: 1 }, 'update'],
      ['its end is lost', { method: 'chat.stopStream', kind: 'http_500_after', times: 1 }],
    ];
    const told = faults.map(async ([what, fault, means = 'postMessage']) => {
      const place = world.place();
      if (fault) await world.act({ do: 'fault', as: place.as, fault: { ...fault, channel: place.channel } });
      const talk = await talkOf(world, place, { question: 'Where to?', options: options('a', 'b') });
      const card = await talk.card();
      await talk.atRest();
      expect(
        talk.posts().map((m) => (isCard(m) ? 'card' : wholeText(m))),
        what,
      ).toEqual([aside, 'card']);
      expect(calls(world, place.channel), what).toContain(means);
      await talk.click(card, 'a');
      await talk.reads('Heard: User selected: a');
    });
    await Promise.all(told);
  },

  'too many starts: it is posted, and the next ones wait as long as Slack says': async () => {
    await using world = await startWorld({ script: slowly });
    const fault: Fault = { method: 'chat.startStream', kind: 'rate_limited', value: 60, times: 1 };
    await world.act({ do: 'fault', as: world.place().as, fault });
    for (const expected of [[START, 'postMessage'], ['postMessage']]) {
      const place = world.place();
      await endsAsPoem(await startTalk(world, place, 'poem 2'));
      expect(calls(world, place.channel)).toEqual(expected);
    }
  },

  'a stream that ends in the middle is edited to the whole': async () => {
    await using world = await startWorld({ script: slowly, windows: { stream: 1_500 } });
    const place = world.place();
    const talk = await startTalk(world, place, 'poem 4');
    await streams(world, talk);
    await endsAsPoem(talk);
    expect(calls(world, place.channel)).toContain('update');
  },

  'in a workspace without streams they are asked for once': async () => {
    await using world = await startWorld({ script: slowly, legacy: true });
    for (const expected of [[START, 'postMessage'], ['postMessage']]) {
      const place = world.place();
      await endsAsPoem(await startTalk(world, place, 'poem 2'));
      expect(calls(world, place.channel)).toEqual(expected);
    }
  },

  'killed while it grows, the next process says it all': async () => {
    await using world = await startWorld({ script: slowly });
    const talk = await startTalk(world, world.place(), 'poem 4');
    const begun = await streams(world, talk);
    await world.kill();
    await world.start();
    await world.sees(
      talk.thread,
      'the reply anew',
      (m) => m.ts !== begun.ts && wholeText(m) === harmless(poem),
      90_000,
    );
    expect((await endsAsPoem(talk)).ts).not.toBe(begun.ts);
  },

  'killed between a start and its answer, nothing of it stays': async () => {
    await using world = await startWorld({ script: slowly });
    const place = world.place();
    const slow: Fault = { method: 'chat.startStream', channel: place.channel, kind: 'slow', value: 5_000, times: 1 };
    await world.act({ do: 'fault', as: place.as, fault: slow });
    const talk = await startTalk(world, place, 'poem 4');
    const begun = await streams(world, talk);
    await world.kill();
    await world.start();
    await world.sees(
      talk.thread,
      'the reply anew',
      (m) => m.ts !== begun.ts && wholeText(m) === harmless(poem),
      90_000,
    );
    await endsAsPoem(talk);
  },
};

test('whatever fails, the reply is whole and once in the thread', async () => {
  // At the same time, each in a world of its own: they wait, for the most part.
  const told = Object.entries(scenarios).map(([what, tell]) =>
    tell().catch((cause: unknown) => {
      throw new Error(`${what}: ${String(cause)}`, { cause });
    }),
  );
  await Promise.all(told);
});

test('an app that is an agent says whose turn it is, and its Stop button ends what grows', async () => {
  const manifest = parse(readFileSync(join(root, 'manifest.yml'), 'utf8'));
  manifest.features.agent_view = { agent_description: 'Asks before it guesses.' };
  manifest.settings.event_subscriptions.bot_events.push('agent_session_stopped');
  await using world = await startWorld({ script: slowly, manifest });
  const sessions = (place: { channel: string }) =>
    world.slack
      .calls()
      .filter(({ args }) => (args.channel_id ?? args.channel) === place.channel)
      .flatMap(({ method, args }) =>
        method === 'agents.sessions.setStatus' ? args.status : method === 'chat.stopStream' ? args.session_status : [],
      );
  const sessionOf = (talk: Talk) =>
    world.slack.state().statuses.find((s) => s.channel === talk.channel && s.thread_ts === talk.thread)?.session;

  const asked = world.place();
  const talk = await talkOf(world, asked, { question: 'Where to?', options: options('a', 'b') });
  const card = await talk.card();
  await talk.atRest();
  expect(sessionOf(talk)).toBe('suspended');
  await talk.click(card, 'a');
  await talk.reads('Heard: User selected: a');
  await talk.atRest();
  expect(sessionOf(talk)).toBe('active');
  // The stream of what was said beside the question does not make the session "active" by ending.
  expect(sessions(asked)).toEqual(['processing', 'suspended', 'suspended', 'processing', 'active']);

  const place = world.place();
  const long = await startTalk(world, place, 'code 30');
  const begun = await streams(world, long);
  await world.act({ do: 'stop_session', as: place.as, channel: place.channel, thread_ts: long.thread });
  await world.sees(long.thread, 'the end', (m) => m.ts !== begun.ts && m.text.includes('Stopped'));
  await long.atRest();
  expect(long.posts().map(({ ts }) => ts)[0]).toBe(begun.ts);
  expect(long.posts()).toHaveLength(2);
  expect(long.posts().map(wholeText)[0]).toMatch(/echo[^`]*\n```$/);
  expect(sessionOf(long)).toBe('active');
  expect(world.slack.calls('assistant.threads.setStatus')).toEqual([]);
});
