/** Who may use the bot and who may answer, each setting through the environment of the real process. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Fault } from '../../src/playground/protocol.ts';
import { options } from './asking.ts';
import { startTalk, talkOf, textOf } from './talk.ts';
import { bot, guest, mara, petra, startWorld, tomas, type World } from './world.ts';

const asked = { question: 'Where to?', options: options('staging', 'production') };
const [refusedGuest, refusedExternal] = ['Guests of this workspace', 'People of other organisations'];

type Row = {
  env: Record<string, string>;
  /** Who mentions the bot, and what they are told; undefined: they are answered. */
  mentions: Record<string, string | undefined>;
  /** Who clicks a question of somebody else, after having written in the thread or not. */
  clicks: { by: string; wrote?: boolean; told: string | undefined }[];
};

const rows: [string, Row][] = [
  [
    'as it is',
    {
      env: {},
      mentions: { [guest]: refusedGuest, [petra]: refusedExternal, [tomas]: undefined },
      clicks: [
        { by: guest, told: refusedGuest },
        { by: petra, told: refusedExternal },
        { by: tomas, wrote: true, told: 'Only the person who started this' },
      ],
    },
  ],
  [
    'ALLOW_GUESTS, and participants answer',
    {
      env: { ALLOW_GUESTS: 'true', ANSWER_POLICY: 'participants' },
      mentions: { [guest]: undefined, [petra]: refusedExternal },
      clicks: [
        { by: petra, wrote: true, told: refusedExternal },
        { by: tomas, told: 'Only people who wrote in this thread' },
        { by: guest, wrote: true, told: undefined },
      ],
    },
  ],
  [
    'ALLOW_EXTERNAL, and anyone answers',
    {
      env: { ALLOW_EXTERNAL: 'true', ANSWER_POLICY: 'anyone' },
      mentions: { [guest]: refusedGuest, [petra]: undefined },
      clicks: [
        { by: guest, told: refusedGuest },
        { by: petra, told: undefined },
      ],
    },
  ],
];

describe.concurrent.for(rows)('%s', ([, { env, mentions, clicks }]) => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld({ env });
  });
  afterAll(async () => {
    await world?.[Symbol.asyncDispose]();
  });

  test.for(Object.entries(mentions))('%s mentions the bot', async ([by, told]) => {
    const { channel } = world.place();
    const talk = await startTalk(world, { as: by, channel }, 'hello');
    if (told === undefined) await talk.reads('Said: hello');
    else {
      await talk.told(told);
      await world.heard(talk.thread);
      expect(talk.posts()).toEqual([]);
    }
  });

  test('who clicks', async () => {
    const talk = await talkOf(world, world.place(), asked);
    const card = await talk.card();
    await talk.atRest();
    for (const { by, wrote, told } of clicks) {
      if (wrote) await talk.say('I am here too', by);
      expect(await talk.click(card, 'staging', by)).toMatchObject({ ok: true });
      if (told !== undefined) await talk.told(told, by);
      else expect(textOf(await talk.receipt(card))).toContain(`Answered by <@${by}>`);
      if (told !== undefined) expect(textOf(await talk.card())).toEqual(textOf(card));
    }
    // The requester may in any case.
    if (clicks.at(-1)?.told !== undefined) await talk.click(card, 'staging');
    await talk.reads('User selected: staging');
  });
});

test.concurrent('ALLOWED_USERS and ALLOWED_CHANNELS', async () => {
  const [listed, unlisted] = ['C0PLACE001', 'C0PLACE002'];
  await using world = await startWorld({ env: { ALLOWED_USERS: `${mara}, U0PLACE001`, ALLOWED_CHANNELS: listed } });
  const talk = await talkOf(world, { as: mara, channel: listed }, asked);
  const card = await talk.card();
  await talk.atRest();
  const stranger = await startTalk(world, { as: tomas, channel: listed }, 'hello');
  await stranger.told('not among the people who may use me');
  const elsewhere = await startTalk(world, { as: mara, channel: unlisted }, 'hello');
  await elsewhere.told('may not work in this channel');
  expect(await talk.click(card, 'staging', tomas)).toMatchObject({ ok: true });
  await world.slack.wait((s) => s.messages.filter((m) => m.ephemeralTo === tomas).length === 2, {
    what: 'a note for the click too',
  });
  await talk.say(`<@${bot}> production`, tomas);
  expect(textOf(await talk.card())).toEqual(textOf(card));
  expect(await talk.click(card, 'staging')).toMatchObject({ ok: true });
  await talk.reads('Heard: User selected: staging');
  expect([...stranger.posts(), ...elsewhere.posts()]).toEqual([]);
  expect(world.warnings()).toEqual([]);
});

test.concurrent('a Slack that is slow to say who writes turns nobody away; one that cannot say does, aloud', async () => {
  await using world = await startWorld({ windows: { retries: [0, 500, 500] } });
  const fault = (more: Partial<Fault> & Pick<Fault, 'kind'>) =>
    world.act({ do: 'fault', as: tomas, fault: { method: 'users.info', ...more } });
  await fault({ kind: 'slow', value: 4_000, times: 1 });
  const late = await startTalk(world, world.place(), 'hello');
  await late.reads('Said: hello');
  expect(world.whispers(late.as)).toEqual([]);
  await fault({ kind: 'http_500_before', times: 100 });
  const never = await startTalk(world, world.place(), 'hello');
  await never.told('Slack could not tell me who you are');
  expect(never.posts()).toEqual([]);
});
