import { UsageError } from '../../../shared/usage-error.js';

const DAY_MS = 24 * 60 * 60 * 1000;

/** The number of days whose offsets are remembered, since files are mostly in the order of days. */
const MAX_DAYS = 1000;

/** The offsets of clocks from UTC one day before a day, and one day after it. */
interface Offsets {
  readonly before: number;
  readonly after: number;
}

/**
 * Gives the instants, in UTC, at which the clocks of a time zone show a time, which is written as if it were in UTC. Of
 * two instants it is the first. A time that the clocks skip is read by the clocks before that. Throws `UsageError`
 * where there is no such zone.
 */
export function clockIn(timeZone: string): (shown: string) => string {
  const clock = clockOf(timeZone);
  // Sweden writes dates as ISO 8601 does.
  const offsetAt = (at: number): number => Date.parse(`${clock.format(at).replace(' ', 'T')}Z`) - at;
  const days = new Map<string, Offsets>();
  const offsetsOf = (day: string): Offsets => {
    const found = days.get(day);
    if (found) return found;
    const midnight = Date.parse(`${day}T00:00:00Z`);
    const offsets = { before: offsetAt(midnight - DAY_MS), after: offsetAt(midnight + 2 * DAY_MS) };
    if (days.size >= MAX_DAYS) days.clear();
    days.set(day, offsets);
    return offsets;
  };
  return shown => {
    const wall = Date.parse(shown);
    const { before, after } = offsetsOf(shown.slice(0, 'YYYY-MM-DD'.length));
    const isShown = (at: number): boolean => at + offsetAt(at) === wall;
    const isAfter = before !== after && !isShown(wall - before) && isShown(wall - after);
    return new Date(wall - (isAfter ? after : before)).toISOString();
  };
}

function clockOf(timeZone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('sv-SE', {
      timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    });
  } catch {
    throw new UsageError('timeZone in the map must be the name of a time zone, such as America/New_York.');
  }
}
