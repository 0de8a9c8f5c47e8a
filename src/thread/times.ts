/** Times as the agent reads them. A formatter costs more to make than all else of a turn's words: each is made once. */

export type Times = {
  /** Such as "Monday, 30 November 2026 at 23:05". `at`: ms since the epoch; `timeZone`: one that `Intl` knows. */
  full(at: number, timeZone: string): string;
  /** Such as "30 Nov 2026, 23:05". */
  short(at: number, timeZone: string): string;
};

/** One for a process: it grows by a formatter for each time zone that there is. */
export function createTimes(): Times {
  const inStyle = (dateStyle: 'full' | 'medium') => {
    const formats = new Map<string, Intl.DateTimeFormat>();
    return (at: number, timeZone: string) => {
      const known = formats.get(timeZone);
      const format = known ?? new Intl.DateTimeFormat('en-GB', { dateStyle, timeStyle: 'short', timeZone });
      if (!known) formats.set(timeZone, format);
      return format.format(at);
    };
  };
  return { full: inStyle('full'), short: inStyle('medium') };
}
