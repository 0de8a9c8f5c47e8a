/**
 * `npm run pictures` makes the pictures of the README and the docs anew: the real product in the playground, in real Chromium
 * (CHROMIUM, by default /usr/bin/chromium).
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { createDemoScript } from '../src/playground/demo-script.ts';
import { startModelServer } from '../src/playground/model-server.ts';
import { startPlayground } from '../src/playground/server.ts';

const root = join(import.meta.dirname, '..');
const dir = mkdtempSync(join(tmpdir(), 'askback-pictures-'));
const model = await startModelServer({ script: createDemoScript() });
const slack = await startPlayground({
  page: true,
  manifest: join(root, 'manifest.yml'),
  bot: {
    command: process.execPath,
    args: ['--import', './src/require-node24.js', 'src/main.ts'],
    cwd: root,
    model: 'Scripted demo model',
    env: {
      PATH: process.env.PATH,
      OPENAI_BASE_URL: model.url,
      OPENAI_MODEL: 'scripted-demo',
      STORE_URL: `sqlite://${join(dir, 'askback.sqlite')}`,
    },
  },
});
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--no-first-run',
  ],
});

/** A window on the playground, as wide as the picture. */
async function open(options: { dark?: boolean; width?: number; height?: number } = {}): Promise<Page> {
  const { dark = false, width = 1240, height = 760 } = options;
  const page = await browser.newPage({ viewport: { width, height }, colorScheme: dark ? 'dark' : 'light' });
  await page.goto(slack.url);
  return page;
}

const thread = (page: Page) => page.getByRole('log', { name: 'Replies' });

async function save(page: Page, name: string): Promise<void> {
  // What was just posted scrolls into view, and a pressed button comes to rest.
  await page.mouse.move(0, 0);
  await page.waitForTimeout(400);
  await page.screenshot({ path: join(root, 'docs', `${name}.png`) });
  console.log(`docs/${name}.png`);
}

try {
  await slack.wait((s) => s.bot.state === 'running', { what: 'the bot', timeoutMs: 30_000 });
  const page = await open();
  await page.getByRole('button', { name: 'Try it' }).click();
  const asked = thread(page);
  await asked.getByRole('button', { name: 'Canary' }).waitFor();
  await save(page, 'question');

  await asked.getByRole('button', { name: 'Canary' }).click();
  await asked.getByRole('checkbox').first().waitFor();
  for (const box of (await asked.getByRole('checkbox').all()).slice(0, 2)) await box.check();
  await save(page, 'answered');
} finally {
  await browser.close();
  await slack.close();
  await model.close();
  rmSync(dir, { recursive: true, force: true });
}
