/** What the agent knows of where it was called: the thread above, who people are, the time there. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { textOf } from './talk.ts';
import { bot, shipbot, startWorld, tomas, type World } from './world.ts';

describe('what the model reads', { timeout: 70_000 }, () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(async () => {
    await world?.[Symbol.asyncDispose]();
  });

  /** All user messages of the last request in which one of them has these words. */
  const read = (words: string): string[] => {
    const texts = world.model.requests.map(({ messages }) =>
      messages.flatMap((m) => (m.role === 'user' ? [String(m.content)] : [])),
    );
    return texts.findLast((list) => list.some((text) => text.includes(words))) ?? [];
  };

  test.concurrent('a mention in the middle of a thread: what people and bots said above, quoted, and who asks when', async () => {
    const place = world.place();
    const root = await world.say('The release is red &amp; nobody knows why', { ...place, as: tomas });
    await world.say(`<@${tomas}> build 7 failed`, { ...place, as: shipbot, thread: root });
    await world.say(`<@${bot}> sum this up for <@${tomas}>`, { ...place, thread: root });
    await world.sees(root, 'the reply', (m) => textOf(m).includes('sum this up'));
    const [above = '', own = ''] = read('sum this up');
    const lines = above.split('\n');
    expect(lines[0]).toContain('not said to you');
    expect(lines[1]).toMatch(/^> Tomás Ferreira \(<@U0TOMAS001>\), .*: The release is red & nobody knows why$/);
    expect(lines[2]).toMatch(/^> \[bot shipbot\], .*: Tomás Ferreira \(<@U0TOMAS001>\) build 7 failed$/);
    expect(lines).toHaveLength(3);
    expect(own).toMatch(
      /^\[From Person \d+ \(<@U0PLACE\d+>\)\. It is .* \(Europe\/London\)\.\]\nsum this up for Tomás/,
    );

    // What bots say later reaches the next run; what the agent has read, or said itself, does not come again.
    await world.say('build 8 is green', { ...place, as: shipbot, thread: root });
    await world.say('and now', { ...place, thread: root });
    await world.sees(root, 'the next reply', (m) => textOf(m).includes('Said:') && textOf(m).includes('and now'));
    const texts = read('and now').join('\n');
    expect(texts.split('build 7 failed')).toHaveLength(2);
    expect(texts).toContain('build 8 is green');
    expect(texts).not.toContain('You, ');
  });

  test.concurrent('a thread that Slack does not give: the run goes on and says so', async () => {
    const place = world.place();
    const { as, channel } = place;
    await world.act({
      do: 'fault',
      as,
      fault: { method: 'conversations.replies', channel, kind: 'refuse', error: 'missing_scope' },
    });
    const root = await world.say('nobody will read this', { ...place, as: tomas });
    await world.say(`<@${bot}> what was that`, { ...place, thread: root });
    await world.sees(root, 'the reply', (m) => textOf(m).includes('what was that'));
    expect(read('what was that')[0]).toContain('could not be read (missing_scope');
  });

  test.concurrent('a thread that Slack gives at the third time', async () => {
    const place = world.place();
    const { as, channel } = place;
    for (const kind of ['http_500_before', 'rate_limited'] as const)
      await world.act({
        do: 'fault',
        as,
        fault: { method: 'conversations.replies', channel, kind, times: 1, value: 1 },
      });
    const root = await world.say('read this in the end', { ...place, as: tomas });
    await world.say(`<@${bot}> what is above`, { ...place, thread: root });
    await world.sees(root, 'the reply', (m) => textOf(m).includes('what is above'));
    expect(read('what is above')[0]).toContain(': read this in the end');
  });
});
