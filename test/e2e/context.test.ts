/** What the agent knows of where it was called: the thread above, who people are, the time there. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Script } from '../../src/playground/model-server.ts';
import { askFor, asking, options } from './asking.ts';
import { isCard, textOf } from './talk.ts';
import { bot, type Place, shipbot, startWorld, tomas, type World } from './world.ts';

const png = `data:image/png;base64,${Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex').toString('base64')}`;
const picture = { name: 'shot.png', mimetype: 'image/png', content: png };

/** Has no eyes for whoever says "blind". */
const script: Script = (request) => {
  const shown = request.messages.some(({ content }) => Array.isArray(content));
  if (shown && JSON.stringify(request.messages).includes('blind'))
    return { type: 'error', status: 400, message: 'This model does not support image input.' };
  return asking(request);
};

const sayWith = async (world: World, { as, channel }: Place, text: string, files: object[]): Promise<string> => {
  const say = { do: 'say' as const, as, channel, text: `<@${bot}> ${text}`, files: files as (typeof picture)[] };
  return (await world.act(say)).ts as string;
};

describe('what the model reads', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld({ script });
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

  test.concurrent('an image and a text that are attached reach the model; what cannot is named, with the reason', async () => {
    const root = await sayWith(world, world.place(), 'look at these', [
      picture,
      { name: 'notes.txt', mimetype: 'text/plain', content: 'line one\n```\nline two' },
      { name: 'plan.pdf', mimetype: 'application/pdf', content: 'data:application/pdf;base64,AAAA' },
      { name: 'huge.csv', mimetype: 'text/csv', content: 'x,'.repeat(200_000) },
      { name: 'wrong.png', mimetype: 'image/png', content: 'no image' },
    ]);
    const reply = await world.sees(root, 'the reply', (m) => textOf(m).includes('look at these'));
    const said = textOf(reply);
    expect(said).toContain('{data:image/png;base64 ');
    expect(said).toContain('[The file notes.txt:]\\n````\\nline one\\n```\\nline two\\n````');
    expect(said).toContain('plan.pdf cannot be read: files of the type application/pdf');
    expect(said).toContain('huge.csv cannot be read: it is too large');
    expect(said).toContain('wrong.png cannot be read: it is no PNG');
  });

  test.concurrent('an image above a mention is seen too', async () => {
    const { as, channel } = world.place();
    const above = await world.act({ do: 'say', as: tomas, channel, text: 'it looks so', files: [picture] });
    await world.say(`<@${bot}> what does it show`, { as, channel, thread: above.ts as string });
    await world.sees(above.ts as string, 'the image', (m) => textOf(m).includes('{data:image/png;base64 '));
  });

  test.concurrent('a model that cannot see is told so in words, and answers', async () => {
    const root = await sayWith(world, world.place(), 'for the blind', [picture]);
    await world.sees(root, 'a note', (m) => textOf(m).includes('shot.png is not shown to you: this model cannot'));
  });
});

test('files that Slack gives at the second time, or never: tried again, or named', async () => {
  await using world = await startWorld();
  const place = world.place();
  const fault = (method: string, kind: 'http_500_before' | 'rate_limited' | 'drop_before' | 'refuse', more = {}) =>
    world.act({ do: 'fault', as: place.as, fault: { method, kind, times: 1, ...more } });
  await fault('files.info', 'rate_limited');
  await fault('file download', 'http_500_before');
  const flaky = await sayWith(world, place, 'once more', [picture]);
  await world.sees(flaky, 'the image', (m) => textOf(m).includes('{data:image/png;base64 '));
  await fault('file download', 'refuse');
  const refused = await sayWith(world, world.place(), 'sign in', [picture]);
  await world.sees(refused, 'the reason', (m) => textOf(m).includes('may lack the scope files:read'));

  // A question about it waits; the process that answers has the image from the transcript.
  const asked = await sayWith(world, world.place(), askFor({ question: 'Which?', options: options('this', 'that') }), [
    picture,
  ]);
  const card = await world.sees(asked, 'a card', isCard);
  await world.kill();
  await world.start();
  await fault('file download', 'refuse');
  await world.say('this', { as: whoIn(world, card.channel), channel: card.channel, thread: asked });
  await world.sees(asked, 'the reply', (m) => textOf(m).includes('Heard: User selected: this'));
  expect(JSON.stringify(world.model.requests.at(-1)?.messages)).toContain('data:image/png;base64');
});

/** The person whose place the channel is. */
const whoIn = (world: World, channel: string): string =>
  world.slack.state().channels.find(({ id }) => id === channel)?.members[0] as string;
