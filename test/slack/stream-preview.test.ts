import type { AnyChunk } from '@slack/types';
import { expect, test } from 'vitest';
import type { StreamCalls, StreamOutcome } from '../../src/slack/stream-calls.ts';
import { openPreview } from '../../src/slack/stream-preview.ts';
import { createVirtualClock } from '../thread/virtual-clock.ts';
import { memoryLog, THREAD } from './parts.ts';

type Message = { ts: string; text: string; tasks: string[]; open: boolean };

/** Streams in memory, on a clock that is moved by hand. `next`: what the next calls come to. */
function setUp(record: (ts: string) => Promise<boolean> = async () => true) {
  const clock = createVirtualClock();
  const messages: Message[] = [];
  const made: string[] = [];
  const next: StreamOutcome[] = [];
  const kept: string[] = [];

  function call(name: string, ts: string | undefined, chunks: AnyChunk[]): StreamOutcome {
    made.push(name);
    const failed = next.shift();
    if (failed && !failed.ok) return failed;
    const message = messages.find((m) => m.ts === ts) ?? {
      ts: String(messages.length),
      text: '',
      tasks: [],
      open: true,
    };
    if (ts === undefined) messages.push(message);
    for (const chunk of chunks) {
      if (chunk.type === 'markdown_text') message.text += chunk.text;
      if (chunk.type === 'task_update') message.tasks.push(`${chunk.title}: ${chunk.status}`);
    }
    if (name === 'stop') message.open = false;
    return { ok: true, ts: message.ts };
  }
  const calls: StreamCalls = {
    has: () => true,
    opened() {},
    closed() {},
    interval: () => 1_000,
    start: async (_place, _recipient, chunks) => call('start', undefined, chunks),
    append: async (_place, ts, chunks) => call('append', ts, chunks),
    stop: async (_place, ts, chunks) => call('stop', ts, chunks),
    edit: async (_place, ts, markdown) => {
      const message = messages.find((m) => m.ts === ts);
      if (message) message.text = markdown;
      return call('edit', ts, []);
    },
  };
  const place = { thread: THREAD, channel: 'C1', threadTs: '100.000000' };
  const recipient = { user: 'U1', team: 'T1' };
  const keep = ({ ts }: { ts: string }) => void kept.push(ts);
  const preview = openPreview({ calls, clock, log: memoryLog(), place, recipient, record, keep });
  return { preview, clock, messages, made, next, kept };
}

test('what is whole within a second is no stream', async () => {
  const { preview, clock, made } = setUp();
  preview.say('Done already.');
  await clock.advance(900);
  expect(await preview.settle('Done already.')).toEqual({ parts: [{ text: 'Done already.' }], strays: [] });
  expect(made).toEqual([]);
});

test('what is said between two calls goes out with the second; the rest is left to the post', async () => {
  const { preview, clock, messages, made, kept } = setUp();
  preview.say('One two ');
  await clock.advance(1_000);
  for (const word of ['three ', 'four ', 'five']) preview.say(word);
  await clock.advance(1_000);
  expect(messages).toEqual([{ ts: '0', text: 'One two three four', tasks: [], open: true }]);
  const { parts } = await preview.settle('One two three four five');
  expect(parts).toEqual([{ text: 'One two three four five', preview: { ts: '0', whole: false } }]);
  expect(made).toEqual(['start', 'append']);
  expect(kept).toEqual(['0']);
});

test('nothing is added to a message that was not recorded', async () => {
  const { preview, clock, made } = setUp(async () => false);
  preview.say('One two ');
  await clock.advance(1_000);
  preview.say('three four ');
  await clock.advance(10_000);
  expect(made).toEqual(['start']);
  await preview.leave();
  expect(made).toEqual(['start', 'stop']);
});

test('what is done is told as tasks; alone they make a message that stays as it is', async () => {
  const { preview, clock, messages } = setUp();
  preview.task({ id: 'a', title: 'Look <!channel> up', status: 'in_progress' });
  await clock.advance(1_000);
  preview.task({ id: 'a', title: 'Look <!channel> up', status: 'complete' });
  await clock.advance(1_000);
  expect(await preview.settle('')).toEqual({ parts: [], strays: [] });
  const title = 'Look @\u2060channel up';
  expect(messages).toEqual([
    { ts: '0', text: '', tasks: [`${title}: in_progress`, `${title}: complete`], open: false },
  ]);
});

test('a reply after its tasks goes into their message', async () => {
  const { preview, clock } = setUp();
  preview.task({ id: 'a', title: 'Look up', status: 'in_progress' });
  await clock.advance(1_000);
  preview.say('Found it.');
  expect((await preview.settle('Found it.')).parts).toEqual([
    { text: 'Found it.', preview: { ts: '0', whole: false } },
  ]);
});

test('at 240 s the next paragraph begins a message, and what is posted has the same two', async () => {
  const { preview, clock, messages, made } = setUp();
  preview.say('First.\n\n');
  await clock.advance(239_000);
  preview.say('Still the first message, ');
  await clock.advance(2_000);
  preview.say('to its end.\n\nAnd then ');
  await clock.advance(3_000);
  expect(messages.map(({ text, open }) => [text, open])).toEqual([
    ['First.\n\nStill the first message, to its end.', false],
    ['And then', true],
  ]);
  const text = 'First.\n\nStill the first message, to its end.\n\nAnd then the second.';
  expect((await preview.settle(text)).parts).toEqual([
    { text: 'First.\n\nStill the first message, to its end.', preview: { ts: '0', whole: true } },
    { text: 'And then the second.', preview: { ts: '1', whole: false } },
  ]);
  expect(made.filter((name) => name === 'stop')).toHaveLength(1);
});

test('in the middle of code no message begins; at 280 s the stream ends, and the end edits it', async () => {
  const { preview, clock, messages, kept } = setUp();
  preview.say('```\none\n\n');
  await clock.advance(2_000);
  for (let minute = 0; minute < 5; minute += 1) {
    preview.say('two\n\n');
    await clock.advance(60_000);
  }
  expect(messages).toHaveLength(1);
  expect(messages[0]?.open).toBe(false);
  const { parts } = await preview.settle(`\`\`\`\none\n\n${'two\n\n'.repeat(5)}\`\`\``);
  expect(parts.map((part) => part.preview)).toEqual([{ ts: '0', whole: false }]);
  expect(kept).toEqual([]);
});

test('a start of which nothing was heard is told at the end; nothing more is begun', async () => {
  const { preview, clock, made, next } = setUp();
  next.push({ ok: false, error: 'ambiguous' });
  const since = clock.now() + 1_000;
  preview.say('One two ');
  await clock.advance(60_000);
  preview.say('three four ');
  await clock.advance(60_000);
  expect(made).toEqual(['start']);
  expect(await preview.settle('One two three four five')).toMatchObject({ unheard: since, strays: [] });
});

test('what the text does not say is a stray', async () => {
  const { preview, clock } = setUp();
  preview.say('This is not what comes out. ');
  await clock.advance(1_000);
  expect(await preview.settle('')).toEqual({ parts: [], strays: ['0'] });
});

test('left while it grows, its marks are closed; nothing is added where none is open', async () => {
  for (const [said, stays] of [
    ['This is **bold and _so ', 'This is **bold and _so…_**'],
    ['Run this:\n```sh\nnpm ci\n', 'Run this:\n```sh\nnpm ci\n```'],
    ['All is well ', 'All is well'],
  ] as const) {
    const { preview, clock, messages, made } = setUp();
    preview.say(said);
    await clock.advance(1_000);
    await preview.leave();
    expect(messages).toEqual([{ ts: '0', text: stays, tasks: [], open: false }]);
    expect(made).toEqual(['start', 'stop']);
  }
});

test('a stream that somebody else has stopped is edited to be closed', async () => {
  const { preview, clock, messages, made, next } = setUp();
  preview.say('This is **bold and ');
  await clock.advance(1_000);
  next.push({ ok: false, error: 'refused', code: 'stopped_by_user' });
  preview.say('more of it ');
  await clock.advance(1_000);
  await preview.leave();
  expect(messages).toMatchObject([{ text: 'This is **bold and…**' }]);
  expect(made).toEqual(['start', 'append', 'edit']);
});

test('a stop that does not get through leaves it to an edit', async () => {
  const { preview, clock, made, next } = setUp();
  preview.say('This is **bold and ');
  await clock.advance(1_000);
  next.push({ ok: false, error: 'ambiguous' });
  await preview.leave();
  expect(made).toEqual(['start', 'stop', 'edit']);
});
