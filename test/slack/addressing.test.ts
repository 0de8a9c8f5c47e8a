/** Whom a question is put to, as Slack's answers have it. */
import { expect, test } from 'vitest';
import { createAddressing } from '../../src/slack/addressing.ts';
import { createDirectory } from '../../src/slack/directory.ts';
import { createWebClient } from '../../src/slack/web-client.ts';
import type { ThreadId } from '../../src/thread/ports.ts';
import { fakeSlack, TEAM } from '../support/fake-slack.ts';
import { memoryLog, wallClock } from './parts.ts';

const policy = { answers: 'requester' as const, allowGuests: false, allowExternal: false };
const list = [{ name: 'Finance', ids: ['S0FINANCE', 'U0CLEO'] }];

async function setUp(more: object = {}) {
  const slack = await fakeSlack();
  const log = memoryLog();
  const client = createWebClient({ token: 'xoxb-1', apiUrl: slack.api, log });
  const directory = createDirectory({ client, team: TEAM, clock: wallClock, log });
  const address = createAddressing({ client, directory, policy: { ...policy, ...more }, list, log });
  slack.answer('users.info', { ok: true, user: { team_id: TEAM } });
  slack.answer('conversations.members', { ok: true, members: ['U0ANN', 'U0BOB', 'U0CLEO'] });
  slack.answer('usergroups.users.list', { ok: true, users: ['U0BOB', 'U0EVE'] });
  const ask = (to: string[], named: string[], channel = 'C1') =>
    address({ thread: `${TEAM}:${channel}:5.000000` as ThreadId, requester: 'U0ANN', to, named });
  return { slack, log, ask };
}

test.for<[to: string[], named: string[], people: string[]]>([
  [['<@U0BOB>'], ['U0BOB'], ['U0BOB']],
  [['<@U0BOB|bob>', '@U0BOB', 'U0BOB'], ['U0BOB'], ['U0BOB']],
  [['<!subteam^S0OPS|@ops>'], ['S0OPS'], ['U0BOB']],
  [[' @finance'.trim()], [], ['U0BOB', 'U0CLEO']],
  [['U0ANN'], [], ['U0ANN']],
  [['U0ANN', 'U0BOB'], ['U0BOB'], ['U0ANN', 'U0BOB']],
])('%j, with %j named, are %j', async ([to, named, people]) => {
  const { slack, ask } = await setUp();
  await using _ = slack;
  expect(await ask(to, named)).toEqual({ status: 'found', people });
});

test('members are read page by page, until all are found', async () => {
  const { slack, ask } = await setUp();
  await using _ = slack;
  slack.answer(
    'conversations.members',
    { ok: true, members: ['U0ANN'], response_metadata: { next_cursor: 'two' } },
    { ok: true, members: ['U0BOB'], response_metadata: { next_cursor: 'three' } },
  );
  expect(await ask(['U0BOB'], ['U0BOB'])).toEqual({ status: 'found', people: ['U0BOB'] });
  expect(slack.called('conversations.members').map(({ cursor }) => cursor)).toEqual([undefined, 'two']);
});

test.for<
  [why: string, to: string[], named: string[], answers: Record<string, Record<string, unknown>>, reason: RegExp]
>([
  ['not named', ['U0BOB'], [], {}, /"U0BOB" is nobody whom .* mentioned.*none of the names "Finance"/],
  ['a label', ['@bob'], ['U0BOB'], {}, /Give a mention as it stands/],
  ['a group that was not named', ['S0OPS'], ['U0BOB'], {}, /is nobody whom/],
  ['in another channel', ['U0EVE'], ['U0EVE'], {}, /^<@U0EVE> cannot be asked: is not in this channel\.$/],
  ['nobody', ['U0BOB'], ['U0BOB'], { 'users.info': { ok: false, error: 'user_not_found' } }, /not an active person/],
  ['deactivated', ['U0BOB'], ['U0BOB'], { 'users.info': { ok: true, user: { deleted: true } } }, /not an active/],
  ['a guest', ['U0BOB'], ['U0BOB'], { 'users.info': { ok: true, user: { is_restricted: true } } }, /is a guest/],
  ['no group', ['S0X'], ['S0X'], { 'usergroups.users.list': { ok: false, error: 'no_such_subteam' } }, /no user group/],
  ['an empty group', ['S0X'], ['S0X'], { 'usergroups.users.list': { ok: true, users: [] } }, /None of these people/],
  [
    'a group of a hundred',
    ['S0X'],
    ['S0X'],
    { 'usergroups.users.list': { ok: true, users: Array.from({ length: 100 }, (_, i) => `U${i}AA`) } },
    /These are 100 people/,
  ],
  [
    'a group of thirty who all may',
    ['S0X'],
    ['S0X'],
    {
      'usergroups.users.list': { ok: true, users: Array.from({ length: 30 }, (_, i) => `U${i}AA`) },
      'conversations.members': { ok: true, members: Array.from({ length: 30 }, (_, i) => `U${i}AA`) },
    },
    /These are 30 people; at most 20/,
  ],
])('refused: %s', async ([, to, named, answers, reason]) => {
  const { slack, ask } = await setUp();
  await using _ = slack;
  for (const [method, answer] of Object.entries(answers)) slack.answer(method, answer);
  const answered = await ask(to, named);
  expect(answered).toMatchObject({ status: 'refused', reason: expect.stringMatching(reason) });
});

test('who is not among the people who may use the bot is not asked', async () => {
  const { slack, ask } = await setUp({ users: ['U0ANN'] });
  await using _ = slack;
  expect(await ask(['U0BOB'], ['U0BOB'])).toMatchObject({ reason: expect.stringContaining('not among the people') });
});

test('in a direct message nobody else is looked for', async () => {
  const { slack, ask } = await setUp();
  await using _ = slack;
  expect(await ask(['U0BOB'], ['U0BOB'], 'D1')).toMatchObject({ status: 'refused' });
  expect(slack.called('conversations.members')).toEqual([]);
});

test.for([
  ['conversations.members', 'U0BOB'],
  ['usergroups.users.list', 'S0OPS'],
  ['users.info', 'U0BOB'],
] as const)('without the scope for %s it is refused, and the operator reads why', async ([method, who]) => {
  const { slack, log, ask } = await setUp();
  await using _ = slack;
  slack.answer(method, { ok: false, error: 'missing_scope' });
  expect(await ask([who], [who])).toMatchObject({
    status: 'refused',
    reason: expect.stringMatching(/did not let me look up .* \(missing_scope\)\.$/),
  });
  expect(JSON.stringify(log)).toContain('manifest.yml');
});

test.for([
  ['conversations.members', { ok: false, error: 'internal_error' }],
  ['conversations.members', { ok: false, error: 'ratelimited' }],
  ['users.info', { ok: false, error: 'fatal_error' }],
  ['usergroups.users.list', { ok: false, error: 'service_unavailable' }],
] as const)('what %s cannot say now (%j) is asked again later', async ([method, answer]) => {
  const { slack, ask } = await setUp();
  await using _ = slack;
  slack.answer(method, answer);
  expect(await ask(['U0BOB', 'S0OPS'], ['U0BOB', 'S0OPS'])).toMatchObject({ status: 'later' });
});

test.for([
  ['conversations.members', {}],
  ['conversations.members', { members: null }],
  ['conversations.members', { members: 5 }],
  ['conversations.members', { members: ['U0ANN', 7] }],
  ['usergroups.users.list', {}],
  ['usergroups.users.list', { users: 'U0BOB' }],
] as const)('an answer of %s that says nothing (%j) says not that there is nobody', async ([method, answer]) => {
  const { slack, ask } = await setUp();
  await using _ = slack;
  slack.answer(method, { ok: true, ...answer });
  const found = await ask(['U0BOB', 'S0OPS'], ['U0BOB', 'S0OPS']);
  expect(found).toMatchObject({ status: 'later', unreadable: true, reason: expect.stringContaining('not readable') });
});
