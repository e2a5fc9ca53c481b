/** A day where the account is, `YYYY-MM-DD`, as a time of OFX. */
export type OfxTime = (day: string) => string;

const MINUTE_MS = 60_000;
const NOON_MINUTES = 12 * 60;

/**
 * Days as times with the offset of a zone (OFX 2.2, 3.2.8.2). The time is that at which the zone and Greenwich are as
 * far from midnight as they can be, such as 18:30 in Auckland and 05:30 in Greenwich: so a reader has the right day
 * that takes the time as it is written, and so has one that changes it to Greenwich, or to the zone itself.
 */
export function ofxTimes(timeZone: string): OfxTime {
  const clock = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    timeZoneName: 'short',
  });
  // Entries come by days, so the day before is often the same one.
  let last = { day: '', time: '' };
  return day => {
    if (last.day !== day) last = { day, time: timeOf(clock, day) };
    return last.time;
  };
}

function timeOf(clock: Intl.DateTimeFormat, day: string): string {
  const noonMs = Date.parse(`${day}T12:00:00Z`);
  const { offsetMinutes } = zoneAt(clock, noonMs);
  const zone = zoneAt(clock, noonMs - offsetMinutes * MINUTE_MS);
  const minutes = NOON_MINUTES + Math.trunc(zone.offsetMinutes / 2);
  const digits = [Math.trunc(minutes / 60), minutes % 60].map(part => String(part).padStart(2, '0')).join('');
  // At most two decimal digits: quarters of an hour, and what zones had before there were any.
  const offset = Number((zone.offsetMinutes / 60).toFixed(2));
  return `${day.replaceAll('-', '')}${digits}00[${offset}:${zone.name}]`;
}

function zoneAt(clock: Intl.DateTimeFormat, atMs: number): { readonly offsetMinutes: number; readonly name: string } {
  const parts = new Map(clock.formatToParts(atMs).map(({ type, value }) => [type, value]));
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = (
    ['year', 'month', 'day', 'hour', 'minute'] as const
  ).map(part => Number(parts.get(part)));
  const name = parts.get('timeZoneName') ?? '';
  return {
    offsetMinutes: Math.round((Date.UTC(year, month - 1, day, hour, minute) - atMs) / MINUTE_MS),
    // Many zones have no name in letters. Readers want some, and take no notice of them.
    name: /^[A-Z]{2,5}$/.test(name) ? name : 'LCL',
  };
}
