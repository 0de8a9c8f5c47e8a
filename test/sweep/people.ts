/** People in the playground, as patient as people are: what Slack says did not work they do again, what it took they do not. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Block, Done, Json, PlaygroundMessage, StateValues } from '../../src/playground/protocol.ts';
import type { Playground } from '../../src/playground/server.ts';
import { bot, control, hasButton, optionsCalled, textOf } from './shown.ts';

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

  /** Does it until Slack has taken it. A card that is settled needs nothing more: what nobody confirmed was saved all the same. */
  async function insist(as: string, card: PlaygroundMessage, act: (card: PlaygroundMessage) => Promise<Done>) {
    const deadline = Date.now() + PATIENCE;
    while (Date.now() < deadline) {
      const current = now(card);
      if (!current || !isOpen(current)) return;
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
      const modals = () => slack.state().views.filter((v) => v.user === as && v.type === 'modal');
      for (let tries = 0; tries < 10 && modals().length === 0; tries++) {
        await insist(as, card, (current) => click(as, current, 'button', label));
        await slack.wait(() => modals()[0], { timeoutMs: MODAL }).catch(() => {});
      }
      const modal = modals().at(-1);
      if (!modal) throw new Error(`No modal opened at ${label}.`);
      const { block_id, action_id } = control({ blocks: modal.view.blocks as Block[] }, 'plain_text_input');
      const state = { [block_id]: { [action_id]: { type: 'plain_text_input', value: text } } };
      await insist(as, card, () => slack.do({ do: 'submit_view', as, view: modal.id, state }));
      for (const left of modals()) await slack.do({ do: 'close_view', as, view: left.id, all: true });
    },
  };
}
