const UNITS = [
  ['days', 86_400_000],
  ['hours', 3_600_000],
  ['minutes', 60_000],
  ['seconds', 1_000],
] as const;

export type Unit = (typeof UNITS)[number][0];

/** A time by its two largest units, in whole seconds; what is between them and zero is left out. */
export function largestUnits(ms: number): [unit: Unit, count: number][] {
  let rest = Math.max(0, Math.round(ms / 1000) * 1000);
  const parts: [Unit, number][] = [];
  for (const [unit, size] of UNITS) {
    const count = Math.floor(rest / size);
    if (count === 0) {
      if (parts.length > 0) break;
      continue;
    }
    parts.push([unit, count]);
    rest -= count * size;
    if (parts.length === 2) break;
  }
  return parts;
}

/** A time in words, for the model: "1 minute 30 seconds", "2 hours", "1 day 4 hours". */
export function inWords(ms: number): string {
  const parts = largestUnits(ms).map(([unit, count]) => `${count} ${count === 1 ? unit.slice(0, -1) : unit}`);
  return parts.join(' ') || '0 seconds';
}
