import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createInFlight } from '../../src/slack/in-flight.ts';
import type { SlackEvent } from '../../src/slack/inbound.ts';
import { readInbound } from '../../src/slack/inbound.ts';
import { createMessageListener, readMessage } from '../../src/slack/listeners/messages.ts';
import type { Person } from '../../src/thread/ports.ts';
import { BOT_USER, TEAM } from '../support/fake-slack.ts';
import { identity, memoryLog, scripted, wallClock, whispers } from './parts.ts';

const said = (more: object) => ({
  type: 'message',
  channel: 'C1',
  channel_type: 'channel',
  user: 'U1',
  ts: '5.000000',
  text: 'hi',
  ...more,
});
const mention = `<@${BOT_USER}> deploy`;

test.for<[string, { type: string }, object]>([
  [
    'a mention',
    said({ type: 'app_mention', text: mention, channel_type: undefined }),
    {
      text: 'deploy',
      mention: true,
      root: true,
      direct: false,
      id: '5.000000',
      thread: `${TEAM}:C1:5.000000`,
      by: 'U1',
    },
  ],
  ['its message event', said({ text: mention }), { text: 'deploy', mention: true, root: true }],
  ['a mention within the text', said({ text: `could <@${BOT_USER}|askback> deploy` }), { mention: true }],
  ['no mention', said({}), { mention: false, root: true }],
  ['somebody else’s mention', said({ text: '<@U2> deploy' }), { mention: false, named: ['U2'] }],
  [
    'whom it mentions, but for the bot and for what is only typed',
    said({ text: `${mention} <@U2|ada> <!subteam^S3> <!subteam^S4|@ops> &lt;@U5&gt; <!here> <#C6>` }),
    { mention: true, named: ['U2', 'S3', 'S4'] },
  ],
  ['a mention with a longer id', said({ text: `<@${BOT_USER}2> deploy` }), { mention: false }],
  ['a reply', said({ thread_ts: '1.000000' }), { root: false, thread: `${TEAM}:C1:1.000000`, id: '5.000000' }],
  ['a root that says so', said({ thread_ts: '5.000000' }), { root: true }],
  ['a broadcast reply', said({ subtype: 'thread_broadcast', thread_ts: '1.000000' }), { root: false }],
  [
    'a message with a file',
    said({ subtype: 'file_share', text: mention, files: [{ name: 'report.pdf' }] }),
    { text: 'deploy\n[attached: report.pdf]' },
  ],
  [
    'a file alone',
    said({ subtype: 'file_share', text: '', files: [{ name: 'a.png' }, { title: 'b' }, {}] }),
    { text: '[attached: a.png, b, a file]' },
  ],
  [
    'a file named to deceive',
    said({ files: [{ name: 'x]\n[attached: y' }] }),
    { text: 'hi\n[attached: x attached: y]' },
  ],
  [
    'many files',
    said({ text: '', files: Array.from({ length: 25 }, (_, i) => ({ name: `f${i}` })) }),
    { text: expect.stringMatching(/f19, and 5 more\]$/) },
  ],
  ['/me', said({ subtype: 'me_message' }), { text: 'hi' }],
  ['a DM', said({ channel: 'D1', channel_type: 'im' }), { direct: true, root: true }],
  ['a group DM', said({ channel: 'G1', channel_type: 'mpim' }), { direct: false }],
  ['entities', said({ text: 'a &lt; b &amp;&amp; c' }), { text: 'a < b && c' }],
  ['no text', said({ text: undefined }), { text: '' }],
])('%s is a message', ([, event, expected]) => {
  expect(readMessage(event, identity)).toMatchObject(expected);
});

test.for<[string, { type: string }]>([
  ['our own message', said({ user: BOT_USER })],
  ['a bot', said({ bot_id: 'B2' })],
  ['an app', said({ app_id: 'A2' })],
  ['Slackbot', said({ user: 'USLACKBOT' })],
  ['an edit', said({ subtype: 'message_changed', hidden: true, message: { text: mention }, user: undefined })],
  ['an edited mention', said({ type: 'app_mention', text: mention, edited: { user: 'U1', ts: '6.0' } })],
  ['a deletion', said({ subtype: 'message_deleted', deleted_ts: '4.0', user: undefined })],
  ['a join', said({ subtype: 'channel_join', text: '<@U1> has joined' })],
  ['a new topic', said({ subtype: 'channel_topic' })],
  ['a bot message of old', said({ subtype: 'bot_message', user: undefined, text: mention })],
  ['what is hidden', said({ hidden: true })],
  ['a subtype of next year', said({ subtype: 'message_dreamt', text: mention })],
])('%s is no message', ([, event]) => {
  expect(readMessage(event, identity)).toBeUndefined();
});

const member = (id: string): Person | undefined => ({ id, standing: 'member' });

function setUp({ receive = () => ({ status: 'accepted' }) as object, person = member } = {}) {
  const { dispatcher, called } = scripted({ receive });
  const log = memoryLog();
  const inFlight = createInFlight();
  const { heard, messenger } = whispers();
  const lookups: string[] = [];
  const directory = {
    known: async (id: string) => {
      lookups.push(id);
      return person(id);
    },
  };
  const parts = { dispatcher, directory, identity, messenger, inFlight, clock: wallClock, log };
  const listener = createMessageListener(parts);
  return {
    listen: (event: SlackEvent, again = 0) => listener(event, { again }),
    called,
    log,
    heard,
    inFlight,
    lookups,
  };
}

test('both events of a mention are given as the same message', async () => {
  const { listen, called } = setUp();
  await listen(said({ type: 'app_mention', text: mention, channel_type: undefined }));
  await listen(said({ text: mention }));
  const [first, second] = called('receive');
  expect(first).toEqual(second);
  expect(first).toEqual([
    {
      thread: `${TEAM}:C1:5.000000`,
      id: '5.000000',
      by: { id: 'U1', standing: 'member' },
      text: 'deploy',
      mention: true,
      direct: false,
      root: true,
      named: [],
    },
  ]);
});

test('what people say to each other in a channel is neither passed on nor looked up', async () => {
  const { listen, called, lookups } = setUp();
  await listen(said({}));
  expect(called('receive')).toEqual([]);
  expect(lookups).toEqual([]);
});

test.for<[string, object, number]>([
  ['with a mention is told why', { text: mention }, 1],
  ['in a DM is told why', { channel: 'D1', channel_type: 'im' }, 1],
  ['who only replies in a thread is left alone', { thread_ts: '1.000000' }, 0],
])('one who may not, %s', async ([, more, times]) => {
  const { listen, heard, inFlight } = setUp({ receive: () => ({ status: 'not_allowed', reason: 'guest' }) });
  await listen(said(more));
  await inFlight.settled();
  expect(heard.map(({ person, whisper }) => ({ person, whisper }))).toEqual(
    Array.from({ length: times }, () => ({ person: 'U1', whisper: { kind: 'not_allowed', reason: 'guest' } })),
  );
});

test('one who may not is told once of both events of a mention, and where it shows', async () => {
  const { listen, heard, inFlight } = setUp({ receive: () => ({ status: 'not_allowed', reason: 'guest' }) });
  await listen(said({ type: 'app_mention', text: mention }));
  await listen(said({ text: mention }));
  await listen(said({ text: mention, ts: '6.000000', thread_ts: '1.000000' }));
  await inFlight.settled();
  expect(heard.map(({ place }) => place)).toEqual(['channel', 'thread']);
});

test.for<[string, object, number]>([
  ['that overtook the mention above it is brought once more', { thread_ts: '1.000000' }, 2],
  ['in a thread that is older is none of ours', { ts: '20.000000', thread_ts: '1.000000' }, 1],
])('a reply %s', async ([, more, times]) => {
  const { listen, called } = setUp({ receive: () => ({ status: 'ignored' }) });
  await listen(said(more));
  expect(called('receive')).toHaveLength(times);
});

test('a failing store is passed on, so that nothing is acked', async () => {
  const { listen } = setUp({ receive: () => Promise.reject(new Error('disk full')) });
  await expect(listen(said({ text: mention }))).rejects.toThrow('disk full');
});

test.for<[string, object]>([
  ['to us', { text: mention }],
  ['in a thread that may be ours', { thread_ts: '1.000000' }],
])('a message %s, whose writer Slack does not tell in time, is to be sent again, twice', async ([, more]) => {
  const { listen, called } = setUp({ person: () => undefined });
  await expect(listen(said(more))).rejects.toThrow('who wrote');
  await expect(listen(said(more), 1)).rejects.toThrow('who wrote');
  expect(called('receive')).toEqual([]);
  await listen(said(more), 2);
  expect(called('receive')).toMatchObject([[{ by: { id: 'U1', standing: 'unknown' } }]]);
});

test.for<[string, object]>([
  ['no user', { user: undefined }],
  ['a channel that is no id', { channel: 'C1:1.0' }],
  ['a ts that is none', { ts: 'now' }],
  ['a thread that is none', { thread_ts: '1:2' }],
  ['text that is none', { text: { a: 1 } }],
  ['files that are none', { files: 'report.pdf' }],
])('a message with %s is dropped with a line in the log that has none of its text', async ([, more]) => {
  const { listen, called, log } = setUp();
  await listen(said({ text: `${mention} secret`, ...more }));
  expect(called('receive')).toEqual([]);
  expect(log.lines).toMatchObject([{ level: 'warn', message: 'a message is not readable' }]);
  expect(JSON.stringify(log.lines)).not.toContain('secret');
});

const recorded = new URL('../../../shared/data/payloads/', import.meta.url);
test.skipIf(!existsSync(recorded))('recorded payloads of Slack are read', () => {
  const load = (name: string) => JSON.parse(readFileSync(new URL(`${name}.json`, recorded), 'utf8'));
  for (const [file, key, expected] of [
    ['channel-mention-slack', 'mention', { mention: true, direct: false, root: true }],
    ['modals-slack', 'mention', { mention: true, text: 'Hello' }],
    ['dm-slack-direct', 'directDM', { direct: true, text: 'hello hello', root: true }],
    ['channel-slack', 'mention', { mention: true, text: 'Hey' }],
  ] as const) {
    const fixture = load(file);
    const us = { team: fixture[key].team_id, botUser: fixture.botUserId, botId: 'B' };
    const inbound = readInbound(fixture[key], us);
    expect(inbound.kind, file).toBe('event');
    if (inbound.kind === 'event') expect(readMessage(inbound.event, us), file).toMatchObject(expected);
    expect(readInbound(fixture[key], { ...us, team: 'TOTHER' }), file).toMatchObject({ kind: 'refused', status: 403 });
  }
  const { action, viewSubmission } = load('modals-slack');
  const us = { team: action.team.id, botUser: 'U', botId: 'B' };
  for (const body of [action, viewSubmission]) expect(readInbound(body, us)).toEqual({ kind: 'interaction' });
});
