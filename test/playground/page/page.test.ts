/** The page in a real browser: what is clicked by role and label, and the exact action that is posted for it. */
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { buildPage, type PageHandler } from '../../../src/playground/page/serve.ts';
import type { Action, Snapshot } from '../../../src/playground/protocol.ts';
import { hasBrowser, launch } from './browser.ts';
import { type Fixture, startFixture } from './fixture-server.ts';
import { at, BOT, CONTROLS, fixtureSnapshot, MODAL, option } from './fixture-world.ts';

const CARD = at(1);
/** Of a machine that is busy with other suites; a quiet one needs a tenth. */
const PATIENCE_MS = 15_000;

describe.skipIf(!hasBrowser())('the page', () => {
  let handler: PageHandler;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let fixture: Fixture;
  let complaints: string[];
  let snapshot: Snapshot;

  beforeAll(async () => {
    [handler, browser] = await Promise.all([buildPage(), launch()]);
    fixture = await startFixture(handler, () => snapshot);
    context = await browser.newContext({
      viewport: { width: 1440, height: 900 },
      locale: 'en-US',
      reducedMotion: 'reduce',
    });
    context.setDefaultTimeout(PATIENCE_MS);
    page = await context.newPage();
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
  });
  afterAll(async () => {
    await browser?.close();
    await fixture?.close();
  });
  // One browser tab for all, loaded afresh for each: a new one would cost more than the test.
  beforeEach(() => {
    snapshot = fixtureSnapshot();
    fixture.reset();
    complaints = [];
  });
  afterEach(async () => {
    await page.evaluate(() => localStorage.clear());
    await page.goto('about:blank');
    expect(complaints).toEqual([]);
  });

  const until = <T>(look: () => T) => expect.poll(look, { timeout: PATIENCE_MS, interval: 25 });
  const open = async (as = 'U0ANA', channel = 'C0DEP', thread?: string): Promise<void> => {
    await page.goto(`${fixture.url}#as=${as}&channel=${channel}${thread ? `&thread=${thread}` : ''}`);
    await page.getByRole('radiogroup', { name: 'Act as' }).waitFor();
  };
  const posted = async (count = 1): Promise<Action[]> => {
    await until(() => fixture.actions.length).toBeGreaterThanOrEqual(count);
    return fixture.actions;
  };
  const last = async (count = 1): Promise<Action | undefined> => (await posted(count)).at(-1);
  const thread = (): Locator => page.getByRole('complementary', { name: 'Thread' });
  const interact = (block_id: string, action_id: string, action: object) => ({
    as: 'U0ANA',
    do: 'interact',
    container: { type: 'message', channel: 'C0DEP', ts: CARD },
    block_id,
    action_id,
    action,
  });

  it('draws every kind of message and block, and names what it cannot draw', async () => {
    await open();
    const log = page.getByRole('log', { name: 'Messages' });
    for (const text of [
      'Released',
      'a quote',
      'npm run demo',
      'Rollout',
      'Purge the cache',
      'deploy.log',
      'An attachment',
      '(edited)',
    ]) {
      await log.getByText(text, { exact: false }).first().waitFor();
    }
    expect(await log.getByText('This playground cannot draw the block sparkle_block').count()).toBe(1);
    expect(await log.getByRole('table').count()).toBe(2);
    expect(await log.getByRole('img', { name: 'A chart of latencies' }).count()).toBe(1);
    expect(await log.locator('code', { hasText: '<@U0ANA>' }).count()).toBe(1);
    expect(await log.getByText('APP').count()).toBeGreaterThan(0);
    expect(await page.getByText('Only visible to you').count()).toBe(0);
  });

  it('sends what is written: Enter sends, Shift+Enter does not, @ completes a name', async () => {
    await open();
    const box = page.getByRole('textbox', { name: 'Message #deployments' });
    await box.pressSequentially('@ask');
    const person = page.getByRole('option', { name: /Askback/ });
    await person.waitFor();
    // The field keeps the focus, and says which person Enter would take.
    expect(await box.getAttribute('aria-activedescendant')).toBe(await person.getAttribute('id'));
    // The caret is behind the name at once: one that moves a frame later scrambles what a fast hand types.
    const caret = await box.evaluate((field) => {
      field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
      return (field as HTMLTextAreaElement).selectionStart;
    });
    expect(caret).toBe('@Askback '.length);
    await box.pressSequentially('deploy <billing>');
    await box.press('Shift+Enter');
    await box.pressSequentially('now');
    expect(fixture.actions).toEqual([]);
    await box.press('Enter');
    expect(await last()).toEqual({
      as: 'U0ANA',
      do: 'say',
      channel: 'C0DEP',
      text: `<@${BOT}> deploy &lt;billing&gt;\nnow`,
    });
    expect(await box.inputValue()).toBe('');
  });

  it('replies in a thread, also to the channel, and gives back what was refused', async () => {
    await open();
    await page.getByRole('button', { name: '3 replies' }).click();
    const box = page.getByRole('textbox', { name: 'Reply in thread' });
    await page.getByRole('checkbox', { name: 'Also send to #deployments' }).check();
    await box.fill('fine');
    await box.press('Enter');
    expect(await last()).toEqual({
      as: 'U0ANA',
      do: 'say',
      channel: 'C0DEP',
      text: 'fine',
      thread_ts: at(0),
      broadcast: true,
    });
    fixture.answer(() => ({ ok: false, error: 'is_archived' }));
    await box.fill('again');
    await box.press('Enter');
    await page.getByText('is_archived').waitFor();
    await until(() => box.inputValue()).toBe('again');
  });

  it('attaches a file, edits and deletes an own message', async () => {
    await open();
    await page
      .getByLabel('Attach a file')
      .first()
      .setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') });
    await page.getByRole('button', { name: 'Remove a.txt' }).waitFor();
    await page.getByRole('button', { name: 'Send' }).first().click();
    expect(await last()).toEqual({
      as: 'U0ANA',
      do: 'say',
      channel: 'C0DEP',
      text: '',
      files: [{ name: 'a.txt', mimetype: 'text/plain', content: 'hello' }],
    });
    const own = page
      .getByRole('article', { name: 'Message from Ana Ruiz' })
      .filter({ hasText: 'The log of the last run' });
    await own.hover();
    await own.getByRole('button', { name: 'Edit message' }).click();
    await page.getByRole('textbox', { name: 'Edit message' }).fill('The log, @Ben Okafor');
    await page.getByRole('textbox', { name: 'Edit message' }).press('Enter');
    expect(await last(2)).toEqual({ as: 'U0ANA', do: 'edit', channel: 'C0DEP', ts: at(8), text: 'The log, <@U0BEN>' });
    await own.hover();
    await own.getByRole('button', { name: 'Delete message' }).click();
    expect(await last(3)).toEqual({ as: 'U0ANA', do: 'delete', channel: 'C0DEP', ts: at(8) });
  });

  it('sends a click of a button with the state of its message', async () => {
    await open('U0ANA', 'C0DEP', at(0));
    const card = thread().getByRole('article').filter({ hasText: 'Which environment?' });
    await card.getByRole('checkbox', { name: 'Unit tests' }).check();
    await card.getByRole('checkbox', { name: 'Load tests' }).check();
    expect(fixture.actions).toEqual([]);
    await card.getByRole('button', { name: 'Submit' }).click();
    const boxes = CONTROLS.find((block) => block.block_id === 'checks')?.element as { options: object[] };
    const { state, ...click } = (await last()) as Extract<Action, { do: 'interact' }>;
    expect(click).toEqual(
      interact('submit', 'pick-submit', {
        type: 'button',
        text: { type: 'plain_text', text: 'Submit' },
        value: 'submit',
      }),
    );
    expect(state).toEqual({
      menu: { region: { type: 'static_select', selected_option: null } },
      checks: { boxes: { type: 'checkboxes', selected_options: [boxes.options[0], boxes.options[2]] } },
      people: { multi: { type: 'multi_static_select', selected_options: [] } },
      'more-controls': {
        radio: { type: 'radio_buttons', selected_option: null },
        date: { type: 'datepicker', selected_date: null },
        time: { type: 'timepicker', selected_time: null },
        user: { type: 'users_select', selected_user: null },
      },
    });
  });

  it('asks before a button that wants to be confirmed', async () => {
    await open('U0ANA', 'C0DEP', at(0));
    await thread().getByRole('button', { name: 'Production' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Deploy to production?' });
    await dialog.getByRole('button', { name: 'Not yet' }).click();
    expect(fixture.actions).toEqual([]);
    await thread().getByRole('button', { name: 'Production' }).click();
    await dialog.getByRole('button', { name: 'Deploy', exact: true }).click();
    expect(await last()).toMatchObject(
      interact('buttons', 'pick-1', { type: 'button', text: { type: 'plain_text', text: 'Production' }, value: '1' }),
    );
  });

  it('drives menus, pickers and the overflow, each sending its own part', async () => {
    await open('U0ANA', 'C0DEP', at(0));
    const region = thread().getByRole('combobox', { name: 'Choose a region' });
    await region.click();
    await region.pressSequentially('us');
    expect(await page.getByRole('option').allTextContents()).toEqual(['us-east-1', 'us-west-2']);
    await page.getByRole('option', { name: 'us-west-2' }).click();
    expect(await last(1)).toMatchObject(
      interact('menu', 'region', { type: 'static_select', selected_option: option('us-west-2', '3') }),
    );
    expect(await region.inputValue()).toBe('us-west-2');

    await thread().getByRole('button', { name: 'More actions' }).click();
    // Left by the keyboard, the menu gives the focus back.
    const more = thread().getByRole('button', { name: 'More actions' });
    await until(() =>
      page
        .getByRole('menuitem')
        .first()
        .evaluate((item) => item === document.activeElement),
    ).toBe(true);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Escape');
    expect(await page.getByRole('menuitem').count()).toBe(0);
    expect(await more.evaluate((button) => button === document.activeElement)).toBe(true);
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Hand over' }).click();
    expect(await last(2)).toMatchObject(
      interact('buttons', 'more', { type: 'overflow', selected_option: option('Hand over', 'hand') }),
    );

    await thread().getByRole('radio', { name: 'Tonight' }).check();
    expect(await last(3)).toMatchObject(
      interact('more-controls', 'radio', { type: 'radio_buttons', selected_option: option('Tonight', 'tonight') }),
    );

    await thread().getByLabel('A day').fill('2026-12-24');
    expect(await last(4)).toMatchObject(
      interact('more-controls', 'date', { type: 'datepicker', selected_date: '2026-12-24' }),
    );

    await thread().getByLabel('A time').fill('18:30');
    expect(await last(5)).toMatchObject(
      interact('more-controls', 'time', { type: 'timepicker', selected_time: '18:30' }),
    );

    await thread().getByRole('combobox', { name: 'A person' }).press('ArrowDown');
    await page.keyboard.type('ben');
    await page.keyboard.press('Enter');
    expect(await last(6)).toMatchObject(
      interact('more-controls', 'user', { type: 'users_select', selected_user: 'U0BEN' }),
    );
  });

  it('takes several choices in a multi menu, up to its most, and lets go of them', async () => {
    await open('U0ANA', 'C0DEP', at(0));
    const menu = thread().getByRole('combobox', { name: 'Who is told?' });
    await menu.click();
    for (const name of ['eu-west-1', 'us-east-1', 'us-west-2', 'sa-east-1'])
      await page.getByRole('option', { name }).click({ force: true });
    await menu.press('Escape');
    await thread().getByRole('button', { name: 'Remove us-east-1' }).click();
    await thread().getByRole('button', { name: 'Skip' }).click();
    const { state } = (await last()) as Extract<Action, { do: 'interact' }>;
    expect(state?.people?.multi).toEqual({
      type: 'multi_static_select',
      selected_options: [option('eu-west-1', '0'), option('us-west-2', '3')],
    });
  });

  it('gives feedback, and clicks in attachments', async () => {
    await open();
    const [good, bad] = ['Good answer', 'Bad answer'].map((name) => page.getByRole('button', { name }));
    await good?.click();
    const background = (thumb = good) => thumb?.evaluate((button) => getComputedStyle(button).backgroundColor);
    await page.mouse.move(0, 0);
    expect(await background(good), 'what was given is seen').not.toBe(await background(bad));
    expect(await last(1)).toMatchObject({
      do: 'interact',
      block_id: 'fb',
      action_id: 'feedback',
      action: { type: 'feedback_buttons', value: 'good' },
    });
    await page.getByRole('button', { name: 'In attachment' }).click();
    expect(await last(2)).toMatchObject({ do: 'interact', block_id: 'att', container: { ts: at(9) } });
  });

  it('submits a modal: checks it, shows errors in place, keeps what was written, closes', async () => {
    await open();
    fixture.send({ type: 'view', view: MODAL });
    const dialog = page.getByRole('dialog', { name: 'Release note' });
    const note = dialog.getByRole('textbox', { name: 'Your answer' });
    await until(() => note.evaluate((field) => field === document.activeElement)).toBe(true);
    await dialog.getByRole('button', { name: 'Send answer' }).click();
    await dialog.getByRole('alert').getByText('Please complete this required field.').waitFor();
    expect(fixture.actions).toEqual([]);

    await note.fill('   ');
    await dialog.getByRole('radio', { name: 'Tonight' }).check();
    await dialog.getByRole('combobox', { name: 'Where' }).click();
    await page.getByRole('option', { name: 'eu-central-1' }).click();
    let release = (): void => {};
    fixture.answer(async (action) => {
      if (action.do !== 'submit_view') return undefined;
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      fixture.send({ type: 'view', view: { ...MODAL, hash: '2', errors: { note: 'Blank is no answer.' } } });
      return { ok: true as const };
    });
    await dialog.getByRole('button', { name: 'Send answer' }).click();
    await until(() => dialog.getByRole('button', { name: 'Send answer' }).getAttribute('aria-busy')).toBe('true');
    expect(await last(1)).toEqual({
      as: 'U0ANA',
      do: 'submit_view',
      view: MODAL.id,
      state: {
        note: { text: { type: 'plain_text_input', value: '   ' } },
        mail: { mail: { type: 'email_text_input', value: null } },
        count: { count: { type: 'number_input', value: null } },
        site: { site: { type: 'url_text_input', value: null } },
        when: { when: { type: 'radio_buttons', selected_option: option('Tonight', 'tonight') } },
        where: { where: { type: 'static_select', selected_option: option('eu-central-1', '1') } },
      },
    });
    release();
    await dialog.getByRole('alert').getByText('Blank is no answer.').waitFor();
    expect(await note.inputValue()).toBe('   ');
    expect(await note.getAttribute('aria-invalid')).toBe('true');

    // What the form says itself is said nowhere else.
    fixture.answer((action) => {
      if (action.do !== 'submit_view') return undefined;
      fixture.send({ type: 'view', view: { ...MODAL, hash: '3', trouble: 'We had some trouble connecting.' } });
      return { ok: false, error: 'no_ack: no socket is open' };
    });
    await note.fill('better');
    await dialog.getByRole('button', { name: 'Send answer' }).click();
    const trouble = dialog.getByRole('alert').getByText('We had some trouble connecting.');
    await trouble.waitFor();
    expect(await note.inputValue()).toBe('better');
    expect(await page.locator('.notice').count()).toBe(0);
    // What it cannot say is told above, and no button to send with is under it.
    fixture.answer((action) => (action.do === 'submit_view' ? { ok: false, error: 'view_not_found' } : undefined));
    await dialog.getByRole('button', { name: 'Send answer' }).click();
    const told = await page.locator('.notice').boundingBox();
    const send = await dialog.getByRole('button', { name: 'Send answer' }).boundingBox();
    expect((told?.y ?? 900) + (told?.height ?? 0)).toBeLessThan(send?.y ?? 0);
    fixture.send({ type: 'view_closed', id: MODAL.id });
    await dialog.waitFor({ state: 'detached' });
  });

  it('keeps the focus in a modal, counts characters, and closes it with Esc', async () => {
    await open();
    fixture.send({ type: 'view', view: MODAL });
    const dialog = page.getByRole('dialog', { name: 'Release note' });
    await dialog.getByRole('textbox', { name: 'Your answer' }).fill('x'.repeat(250));
    await dialog.getByText('200 / 200').waitFor();
    // The field grows with its text, but the modal stays where it can be seen.
    const note = dialog.getByRole('textbox', { name: 'Your answer' });
    await note.evaluate((field) => field.removeAttribute('maxlength'));
    await note.fill('x'.repeat(3000));
    const box = await dialog.boundingBox();
    expect(box && box.x + box.width).toBeLessThanOrEqual(1440);
    for (let presses = 0; presses < 16; presses += 1) {
      await page.keyboard.press('Tab');
      expect(await dialog.evaluate((box) => box.contains(document.activeElement))).toBe(true);
    }
    await page.keyboard.press('Escape');
    expect(await last()).toEqual({ as: 'U0ANA', do: 'close_view', view: MODAL.id });
  });

  it('acts as another person, who sees their own ephemerals, DMs and modals', async () => {
    await open();
    fixture.send({ type: 'view', view: { ...MODAL, user: 'U0BEN' } });
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.getByRole('radio', { name: 'Ben Okafor' }).check({ force: true });
    await page.getByRole('dialog', { name: 'Release note' }).waitFor();
    fixture.send({ type: 'view_closed', id: MODAL.id });
    await page.getByText('Only visible to you').waitFor();
    expect(await page.getByRole('navigation').getByRole('button', { name: 'board' }).count()).toBe(0);
    const box = page.getByRole('textbox', { name: 'Message #deployments' });
    await box.fill('as Ben');
    await box.press('Enter');
    expect(await last()).toMatchObject({ as: 'U0BEN', do: 'say' });
  });

  it('opens the DM and the Home of the app', async () => {
    fixture.answer((action) => (action.do === 'open_dm' ? { ok: true, channel: 'D0BEN' } : undefined));
    await open('U0BEN');
    await page.getByRole('navigation').getByRole('button', { name: 'Askback' }).click();
    expect(await last(1)).toEqual({ as: 'U0BEN', do: 'open_dm' });
    await page.getByRole('radio', { name: 'Ana Ruiz' }).check({ force: true });
    await page.getByRole('navigation').getByRole('button', { name: 'Askback' }).click();
    await page.getByRole('tab', { name: 'Home' }).click();
    expect((await posted(3))[1]).toEqual({ as: 'U0ANA', do: 'open_home', tab: 'messages' });
    expect(await last(3)).toEqual({ as: 'U0ANA', do: 'open_home', tab: 'home' });
    await page.getByRole('region', { name: 'Home' }).getByRole('button', { name: 'Answer' }).click();
    expect(await last(4)).toMatchObject({
      do: 'interact',
      container: { type: 'view', view: 'V0HOME' },
      action: { type: 'button', value: 'home' },
    });
  });

  it('offers what a chat with the app may be asked, until something is said in it', async () => {
    await open();
    await page.getByRole('navigation').getByRole('button', { name: 'Askback' }).click();
    const prompts = [{ title: 'How do you work?', message: 'help' }];
    fixture.send({ type: 'prompts', prompts: { channel: 'D0ANA', title: 'What shall I do?', prompts } });
    await page
      .getByRole('region', { name: 'What shall I do?' })
      .getByRole('button', { name: 'How do you work?' })
      .click();
    expect(await last(2)).toEqual({ as: 'U0ANA', do: 'say', channel: 'D0ANA', text: 'help' });
    expect(await page.getByRole('button', { name: 'New chat' }).count()).toBe(0);
  });

  it('offers to invite the app where it was mentioned and is not, and lets the bot be killed under an open form', async () => {
    await open();
    const bot = 'U0BOT';
    fixture.send({
      type: 'channel',
      channel: { id: 'C0FAR', name: 'far', kind: 'channel', members: ['U0ANA'] },
    });
    await page.getByRole('navigation').getByRole('button', { name: 'far' }).click();
    expect(await page.getByRole('region', { name: 'Invite Askback' }).count()).toBe(0);
    fixture.send({ type: 'message', message: { channel: 'C0FAR', ts: at(60), user: 'U0ANA', text: `<@${bot}> hi` } });
    await page.getByRole('button', { name: 'Invite @Askback' }).click();
    expect(await last()).toEqual({ as: 'U0ANA', do: 'invite', channel: 'C0FAR', user: bot });
    fixture.send({ type: 'view', view: MODAL });
    await page.getByRole('dialog').waitFor();
    await page.getByRole('button', { name: 'kill -9' }).click();
    expect(await last(2)).toMatchObject({ do: 'bot', command: 'kill' });
  });

  it('marks what is unread, and whom it is for', async () => {
    await open();
    fixture.send({ type: 'message', message: { channel: 'C0GEN', ts: at(50), user: 'U0BEN', text: 'look <@U0ANA>' } });
    const row = page.getByRole('navigation').getByRole('button', { name: 'general' });
    await row.getByText('1', { exact: true }).waitFor();
    await row.click();
    await row.getByText('1', { exact: true }).waitFor({ state: 'detached' });
  });

  it('follows a stream to its end, unless one has scrolled away', async () => {
    await open('U0ANA', 'C0DEP', at(0));
    const log = page.getByRole('log', { name: 'Replies' });
    const bottom = () => log.evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight);
    const stream = (lines: number) =>
      fixture.send({
        type: 'message',
        message: {
          channel: 'C0DEP',
          ts: at(3),
          thread_ts: at(0),
          user: BOT,
          text: 'line\n'.repeat(lines),
          streaming: true,
        },
      });
    stream(40);
    await until(bottom).toBeLessThan(2);
    await log.evaluate((box) => box.scrollTo({ top: 0 }));
    await page.getByRole('button', { name: '↓ Newest' }).last().waitFor();
    stream(80);
    await until(() => log.evaluate((box) => box.scrollTop)).toBe(0);
    await thread().getByRole('button', { name: '↓ Newest' }).click();
    await until(bottom).toBeLessThan(2);
  });

  it('shows the status of the agent, stops it, and clears it', async () => {
    await open('U0ANA', 'C0DEP', at(0));
    await thread().getByText('is thinking…').waitFor();
    await thread().getByRole('button', { name: 'Stop the agent' }).click();
    expect(await last()).toEqual({ as: 'U0ANA', do: 'stop_session', channel: 'C0DEP', thread_ts: at(0) });
    fixture.send({ type: 'status', status: { channel: 'C0DEP', thread_ts: at(0), status: '' } });
    await thread().getByText('is thinking…').waitFor({ state: 'detached' });
  });

  it('kills, starts and stops the bot, and says what model it has', async () => {
    await open();
    const bot = page.getByRole('region', { name: 'Bot' });
    await bot.getByText('Scripted demo model (no OPENAI_API_KEY)').waitFor();
    await bot.getByRole('button', { name: 'kill -9' }).click();
    expect(await last(1)).toEqual({ as: 'U0ANA', do: 'bot', command: 'kill' });
    fixture.send({ type: 'bot', bot: { state: 'killed', sockets: 0, log: [] } });
    await bot.getByText('Killed (-9)').waitFor();
    expect(await bot.getByRole('button', { name: 'kill -9' }).isDisabled()).toBe(true);
    await bot.getByRole('button', { name: 'Start' }).click();
    expect(await last(2)).toEqual({ as: 'U0ANA', do: 'bot', command: 'start' });
  });

  it('tells a newcomer what to try, and tries it', async () => {
    fixture.answer((action) => (action.do === 'say' ? { ok: true, ts: at(0) } : undefined));
    await open('U0ANA', 'C0GEN');
    await page.getByRole('button', { name: 'Try it' }).click();
    expect(await last()).toEqual({
      as: 'U0ANA',
      do: 'say',
      channel: 'C0DEP',
      text: `<@${BOT}> deploy the billing service`,
    });
    await thread().getByRole('textbox', { name: 'Reply in thread' }).waitFor();
    expect(await page.getByRole('button', { name: 'Try it' }).count()).toBe(0);
  });

  it('shows the traffic, loud where it warns, filtered, with its JSON; and sets faults', async () => {
    await open();
    await page.getByRole('button', { name: 'Inspector 1' }).click();
    const rows = page.getByRole('list', { name: 'Traffic, newest first' }).getByRole('listitem');
    expect(await rows.count()).toBe(4);
    await page.getByRole('searchbox', { name: 'Filter traffic' }).fill('post');
    await until(() => rows.count()).toBe(1);
    await rows.getByText('chat.postMessage').click();
    await rows.getByText('"text": "Which environment?"').waitFor();
    await page.getByRole('searchbox', { name: 'Filter traffic' }).fill('');
    await page.getByRole('checkbox', { name: 'Problems only' }).check();
    await rows.getByText('No ack within 3 s').waitFor();

    await page.getByRole('tab', { name: 'Faults' }).click();
    await page.getByLabel('Method').selectOption('chat.update');
    await page.getByLabel('What happens').selectOption('slow');
    await page.getByLabel('Delay in ms').fill('700');
    await page.getByRole('button', { name: 'Add fault' }).click();
    expect(await last()).toEqual({
      as: 'U0ANA',
      do: 'fault',
      fault: { method: 'chat.update', kind: 'slow', value: 700, times: 1 },
    });
    fixture.send({ type: 'faults', faults: [{ method: '*', kind: 'refuse', error: 'fatal_error' }] });
    await page.getByRole('list', { name: 'Active faults' }).getByText('fatal_error').waitFor();
    await page.getByRole('button', { name: 'Clear all faults' }).click();
    expect(await last(2)).toEqual({ as: 'U0ANA', do: 'clear_faults' });
  });

  it('shows who is in a channel, invites, removes and archives', async () => {
    await open('U0ANA', 'C0GEN');
    await page.getByRole('button', { name: '3 members' }).click();
    await page.getByRole('combobox', { name: 'Whom to invite' }).selectOption(BOT);
    await page.getByRole('button', { name: 'Invite' }).click();
    expect(await last(1)).toEqual({ as: 'U0ANA', do: 'invite', channel: 'C0GEN', user: BOT });
    await page.getByRole('button', { name: 'Remove Ben Okafor from the channel' }).click();
    expect(await last(2)).toEqual({ as: 'U0ANA', do: 'remove', channel: 'C0GEN', user: 'U0BEN' });
    await page.getByRole('button', { name: 'Archive channel' }).click();
    expect(await last(3)).toEqual({ as: 'U0ANA', do: 'archive', channel: 'C0GEN' });
  });

  it('comes back by itself when the server restarts, with what was being written', async () => {
    await open('U0ANA', 'C0DEP', at(0));
    await page.getByRole('textbox', { name: 'Reply in thread' }).fill('half a sent');
    const { port } = fixture;
    await fixture.close();
    await page.getByText('Reconnecting…').waitFor();
    snapshot.messages.push({ channel: 'C0DEP', ts: at(60), thread_ts: at(0), user: BOT, text: 'I was restarted' });
    fixture = await startFixture(handler, () => snapshot, port);
    await thread().getByText('I was restarted').waitFor();
    await page.getByText('Reconnecting…').waitFor({ state: 'detached' });
    expect(await page.getByRole('textbox', { name: 'Reply in thread' }).inputValue()).toBe('half a sent');
    // What the browser itself says of a socket that found nobody is not the page's complaint.
    complaints = complaints.filter((text) => !/WebSocket connection to .* failed/.test(text));
  });

  it('shows one pane at a time on a narrow screen, and remembers the theme', async () => {
    await page.setViewportSize({ width: 420, height: 860 });
    onTestFinished(() => page.setViewportSize({ width: 1440, height: 900 }));
    await open();
    await page.getByRole('button', { name: '3 replies' }).click();
    expect(await page.getByRole('main').isVisible()).toBe(false);
    await thread().getByRole('button', { name: 'Close thread' }).click();
    expect(await page.getByRole('main').isVisible()).toBe(true);
    await page.getByRole('button', { name: 'Channels and bot' }).click();
    await page.getByRole('navigation').getByRole('button', { name: 'general' }).click();
    expect(await page.getByRole('navigation').isVisible()).toBe(false);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(420);
    await page.getByRole('button', { name: 'Theme: auto' }).click();
    await page.getByRole('button', { name: 'Theme: dark' }).click();
    await page.reload();
    await page.getByRole('button', { name: 'Theme: light' }).waitFor();
  });
});
