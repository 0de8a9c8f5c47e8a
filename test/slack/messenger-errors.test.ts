import { expect, test } from 'vitest';
import { failureOf } from '../../src/slack/web-api-error.ts';
import { createWebClient } from '../../src/slack/web-client.ts';
import { type Answer, fakeSlack } from '../support/fake-slack.ts';
import { memoryLog } from './parts.ts';

async function failure(answer: Answer) {
  await using slack = await fakeSlack();
  slack.answer('chat.postMessage', answer);
  const client = createWebClient({ token: 'xoxb-1', apiUrl: slack.api, log: memoryLog(), timeoutMs: 1_500 });
  const error = await client.chat.postMessage({ channel: 'C1', text: 'x' }).then(
    () => undefined,
    (e: unknown) => e,
  );
  expect(slack.called('chat.postMessage'), 'one attempt').toHaveLength(1);
  return failureOf(error);
}

const codes = {
  ambiguous: 'internal_error fatal_error request_timeout service_unavailable messaging_processing_failed update_failed',
  later:
    'ratelimited rate_limited team_added_to_org account_inactive token_revoked token_expired invalid_auth not_authed',
  gone:
    'channel_not_found not_in_channel is_archived missing_scope not_allowed_token_type no_permission org_login_required ekm_access_denied team_access_not_granted ' +
    'accesslimited restricted_action restricted_action_read_only_channel restricted_action_thread_only_channel ' +
    'message_limit_exceeded messages_tab_disabled thread_not_found cannot_reply_to_message user_not_found',
  refused:
    'invalid_blocks invalid_blocks_format msg_blocks_too_long markdown_text_conflict msg_too_long no_text block_mismatch ' +
    'metadata_too_large invalid_metadata_format invalid_metadata_schema too_many_attachments invalid_arguments ' +
    'attachment_payload_limit_exceeded cant_update_message edit_window_closed streaming_state_conflict ' +
    'cant_delete_message message_not_found unknown_method invalid_form_data an_error_of_next_year',
};

test.for(Object.entries(codes).flatMap(([kind, all]) => all.split(' ').map((code) => [code, kind] as const)))(
  'Slack’s %s is %s',
  async ([error, kind]) => {
    expect(await failure({ ok: false, error })).toMatchObject({ ok: false, error: kind, reason: error });
  },
);

test('Slack’s own words about what it refused are in the reason', async () => {
  const messages = ['[ERROR] no more than 50 items allowed [json-pointer:/blocks]'];
  const refused = await failure({ ok: false, error: 'invalid_blocks', response_metadata: { messages } });
  expect(refused.reason).toBe('invalid_blocks: [ERROR] no more than 50 items allowed [json-pointer:/blocks]');
});

test.for<[string, Answer, object]>([
  [
    '429 with Retry-After',
    (res) => void res.writeHead(429, { 'retry-after': '7' }).end('{}'),
    { error: 'later', retryAfter: 7_000 },
  ],
  [
    '429 with Retry-After 0',
    (res) => void res.writeHead(429, { 'retry-after': '0' }).end('{}'),
    { error: 'later', retryAfter: 1_000 },
  ],
  ['429 without', (res) => void res.writeHead(429).end('{}'), { error: 'later', retryAfter: 5_000 }],
  [
    '429 with a date',
    (res) => void res.writeHead(429, { 'retry-after': 'Tue' }).end('{}'),
    { error: 'later', retryAfter: 5_000 },
  ],
  ['500', (res) => void res.writeHead(500).end('oops'), { error: 'ambiguous', reason: 'HTTP 500' }],
  ['502', (res) => void res.writeHead(502).end('<html>'), { error: 'ambiguous', reason: 'HTTP 502' }],
  ['a redirect', (res) => void res.writeHead(302, { location: '/' }).end(), { error: 'ambiguous' }],
  ['a page instead of JSON', (res) => void res.end('<html>login</html>'), { error: 'ambiguous' }],
  ['null', (res) => void res.end('null'), { error: 'ambiguous' }],
  ['no body', (res) => void res.end(), { error: 'ambiguous' }],
  ['a cut connection', (res) => void res.destroy(), { error: 'ambiguous' }],
  [
    'a cut body',
    (res) => void res.writeHead(200, { 'content-length': '99' }).write('{"ok":', () => res.destroy()),
    { error: 'ambiguous' },
  ],
  [
    'a body that stops',
    (res) => void res.writeHead(200, { 'content-length': '99' }).write('{"ok":'),
    { error: 'ambiguous' },
  ],
  ['no answer in time', () => {}, { error: 'ambiguous' }],
])('%s', async ([, answer, expected]) => {
  expect(await failure(answer)).toMatchObject({ ok: false, ...expected });
});

test('nobody listening: nothing was sent, so it may be sent again', async () => {
  const slack = await fakeSlack();
  const client = createWebClient({ token: 'xoxb-1', apiUrl: slack.api, log: memoryLog() });
  await slack[Symbol.asyncDispose]();
  const error = await client.auth.test().catch((e: unknown) => e);
  expect(failureOf(error)).toMatchObject({ ok: false, error: 'later', reason: 'ECONNREFUSED' });
});

test('a bug is not taken for an answer of Slack', () => {
  expect(failureOf(new TypeError('x is undefined'))).toEqual({
    ok: false,
    error: 'ambiguous',
    reason: 'TypeError: x is undefined',
  });
});
