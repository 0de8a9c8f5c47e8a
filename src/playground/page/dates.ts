/** Times as the reader's own zone and language show them. Pure: `now` in ms is passed in. */
export type Reader = { tz: string; locale: string };

function format(ms: number, reader: Reader, options: Intl.DateTimeFormatOptions): string {
  try {
    return new Intl.DateTimeFormat(reader.locale, { timeZone: reader.tz, ...options }).format(ms);
  } catch {
    // A zone or locale that the browser does not know must not take the message down.
    return new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', ...options }).format(ms);
  }
}

export function tsToMs(ts: string): number {
  return Math.floor(Number(ts) * 1000);
}

export function timeOf(ms: number, reader: Reader): string {
  return format(ms, reader, { hour: 'numeric', minute: '2-digit' });
}

export function fullTime(ms: number, reader: Reader): string {
  return format(ms, reader, { dateStyle: 'full', timeStyle: 'medium' });
}

/** Sorts the same day together and no two days: a key, not for people. */
export function dayKey(ms: number, reader: Reader): string {
  return format(ms, { tz: reader.tz, locale: 'en-CA' }, { year: 'numeric', month: '2-digit', day: '2-digit' });
}

export function dayLabel(ms: number, reader: Reader, now: number): string {
  const day = dayKey(ms, reader);
  const relative = new Intl.RelativeTimeFormat(safeLocale(reader), { numeric: 'auto' });
  if (day === dayKey(now, reader)) return capital(relative.format(0, 'day'));
  if (day === dayKey(now - 86_400_000, reader)) return capital(relative.format(-1, 'day'));
  return format(ms, reader, { weekday: 'long', month: 'long', day: 'numeric' });
}

function safeLocale(reader: Reader): string {
  try {
    return Intl.getCanonicalLocales(reader.locale)[0] ?? 'en-US';
  } catch {
    return 'en-US';
  }
}

function capital(text: string): string {
  return text.charAt(0).toLocaleUpperCase() + text.slice(1);
}

/** The tokens of Slack's `<!date^…>` (its docs, "Date formatting"). An unknown token stays as it is. */
export function slackDate(seconds: number, pattern: string, reader: Reader, now: number): string {
  const ms = seconds * 1000;
  const pretty = (label: string): string => {
    const day = dayKey(ms, reader);
    const relative = new Intl.RelativeTimeFormat(safeLocale(reader), { numeric: 'auto' });
    const days = [0, -1, 1].find((away) => day === dayKey(now + away * 86_400_000, reader));
    return days === undefined ? label : relative.format(days, 'day');
  };
  const token = (name: string): string | undefined => {
    const show = (options: Intl.DateTimeFormatOptions): string => format(ms, reader, options);
    switch (name.replace(/_pretty$/, '')) {
      case 'date_num':
        return dayKey(ms, reader);
      case 'date_slash':
        return show({ year: 'numeric', month: '2-digit', day: '2-digit' });
      case 'date':
        return show({ month: 'long', day: 'numeric', year: 'numeric' });
      case 'date_short':
        return show({ month: 'short', day: 'numeric', year: 'numeric' });
      case 'date_long':
        return show({ weekday: 'long', month: 'long', day: 'numeric', year: 'numeric' });
      case 'day_divider':
        return dayLabel(ms, reader, now);
      case 'time':
        return show({ hour: 'numeric', minute: '2-digit' });
      case 'time_secs':
        return show({ hour: 'numeric', minute: '2-digit', second: '2-digit' });
      case 'ago':
        return ago(ms, reader, now);
      default:
        return undefined;
    }
  };
  return pattern.replace(/\{([a-z_]+)\}/g, (whole, name: string) => {
    const text = token(name);
    if (text === undefined) return whole;
    return name.endsWith('_pretty') ? pretty(text) : text;
  });
}

export function ago(ms: number, reader: Reader, now: number): string {
  const relative = new Intl.RelativeTimeFormat(safeLocale(reader), { numeric: 'auto' });
  const seconds = Math.round((ms - now) / 1000);
  const size = Math.abs(seconds);
  if (size < 60) return relative.format(seconds, 'second');
  if (size < 3600) return relative.format(Math.round(seconds / 60), 'minute');
  if (size < 86_400) return relative.format(Math.round(seconds / 3600), 'hour');
  return relative.format(Math.round(seconds / 86_400), 'day');
}
