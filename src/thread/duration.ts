/** A time in words, rounded to its two largest units: "1 minute 30 seconds", "2 hours", "1 day 4 hours". */
const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

export function inWords(ms: number): string {
  let rest = Math.max(0, Math.round(ms / 1000) * 1000);
  const parts: string[] = [];
  for (const [name, size] of UNITS) {
    const count = Math.floor(rest / size);
    if (count === 0) {
      if (parts.length > 0) break;
      continue;
    }
    parts.push(`${count} ${name}${count === 1 ? '' : 's'}`);
    rest -= count * size;
    if (parts.length === 2) break;
  }
  return parts.join(' ') || '0 seconds';
}
