/** A Slack that fails: one card, one reply, one receipt, nothing lost; and one that will not have our cards. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Fault } from '../../src/playground/protocol.ts';
import { options } from './asking.ts';
import { hasButton, isCard, talkOf, textOf } from './talk.ts';
import { startWorld, type World } from './world.ts';

// They wait more than they work.
vi.setConfig({ maxConcurrency: 30 });

const asked = { question: 'Where to?', options: options('staging', 'production') };
const kinds: Fault['kind'][] = [
  'drop_before',
  'drop_after',
  'http_500_before',
  'http_500_after',
  'internal_error',
  'rate_limited',
  'slow',
];

describe('a Slack that fails', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(async () => {
    await world?.[Symbol.asyncDispose]();
  });
  const fault = (channel: string, method: string, more: Partial<Fault> & { kind: Fault['kind'] }) =>
    world.act({ do: 'fault', as: 'U0MARA0001', fault: { method, channel, times: 1, ...more } });
  const hits = (channel: string) => world.slack.state().faults.filter((left) => left.channel === channel).length;

  /** `slow` longer than the client waits: processed, but nobody hears of it. */
  const settings = (kind: Fault['kind']): Partial<Fault> => (kind === 'slow' ? { value: 11_000 } : {});
  const posts = kinds.flatMap((kind) => [[kind, 'the card', 0] as const, [kind, 'the reply', 1] as const]);

  test.concurrent.for(posts)('chat.postMessage, %s: %s is posted once', async ([kind, , after]) => {
    const place = world.place();
    await fault(place.channel, 'chat.postMessage', { kind, after, ...settings(kind) });
    const talk = await talkOf(world, place, asked);
    const card = await talk.card();
    // Also when the bot does not know yet that its card is there: a click tells it.
    expect(await talk.click(card, 'staging')).toMatchObject({ ok: true });
    const reply = await talk.reads('Heard: User selected: staging');
    await talk.receipt(card);
    await talk.atRest();
    expect(talk.posts().map(({ ts }) => ts)).toEqual([card.ts, reply.ts]);
    expect(hits(place.channel)).toBe(0);
  });

  test.concurrent.for(kinds)('chat.update, %s: the card becomes its receipt', async (kind) => {
    const place = world.place();
    await fault(place.channel, 'chat.update', { kind, ...settings(kind) });
    const talk = await talkOf(world, place, asked);
    const card = await talk.card();
    expect(await talk.click(card, 'production')).toMatchObject({ ok: true });
    const reply = await talk.reads('Heard: User selected: production');
    expect(textOf(await talk.receipt(card))).toContain('production');
    await talk.atRest();
    expect(talk.posts().map(({ ts }) => ts)).toEqual([card.ts, reply.ts]);
    expect(hits(place.channel)).toBe(0);
  });

  test.concurrent('a card that Slack refuses becomes text with numbers, alone on view', async () => {
    const place = world.place();
    await fault(place.channel, 'chat.postMessage', { kind: 'refuse', error: 'invalid_blocks', after: 1 });
    const talk = await talkOf(world, place, asked, { question: 'When?', options: options('now', 'later') });
    const [other] = (await talk.cards(1)) as [Awaited<ReturnType<typeof talk.card>>];
    expect(textOf(other)).toContain('When?');
    expect(await talk.click(other, 'later')).toMatchObject({ ok: true });
    // Alone on view, so that a number can only be meant for it.
    const plain = await world.sees(talk.thread, 'plain text', (m) => !m.blocks && m.text.includes('1. staging'));
    expect(plain.text).toContain('2. production');
    await talk.atRest();
    await talk.say('2');
    await talk.reads('Heard: User selected: production | User selected: later');
    const receipt = await world.sees(
      talk.thread,
      'its receipt',
      (m) => m.ts === plain.ts && m.text.includes('Answered'),
    );
    expect(textOf(receipt)).toContain('production');
    expect(textOf(receipt)).not.toContain('1. staging');
  });

  test.concurrent('a question that cannot be shown at all is an error for the model, not a silent wait', async () => {
    const place = world.place();
    await fault(place.channel, 'chat.postMessage', { kind: 'refuse', error: 'invalid_blocks', times: 2 });
    const talk = await talkOf(world, place, asked);
    await talk.reads('Heard: The question could not be shown: invalid_blocks.');
    await talk.atRest();
    expect(talk.posts()).toHaveLength(1);
  });

  test.concurrent('a reply that Slack refuses is posted as plain text', async () => {
    const place = world.place();
    // With thumbs, and without.
    await fault(place.channel, 'chat.postMessage', { kind: 'refuse', error: 'invalid_blocks', after: 1, times: 2 });
    const talk = await talkOf(world, place, asked);
    expect(await talk.click(await talk.card(), 'staging')).toMatchObject({ ok: true });
    const reply = await talk.reads('Heard: User selected: staging');
    expect(reply.blocks).toBeUndefined();
  });

  test.concurrent('a receipt that Slack refuses leaves no button behind', async () => {
    const place = world.place();
    await fault(place.channel, 'chat.update', { kind: 'refuse', error: 'invalid_blocks' });
    const talk = await talkOf(world, place, asked);
    const card = await talk.card();
    expect(await talk.click(card, 'staging')).toMatchObject({ ok: true });
    const receipt = await talk.receipt(card);
    expect(receipt.text).toContain('staging');
    expect(hasButton(receipt, 'staging')).toBe(false);
  });

  test.concurrent('a form that Slack will not open: the person is told what to do instead', async () => {
    const talk = await talkOf(world, world.place(), { question: 'Why?' });
    const card = await talk.card();
    await talk.atRest();
    await world.act({ do: 'fault', as: talk.as, fault: { method: 'views.open', kind: 'internal_error', times: 1 } });
    expect(await talk.click(card, 'Answer…')).toMatchObject({ ok: true });
    await talk.told('write your answer in this thread');
    await talk.say('because');
    await talk.reads('Heard: User responded: because');
  });

  test.concurrent('a channel that is archived with a question open ends the run, and the others go on', async () => {
    const place = world.place();
    const talk = await talkOf(world, place, asked);
    await talk.card();
    await talk.atRest();
    await world.act({ do: 'archive', as: talk.as, channel: place.channel });
    const other = await talkOf(world, world.place(), asked);
    expect(await other.click(await other.card(), 'staging')).toMatchObject({ ok: true });
    await other.reads('Heard: User selected: staging');
    expect(talk.posts().filter(isCard)).toHaveLength(1);
  });
});
