/** People in the playground, as patient as people are: what Slack says did not work they do again, what it took they do not. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Done, Json, PlaygroundMessage, PlaygroundView, StateValues } from '../../src/playground/protocol.ts';
import type { Playground } from '../../src/playground/server.ts';
import { bot, type Control, control, controls, hasButton, optionsCalled, type Shown, textOf } from './shown.ts';

const PATIENCE = 40_000;
/** ms for a modal to open, after which a person clicks again. */
const MODAL = 3_000;
const NOT_SAVED = 'I could not save that';

export type People = ReturnType<typeof createPeople>;

export function createPeople(slack: Playground) {
  const isIn = (thread: string) => (m: PlaygroundMessage) =>
    m.thread_ts === thread && m.user === bot && m.ephemeralTo === undefined;
  /** What the bot has said to this person alone, in direct messages. */
  const messagesTo = (person: string) => {
    const { channels, messages } = slack.state();
    const dms = channels.filter(({ kind, members }) => kind === 'dm' && members.includes(person));
    return messages.filter((m) => m.user === bot && dms.some(({ id }) => id === m.channel));
  };
  const isOpen = (card: PlaygroundMessage) => hasButton(card, 'Skip');
  const now = (card: PlaygroundMessage) =>
    slack.state().messages.find((m) => m.ts === card.ts && m.channel === card.channel);
  const told = (to: string, words: string) =>
    slack.state().messages.filter((m) => m.ephemeralTo === to && m.text.includes(words)).length;

  type InputValue = StateValues[string][string];
  type Act = (card: PlaygroundMessage) => Promise<Done>;

  /** Does it until Slack has taken it. A card that is settled needs nothing more: what nobody confirmed was saved all the same. */
  async function insist(as: string, card: PlaygroundMessage, act: Act, isStillOpen = isOpen) {
    const deadline = Date.now() + PATIENCE;
    while (Date.now() < deadline) {
      const current = now(card);
      if (!current || !isStillOpen(current)) return;
      const refused = told(as, NOT_SAVED);
      const done = await act(current);
      if (done.ok && told(as, NOT_SAVED) === refused) return;
      if (!done.ok && !done.error.startsWith('no_ack')) throw new Error(`It was refused: ${done.error}`);
      await sleep(50);
    }
    throw new Error(`It was not taken within ${PATIENCE} ms.`);
  }

  type Entered = { action?: { [key: string]: Json }; state?: StateValues };
  const click = (
    as: string,
    card: PlaygroundMessage,
    type: string,
    label?: string,
    { action, state }: Entered = {},
  ) => {
    const { block_id, action_id } = control(card, type, label);
    const container = { type: 'message' as const, channel: card.channel, ts: card.ts };
    const done = { do: 'interact' as const, as, container, block_id, action_id, action: { type, ...action } };
    return slack.do({ ...done, ...(state && { state }) });
  };

  const modals = (as: string) => slack.state().views.filter((v) => v.user === as && v.type === 'modal');

  /** The modal that `open` opens: again, when none comes. */
  async function modal(as: string, open: () => Promise<unknown>): Promise<PlaygroundView> {
    for (let tries = 0; tries < 10 && modals(as).length === 0; tries++) {
      await open();
      await slack.wait(() => modals(as)[0], { timeoutMs: MODAL }).catch(() => {});
    }
    const opened = modals(as).at(-1);
    if (!opened) throw new Error('No modal opened.');
    return opened;
  }
  const send = (as: string, { id, view }: PlaygroundView, type: string, entered: (field: Control) => InputValue) => {
    const field = control(view as Shown, type);
    const state = { [field.block_id]: { [field.action_id]: entered(field) } };
    return slack.do({ do: 'submit_view', as, view: id, state });
  };
  async function closeAll(as: string): Promise<void> {
    for (const { id } of modals(as)) await slack.do({ do: 'close_view', as, view: id, all: true });
  }
  const written = (value: string) => (): InputValue => ({ type: 'plain_text_input', value });

  const sees = (thread: string, what: string, isIt: (message: PlaygroundMessage) => boolean) =>
    slack.wait((s) => s.messages.find((m) => isIn(thread)(m) && isIt(m)), { what, timeoutMs: PATIENCE });

  async function say(as: string, channel: string, text: string, thread?: string): Promise<string> {
    const done = await slack.do({ do: 'say', as, channel, text, ...(thread && { thread_ts: thread }) });
    if (!done.ok) throw new Error(`${as} could not say it: ${done.error}`);
    return done.ts as string;
  }

  return {
    /** The bot's messages in the thread. */
    posts: (thread: string) => slack.state().messages.filter(isIn(thread)),
    say,
    /** Types an answer, once: it must be taken, whatever the bot knows of its card by then. */
    async type(as: string, card: PlaygroundMessage, text: string): Promise<void> {
      await say(as, card.channel, text, card.thread_ts);
      const isSettled = () => !isOpen(now(card) ?? card);
      await slack.wait(isSettled, { what: 'what was typed to be taken', timeoutMs: PATIENCE });
    },
    /** The open card that asks this. */
    card: (thread: string, question: string) =>
      sees(thread, `the card "${question}"`, (m) => isOpen(m) && textOf(m).includes(question)),
    /** The bot's direct messages to this person since this moment. */
    toldSince: (person: string, ts: string) => messagesTo(person).filter((m) => Number(m.ts) > Number(ts)),
    /** They are told of a question that is open. */
    told: (person: string, question: string) =>
      slack.wait(() => messagesTo(person).find((m) => hasButton(m, 'Answer…') && textOf(m).includes(question)), {
        what: `a direct message about "${question}"`,
        timeoutMs: PATIENCE,
      }),
    reads: (thread: string, text: string) => sees(thread, `"${text}"`, (m) => textOf(m).includes(text)),

    press: (as: string, card: PlaygroundMessage, label: string) =>
      insist(as, card, (current) => click(as, current, 'button', label)),
    pick: (as: string, card: PlaygroundMessage, label: string) =>
      insist(as, card, (current) => {
        const [option] = optionsCalled(control(current, 'static_select'), [label]);
        return click(as, current, 'static_select', undefined, { action: { selected_option: option as Json } });
      }),
    /** Ticks or picks several, and submits. */
    submit: (as: string, card: PlaygroundMessage, type: 'checkboxes' | 'multi_static_select', labels: string[]) =>
      insist(as, card, (current) => {
        const choices = control(current, type);
        const chosen = { type, selected_options: optionsCalled(choices, labels) };
        const state = { [choices.block_id]: { [choices.action_id]: chosen } };
        return click(as, current, 'button', 'Submit', { state });
      }),
    /** Opens the card's modal by a button, writes, and sends. */
    async write(as: string, card: PlaygroundMessage, label: string, text: string): Promise<void> {
      const form = await modal(as, () => insist(as, card, (current) => click(as, current, 'button', label)));
      await insist(as, card, () => send(as, form, 'plain_text_input', written(text)));
      await closeAll(as);
    },
    /** Picks another option than before, in the form that "Change…" of the receipt opens. */
    async change(as: string, card: PlaygroundMessage, label: string): Promise<void> {
      const isChangeable = (current: PlaygroundMessage) => hasButton(current, 'Change…');
      await slack.wait(() => isChangeable(now(card) ?? card), { what: 'an answer to change', timeoutMs: PATIENCE });
      const opens: Act = (current) => click(as, current, 'button', 'Change…');
      const form = await modal(as, () => insist(as, card, opens, isChangeable));
      const picked = (field: Control): InputValue => ({
        type: 'radio_buttons',
        selected_option: optionsCalled(field, [label])[0] as Json,
      });
      await insist(as, card, () => send(as, form, 'radio_buttons', picked), isChangeable);
      await closeAll(as);
    },
    /** By the menu of this message. Once it is sent the form is gone; until then it is sent again. */
    async askAbout(as: string, { channel, ts }: { channel: string; ts: string }, text: string): Promise<void> {
      const shortcut = { do: 'shortcut' as const, as, channel, ts, callback_id: 'askback:about' };
      const form = await modal(as, () => slack.do(shortcut));
      const deadline = Date.now() + PATIENCE;
      while (modals(as).length > 0 && Date.now() < deadline) await send(as, form, 'plain_text_input', written(text));
      await closeAll(as);
    },
    /** Says what they think of this reply. */
    thumb: (as: string, reply: PlaygroundMessage, value: 'good' | 'bad') =>
      insist(
        as,
        reply,
        (current) => click(as, current, 'feedback_buttons', undefined, { action: { value } }),
        (current) => controls(current).some(({ type }) => type === 'feedback_buttons'),
      ),
    /**
     * Presses it on their Home, which they open anew each time, until the message in the thread that this is about has no such
     * `mark` any more; then they leave Home.
     */
    async atHome(as: string, message: PlaygroundMessage, label: string, mark: string): Promise<void> {
      const isMine = (v: PlaygroundView) => v.user === as && v.type === 'home' && hasButton(v.view as Shown, label);
      const isOver = () => !hasButton(now(message) ?? message, mark);
      const press: Act = async () => {
        await slack.do({ do: 'open_home', as });
        const view = await slack.wait((s) => s.views.find(isMine), { timeoutMs: MODAL }).catch(() => undefined);
        if (!view) return { ok: false, error: 'no_ack: it is not on Home' };
        const { block_id, action_id, type } = control(view.view as Shown, 'button', label);
        const container = { type: 'view' as const, view: view.id };
        await slack.do({ do: 'interact', as, container, block_id, action_id, action: { type } });
        const over = await slack.wait(isOver, { timeoutMs: MODAL }).catch(() => false);
        return over ? { ok: true } : { ok: false, error: 'no_ack: it is still there' };
      };
      await insist(as, message, press, (current) => hasButton(current, mark));
      await slack.do({ do: 'open_home', as, tab: 'messages' });
    },
    /** What the bot says in the thread that has this button. */
    withButton: (thread: string, label: string) => sees(thread, `a button "${label}"`, (m) => hasButton(m, label)),
  };
}
