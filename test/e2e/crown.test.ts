/** The crown test: mention, card, kill -9, a new process, click, reply; over real Bolt in both modes. */
import { expect, test } from 'vitest';
import { options } from './asking.ts';
import { hasButton, talkOf, textOf } from './talk.ts';
import { startWorld, tomas } from './world.ts';

test.concurrent.for(['socket', 'http'] as const)(
  '%s mode: a question outlives the process that asked it',
  async (mode) => {
    await using world = await startWorld({ mode });
    const talk = await talkOf(world, world.place(), {
      question: 'Where to?',
      options: options('staging', 'production'),
    });
    const card = await talk.card();
    await talk.atRest();
    // The bot is told of its own message, too: killed before the ack, it would be told again.
    await world.heard(card.ts);

    await world.kill();
    await world.start();

    expect((await talk.click(card, 'production', tomas)).ok).toBe(true);
    await talk.told('Only the person who started this', tomas);
    expect((await talk.click(card, 'staging')).ok).toBe(true);

    const reply = await talk.reads('Heard: User selected: staging');
    expect(reply.thread_ts).toBe(talk.thread);
    const settled = await talk.receipt(card);
    expect(hasButton(settled, 'staging')).toBe(false);
    expect(textOf(settled)).toContain('staging');
    expect(talk.posts().map((m) => m.ts)).toEqual([card.ts, reply.ts]);
    expect(world.warnings()).toEqual([]);
  },
);
