/** Answers that are typed, and what else may be said while a question is open. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Asked, options } from './asking.ts';
import { isCard, talkOf, textOf } from './talk.ts';
import { bot, imani, startWorld, tomas, type World } from './world.ts';

const choice: Asked = { question: 'Where to?', options: options('Staging', 'Production', '1') };
const closed: Asked = { ...choice, allowFreeform: false };
const many: Asked = { question: 'Which?', options: options('red', 'green', 'blue'), selectionMode: 'multi_select' };
const free: Asked = { question: 'Why?' };

describe('typed answers', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(async () => {
    await world?.[Symbol.asyncDispose]();
  });

  test.concurrent.for<[string, Asked, string, string]>([
    ['a label', choice, 'Production', 'User selected: Production'],
    ['a label in quotes', closed, '“production”', 'User selected: Production'],
    ['a label in other letters, with a stop', closed, ' STAGING. ', 'User selected: Staging'],
    ['a label with a mention', closed, `<@${bot}> production`, 'User selected: Production'],
    ['a label that is a number', choice, '1', 'User selected: 1'],
    ['a number', choice, '2', 'User selected: Production'],
    ['a number with a mark', closed, '#2', 'User selected: Production'],
    ['several numbers', many, '3, 1', 'User selected: ["red","blue"]'],
    ['several labels', many, 'Blue, green', 'User selected: ["green","blue"]'],
    ['words beside options', choice, 'to the moon &amp; back', 'User responded: to the moon & back'],
    ['a number that is no option', choice, '9', 'User responded: 9'],
    ['words', free, 'because', 'User responded: because'],
    ['words with a mention', free, `<@${bot}> because`, 'User responded: because'],
    [
      'other words with a mention, where only options count',
      closed,
      `<@${bot}> forget it, show me the log`,
      'User did not pick an option. They wrote: forget it, show me the log',
    ],
  ])('%s', async ([, asked, typed, heard]) => {
    const talk = await talkOf(world, world.place(), asked);
    const card = await talk.card();
    await talk.atRest();
    await talk.say(typed);
    const reply = await talk.reads(`Heard: ${heard}`);
    const receipt = await talk.receipt(card);
    expect(textOf(receipt)).toContain(`<@${talk.as}>`);
    expect(talk.posts().map(({ ts }) => ts)).toEqual([card.ts, reply.ts]);
    expect(world.whispers(talk.as)).toEqual([]);
  });

  test.concurrent('stop: the question is cancelled, the run over, and the next message begins another', async () => {
    const talk = await talkOf(world, world.place(), choice);
    const card = await talk.card();
    await talk.say('stop');
    const notice = await talk.reads(`Stopped by <@${talk.as}>`);
    expect(textOf(await talk.receipt(card))).toContain('Cancelled');
    await talk.atRest();
    expect(talk.posts()).toEqual([await talk.receipt(card), notice]);
    await talk.say('hello again');
    await talk.reads('Said: hello again');
    await talk.say('stop');
    await talk.told('nothing to stop');
  });

  test.concurrent('beside two questions nothing typed is taken for an answer; it is kept, and read with the answers', async () => {
    const talk = await talkOf(world, world.place(), choice, many);
    const [where, which] = (await talk.cards(2)) as [
      Awaited<ReturnType<typeof talk.card>>,
      Awaited<ReturnType<typeof talk.card>>,
    ];
    await talk.atRest();
    await talk.say('Production');
    await talk.told('2 questions are still open');
    expect(await talk.click(where, 'Staging')).toMatchObject({ ok: true });
    await talk.receipt(where);
    // One is open now, so a number can only be meant for it.
    await talk.say('2');
    await talk.reads('Heard: User selected: Staging | User selected: green\nAnd: Production');
    expect(textOf(await talk.receipt(which))).toContain('green');
    expect(talk.posts().filter(isCard)).toEqual([]);
  });

  test.concurrent('words where only options count are kept, and so are those of others', async () => {
    const talk = await talkOf(world, world.place(), closed);
    const card = await talk.card();
    await talk.atRest();
    await talk.say('I am not sure');
    await talk.told('A question is still open');
    await talk.say('take production', tomas);
    await talk.say(`<@${bot}> Production`, imani);
    await talk.told('A question is still open', imani);
    expect(await talk.click(card, 'Staging')).toMatchObject({ ok: true });
    await talk.reads(
      `Heard: User selected: Staging\nAnd: I am not sure | Tomás Ferreira (<@${tomas}>) wrote: take production | Imani Okafor (<@${imani}>) wrote: Production`,
    );
    expect(world.whispers(tomas).filter((m) => m.channel === talk.channel)).toEqual([]);
  });

  test.concurrent('a message that is older than its card is no answer to it', async () => {
    const talk = await talkOf(world, world.place(), closed);
    // Most likely before the card; kept or answered, it is not lost.
    await talk.say('2');
    const card = await world.sees(talk.thread, 'the card', (m) => textOf(m).includes('Where to?'));
    await talk.atRest();
    if (isCard(card)) await talk.click(card, 'Production').catch(() => undefined);
    await talk.reads('Heard: User selected: Production');
  });

  test('and nothing that Slack would object to', () => {
    expect(world.warnings()).toEqual([]);
  });
});
