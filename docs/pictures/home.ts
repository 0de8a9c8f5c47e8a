/** Home: empty, full and paged, light and dark, wide and narrow; and the first picture of the README. */
import { createDemoScript } from '../../src/playground/demo-script.ts';
import { type Kind, kinds } from './kinds.ts';
import { startStage } from './stage.ts';
import type { Look, Shot, Studio } from './studio.ts';

const HOME = 'channel=D0MARA0001&tab=home';
const NARROW: Look = { width: 400, height: 800 };
const WIDE: Look = { width: 1_280, height: 800 };

export async function home(studio: Studio): Promise<void> {
  await using stage = await startStage();

  async function shown(caption: string, look: Look, isReady: string): Promise<Shot> {
    const page = await studio.open(stage, HOME, look);
    await page.getByRole('region', { name: 'Home' }).getByText(isReady).first().waitFor();
    const png = await studio.whole(page);
    await page.close();
    return { caption, png };
  }

  const empty = 'Nothing is waiting for you';
  const small = [await shown('Nothing waits', NARROW, empty)];

  const [buttons, report, region, checks, , note] = kinds as readonly [Kind, Kind, Kind, Kind, Kind, Kind];
  for (const [says, questions, channel] of [
    ['send the report to the board', [report.question], 'C0PRIVATE1'],
    ['set up a cluster for the shop', [region.question], 'D0MARA0001'],
    ['release billing 2.4', [buttons.question, note.question], 'C0DEPLOYS1'],
  ] as const) {
    const talk = await stage.ask(says, questions, channel);
    await talk.cards(questions.length);
  }
  const full = 'What you asked for';
  studio.keep('home', (await shown('', WIDE, full)).png);
  studio.keep('home-dark', (await shown('', { ...WIDE, dark: true }, full)).png);
  small.push(await shown('Questions wait', NARROW, full), await shown('In the dark', { ...NARROW, dark: true }, full));

  for (const channel of ['C0DEPLOYS1', 'C0GENERAL1', 'C0PRIVATE1', 'D0MARA0001'])
    for (const says of ['check the invoices', 'check the search'])
      await (await stage.ask(`${says} (${channel})`, [checks.question], channel)).cards();
  const page = await studio.open(stage, HOME, NARROW);
  await page.getByRole('button', { name: 'Next page' }).click();
  await page.getByText('Page 2 of').scrollIntoViewIfNeeded();
  small.push({ caption: 'More than ten: pages', png: await studio.whole(page) });
  await page.close();
  await studio.sheet('home-narrow', small, { columns: 4, width: 1_680 });
}

/** As somebody sees it who tries the demo. */
export async function question(studio: Studio): Promise<void> {
  await using stage = await startStage({ script: createDemoScript() });
  const page = await studio.open(stage, 'channel=C0DEPLOYS1', { width: 1_240, height: 760 });
  await page.getByRole('button', { name: 'Try it' }).click();
  const replies = page.getByRole('log', { name: 'Replies' });
  await replies.getByRole('button', { name: 'Canary' }).waitFor();
  studio.keep('question', await studio.whole(page));
  await page.setViewportSize({ width: 400, height: 800 });
  const shots: Shot[] = [{ caption: 'A question', png: await studio.whole(page) }];
  await replies.getByRole('button', { name: 'Canary' }).click();
  await replies.getByRole('checkbox').first().waitFor();
  shots.push({ caption: 'Answered, and the next one', png: await studio.whole(page) });
  await page.emulateMedia({ colorScheme: 'dark' });
  await replies.getByRole('checkbox').first().check();
  shots.push({ caption: 'In the dark', png: await studio.whole(page) });
  await page.close();
  await studio.sheet('narrow', shots, { columns: 3, width: 1_270 });
}
