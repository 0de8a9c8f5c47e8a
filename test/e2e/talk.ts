/** One conversation in a world: what a person says, clicks and picks in a thread, and what is seen there. */
import { expect } from 'vitest';
import type { Block, Done, PlaygroundMessage, PlaygroundView, StateValues } from '../../src/playground/protocol.ts';
import { type Asked, askFor } from './asking.ts';
import { bot, PATIENCE, type Place, type World } from './world.ts';

type Element = {
  type: string;
  action_id: string;
  block_id: string;
  text?: { text: string };
  options?: { text: { text: string }; value: string; description?: { text: string } }[];
  [key: string]: unknown;
};

/** Every control of a message or a view, with the block that it is in. */
export function controls(blocks: Block[] = []): Element[] {
  return blocks.flatMap((block) => {
    const inside = [...((block.elements ?? []) as Partial<Element>[]), block.accessory, block.element];
    return (inside as Partial<Element>[])
      .filter((element) => element?.action_id !== undefined)
      .map((element) => ({ ...element, block_id: block.block_id }) as Element);
  });
}

type Shown = { blocks?: Block[] };

export function control({ blocks }: Shown, type: string): Element {
  const found = controls(blocks).find((element) => element.type === type);
  if (!found) throw new Error(`There is no ${type} in ${JSON.stringify(blocks)}`);
  return found;
}

export const buttons = ({ blocks }: Shown): string[] =>
  controls(blocks).flatMap(({ type, text }) => (type === 'button' ? [text?.text ?? ''] : []));

export const hasButton = (shown: Shown, label: string): boolean => buttons(shown).includes(label);

/** All that a person reads in a message or a view. */
export const textOf = (shown: { text?: string } & Shown): string =>
  JSON.stringify([shown.text ?? '', shown.blocks ?? []]);

/** A card that can be answered by controls. */
export const isCard = (message: PlaygroundMessage): boolean => hasButton(message, 'Skip');

export type Talk = Awaited<ReturnType<typeof startTalk>>;

/** `text`: the message that starts the thread, with a mention of the bot unless it is a DM. */
export async function startTalk(world: World, place: Place, text: string) {
  const { as, channel } = place;
  const direct = channel.startsWith('D');
  const thread = await world.say(direct ? text : `<@${bot}> ${text}`, place);
  const container = (message: PlaygroundMessage) => ({ type: 'message' as const, channel, ts: message.ts });

  const click = (message: PlaygroundMessage, label: string, by = as, state?: StateValues): Promise<Done> => {
    const element = controls(message.blocks).find((e) => e.type === 'button' && e.text?.text === label);
    if (!element) throw new Error(`There is no button ${label} on ${JSON.stringify(message.blocks)}`);
    const { block_id, action_id, value } = element;
    const action = { type: 'button', ...(value !== undefined && { value: value as string }) };
    const done = { do: 'interact' as const, as: by, container: container(message), block_id, action_id, action };
    return world.slack.do({ ...done, ...(state && { state }) });
  };

  return {
    as,
    channel,
    thread,
    /** The cards that are open, when there are so many. */
    cards: (count = 1) =>
      world.slack.wait(
        () => {
          const cards = world.posts(thread).filter(isCard);
          return cards.length === count && cards;
        },
        { what: `${count} open cards`, timeoutMs: PATIENCE },
      ),
    /** The only open card. */
    card: () => world.sees(thread, 'an open card', isCard),
    /** The same card when it is a receipt; what it says may still be changed, or not. */
    receipt: (card: PlaygroundMessage) =>
      world.sees(thread, 'the receipt', (m) => m.ts === card.ts && !isCard(m) && !!m.edited),
    reads: (text: string) => world.sees(thread, text, (m) => textOf(m).includes(JSON.stringify(text).slice(1, -1))),
    posts: () => world.posts(thread),
    /** Resolves when the bot has it: what is said next comes later for it, too. */
    async say(words: string, by = as): Promise<void> {
      await world.heard(await world.say(words, { as: by, channel, thread }));
    },
    click,
    /** Picks in a menu, which answers at once. */
    pick(message: PlaygroundMessage, label: string, by = as): Promise<Done> {
      const { block_id, action_id, options = [] } = control(message, 'static_select');
      const selected_option = optionCalled(options, label);
      const action = { type: 'static_select', selected_option };
      return world.slack.do({ do: 'interact', as: by, container: container(message), block_id, action_id, action });
    },
    /** Ticks boxes or picks in a multi-select menu, and submits. */
    submit(message: PlaygroundMessage, labels: string[], by = as): Promise<Done> {
      return click(message, 'Submit', by, ticked(message, labels));
    },
    /** Opens the card's modal by the button that is called so. */
    async modal(message: PlaygroundMessage, label: string, by = as): Promise<PlaygroundView> {
      expect(await click(message, label, by)).toMatchObject({ ok: true });
      const isOpen = (view: PlaygroundView) => view.user === by && view.type === 'modal';
      return world.slack.wait((s) => s.views.find(isOpen), { what: `a modal of ${by}`, timeoutMs: PATIENCE });
    },
    write(view: PlaygroundView, text: string): Promise<Done> {
      const { block_id, action_id, type } = control(view.view as Shown, 'plain_text_input');
      const state = { [block_id]: { [action_id]: { type, value: text } } };
      return world.slack.do({ do: 'submit_view', as: view.user, view: view.id, state });
    },
    /** What this person alone was told, when it has these words in it. */
    told: (words: string, to = as) =>
      world.slack.wait(
        (s) => s.messages.find((m) => m.channel === channel && m.ephemeralTo === to && m.text.includes(words)),
        { what: `a note to ${to}: ${words}`, timeoutMs: PATIENCE },
      ),
    atRest: () => world.atRest(channel, thread),
  };
}

/** A thread in which these questions are asked. */
export const talkOf = (world: World, place: Place, ...questions: Asked[]) =>
  startTalk(world, place, askFor(...questions));

/** The `state` of a card in which these are ticked. */
export function ticked(message: PlaygroundMessage, labels: string[]): StateValues {
  const element = controls(message.blocks).find(({ type }) => type === 'checkboxes' || type === 'multi_static_select');
  if (!element) throw new Error(`There is nothing to tick in ${JSON.stringify(message.blocks)}`);
  const { block_id, action_id, type, options = [] } = element;
  const selected_options = labels.map((label) => optionCalled(options, label));
  return { [block_id]: { [action_id]: { type, selected_options } } };
}

/** The option whose text is the label, or the label behind its number. */
function optionCalled(options: NonNullable<Element['options']>, label: string) {
  const found = options.find(({ text }) => text.text.replace(/^\d+\. /, '') === label);
  if (!found) throw new Error(`No option is called ${label}: ${options.map(({ text }) => text.text).join(', ')}`);
  return found;
}
