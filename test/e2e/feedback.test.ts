/** Thumbs under a reply: what people think of it is saved before the ack, survives the process, and costs a reply nothing. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ScriptRequest } from '../../src/playground/model-request.ts';
import type { Reply } from '../../src/playground/model-server.ts';
import type { Done, PlaygroundMessage } from '../../src/playground/protocol.ts';
import { asking, options } from './asking.ts';
import { control, controls, isCard, startTalk, type Talk, talkOf, textOf } from './talk.ts';
import { guest, imani, type Place, readRecord, startWorld, team, type World } from './world.ts';

const poem = Array.from({ length: 30 }, (_, n) => `Line ${n} of a poem that takes its time.`).join('\n');

/** A mention with "poem" in it gets one that takes three seconds. */
function script(request: ScriptRequest): Reply {
  const last = request.messages.at(-1);
  const wanted = last?.role === 'user' && JSON.stringify(last.content).includes('poem');
  return wanted ? { type: 'answer', text: poem, slice: 40, pace: 100 } : asking(request);
}

const hasThumbs = ({ blocks }: PlaygroundMessage) => controls(blocks).some(({ type }) => type === 'feedback_buttons');

describe('feedback', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld({ script });
  });
  afterAll(() => world?.[Symbol.asyncDispose]());

  const thumb = (message: PlaygroundMessage, value: 'good' | 'bad', as: string): Promise<Done> => {
    const { block_id, action_id } = control(message, 'feedback_buttons');
    const container = { type: 'message' as const, channel: message.channel, ts: message.ts };
    const action = { type: 'feedback_buttons', value };
    return world.slack.do({ do: 'interact', as, container, block_id, action_id, action });
  };
  const kept = ({ channel, thread }: Talk) => {
    const record = readRecord(join(world.dir, 'askback.sqlite'), `thread/${team}:${channel}:${thread}`);
    const { feedback } = record as { feedback: { by: string; is: string }[] };
    return feedback.map(({ by, is }) => `${by} ${is}`);
  };
  const posts = ({ channel }: Place, method: string) =>
    world.slack.calls(method).filter(({ args }) => args.channel === channel).length;

  test.concurrent('a reply has them, a card has none; each person has one word, the last one, and is thanked', async () => {
    const place = world.place();
    const talk = await talkOf(world, place, { question: 'Where to?', options: options('EU', 'US') });
    const card = await talk.card();
    expect(hasThumbs(card)).toBe(false);
    await talk.click(card, 'EU');
    const reply = await talk.reads('Heard: User selected: EU');
    expect(await thumb(reply, 'good', place.as)).toMatchObject({ ok: true });
    expect(kept(talk)).toEqual([`${place.as} good`]);
    await talk.told('Thank you, noted.');
    expect(await thumb(reply, 'bad', place.as)).toMatchObject({ ok: true });
    expect(await thumb(reply, 'good', imani)).toMatchObject({ ok: true });
    expect(kept(talk)).toEqual([`${place.as} bad`, `${imani} good`]);
    await talk.told('say what was wrong');
    // Who may not use the bot may not judge it either.
    await thumb(reply, 'bad', guest);
    await talk.told('Guests of this workspace may not', guest);
    expect(kept(talk)).toHaveLength(2);
    expect(posts(place, 'chat.postMessage')).toBe(2);
    expect(world.log().some((line) => line.includes('feedback on a reply') && line.includes('"feedback":"bad"'))).toBe(
      true,
    );
  });

  test.concurrent('a reply that grew has them from the call that ends it', async () => {
    const place = world.place();
    const talk = await startTalk(world, place, 'a poem');
    const reply = await world.sees(
      talk.thread,
      'the end',
      (m) => m.streaming !== true && textOf(m).includes('Line 29'),
    );
    expect(hasThumbs(reply)).toBe(true);
    expect(posts(place, 'chat.stopStream')).toBe(1);
    expect(posts(place, 'chat.update') + posts(place, 'chat.postMessage')).toBe(0);
    await thumb(reply, 'good', place.as);
    expect(kept(talk)).toEqual([`${place.as} good`]);
  });

  test('it is there after a kill, and is given to the next process as well; a refused thumb costs no reply', async () => {
    const place = world.place();
    const talk = await startTalk(world, place, 'hello');
    const reply = await talk.reads('Said: hello');
    await thumb(reply, 'bad', place.as);
    await talk.atRest();
    await world.kill();
    await world.start();
    expect(kept(talk)).toEqual([`${place.as} bad`]);
    await thumb(reply, 'good', place.as);
    expect(kept(talk)).toEqual([`${place.as} good`]);
    const fault = {
      method: 'chat.postMessage',
      channel: place.channel,
      kind: 'refuse' as const,
      error: 'invalid_blocks',
    };
    await world.act({ do: 'fault', as: place.as, fault: { ...fault, times: 1 } });
    await talk.say('and again');
    const second = await talk.reads('Said: and again');
    expect([hasThumbs(second), isCard(second), posts(place, 'chat.postMessage')]).toEqual([false, false, 3]);
    expect(world.warnings().filter((line) => !line.includes('invalid_blocks'))).toEqual([]);
  });

  test('FEEDBACK_BUTTONS=false: there are none', async () => {
    await using other = await startWorld({ script, env: { FEEDBACK_BUTTONS: 'false' }, places: 1 });
    const talk = await startTalk(other, other.place(), 'hello');
    expect(hasThumbs(await talk.reads('Said: hello'))).toBe(false);
  });
});
