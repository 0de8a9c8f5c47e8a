/** The whole story as a person sees it: the page in a real Chromium, the demo's own script, and the real bot behind. */
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDemoScript } from '../../src/playground/demo-script.ts';
import { hasBrowser, launch } from '../playground/page/browser.ts';
import { deployments, mara, startWorld, type World } from './world.ts';

describe.skipIf(!hasBrowser())('the story on the page', () => {
  let world: World;
  let browser: Browser;
  let page: Page;
  const complaints: string[] = [];
  beforeAll(async () => {
    [world, browser] = await Promise.all([
      startWorld({ page: true, places: 0, script: createDemoScript(), env: { OPENAI_API_KEY: 'scripted' } }),
      launch(),
    ]);
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-US' });
    context.setDefaultTimeout(30_000);
    page = await context.newPage();
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(`${world.slack.url}/#as=${mara}&channel=${deployments}`);
  });
  afterAll(async () => {
    await browser?.close();
    await world?.[Symbol.asyncDispose]();
  });

  const thread = (): Locator => page.getByRole('complementary', { name: 'Thread' });
  /** The card of this question. */
  const card = (question: string): Locator =>
    thread()
      .getByRole('article')
      .filter({ hasText: question })
      .filter({ has: page.getByRole('button', { name: 'Skip' }) });
  /** What became of it. */
  const receipt = (question: string): Locator =>
    thread()
      .getByRole('article')
      .filter({ hasText: question })
      .filter({ hasText: /Answered by|Skipped by/ });
  const actAs = (name: string) => page.getByRole('radio', { name }).check({ force: true });

  /** Mentions the bot in the channel, and opens the thread that this starts. */
  async function mention(words: string): Promise<string> {
    const box = page.getByRole('textbox', { name: 'Message #deployments' });
    await box.pressSequentially('@ask');
    await page.getByRole('option', { name: /Askback/ }).waitFor();
    await box.press('Enter');
    await box.pressSequentially(words);
    await box.press('Enter');
    const { ts } = await world.slack.wait((s) => s.messages.find((m) => m.user === mara && m.text.endsWith(words)), {
      what: words,
    });
    const root = page.getByRole('log', { name: 'Messages' }).locator(`[data-ts="${ts}"]`);
    await root.getByRole('button', { name: /^\d+ repl/ }).click();
    return ts;
  }

  test('a deployment: every kind of question, a wrong input, another person, kill -9', async () => {
    const ts = await mention('deploy the billing service');

    const where = card('Where should billing go?');
    await where.getByText('Everybody, at once').waitFor();
    await actAs('Tomás Ferreira');
    await where.getByRole('button', { name: 'Production' }).click();
    await thread().getByText('Only the person who started this').waitFor();
    await actAs('Mara Lindqvist');
    await where.getByRole('button', { name: 'Staging' }).click();
    await receipt('Where should billing go?').getByText('Staging').first().waitFor();

    const checks = card('Which checks should pass first?');
    await checks.getByRole('checkbox', { name: 'Unit tests' }).check();
    await world.atRest(deployments, ts);
    const bot = page.getByRole('region', { name: 'Bot' });
    await bot.getByRole('button', { name: 'kill -9' }).click();
    await bot.getByText('Killed (-9)').waitFor();
    await bot.getByRole('button', { name: 'Start' }).click();
    await bot.getByText('Running').waitFor();
    await checks.getByRole('checkbox', { name: 'Smoke test' }).check();
    await checks.getByRole('button', { name: /^Submit/ }).click();
    await receipt('Which checks should pass first?').getByText('Smoke test').first().waitFor();

    const start = card('When should it start?');
    await card('Who should hear of it').getByRole('button', { name: 'Only this thread' }).click();
    await start.getByRole('button', { name: /^Other…/ }).click();
    const form = page.getByRole('dialog', { name: 'Another answer' });
    await form.getByText('When should it start?').waitFor();
    await form.getByRole('textbox').fill('   ');
    await form.getByRole('button', { name: 'Send' }).click();
    await form
      .getByRole('alert')
      .getByText(/Pick an option,? or write your answer/)
      .waitFor();
    await form.getByRole('textbox').fill('When the <harbour> is quiet');
    await form.getByRole('button', { name: 'Send' }).click();
    await form.waitFor({ state: 'detached' });
    await receipt('When should it start?').getByText('When the <harbour> is quiet').waitFor();

    await card('What should the release note say?')
      .getByRole('button', { name: /^Answer…/ })
      .click();
    const note = page.getByRole('dialog', { name: 'Your answer' });
    await note.getByRole('textbox').fill('Billing is *better*.');
    // A bot that is dead when the form is sent: the form stays, says so itself, and has what was written.
    await world.act({ do: 'bot', as: mara, command: 'kill' });
    await note.getByRole('button', { name: 'Send' }).click();
    await note.getByRole('alert').getByText('We had some trouble connecting. Try again?').waitFor();
    expect(await note.getByRole('textbox').inputValue()).toBe('Billing is *better*.');
    expect(await page.locator('.notice').count()).toBe(0);
    await world.act({ do: 'bot', as: mara, command: 'start' });
    await bot.getByText('Running').waitFor();
    await note.getByRole('button', { name: 'Send' }).click();
    await note.waitFor({ state: 'detached' });

    const reply = thread().getByRole('article').filter({ hasText: 'Scripted demo model: nothing was deployed.' });
    await reply.getByRole('heading', { name: 'billing to Staging' }).waitFor();
    const said = await reply.getByRole('table').getByRole('row').allInnerTexts();
    expect(said.map((row) => row.split('\t').at(-1)?.trim())).toEqual([
      'You said',
      'Staging',
      'Unit tests, Smoke test',
      '“When the <harbour> is quiet”',
      'Only this thread',
      '“Billing is *better*.”',
    ]);
    expect(await thread().getByRole('button', { name: 'Skip' }).count()).toBe(0);
  });

  test('menus, a typed answer, Skip, and a failure with Retry', async () => {
    await mention('menu please');
    await card('Which region').getByRole('combobox').click();
    await page.getByRole('option', { name: /ap-northeast/ }).click();
    await thread().getByText('You said: ap-northeast.').waitFor();

    const box = page.getByRole('textbox', { name: 'Reply in thread' });
    await box.fill('many');
    await box.press('Enter');
    const many = card('Which days');
    await many.getByRole('combobox').click();
    for (const day of ['Day 2', 'Day 28'])
      await page.getByRole('option', { name: new RegExp(`${day}$`) }).click({ force: true });
    await page.keyboard.press('Escape');
    await many.getByRole('button', { name: /^Submit/ }).click();
    await thread().getByText('You said: Day 2, Day 28.').waitFor();

    await box.fill('choice');
    await box.press('Enter');
    await card('How should the report be sent?').waitFor();
    await box.fill('2');
    await box.press('Enter');
    await thread().getByText('You said: Full.').waitFor();

    await box.fill('free');
    await box.press('Enter');
    await card('What is the one thing').getByRole('button', { name: 'Skip' }).click();
    await thread().getByText('You skipped the question, which is an answer too.').waitFor();

    await box.fill('fail');
    await box.press('Enter');
    await thread()
      .getByRole('button', { name: /^Retry/ })
      .click();
    await thread().getByText('That worked, at the second attempt.').waitFor();
  });

  test('and nothing that Slack or the browser would object to', () => {
    // The socket of the processes that were killed.
    const expected = /No ack: the (socket closed before it was acked|bot has no socket open)/;
    expect(world.warnings().filter((warning) => !expected.test(warning))).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
