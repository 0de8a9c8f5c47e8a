import { expect, test } from 'vitest';
import { createDirectory } from '../../src/slack/directory.ts';
import { createWebClient } from '../../src/slack/web-client.ts';
import { fakeSlack, TEAM } from '../support/fake-slack.ts';
import { jumpingClock, memoryLog, wallClock } from './parts.ts';

async function setUp(clock = wallClock) {
  const slack = await fakeSlack();
  const log = memoryLog();
  const client = createWebClient({ token: 'xoxb-1', apiUrl: slack.api, log });
  return { slack, log, directory: createDirectory({ client, team: TEAM, clock, log }) };
}

test.for([
  [{}, 'member'],
  [{ team_id: TEAM }, 'member'],
  [{ team_id: TEAM, is_restricted: true }, 'guest'],
  [{ team_id: TEAM, is_ultra_restricted: true }, 'guest'],
  [{ team_id: 'T2' }, 'external'],
  [{ team_id: TEAM, is_stranger: true }, 'external'],
  [{ team_id: 'T2', is_restricted: true }, 'external'],
  [{ team_id: 'T2', enterprise_user: { teams: ['T2', TEAM] } }, 'member'],
  [{ team_id: 'T2', enterprise_user: { teams: ['T2'] } }, 'external'],
  [{ team_id: TEAM, deleted: true }, 'unknown'],
  [{ team_id: TEAM, is_bot: true }, 'unknown'],
  [{ team_id: 7 }, 'unknown'],
  [null, 'unknown'],
] as const)('Slack says %j: %s', async ([user, standing]) => {
  const { slack, directory } = await setUp();
  await using _ = slack;
  slack.answer('users.info', { ok: true, user });
  expect(await directory.person('U1')).toEqual({ id: 'U1', standing });
});

test('one who does not exist is unknown, and is not asked for again', async () => {
  const { slack, directory } = await setUp();
  await using _ = slack;
  slack.answer('users.info', { ok: false, error: 'user_not_found' });
  expect(await directory.person('U1')).toEqual({ id: 'U1', standing: 'unknown' });
  await directory.person('U1');
  expect(slack.called('users.info')).toHaveLength(1);
});

test('a failed lookup counts as outside now, and is tried again the next time', async () => {
  const { slack, directory } = await setUp();
  await using _ = slack;
  slack.answer('users.info', { ok: false, error: 'internal_error' }, { ok: true, user: { team_id: TEAM } });
  expect(await directory.person('U1')).toEqual({ id: 'U1', standing: 'unknown' });
  expect(await directory.person('U1')).toEqual({ id: 'U1', standing: 'member' });
});

test.for<[string, Record<string, unknown>, object | undefined]>([
  ['does not answer with a yes or no', { ok: false, error: 'internal_error' }, undefined],
  ['is asked too often', { ok: false, error: 'ratelimited' }, undefined],
  ['will not say', { ok: false, error: 'missing_scope' }, { id: 'U1', standing: 'unknown' }],
  ['knows nobody like that', { ok: false, error: 'user_not_found' }, { id: 'U1', standing: 'unknown' }],
])('where Slack %s, known is %j: %j', async ([, answered, person]) => {
  const { slack, directory } = await setUp();
  await using _ = slack;
  slack.answer('users.info', answered);
  expect(await directory.known('U1')).toEqual(person);
});

test('lookups at the same time are one', async () => {
  const { slack, directory } = await setUp();
  await using _ = slack;
  await Promise.all([directory.person('U1'), directory.person('U1'), directory.person('U1')]);
  expect(slack.called('users.info')).toEqual([{ user: 'U1', include_locale: 'true' }]);
});

test('an answer is believed for ten minutes', async () => {
  const clock = jumpingClock();
  // Patience is a race: a clock that jumps would end it at once.
  const { slack, directory } = await setUp({ now: clock.now, sleep: () => new Promise(() => {}) });
  await using _ = slack;
  await directory.person('U1');
  await clock.sleep(10 * 60_000 - 1);
  await directory.person('U1');
  expect(slack.called('users.info')).toHaveLength(1);
  await clock.sleep(1);
  slack.answer('users.info', { ok: true, user: { is_restricted: true } });
  expect(await directory.person('U1')).toEqual({ id: 'U1', standing: 'guest' });
});

test('who was known within a day keeps their standing while Slack cannot be asked, or is slow; no longer, though', async () => {
  const clock = jumpingClock();
  let slow = false;
  const sleep = () => new Promise<void>((resolve) => (slow ? setTimeout(resolve, 30) : undefined));
  const { slack, directory } = await setUp({ now: clock.now, sleep });
  await using _ = slack;
  await directory.person('U1');
  slack.answer('users.info', { ok: false, error: 'ratelimited' });
  await clock.sleep(23 * 3_600_000);
  expect(await directory.person('U1')).toEqual({ id: 'U1', standing: 'member' });
  slow = true;
  slack.answer('users.info', () => {});
  expect(await directory.person('U1')).toEqual({ id: 'U1', standing: 'member' });
  await clock.sleep(3_600_000);
  expect(await directory.person('U1')).toEqual({ id: 'U1', standing: 'unknown' });
});

test.for([
  [{ locale: 'zh-TW' }, 'zh-Hant'],
  [{ locale: 'es-419', is_restricted: true }, 'es'],
  [{ locale: 'pt-PT' }, 'en'],
  [{ locale: 7 }, 'en'],
  [{}, 'en'],
  [null, 'en'],
] as const)('Slack says %j: spoken to in %s, by the lookup that told who they are', async ([user, language]) => {
  const { slack, directory } = await setUp();
  await using _ = slack;
  slack.answer('users.info', { ok: true, user });
  const { standing } = await directory.person('U1');
  expect(await directory.language('U1')).toBe(language);
  expect(slack.called('users.info')).toEqual([{ user: 'U1', include_locale: 'true' }]);
  expect(standing).toBe(user === null ? 'unknown' : 'is_restricted' in user ? 'guest' : 'member');
});

test('a language that was known once is not asked for again, however old', async () => {
  const clock = jumpingClock();
  const { slack, directory } = await setUp({ now: clock.now, sleep: () => new Promise(() => {}) });
  await using _ = slack;
  slack.answer('users.info', { ok: true, user: { locale: 'fr-FR' } });
  expect(await directory.language('U1')).toBe('fr');
  await clock.sleep(30 * 24 * 3_600_000);
  expect(await directory.language('U1')).toBe('fr');
  expect(slack.called('users.info')).toHaveLength(1);
});

test('a post never waits long for a language, nor fails for it', async () => {
  const { slack, directory } = await setUp();
  await using _ = slack;
  slack.answer('users.info', { ok: false, error: 'missing_scope' }, () => {});
  expect(await directory.language('U1')).toBe('en');
  const began = performance.now();
  expect(await directory.language('U2')).toBe('en');
  expect(performance.now() - began).toBeLessThan(1_500);
});

test('a slow lookup is not waited for, and its answer serves the next', async () => {
  const { slack, directory } = await setUp({ now: () => 0, sleep: () => new Promise((r) => setTimeout(r, 30)) });
  await using _ = slack;
  slack.answer('users.info', async (res) => {
    await wallClock.sleep(150);
    res.end(JSON.stringify({ ok: true, user: { team_id: TEAM } }));
  });
  expect(await directory.known('U1')).toBeUndefined();
  expect(await directory.person('U1')).toEqual({ id: 'U1', standing: 'unknown' });
  await expect.poll(() => directory.person('U1')).toEqual({ id: 'U1', standing: 'member' });
});

test.for([
  [
    { real_name: 'Anna Smith', name: 'anna', tz: 'Europe/Stockholm' },
    { name: 'Anna Smith', timeZone: 'Europe/Stockholm' },
  ],
  [{ profile: { real_name: 'Anna', display_name: 'an' } }, { name: 'Anna' }],
  [{ profile: { real_name: '', display_name: 'an' } }, { name: 'an' }],
  [{ name: 'anna', tz: 'Mars/Olympus' }, { name: 'anna' }],
  [{ is_bot: true, real_name: 'Jira' }, { name: 'Jira' }],
  [{ deleted: true, profile: { real_name: 'Gone' } }, { name: 'Gone' }],
  [{ real_name: '<@U2>]\n[From\u202e Boss', tz: 7 }, { name: '@U2 From Boss' }],
  [{}, {}],
  [null, {}],
] as const)('of %j the agent is told %j', async ([user, profile]) => {
  const { slack, directory } = await setUp();
  await using _ = slack;
  slack.answer('users.info', { ok: true, user });
  expect(await directory.profile('U1')).toEqual(profile);
});

test('who cannot be looked up in time has no name', async () => {
  const { slack, directory } = await setUp(jumpingClock(0));
  await using _ = slack;
  slack.answer('users.info', () => {});
  expect(await directory.profile('U1')).toEqual({});
});
