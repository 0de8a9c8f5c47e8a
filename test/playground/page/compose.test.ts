import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromSlack, mentionAt, mentionCandidates, toSlack } from '../../../src/playground/page/compose.ts';
import { ago, dayLabel, slackDate, timeOf } from '../../../src/playground/page/dates.ts';
import { withEmoji } from '../../../src/playground/page/emoji.ts';
import { fixtureSnapshot, USERS } from './fixture-world.ts';

const ops = { id: 'S0OPS', handle: 'ops', name: 'Operations', users: [] };
const names = { users: USERS, channels: fixtureSnapshot().channels, userGroups: [ops] };

describe('what is typed', () => {
  it.each([
    ['@Askback deploy', '<@U0BOT> deploy'],
    ['@askback deploy', '<@U0BOT> deploy'],
    ['hi @Ana Ruiz, and @ben', 'hi <@U0ANA>, and <@U0BEN>'],
    ['@anabel', '@anabel'],
    ['mail@ana', 'mail@ana'],
    ['@林小棋 謝謝', '<@U0CHI> 謝謝'],
    ['ask @ops, not @opsy', 'ask <!subteam^S0OPS|@ops>, not @opsy'],
    ['see #deployments', 'see <#C0DEP|deployments>'],
    ['@here a < b && c', '<!here> a &lt; b &amp;&amp; c'],
    ['`@ana` and ```@ben <x>```', '`@ana` and ```@ben &lt;x&gt;```'],
  ])('%s is sent as %s', (typed, sent) => {
    expect(toSlack(typed, names)).toBe(sent);
  });

  it('takes names with any sign in them', () => {
    const [someone] = USERS;
    const realName = 'Mei-hua (\\o/) [x]^$.*+?{1}|';
    const users = [...USERS, { ...(someone as (typeof USERS)[0]), id: 'U0MEI', name: 'mei-hua', realName }];
    expect(toSlack(`@mei-hua, @Ana Ruiz, @${realName}`, { ...names, users })).toBe('<@U0MEI>, <@U0ANA>, <@U0MEI>');
  });

  it('comes back as it was typed, for the edit box', () => {
    const parts = fc.constantFrom('@Ana Ruiz', '@ops', '#general', 'plain', ' ', '&', '<b>', '&amp;', '@here', '\n');
    fc.assert(
      fc.property(fc.array(parts), (list) => {
        const typed = list.join(' ');
        expect(fromSlack(toSlack(typed, names), names)).toBe(typed);
      }),
    );
  });

  it.each([
    ['@as', 3, { from: 0, query: 'as' }],
    ['hi @', 4, { from: 3, query: '' }],
    ['hi @as there', 6, { from: 3, query: 'as' }],
    ['mail@as', 7, undefined],
    ['@as ', 4, undefined],
  ])('in %j at %i the mention is found', (typed, caret, expected) => {
    expect(mentionAt(typed, caret)).toEqual(expected);
  });

  it('offers the bot first, and nobody who has left', () => {
    const offered = mentionCandidates(USERS, '').map((user) => user.name);
    expect(offered[0]).toBe('askback');
    expect(offered).not.toContain('old');
    expect(mentionCandidates(USERS, 'ru').map((user) => user.name)).toEqual(['ana']);
  });
});

describe('times', () => {
  const berlin = { tz: 'Europe/Berlin', locale: 'en-US' };
  const ms = Date.UTC(2026, 0, 15, 23, 30);

  it('are those of the reader', () => {
    expect(timeOf(ms, berlin)).toMatch(/^12:30\sAM$/);
    expect(timeOf(ms, { tz: 'Asia/Taipei', locale: 'zh-TW' })).toBe('上午7:30');
    expect(timeOf(ms, { tz: 'Nowhere/Land', locale: 'not a locale' })).toMatch(/^11:30\sPM$/);
  });

  it('say today and yesterday by the day of the reader, not by 24 hours', () => {
    expect(dayLabel(ms, berlin, ms + 3_600_000)).toBe('Today');
    expect(dayLabel(ms - 3_600_000, berlin, ms)).toBe('Yesterday');
    expect(dayLabel(ms, berlin, ms + 9 * 86_400_000)).toBe('Friday, January 16');
  });

  it.each([
    ['{date_num}', '2026-01-16'],
    ['{date}', 'January 16, 2026'],
    ['{date_short}', 'Jan 16, 2026'],
    ['{date_long}', 'Friday, January 16, 2026'],
    ['{date_short_pretty}', 'today'],
    ['{nonsense} kept', '{nonsense} kept'],
  ])('a Slack date of %s is %s', (pattern, expected) => {
    expect(slackDate(ms / 1000, pattern, berlin, ms)).toBe(expected);
  });

  it('say a Slack date’s today, yesterday and tomorrow in the language of the reader', () => {
    const pretty = (now: number) => slackDate(ms / 1000, '{date_short_pretty}', { ...berlin, locale: 'fr-FR' }, now);
    expect([pretty(ms), pretty(ms + 86_400_000), pretty(ms - 86_400_000)]).toEqual(['aujourd’hui', 'hier', 'demain']);
  });

  it('tell how long ago in the language of the reader', () => {
    expect(ago(ms, berlin, ms + 120_000)).toBe('2 minutes ago');
    expect(ago(ms, { tz: 'UTC', locale: 'de-DE' }, ms + 3 * 86_400_000)).toBe('vor 3 Tagen');
  });
});

describe('emoji in plain text', () => {
  it('are drawn where the name is known', () => {
    expect(withEmoji('done :tada: :no_such_thing: 10:30')).toBe('done 🎉 :no_such_thing: 10:30');
  });
});
