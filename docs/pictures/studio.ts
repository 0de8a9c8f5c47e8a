/** Real Chromium (CHROMIUM, by default /usr/bin/chromium): pictures of the page, and sheets of many of them. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { launch } from '../../test/playground/page/browser.ts';
import { mara } from '../../test/sweep/shown.ts';
import { withPalette } from './png.ts';
import type { Stage, Talk } from './stage.ts';

const folder = join(import.meta.dirname, '../looks');

/** `as`: whose window it is. */
export type Look = { dark?: boolean; width?: number; height?: number; as?: string };
/** A picture with a line beneath it. */
export type Shot = { caption: string; png: Buffer };
export type Studio = Awaited<ReturnType<typeof openStudio>>;

/** The page beside a thread that is this wide. */
const WIDE = { width: 1_400, height: 2_000 };

export async function openStudio() {
  const browser = await launch();
  mkdirSync(folder, { recursive: true });

  function keep(name: string, png: Buffer): void {
    const small = withPalette(png);
    writeFileSync(join(folder, `${name}.png`), small);
    console.log(`docs/looks/${name}.png  ${Math.round(small.length / 1000)} kB`);
  }

  /** A window on the stage: Mara's, unless told. */
  async function open(
    stage: Stage,
    place: string,
    { dark = false, width = 1_280, height = 760, as = mara }: Look = {},
  ): Promise<Page> {
    const page = await browser.newPage({
      viewport: { width, height },
      colorScheme: dark ? 'dark' : 'light',
      locale: 'en-GB',
      reducedMotion: 'reduce',
    });
    page.setDefaultTimeout(20_000);
    await page.goto(`${stage.slack.url}/#as=${as}&${place}`);
    return page;
  }

  return {
    keep,
    open,
    whole: async (page: Page): Promise<Buffer> => {
      await rest(page);
      return page.screenshot();
    },

    /** The messages of these threads, each as it is now. */
    async messages(
      stage: Stage,
      wanted: { caption: string; talk: Talk; ts: string }[],
      look: Look = {},
    ): Promise<Shot[]> {
      const page = await open(stage, 'channel=C0GENERAL1', { ...WIDE, ...look });
      const shots: Shot[] = [];
      for (const { caption, talk, ts } of wanted) {
        await page.goto(`${stage.slack.url}/#as=${mara}&channel=${talk.channel}&thread=${talk.thread}`);
        shots.push({ caption, png: await picture(message(page, ts)) });
      }
      await page.close();
      return shots;
    },

    /** A thread's pane, from its head to its foot. */
    async thread(stage: Stage, talk: Talk, caption: string, look: Look): Promise<Shot> {
      const page = await open(stage, `channel=${talk.channel}&thread=${talk.thread}`, look);
      await page.getByRole('log', { name: 'Replies' }).getByRole('article').nth(1).waitFor();
      const png = await picture(page.getByRole('complementary', { name: 'Thread' }));
      await page.close();
      return { caption, png };
    },

    /** One image of many, in columns; they stand beneath one another in the order that they have. */
    async sheet(name: string, shots: readonly Shot[], { dark = false, columns = 2, width = 900 } = {}): Promise<void> {
      const page = await browser.newPage({ viewport: { width, height: 20 }, colorScheme: dark ? 'dark' : 'light' });
      await page.setContent(sheetOf(shots, { dark, columns }));
      await page.evaluate('Promise.all([...document.images].map((image) => image.decode()))');
      keep(name, await page.screenshot({ fullPage: true }));
      await page.close();
    },

    close: () => browser.close(),
  };
}

export const message = (page: Page, ts: string): Locator =>
  page.getByRole('log', { name: 'Replies' }).locator(`[data-ts="${ts}"]`);

export async function picture(of: Locator): Promise<Buffer> {
  await of.waitFor();
  await rest(of.page());
  return of.screenshot();
}

/** What was just posted scrolls into view, and what the mouse is over looks as if it were not. */
async function rest(page: Page): Promise<void> {
  await page.mouse.move(0, 0);
  await page.waitForTimeout(120);
}

function sheetOf(shots: readonly Shot[], { dark, columns }: { dark: boolean; columns: number }): string {
  const [ground, ink, line] = dark ? ['#0f1112', '#99a5a3', '#2f3637'] : ['#eef1f0', '#5b6967', '#dfe4e2'];
  const figures = shots.map(
    ({ caption, png }) =>
      `<figure><img src="data:image/png;base64,${png.toString('base64')}"><figcaption>${caption}</figcaption></figure>`,
  );
  return `<!doctype html><style>
    body { margin: 0; padding: 14px 14px 2px; background: ${ground}; color: ${ink}; font: 13px system-ui, 'Noto Sans', sans-serif; columns: ${columns}; column-gap: 14px; }
    figure { margin: 0 0 12px; break-inside: avoid; }
    img { display: block; max-width: 100%; border: 1px solid ${line}; border-radius: 6px; box-sizing: border-box; }
    figcaption { padding: 4px 2px 0; }
  </style>${figures.join('')}`;
}
