import { DURATION } from './sandbox.inputs.js';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/**
 * An instant and a duration of ISO 8601 later. Years and months are those of the calendar in UTC: a month after 31
 * January is the last day of February. The duration has the form of `DURATION`.
 */
export function later(from: Date, duration: string): Date {
  const parts = DURATION.exec(duration)?.slice(1) ?? [];
  const [years = 0, months = 0, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = parts.map(part =>
    Number(part ?? 0),
  );
  const month = from.getUTCMonth() + years * 12 + months;
  const lastDay = new Date(Date.UTC(from.getUTCFullYear(), month + 1, 0)).getUTCDate();
  const to = new Date(from);
  to.setUTCMonth(month, Math.min(from.getUTCDate(), lastDay));
  to.setUTCDate(to.getUTCDate() + weeks * 7 + days);
  return new Date(to.getTime() + hours * HOUR_MS + minutes * MINUTE_MS + seconds * 1000);
}
