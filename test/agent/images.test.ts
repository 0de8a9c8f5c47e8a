import { expect, test } from 'vitest';
import { Agent } from '../../src/agent/agent.ts';
import { fitted } from '../../src/agent/fit.ts';
import { hasImages, showing } from '../../src/agent/images.ts';
import type { Image, Message, UserMessage } from '../../src/agent/messages.ts';
import { type Model, ModelError, type ModelRequest } from '../../src/agent/model.ts';
import { beginRun, sealable } from '../../src/agent/run.ts';
import { charsOf, imageChars, jsonCharsOf } from '../../src/agent/transcript.ts';

const image = (name: string, length = 4): Image => ({ name, mediaType: 'image/png', data: 'A'.repeat(length) });
const shot = (name: string, length?: number): UserMessage => ({
  role: 'user',
  content: name,
  images: [image(name, length)],
});
const imagesIn = (messages: readonly Message[]) =>
  messages.flatMap((m) => (m.role === 'user' ? (m.images ?? []).map(({ name }) => name) : []));

function model(refuses: 'images' | 'all' | 'nothing', seesImages?: boolean) {
  const requests: ModelRequest[] = [];
  const it: Model = {
    ...(seesImages !== undefined && { seesImages }),
    async *stream(request) {
      requests.push(request);
      if (refuses === 'all' || (refuses === 'images' && hasImages(request.messages)))
        throw new ModelError('bad_request', 'No.', { retryable: true });
      yield { type: 'text-delta', text: 'I see.' };
      yield { type: 'finish', finishReason: 'stop' };
    },
  };
  return { requests, agent: new Agent({ id: 'a', name: 'A', instructions: '', model: it }) };
}

const memory = { thread: 't' };

test('a model sees what was sent, also in the next run of the thread', async () => {
  const { agent, requests } = model('nothing');
  expect(await (await agent.stream([shot('a')], { memory })).text).toBe('I see.');
  await (await agent.stream('and now?', { memory })).text;
  expect(requests.map(({ messages }) => imagesIn(messages))).toEqual([['a'], ['a']]);
});

test('one that refuses images is asked without them, and reads why', async () => {
  const { agent, requests } = model('images');
  expect(await (await agent.stream([shot('a')])).text).toBe('I see.');
  expect(requests).toHaveLength(2);
  expect(requests[1]?.messages).toEqual([
    { role: 'user', content: expect.stringMatching(/^a\n\[The image a is not shown to you: this model cannot/) },
  ]);
});

test('one that refuses the request without them too has failed', async () => {
  const { agent, requests } = model('all');
  const stream = await agent.stream([shot('a')]);
  expect(await stream.result).toMatchObject({ status: 'failed', error: { code: 'bad_request' } });
  expect(requests).toHaveLength(2);
});

test('one that is known not to see is not tried', async () => {
  const { agent, requests } = model('images', false);
  expect(await (await agent.stream([shot('a')])).text).toBe('I see.');
  expect(requests).toHaveLength(1);
});

test('of many the latest are shown', () => {
  const messages = [...'abc'].map((name) => shot(name));
  expect(imagesIn(showing(messages, 2, 'no room'))).toEqual(['b', 'c']);
  expect(showing(messages, 2, 'no room')[0]?.content).toBe('a\n[The image a is not shown to you: no room.]');
  expect(showing(messages, 3, 'no room')).toEqual(messages);
});

test('they count by what a model reads of them, and in a record by what they take', () => {
  const large = shot('a', 400_000);
  expect(charsOf([large])).toBeLessThan(imageChars + 100);
  expect(jsonCharsOf(large)).toBeLessThan(imageChars + 100);
  // Out of the record with the next save, so that no later one writes them again.
  expect(sealable(beginRun({ runId: 'r', holder: 'h' }, [large]))).toBe(1);
  expect(sealable(beginRun({ runId: 'r', holder: 'h' }, [shot('b')]))).toBe(0);
});

test('where there is no room for them they go before all words do', () => {
  const own = [shot('a'), shot('b'), { role: 'user' as const, content: 'what is this?' }];
  const fitting = fitted([], own, 5_000);
  expect(imagesIn(fitting)).toEqual([]);
  expect(fitting.at(-1)?.content).toBe('what is this?');
  expect(fitting[0]?.content).toContain('left out to make room');
});
