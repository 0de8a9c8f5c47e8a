/** Everybody is spoken to in the language of their Slack. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { wordsIn } from '../../src/slack/words/catalogue.ts';
import type { Language } from '../../src/slack/words/language.ts';
import { askFor, options } from './asking.ts';
import { buttons, controls, startTalk, textOf } from './talk.ts';
import { bot, deployments, imani, startWorld, type World } from './world.ts';

const speakers: [locale: string, Language][] = [
  ['zh-TW', 'zh-Hant'],
  ['zh-CN', 'zh-Hans'],
  ['ja-JP', 'ja'],
  ['es-LA', 'es'],
  ['fr-FR', 'fr'],
  ['de-DE', 'de'],
  ['pt-BR', 'en'],
];
const idOf = (locale: string) => `U0${locale.replace('-', '').toUpperCase()}`;

describe('languages', () => {
  let world: World;
  beforeAll(async () => {
    const people = speakers.map(([locale]) => ({
      ...{ id: idOf(locale), name: locale.toLowerCase(), realName: locale, color: '#555555', tz: 'Europe/London' },
      locale,
    }));
    const channels = speakers.map(([locale]) => ({
      ...{ id: idOf(locale).replace('U', 'C'), name: locale.toLowerCase(), kind: 'channel' as const },
      members: [idOf(locale), imani, bot],
    }));
    world = await startWorld({ people, channels });
  });
  afterAll(async () => {
    await world?.[Symbol.asyncDispose]();
  });

  test.concurrent.for(speakers)('%s: card, form, receipt and help are in %s', async ([locale, language]) => {
    const words = wordsIn(language);
    const as = idOf(locale);
    const place = { as, channel: as.replace('U', 'C') };
    const talk = await startTalk(world, place, askFor({ question: 'Where to?', options: options('EU', 'US') }));
    const { other, skip, questionFor } = words.card;
    const card = await world.sees(talk.thread, 'a card', (m) => buttons(m).length > 0);
    expect(buttons(card)).toEqual(['EU', 'US', other.text, skip.text]);
    expect(textOf(card)).toContain(questionFor(`<@${as}>`));

    // Who reads a note decides its language, not who is asked.
    await talk.click(card, 'EU', imani);
    await talk.told(wordsIn('en').refusals.not_requester(`<@${as}>`), imani);

    const form = await talk.modal(card, other.text);
    expect(form.view).toMatchObject({ title: { text: words.modal.otherAnswer }, submit: { text: words.modal.send } });
    const refused = await talk.write(form, ' ');
    expect(Object.values((refused as unknown as { response: { errors: object } }).response.errors)).toEqual([
      words.form.neither,
    ]);
    expect(await talk.write(form, 'neither')).toMatchObject({ ok: true });
    const receipt = await world.sees(
      talk.thread,
      'the receipt',
      (m) => m.ts === card.ts && controls(m.blocks).length === 0,
    );
    expect(textOf(receipt)).toContain(words.receipt.answered(`<@${as}>`));
    await talk.reads('Heard: User responded: neither');

    await talk.say(`<@${bot}> help`);
    await talk.reads(words.post.help[0]);
    expect(world.warnings()).toEqual([]);
  });

  test('a mention of nothing but the bot is answered with help', async () => {
    const thread = await world.say(`<@${bot}>`, { as: imani, channel: deployments });
    const help = await world.sees(thread, 'help', () => true);
    expect(textOf(help)).toContain(`<@${imani}>`);
    expect(textOf(help)).toContain(wordsIn('en').post.help[5]);
    expect(world.model.requests.filter(({ messages }) => JSON.stringify(messages).includes(bot))).toEqual([]);
  });
});
