/** What a section of the benchmark found, and how it is shown. */
import { cpus } from 'node:os';

export type Row = { what: string } & Record<string, string | number>;
export type Section = {
  title: string;
  rows: Row[];
  /** What the reader must know to read the figures rightly. */
  notes: string[];
};

export const sorted = (values: readonly number[]): number[] => values.toSorted((a, b) => a - b);

export function quantile(values: readonly number[], q: number): number {
  const ordered = sorted(values);
  return ordered[Math.min(ordered.length - 1, Math.floor(ordered.length * q))] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** Three significant digits, as a number: more would be noise. */
export function rounded(value: number): number {
  return Math.abs(value) >= 100 ? Math.round(value) : Number(value.toPrecision(3));
}

/** The median of each figure over the rounds, and how far the rounds lay apart: half of (highest - lowest), in percent. */
export function medians(rounds: readonly Record<string, number>[]): { figures: Record<string, number>; noise: number } {
  const names = Object.keys(rounds[0] ?? {});
  const figures: Record<string, number> = {};
  let noise = 0;
  for (const name of names) {
    const values = sorted(rounds.map((round) => round[name] ?? Number.NaN));
    const middle = median(values);
    figures[name] = rounded(middle);
    if (middle > 0) noise = Math.max(noise, ((values.at(-1) ?? 0) - (values[0] ?? 0)) / 2 / middle);
  }
  return { figures, noise: Math.round(noise * 100) };
}

export function asTable({ title, rows, notes }: Section): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cell = (row: Row, column: string) => String(row[column] ?? '');
  const widths = columns.map((column) => Math.max(column.length, ...rows.map((row) => cell(row, column).length)));
  const line = (cells: string[]) =>
    cells.map((text, i) => (i === 0 ? text.padEnd(widths[i] ?? 0) : text.padStart(widths[i] ?? 0))).join('  ');
  return [
    `\n${title}\n`,
    line(columns.map((column) => (column === 'what' ? '' : column))),
    ...rows.map((row) => line(columns.map((column) => cell(row, column)))),
    ...notes.map((note) => `  - ${note}`),
  ].join('\n');
}

export function machine(): string {
  const [cpu] = cpus();
  return `${cpus().length} × ${cpu?.model.trim() ?? 'unknown CPU'}, ${process.platform}, Node ${process.version}`;
}
