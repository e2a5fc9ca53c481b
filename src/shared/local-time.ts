const formats = new Map<string, Intl.DateTimeFormat>();

/** An instant on the clock of an IANA time zone, without offset: `2026-01-31T23:59:59`. */
export function localTimeOf(instant: string | Date, timeZone: string): string {
  let format = formats.get(timeZone);
  if (!format) {
    // Swedish writes dates and times the way ISO 8601 does, but for the T.
    format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
    formats.set(timeZone, format);
  }
  return format.format(new Date(instant)).replace(' ', 'T');
}
