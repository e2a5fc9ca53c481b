/** A month or a year of documents. Days are `YYYY-MM-DD`. */
export interface Period {
  readonly start: string;
  /** Its last day. */
  readonly end: string;
  readonly days: number;
  /** The first day of its year. */
  readonly yearStart: string;
}

const DAY_MS = 86_400_000;
/** Where the day ends first: Kiribati, at UTC+14. */
const EARLIEST_ZONE_MS = 14 * 3_600_000;

/** `2026-06`, or null for what is no month of the years 1900 to 2999. */
export function monthOf(text: string): Period | null {
  const [, year, month] = /^((?:19|2\d)\d\d)-(0[1-9]|1[0-2])$/.exec(text) ?? [];
  if (year === undefined || month === undefined) return null;
  return periodOf(Date.UTC(Number(year), Number(month) - 1, 1), Date.UTC(Number(year), Number(month), 1));
}

/** `2026`, or null for what is no year from 1900 to 2999. */
export function yearOf(text: string): Period | null {
  if (!/^(19|2\d)\d\d$/.test(text)) return null;
  return periodOf(Date.UTC(Number(text), 0, 1), Date.UTC(Number(text) + 1, 0, 1));
}

/** The month before the one of an instant, in UTC: `2026-05` for any time in June. */
export function monthBefore(instant: Date): string {
  return new Date(Date.UTC(instant.getUTCFullYear(), instant.getUTCMonth() - 1, 1)).toISOString().slice(0, 7);
}

/** Whether the period is over somewhere on earth. Where an account is it may still go on. */
export function isOverSomewhere({ end }: Period, nowMs: number): boolean {
  return nowMs >= Date.parse(end) + DAY_MS - EARLIEST_ZONE_MS;
}

/** The day after a day. */
export function dayAfter(day: string): string {
  return dayOf(Date.parse(day) + DAY_MS);
}

/** How many days a day and those after it up to `end` are, both included. */
export function daysThrough(day: string, end: string): number {
  return Math.round((Date.parse(end) - Date.parse(day)) / DAY_MS) + 1;
}

function periodOf(startMs: number, nextMs: number): Period {
  const [start, end] = [dayOf(startMs), dayOf(nextMs - DAY_MS)];
  return { start, end, days: Math.round((nextMs - startMs) / DAY_MS), yearStart: `${start.slice(0, 4)}-01-01` };
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
