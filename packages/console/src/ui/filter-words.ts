import type { CodeInWords } from './codes.js';
import { grouped } from './money.js';
import { dayText } from './time.js';

export interface FilterOf {
  readonly label: string;
  readonly type?: 'date' | 'month';
  /** A first and a last value, which have these names in the address. */
  readonly range?: readonly [from: string, to: string];
  /** One of these, each with its words; any when absent. */
  readonly options?: readonly (readonly [value: string, words: string])[];
  /** Codes that are offered in words. Others can be typed, and several with commas between them. */
  readonly codes?: readonly CodeInWords[];
  readonly inputMode?: 'decimal';
  readonly placeholder?: string;
}

export type Values = Readonly<Record<string, string>>;

/** The names that a filter has in the address. */
export function namesOf(key: string, { range }: FilterOf): readonly string[] {
  return range ?? [key];
}

/** Says in words what a filter lets through; empty where it is not given. */
export function textOf(key: string, filter: FilterOf, values: Values): string {
  const [first = '', last] = namesOf(key, filter).map(name => values[name] ?? '');
  const spelled = (value: string): string => spelledOf(filter, value);
  if (last === undefined) return first && spelled(first);
  if (first && last) return first === last ? spelled(first) : `${spelled(first)} – ${spelled(last)}`;
  const isDay = filter.type === 'date';
  if (first) return `${isDay ? 'from' : 'at least'} ${spelled(first)}`;
  return last && `${isDay ? 'until' : 'at most'} ${spelled(last)}`;
}

function spelledOf({ type, options, codes, inputMode }: FilterOf, value: string): string {
  if (type === 'date' && /^\d{4}-\d\d-\d\d$/.test(value)) return dayText(value);
  if (inputMode) return grouped(value);
  if (codes) {
    const wordsFor = (code: string): string => codes.find(([one]) => one === code)?.[1] ?? code;
    return value
      .split(/[\s,]+/)
      .map(wordsFor)
      .join(', ');
  }
  return options?.find(([one]) => one === value)?.[1] ?? value;
}

type DayRange = readonly [label: string, from: string, to: string];

/** Ranges of days that are often asked for, as of a day such as `2026-03-31`. */
export function dayRanges(today: string): readonly DayRange[] {
  const [year = 0, month = 0, day = 0] = today.split('-').map(Number);
  const on = (inYear: number, inMonth: number, date: number): string =>
    new Date(Date.UTC(inYear, inMonth - 1, date)).toISOString().slice(0, 10);
  return [
    ['Today', today, today],
    ['Yesterday', on(year, month, day - 1), on(year, month, day - 1)],
    ['Last 7 days', on(year, month, day - 6), today],
    ['Last 30 days', on(year, month, day - 29), today],
    ['This month', on(year, month, 1), today],
    ['Last month', on(year, month - 1, 1), on(year, month, 0)],
    ['This year', on(year, 1, 1), today],
    ['Last year', on(year - 1, 1, 1), on(year - 1, 12, 31)],
  ];
}

/** The beginning of a day where the operator is, or of one some days later. */
export function midnight(day: string | undefined, daysLater: number): string | undefined {
  const [, year = '', month = '', date = ''] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day ?? '') ?? [];
  return year ? new Date(Number(year), Number(month) - 1, Number(date) + daysLater).toISOString() : undefined;
}
