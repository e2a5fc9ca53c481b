import { isDay, utcInstantOf } from '../../../shared/calendar.js';
import { UsageError } from '../../../shared/usage-error.js';
import { clockIn } from './local-time.js';

/** The form of the cells of a column. */
export interface CellForm {
  /** The value as a record has it; undefined where the cell has another form. */
  readonly read: (cell: string) => unknown;
  /** The rule for a cell, in words for people. */
  readonly form: string;
}

/** A text, which the rules of its field check. */
export const TEXT: CellForm = { read: cell => cell, form: 'Must be a text.' };

const BOOLEANS: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  y: true,
  1: true,
  false: false,
  no: false,
  n: false,
  0: false,
};

export const BOOLEAN: CellForm = {
  read: cell => BOOLEANS[cell.toLowerCase()],
  form: 'Must be true or false, yes or no, 1 or 0.',
};

const AMOUNT_SAMPLE = /^1([,.'’ \u00a0\u202f]?)234([.,])56$/;
const AMOUNT_SAMPLES = "1234.56, 1,234.56, 1.234,56, 1234,56, 1 234,56 or 1'234.56";
/** Spaces and apostrophes are written by several characters. */
const ALIKE: Readonly<Record<string, string>> = { ' ': ' \u00a0\u202f', "'": "'’" };

/**
 * The marks by which files write that an amount is negative: a sign before or behind it (U+2212 as well), or
 * parentheses around it.
 */
const MINUS: ReadonlySet<string> = new Set(['-', '−', '()']);
const MARKS: ReadonlySet<string> = new Set([...MINUS, '+', '']);

/**
 * Numbers that are written as the sample, with or without their groups of digits, and with a sign before or behind
 * them or parentheses around them. Throws `UsageError` for another sample.
 */
export function numbersLike(sample: string, where: string): CellForm {
  const [, group, point] = AMOUNT_SAMPLE.exec(sample) ?? [];
  if (group === undefined || point === undefined || group === point) {
    throw new UsageError(`${where} must be the amount 1234.56 as the file writes it: ${AMOUNT_SAMPLES}.`);
  }
  const groups = group === '' ? null : `[${ALIKE[group] ?? group}]`;
  const whole = groups === null ? String.raw`\d+` : String.raw`(?:\d{1,3}(?:${groups}\d{3})+|\d+)`;
  const number = new RegExp(String.raw`^([-+−(]? ?)(${whole})(?:[${point}](\d+))?( ?[-+−)]?)$`);
  return {
    read: cell => {
      const [, before = '', digits = '', fraction, behind = ''] = number.exec(cell) ?? [];
      const mark = `${before}${behind}`.replaceAll(' ', '');
      if (digits === '' || !MARKS.has(mark)) return undefined;
      const sign = MINUS.has(mark) ? '-' : '';
      const text = `${sign}${digits.replaceAll(/\D/g, '')}${fraction === undefined ? '' : `.${fraction}`}`;
      // A number has about 15 digits, so a longer one would become another amount.
      return text.replaceAll(/\D/g, '').replace(/^0+/, '').length > MAX_DIGITS ? undefined : Number(text);
    },
    form: `Must be a number as ${sample}, of at most ${MAX_DIGITS} digits.`,
  };
}

const MAX_DIGITS = 15;

const PARTS: Readonly<Record<string, string>> = {
  YYYY: String.raw`(?<year>\d{4})`,
  MM: String.raw`(?<month>\d\d)`,
  M: String.raw`(?<month>\d{1,2})`,
  DD: String.raw`(?<day>\d\d)`,
  D: String.raw`(?<day>\d{1,2})`,
  HH: String.raw`(?<hour>[01]\d|2[0-3])`,
  mm: String.raw`(?<minute>[0-5]\d)`,
  ss: String.raw`(?<second>[0-5]\d)`,
};
const PART = /YYYY|MM|M|DD|D|HH|mm|ss|[^A-Za-z0-9]|T/g;
const DATE_FORM =
  'the order of YYYY, MM or M, and DD or D, with HH, mm and ss for times, such as DD.MM.YYYY or M/D/YYYY HH:mm';

function patternOf(form: string, where: string): RegExp {
  const parts = form.match(PART) ?? [];
  const isWhole = parts.join('') === form;
  const names = parts.filter(part => part in PARTS).map(part => part[0]);
  const isOnce = new Set(names).size === names.length;
  const isDated = ['Y', 'M', 'D'].every(name => names.includes(name));
  const isTimed = names.includes('H') === names.includes('m') && (names.includes('m') || !names.includes('s'));
  if (!isWhole || !isOnce || !isDated || !isTimed) throw new UsageError(`${where} must be ${DATE_FORM}.`);
  return new RegExp(`^${parts.map(part => PARTS[part] ?? part.replaceAll(/[^A-Za-z ]/g, String.raw`\$&`)).join('')}$`);
}

/** Calendar dates. Throws `UsageError` for a form that has no year, month and day. */
export function datesAs(form: string, where: string): CellForm {
  const pattern = patternOf(form, where);
  return { read: cell => dayIn(pattern.exec(cell)), form: `Must be a date as ${form}.` };
}

/**
 * Instants: with their offset as in the record, or by the clocks of a time zone as the form says. A date alone is the
 * midnight at which it begins. Throws `UsageError` for a form that has no year, month and day, and for an unknown zone.
 */
export function instantsAs(form: string, timeZone: string | null, where: string): CellForm {
  const pattern = patternOf(form, where);
  const instantAt = timeZone === null ? null : clockIn(timeZone);
  return {
    read: cell => {
      const found = pattern.exec(cell);
      const day = dayIn(found);
      if (day === undefined || instantAt === null) return utcInstantOf(cell) ?? undefined;
      const { hour = '00', minute = '00', second = '00' } = found?.groups ?? {};
      return instantAt(`${day}T${hour}:${minute}:${second}Z`);
    },
    form:
      instantAt === null
        ? 'Must be a date and time with a time zone, such as 2026-01-31T12:00:00Z. For other forms set dates and timeZone in the map.'
        : `Must be a time as ${form}, or with a time zone, such as 2026-01-31T12:00:00Z.`,
  };
}

function dayIn(found: RegExpExecArray | null): string | undefined {
  const { year = '', month = '', day = '' } = found?.groups ?? {};
  const text = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return isDay(text) ? text : undefined;
}
