/**
 * Calls that come together go together. What comes while as many as may are on their way is the next to go, all of it at once: the
 * busier it is, the more a statement carries, and the fewer syncs to disk each costs.
 */

export type Gathering<Item, Outcome> = {
  /** How many go at the same time, and how many items one carries. */
  atOnce: number;
  most: number;
  /** Two items of one key never go together, nor while the other is on its way: they keep their order. undefined: no matter. */
  keyOf(item: Item): string | undefined;
  /** The outcomes, in the order of the items. What it rejects with is everyone's. */
  send(items: Item[]): Promise<Outcome[]>;
};

type Waiting<Item, Outcome> = {
  item: Item;
  key: string | undefined;
  resolve: (outcome: Outcome) => void;
  reject: (error: unknown) => void;
};

export function createGathering<Item, Outcome>({ atOnce, most, keyOf, send }: Gathering<Item, Outcome>) {
  const busy = new Set<string>();
  let waiting: Waiting<Item, Outcome>[] = [];
  let onTheirWay = 0;
  let isPlanned = false;

  /** At once when nothing is on its way, else in the next turn of the event loop: what this one brings yet goes along. */
  function plan(): void {
    if (isPlanned || waiting.length === 0 || onTheirWay === atOnce) return;
    isPlanned = true;
    if (onTheirWay === 0) queueMicrotask(go);
    else setImmediate(go);
  }

  function next(): Waiting<Item, Outcome>[] {
    const chosen: Waiting<Item, Outcome>[] = [];
    const left: Waiting<Item, Outcome>[] = [];
    for (const one of waiting) {
      if (chosen.length === most || (one.key !== undefined && busy.has(one.key))) left.push(one);
      else {
        chosen.push(one);
        if (one.key !== undefined) busy.add(one.key);
      }
    }
    waiting = left;
    return chosen;
  }

  async function go(): Promise<void> {
    isPlanned = false;
    const batch = next();
    if (batch.length === 0) return;
    onTheirWay += 1;
    plan();
    try {
      const outcomes = await send(batch.map(({ item }) => item));
      for (const [i, { resolve }] of batch.entries()) resolve(outcomes[i] as Outcome);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      onTheirWay -= 1;
      for (const { key } of batch) if (key !== undefined) busy.delete(key);
      plan();
    }
  }

  return (item: Item): Promise<Outcome> =>
    new Promise((resolve, reject) => {
      waiting.push({ item, key: keyOf(item), resolve, reject });
      plan();
    });
}
