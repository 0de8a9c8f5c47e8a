/**
 * Places and tokens that are gone: channel archived, bot removed, thread deleted, token refused or revoked, app uninstalled. Each has its
 * end, the run is settled or kept, and nothing is tried for ever.
 */
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import type { ThreadRecord } from '../../src/thread/thread.ts';
import { options } from './asking.ts';
import { isCard, startTalk, type Talk, talkOf, textOf } from './talk.ts';
import { bot, mara, PATIENCE, readRecord, startWorld, team, type World } from './world.ts';

const asked = { question: 'Where to?', options: options('staging', 'production') };

const recordOf = (world: World, { channel, thread }: Talk) =>
  readRecord(join(world.dir, 'askback.sqlite'), `thread/${team}:${channel}:${thread}`) as ThreadRecord;

/** Over, and nothing is owed. */
async function isSettled(world: World, talk: Talk): Promise<void> {
  const settled = () => {
    const { lease, run, posts, strays } = recordOf(world, talk);
    return !lease && !run && posts.length + strays.length === 0;
  };
  await vi.waitUntil(settled, { timeout: PATIENCE, interval: 50 });
}

describe.for(['socket', 'http'] as const)('%s', (mode) => {
  test('a place that is gone with a question open: the answer is taken, the run ends, the others go on', async () => {
    await using world = await startWorld({ mode });
    const archived = await talkOf(world, world.place(), asked);
    const removed = await talkOf(world, world.place(), asked);
    const deleted = await startTalk(world, world.place(), 'say it slowly');
    const forms = [
      await archived.modal(await archived.card(), 'Other…'),
      await removed.modal(await removed.card(), 'Other…'),
    ];
    await Promise.all([archived.atRest(), removed.atRest()]);

    await world.act({ do: 'delete', as: deleted.as, channel: deleted.channel, ts: deleted.thread });
    await world.act({ do: 'archive', as: archived.as, channel: archived.channel });
    await world.act({ do: 'remove', as: removed.as, channel: removed.channel, user: bot });
    for (const form of forms) expect(await archived.write(form, 'elsewhere')).toMatchObject({ ok: true });

    for (const talk of [archived, removed, deleted]) await isSettled(world, talk);
    expect(deleted.posts()).toEqual([]);
    for (const talk of [archived, removed]) expect(talk.posts().map(textOf).join()).not.toContain('Heard');
    const other = await startTalk(world, world.place(), 'still there?');
    await other.reads('Said: still there?');
    // What Slack refuses for good is asked for once, not for ever.
    const refused = world.slack
      .state()
      .traffic.filter(({ warning }) => /is_archived|not_in_channel/.test(warning ?? ''));
    expect(refused.length).toBeLessThan(10);
  });

  test('a token that is refused: what is open waits for the right one; an app that is gone: it is cancelled', async () => {
    await using world = await startWorld({ mode });
    const ended = () =>
      world.slack.wait((s) => s.bot.state === 'crashed', { what: 'the end of the bot', timeoutMs: PATIENCE });
    const refuse = async (error: string) => {
      await world.act({ do: 'fault', as: mara, fault: { method: '*', kind: 'refuse', error } });
    };
    const startAgain = async () => {
      await world.act({ do: 'clear_faults', as: mara });
      await world.start();
    };
    const lastWords = () => {
      expect(world.log().at(-1)).toBe('The bot ended (exit code 1).');
      return world
        .log()
        .filter((line) => line.includes('"level":60'))
        .at(-1);
    };

    const kept = await talkOf(world, world.place(), asked);
    const card = await kept.card();
    await kept.atRest();
    await refuse('invalid_auth');
    expect(await kept.click(card, 'staging')).toMatchObject({ ok: true });
    await ended();
    expect(lastWords()).toContain('Slack refuses SLACK_BOT_TOKEN (invalid_auth)');
    await startAgain();
    await kept.reads('Heard: User selected: staging');
    await kept.receipt(card);
    await kept.atRest();
    expect(kept.posts()).toHaveLength(2);

    const found = await talkOf(world, world.place(), asked);
    const waiting = await talkOf(world, world.place(), asked);
    await Promise.all([waiting.card(), found.card()]);
    await Promise.all([waiting.atRest(), found.atRest()]);
    await refuse('token_revoked');
    expect(await found.click(await found.card(), 'staging')).toMatchObject({ ok: true });
    await ended();
    expect(lastWords()).toContain('no longer installed in the workspace (token_revoked)');
    await startAgain();
    await Promise.all([isSettled(world, found), isSettled(world, waiting)]);
    expect(recordOf(world, waiting).questions.map(({ settled }) => settled?.settlement.outcome)).toEqual(['cancelled']);
    expect(waiting.posts().filter(isCard)).toHaveLength(1);
    expect(await waiting.click(await waiting.card(), 'staging')).toMatchObject({ ok: true });
    await waiting.told('🚫 Cancelled');

    const last = await talkOf(world, world.place(), asked);
    await last.card();
    await last.atRest();
    await world.act({ do: 'uninstall', as: mara });
    await ended();
    expect(lastWords()).toContain('no longer installed in the workspace (account_inactive)');
    const { run, questions } = recordOf(world, last);
    expect(run?.phase.name ?? 'ending').toBe('ending');
    expect(questions.map(({ settled }) => settled?.settlement.outcome)).toEqual(['cancelled']);
  });
});
