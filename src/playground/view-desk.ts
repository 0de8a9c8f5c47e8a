import type { Clock } from './clock.ts';
import { filledIn } from './fill-in.ts';
import type { Ids } from './ids.ts';
import { mergedValues, stateValues } from './inputs.ts';
import { copy, type JsonObject, stringOr } from './json.ts';
import type { Block, Json, PlaygroundView, StateValues } from './protocol.ts';
import { wireView } from './wire.ts';
import type { Workspace } from './workspace.ts';

/** A person sees at most so many modals on top of each other. */
export const MOST_VIEWS = 3;

export type ViewDesk = ReturnType<typeof createViewDesk>;

/** Each person's stack of modals and their Home; what they entered stays with the view. */
export function createViewDesk(ws: Workspace, clock: Clock, ids: Ids) {
  const entered = new Map<string, StateValues>();

  /** Bottom first. */
  const stack = (user: string) =>
    [...ws.views.values()]
      .filter((view) => view.user === user && view.type === 'modal')
      .sort((a, b) => a.depth - b.depth);
  const hash = () => `${Math.floor(clock.now() / 1000)}.${ids.hex(8)}`;
  const blocksOf = (view: PlaygroundView) => view.view.blocks as unknown as Block[];
  const stored = (view: JsonObject): JsonObject => {
    const whole = copy(view);
    for (const key of ['title', 'submit', 'close']) {
      const text = whole[key];
      if (typeof text === 'object' && text !== null && !Array.isArray(text)) text.emoji ??= true;
    }
    return { ...whole, blocks: filledIn(whole.blocks ?? [], ids) as Json };
  };

  function add(user: string, type: 'modal' | 'home', given: JsonObject, depth: number): PlaygroundView {
    const view = { id: ids.next('V'), user, type, view: stored(given), hash: hash(), depth };
    ws.setView(view);
    return view;
  }

  function close(view: PlaygroundView): void {
    entered.delete(view.id);
    ws.closeView(view.id);
  }

  return {
    stack,
    close,
    blocksOf,
    home: (user: string) => [...ws.views.values()].find((view) => view.user === user && view.type === 'home'),
    byExternalId: (id: string) => [...ws.views.values()].find((view) => stringOr(view.view.external_id) === id),

    /** A new stack; what was open is replaced. */
    open(user: string, given: JsonObject): PlaygroundView {
      for (const view of stack(user)) close(view);
      return add(user, 'modal', given, 0);
    },

    push: (user: string, given: JsonObject): PlaygroundView => add(user, 'modal', given, stack(user).length),

    update(old: PlaygroundView, given: JsonObject): PlaygroundView {
      const { errors: _errors, trouble: _trouble, ...kept } = old;
      const view = { ...kept, view: stored(given), hash: hash() };
      ws.setView(view);
      return view;
    },

    publish(user: string, given: JsonObject): PlaygroundView {
      const old = [...ws.views.values()].find((view) => view.user === user && view.type === 'home');
      if (!old) return add(user, 'home', given, 0);
      const view = { ...old, view: stored(given), hash: hash() };
      ws.setView(view);
      return view;
    },

    /** Notes what a person entered, and answers all of the view's values. */
    enter(view: PlaygroundView, values: StateValues | undefined): StateValues {
      const all = mergedValues(entered.get(view.id), values);
      entered.set(view.id, all);
      return stateValues(blocksOf(view), all);
    },

    /** A line of trouble, or field errors, or neither, on an open view. */
    mark(view: PlaygroundView, mark: { errors?: { [blockId: string]: string }; trouble?: string }): void {
      const current = ws.views.get(view.id);
      if (!current) return;
      const { errors: _errors, trouble: _trouble, ...kept } = current;
      ws.setView({ ...kept, ...mark });
    },

    wire(view: PlaygroundView): JsonObject {
      const below = stack(view.user);
      const previous = view.type === 'modal' ? below[view.depth - 1] : undefined;
      const root = view.type === 'modal' ? (below[0] ?? view) : view;
      return wireView(ws, view, stateValues(blocksOf(view), entered.get(view.id)), previous?.id ?? null, root.id);
    },
  };
}
