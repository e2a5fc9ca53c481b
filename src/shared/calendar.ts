/**
 * Days and instants as texts (RFC 3339), of the years 1 to 9999: those that PostgreSQL, JavaScript and four digits have
 * alike.
 */

const DAY = /^\d{4}-\d\d-\d\d$/;
/**
 * Clocks end at 23:59:59, since neither JavaScript nor PostgreSQL keeps leap seconds, and the farthest zones are 14
 * hours from UTC.
 */
const INSTANT = /^\d{4}-\d\d-\d\dT([01]\d|2[0-3])(:[0-5]\d){2}(\.\d{1,9})?(Z|[+-](0\d|1[0-3]):[0-5]\d|[+-]14:00)$/i;

/** The beginning of an instant of the years 1 to 9999, as JavaScript writes it. */
const IN_CALENDAR = /^(?!0000)\d{4}-/;

/**
 * A year that makes sense in the books of a bank, at the beginning of a day or an instant: a mistyped century is found.
 */
export const BOOKED = /^(18[5-9]|19\d|20\d)\d-/;

/** True for a text, YYYY-MM-DD, that is a day of the calendar. */
export function isDay(text: string): boolean {
  if (!DAY.test(text)) return false;
  const [year, month, day] = [Number(text.slice(0, 4)), Number(text.slice(5, 7)), Number(text.slice(8))];
  return year > 0 && day > 0 && day <= daysIn(year, month);
}

/** The number of days of a month of the Gregorian calendar; 0 for a month that there is not. */
export function daysIn(year: number, month: number): number {
  if (month < 1 || month > 12) return 0;
  if (month !== 2) return [4, 6, 9, 11].includes(month) ? 30 : 31;
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
}

/** An instant with its offset as one in UTC with milliseconds, or null where the text is none. */
export function utcInstantOf(text: string): string | null {
  if (!INSTANT.test(text) || !isDay(text.slice(0, 10))) return null;
  const instant = new Date(text.toUpperCase()).toISOString();
  // An offset can lead out of the calendar at either end.
  return IN_CALENDAR.test(instant) ? instant : null;
}
