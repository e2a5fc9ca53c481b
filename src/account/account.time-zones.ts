// With a slash, since short names such as EST mean one zone to Node and another to PostgreSQL.
const ZONE_NAME = /^(UTC|(?!SystemV)[A-Z][A-Za-z_]+(\/[A-Za-z0-9_+-]+){1,2})$/;
/** What `isTimeZone` asks for, to a person. */
export const TIME_ZONE_FORM = 'an IANA time zone, such as America/New_York or UTC';
/** Asking costs some microseconds. There are a few hundred, in whatever case they are written. */
const knownZones = new Set<string>();

export function isTimeZone(name: string): boolean {
  if (!ZONE_NAME.test(name)) return false;
  if (knownZones.has(name)) return true;
  try {
    Intl.DateTimeFormat('en', { timeZone: name });
  } catch {
    return false;
  }
  knownZones.add(name);
  return true;
}

/** The day, YYYY-MM-DD, that an instant is in a time zone. */
export function dayIn(timeZone: string, instant: Date): string {
  const parts = new Intl.DateTimeFormat('en', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  const { year, month, day } = Object.fromEntries(parts.formatToParts(instant).map(({ type, value }) => [type, value]));
  return `${year}-${month}-${day}`;
}
