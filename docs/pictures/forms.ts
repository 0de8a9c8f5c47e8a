/** The form: of one question, of several, with what was entered, with what is wrong, and too late. */
import type { PlaygroundMessage } from '../../src/playground/protocol.ts';
import { mara } from '../../test/sweep/shown.ts';
import { type Kind, kinds } from './kinds.ts';
import { entered, startStage, type Talk } from './stage.ts';
import { picture, type Shot, type Studio } from './studio.ts';

function kindOf(name: string): Kind {
  const kind = kinds.find((one) => one.name === name);
  if (!kind) throw new Error(`There is no kind ${name}.`);
  return kind;
}

export async function forms(studio: Studio): Promise<void> {
  await using stage = await startStage({ channels: 8 });
  const [freeText, checkboxes, menu, buttons] = ['free-text', 'checkboxes', 'menu', 'buttons'].map(kindOf) as [
    Kind,
    Kind,
    Kind,
    Kind,
  ];
  const ask = ({ says, question }: Kind) => stage.ask(says, [question]);
  const [light, dark] = [
    await studio.open(stage, 'channel=C0GENERAL1'),
    await studio.open(stage, 'channel=C0GENERAL1', { dark: true }),
  ];
  const narrow = await studio.open(stage, 'channel=C0GENERAL1', { width: 400, height: 800 });
  const shots: Shot[] = [];

  async function open(talk: Talk, card: PlaygroundMessage | undefined, button: string, caption: string) {
    if (!card) throw new Error(`There is no card for ${caption}.`);
    const view = await talk.form(card, button);
    shots.push({ caption, png: await picture(light.getByRole('dialog')) });
    return view;
  }
  const close = (view: { id: string }) => stage.act({ do: 'close_view', as: mara, view: view.id, all: true });

  const text = await ask(freeText);
  const written = await open(text, (await text.cards())[0], 'Answer…', 'Free text: Answer…');
  await stage.submit(written, entered(written, { words: '  ' }));
  await light.getByRole('dialog').getByRole('alert').waitFor();
  shots.push({ caption: 'A blank answer is an error at its field', png: await picture(light.getByRole('dialog')) });
  shots.push({ caption: 'In the dark', png: await picture(dark.getByRole('dialog')) });
  await close(written);

  const boxes = await ask(checkboxes);
  await close(await open(boxes, (await boxes.cards())[0], 'Other…', 'Options and own words: Other…'));
  const long = await ask(menu);
  const [card] = await long.cards();
  const late = await open(long, card, 'Other…', 'One of several, or own words');
  await long.say('3');
  if (card) await long.settled(card);
  await stage.submit(late, entered(late, { words: 'Wherever it is cheapest' }));
  await light.getByRole('dialog', { name: 'Already settled' }).waitFor();
  shots.push({ caption: 'Answered elsewhere before this was sent', png: await picture(light.getByRole('dialog')) });
  await close(late);

  const step = await stage.ask('release billing 2.4', [buttons.question, checkboxes.question, freeText.question]);
  const open3 = await step.cards(3);
  const last = open3.at(-1);
  await step.press(open3[0] as PlaygroundMessage, 'Canary');
  await step.settled(open3[0] as PlaygroundMessage);
  await close(await open(step, last, 'Answer all…', 'All that is open in a step: Answer all…'));
  const changed = await open(
    step,
    step.posts().find(({ ts }) => ts === open3[0]?.ts),
    'Change…',
    'Change… begins with what was answered',
  );
  const small = await picture(narrow.getByRole('dialog'));
  shots.push({ caption: 'On a narrow screen', png: small });
  await close(changed);
  for (const page of [light, dark, narrow]) await page.close();
  await studio.sheet('forms', shots);
}
