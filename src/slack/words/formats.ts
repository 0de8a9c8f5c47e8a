/** Lists, numbers, durations and plurals as a language writes them. */
import { largestUnits } from '../../thread/duration.ts';

export type Formats = {
  /** "A, B, and C" */
  list(items: readonly string[]): string;
  number(value: number): string;
  /** "2 hours, 30 minutes": at most two units. */
  duration(ms: number): string;
};

/** The forms of our languages; those without a singular give `other` twice. */
export type Plural = (count: number, forms: { one: string; other: string }) => string;

export function formatsOf(tag: string): { formats: Formats; plural: Plural } {
  const lists = new Intl.ListFormat(tag, { type: 'conjunction' });
  const numbers = new Intl.NumberFormat(tag);
  const durations = new Intl.DurationFormat(tag, { style: 'long' });
  const rules = new Intl.PluralRules(tag);
  return {
    formats: {
      list: (items) => lists.format(items),
      number: (value) => numbers.format(value),
      duration: (ms) => durations.format(Object.fromEntries(largestUnits(Math.max(ms, 1_000)))),
    },
    plural: (count, forms) => (rules.select(count) === 'one' ? forms.one : forms.other),
  };
}
