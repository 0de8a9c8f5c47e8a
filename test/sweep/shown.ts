/** What the playground shows of a message or a view: its text and its controls. */
import type { Block } from '../../src/playground/protocol.ts';

export const mara = 'U0MARA0001';
export const tomas = 'U0TOMAS001';
export const bot = 'U0ASKBACK1';

type Option = { text: { text: string }; value: string };
export type Control = {
  type: string;
  action_id: string;
  block_id: string;
  text?: { text: string };
  options?: Option[];
};
export type Shown = { text?: string; blocks?: Block[] };

export function controls({ blocks = [] }: Shown): Control[] {
  return blocks.flatMap((block) => {
    const inside = [...((block.elements ?? []) as Partial<Control>[]), block.accessory, block.element];
    return (inside as (Partial<Control> | undefined)[])
      .filter((element) => element?.action_id !== undefined)
      .map((element) => ({ ...element, block_id: block.block_id }) as Control);
  });
}

/** A control by its type, and its text where several are of that type. */
export function control(shown: Shown, type: string, label?: string): Control {
  const found = controls(shown).find((c) => c.type === type && (label === undefined || c.text?.text === label));
  if (!found) throw new Error(`There is no ${type} ${label ?? ''} in ${JSON.stringify(shown.blocks)}`);
  return found;
}

export const hasButton = (shown: Shown, label: string): boolean =>
  controls(shown).some(({ type, text }) => type === 'button' && text?.text === label);

/** A menu's labels have their number before them. */
export const optionsCalled = ({ options = [] }: Control, labels: string[]): Option[] =>
  labels.map((label) => {
    const found = options.find(({ text }) => text.text.replace(/^\d+\. /, '') === label);
    if (!found) throw new Error(`No option is called ${label}: ${options.map(({ text }) => text.text).join(', ')}`);
    return found;
  });

/** All that a person reads in it. */
export const textOf = (shown: Shown): string => JSON.stringify([shown.text ?? '', shown.blocks ?? []]);
