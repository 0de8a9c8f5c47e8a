import { expect, test } from 'vitest';
import { signed } from '../support/fake-slack.ts';
import { connected } from './connected.ts';

const form = 'application/x-www-form-urlencoded';
const mention = JSON.stringify({
  type: 'event_callback',
  team_id: 'T1',
  event: { type: 'app_mention', channel: 'C1', user: 'U1', ts: '5.000000', text: '<@UBOT> hi' },
});

test.for<[string, RequestInit, number]>([
  ['null', signed('null'), 400],
  ['payload=null', signed('payload=null', { type: form }), 400],
  ['a number', signed('5'), 400],
  ['a string', signed('"x"'), 400],
  ['an array', signed('[]'), 400],
  ['nothing', signed(''), 400],
  ['half of JSON', signed('{'), 400],
  ['half of a form’s JSON', signed('payload=%7B', { type: form }), 400],
  ['an object that is nothing', signed('{}'), 400],
  ['an event that is null', signed('{"type":"event_callback","event":null}'), 400],
  ['an event without a type', signed('{"event":null}'), 400],
  ['a mention of another team', signed(mention.replace('T1', 'T2')), 403],
  ['an unsigned mention', { method: 'POST', body: mention, headers: { 'content-type': 'application/json' } }, 401],
  ['a mention signed with another secret', signed(mention, { secret: 'other' }), 401],
  ['a mention of ten minutes ago', signed(mention, { age: 600 }), 401],
  ['a mention of in ten minutes', signed(mention, { age: -600 }), 401],
  ['more than a megabyte', signed(`"${'x'.repeat(1_100_000)}"`), 413],
  ['Slack’s handshake', signed('{"type":"url_verification","challenge":"c"}'), 200],
  ['Slack’s handshake, unsigned', signed('{"type":"url_verification","challenge":"c"}', { secret: 'x' }), 401],
  ['a GET', { method: 'GET' }, 405],
])('%s: answered, nothing done, and the next mention is taken', async ([, request, status]) => {
  await using bot = await connected('http');
  expect((await bot.post('/slack/events', request)).status).toBe(status);
  expect(bot.calls).toEqual([]);
  expect((await bot.post('/slack/events', signed(mention))).status).toBe(200);
  expect(bot.called('receive')).toHaveLength(1);
});

test('a tampered body is refused', async () => {
  await using bot = await connected('http');
  const request = signed(mention);
  expect((await bot.post('/slack/events', { ...request, body: mention.replace('hi', 'ho') })).status).toBe(401);
  expect(bot.calls).toEqual([]);
});

test.for(['//', '/nowhere', '/slack/events/', '/%', '/slack/events%00'])('%s is nothing of ours', async (path) => {
  await using bot = await connected('http');
  for (const method of ['GET', 'POST', 'PUT']) {
    expect((await bot.post(path, { method })).status, method).toBeGreaterThanOrEqual(400);
  }
  expect((await bot.post('/slack/events', signed(mention))).status).toBe(200);
});

test('the secret and what people write stay out of the log', async () => {
  await using bot = await connected('http', { receive: () => Promise.reject(new Error('disk full')) });
  expect((await bot.post('/slack/events', signed(mention.replace('hi', 'the launch code')))).status).toBe(500);
  expect(bot.log.lines.filter(({ level }) => level === 'error').length).toBeGreaterThan(0);
  expect(JSON.stringify(bot.log.lines)).not.toMatch(/signing secret|launch code/);
});

test('a store slower than three seconds: no 200, so that Slack sends it again', async () => {
  const saving = Promise.withResolvers<object>();
  await using bot = await connected('http', { receive: () => saving.promise });
  expect((await bot.post('/slack/events', signed(mention))).status).toBe(503);
  saving.resolve({ status: 'accepted' });
});
