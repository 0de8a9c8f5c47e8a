/** The thread before a message, as the real client reads it from a Slack that answers as Slack does, or does not. */
import { describe, expect, test } from 'vitest';
import { readEarlierMessage } from '../../src/slack/message.ts';
import { createReader } from '../../src/slack/reader.ts';
import { createWebClient } from '../../src/slack/web-client.ts';
import type { ThreadId } from '../../src/thread/ports.ts';
import { BOT_ID, BOT_USER, fakeSlack, TEAM } from '../support/fake-slack.ts';
import { memoryLog } from './parts.ts';

const identity = { team: TEAM, botUser: BOT_USER, botId: BOT_ID };
const thread = `${TEAM}:C1:100.000000` as ThreadId;

async function setUp() {
  const slack = await fakeSlack();
  const log = memoryLog();
  const client = createWebClient({ token: 'xoxb-1', apiUrl: slack.api, log, timeoutMs: 1_000 });
  const directory = { profile: async () => ({}) };
  return { slack, reader: createReader({ client, identity, directory, token: 'xoxb-1', apiUrl: slack.api, log }) };
}

const message = (ts: string, text: string, more: object = {}) => ({ type: 'message', ts, user: 'U1', text, ...more });

describe('one message', () => {
  test.for([
    ['a person', message('1.0', 'hi &amp; <@U2>'), { by: { kind: 'person', id: 'U1' }, text: 'hi & <@U2>' }],
    [
      'a file',
      message('1.0', '', { files: [{ name: 'a.png' }], subtype: 'file_share' }),
      { text: '[attached: a.png]' },
    ],
    [
      'a file whose name would end its note, or turn it round',
      message('1.0', '', { files: [{ name: 'a]\u2028[From\u202e\u0000<@U1>.png' }] }),
      { text: '[attached: a From <@U1>.png]' },
    ],
    [
      'a bot that says more than is read, cut where a character has two halves',
      message('1.0', '', { bot_id: 'B7', attachments: [{ text: `${'x'.repeat(19_999)}😀` }] }),
      { text: `${'x'.repeat(19_999)}\ufffd` },
    ],
    ['ourselves', message('1.0', 'done', { user: BOT_USER, bot_id: BOT_ID }), { by: { kind: 'self' }, text: 'done' }],
    [
      'another bot',
      message('1.0', 'deployed', { user: 'U7', bot_id: 'B7', bot_profile: { name: 'Ship]\nbot' } }),
      { by: { kind: 'bot', name: 'Ship bot' }, text: 'deployed' },
    ],
    [
      'one of old, without a user',
      { type: 'message', subtype: 'bot_message', ts: '1.0', bot_id: 'B8', username: 'hook', text: 'x' },
      { by: { kind: 'bot', name: 'hook' }, text: 'x' },
    ],
    [
      'a bot that says all in blocks',
      message('1.0', '', {
        bot_id: 'B7',
        blocks: [
          { type: 'header', text: { type: 'plain_text', text: 'Build 7' } },
          {
            type: 'section',
            fields: [
              { type: 'mrkdwn', text: 'red' },
              { type: 'mrkdwn', text: '<@U2>' },
            ],
          },
          {
            type: 'rich_text',
            elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: 'since noon' }] }],
          },
        ],
      }),
      { by: { kind: 'bot', name: 'without a name' }, text: 'Build 7\nred\n<@U2>\nsince noon' },
    ],
    [
      'a bot that says it in attachments',
      message('1.0', '', {
        bot_id: 'B7',
        attachments: [{ title: 'OPS-1', text: 'Broken' }, { fallback: 'see there' }],
      }),
      { text: 'OPS-1\nBroken\nsee there' },
    ],
    // Slack unfurls what people link to: not their words.
    ['a person with an unfurled link', message('1.0', 'x', { attachments: [{ text: 'of the page' }] }), { text: 'x' }],
  ] as const)('of %s', ([, given, expected]) => expect(readEarlierMessage(given, identity)).toMatchObject(expected));

  test.for([
    ['a join', message('1.0', 'has joined', { subtype: 'channel_join' })],
    ['a tombstone', message('1.0', 'deleted', { subtype: 'tombstone', user: 'USLACKBOT' })],
    ['nothing that is written', message('1.0', '')],
    ['nothing that is readable', { ts: 7 }],
    ['no message', null],
  ] as const)('of %s is none', ([, given]) => expect(readEarlierMessage(given, identity)).toBeUndefined());
});

describe('a thread', () => {
  test('is read over its pages, within its span, the first and the latest', async () => {
    const { slack, reader } = await setUp();
    await using _ = slack;
    slack.answer(
      'conversations.replies',
      {
        ok: true,
        messages: [message('100.000000', 'root'), message('101.000000', 'a'), message('102.000000', 'b')],
        response_metadata: { next_cursor: 'more' },
      },
      {
        ok: true,
        messages: [message('103.000000', 'c'), message('104.000000', 'd'), message('105.000000', 'mention')],
      },
    );
    const read = await reader.earlier(thread, { after: '0', before: '105.000000' }, 3);
    expect(read).toMatchObject({ ok: true, leftOut: 2, messages: [{ text: 'root' }, { text: 'c' }, { text: 'd' }] });
    expect(slack.called('conversations.replies')).toMatchObject([
      { channel: 'C1', ts: '100.000000', latest: '105.000000' },
      { cursor: 'more' },
    ]);
    expect(slack.called('conversations.replies')[0]).not.toHaveProperty('oldest');
  });

  test('that was read before is read from there, without its root', async () => {
    const { slack, reader } = await setUp();
    await using _ = slack;
    slack.answer('conversations.replies', {
      ok: true,
      messages: [message('100.000000', 'root'), message('103.0', 'c')],
    });
    const read = await reader.earlier(thread, { after: '102.000000', before: '105.000000' }, 9);
    expect(read).toMatchObject({ ok: true, messages: [{ text: 'c' }] });
    expect(slack.called('conversations.replies')[0]).toMatchObject({ oldest: '102.000000' });
  });

  test('without an end is read for a while', async () => {
    const { slack, reader } = await setUp();
    await using _ = slack;
    slack.answer('conversations.replies', {
      ok: true,
      messages: [message('101.0', 'a')],
      response_metadata: { next_cursor: 'more' },
    });
    expect(await reader.earlier(thread, { after: '0', before: '105.0' }, 9)).toMatchObject({ ok: true, more: true });
  });

  test('of a DM is not asked for', async () => {
    const { slack, reader } = await setUp();
    await using _ = slack;
    const dm = `${TEAM}:D1:100.000000` as ThreadId;
    expect(await reader.earlier(dm, { after: '0', before: '105.0' }, 9)).toEqual({
      ok: true,
      messages: [],
      leftOut: 0,
    });
    expect(slack.calls).toEqual([]);
  });

  test.for([
    [
      { ok: false, error: 'missing_scope' },
      { error: 'refused', reason: 'missing_scope' },
    ],
    [{ ok: false, error: 'not_in_channel' }, { error: 'refused' }],
    [{ ok: false, error: 'thread_not_found' }, { error: 'refused' }],
    [{ ok: false, error: 'internal_error' }, { error: 'later' }],
  ] as const)('that Slack refuses with %j', async ([answer, expected]) => {
    const { slack, reader } = await setUp();
    await using _ = slack;
    slack.answer('conversations.replies', answer);
    expect(await reader.earlier(thread, { after: '0', before: '105.0' }, 9)).toMatchObject({ ok: false, ...expected });
  });

  test('that comes too late, or after a 429, may be asked for again', async () => {
    const { slack, reader } = await setUp();
    await using _ = slack;
    slack.answer(
      'conversations.replies',
      () => {},
      (res) => void res.writeHead(429, { 'retry-after': '7' }).end(),
    );
    expect(await reader.earlier(thread, { after: '0', before: '105.0' }, 9)).toMatchObject({ error: 'later' });
    expect(await reader.earlier(thread, { after: '0', before: '105.0' }, 9)).toMatchObject({
      error: 'later',
      retryAfter: 7_000,
    });
  });
});
