/** The kind of documents that are issued: the statements of a month, or the forms of a tax year. */
export type IssueKind = 'close' | '1099';

/** A month or a year of documents. Days are `YYYY-MM-DD`. */
export interface Period {
  readonly start: string;
  /** Its last day. */
  readonly end: string;
  readonly days: number;
}

const TEXTS: Readonly<Record<IssueKind, RegExp>> = {
  close: /^((?:19|2\d)\d\d)-(0[1-9]|1[0-2])$/,
  1099: /^((?:19|2\d)\d\d)$/,
};
const DAY_MS = 86_400_000;
/** Where the day ends first: Kiribati, at UTC+14. */
const EARLIEST_ZONE_MS = 14 * 3_600_000;
/** The time on the first of a month, in UTC, at which the month before is over everywhere. */
const CLOSING_TIME_MS = 12.5 * 3_600_000;

/**
 * The month of a text such as `2026-06`, or the year of one such as `2026`, of the years 1900 to 2999; null for others.
 */
export function periodOf(kind: IssueKind, text: string): Period | null {
  const [, year, month] = TEXTS[kind].exec(text) ?? [];
  if (year === undefined) return null;
  const [first, next] = month === undefined ? [0, 12] : [Number(month) - 1, Number(month)];
  const startMs = Date.UTC(Number(year), first, 1);
  const nextMs = Date.UTC(Number(year), next, 1);
  return { start: dayOf(startMs), end: dayOf(nextMs - DAY_MS), days: (nextMs - startMs) / DAY_MS };
}

/** The month before the one of an instant, in UTC: `2026-05` for any time in June. */
export function monthBefore(instant: Date): string {
  return new Date(Date.UTC(instant.getUTCFullYear(), instant.getUTCMonth() - 1, 1)).toISOString().slice(0, 7);
}

/** True if the period is over somewhere on earth. In the time zone of an account it may still go on. */
export function isOverSomewhere({ end }: Period, now: Date): boolean {
  return now.getTime() >= Date.parse(end) + DAY_MS - EARLIEST_ZONE_MS;
}

/** The months and years whose documents fall due after one instant and up to another one, in their order. */
export function periodsDue(after: Date, until: Date): { readonly kind: IssueKind; readonly period: string }[] {
  const due: { kind: IssueKind; period: string }[] = [];
  for (let month = after.getUTCMonth(); ; month += 1) {
    const closing = new Date(Date.UTC(after.getUTCFullYear(), month, 1) + CLOSING_TIME_MS);
    if (closing > until) return due;
    if (closing <= after) continue;
    due.push({ kind: 'close', period: monthBefore(closing) });
    if (closing.getUTCMonth() === 0) due.push({ kind: '1099', period: String(closing.getUTCFullYear() - 1) });
  }
}

/** The number of days from one day to another, both included. */
export function daysThrough(day: string, end: string): number {
  return Math.round((Date.parse(end) - Date.parse(day)) / DAY_MS) + 1;
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
