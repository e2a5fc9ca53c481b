import type { AccountReport, ReportDay, ReportEntry } from './report.js';
import { distinctTexts, fittingId, inAscii, lineOf } from './texts.js';
import { codesOf } from './transaction-codes.js';

/** Physical records stay within it, so that readers with fixed lines take them, too. */
const LINE_CHARACTERS = 80;
/** Characters of ids, so that each fits in a line with what is beside it. */
const MAX = { party: 20, account: 34, reference: 48, text: 1000 };

/** The characters that end a field or a record, in ids; and those that no field may have. */
const FORBIDDEN = /[^\x21-\x7e]|[,/]/g;

const FILE_NUMBERS = 1_000_000_000n;

/**
 * Cash Management Balance Reporting Specifications, version 2. The format knows no date of an entry, only the date of a
 * group: each day with entries is a group with its opening and closing balance. Amounts have no decimal point.
 */
export async function* bai2(report: AccountReport): AsyncGenerator<string> {
  const { bank, account, createdAt } = report;
  const sender = fittingId(bank.id, MAX.party, FORBIDDEN);
  const accountId = fittingId(account.id, MAX.account, FORBIDDEN);
  const file = new Totals();
  const created = `${dateOf(createdAt.slice(0, 10))},${createdAt.slice(11, 16).replace(':', '')}`;
  yield file.records([
    `01,${sender},${fittingId(account.id, MAX.party, FORBIDDEN)},${created},${fileNumber(report)},,,2/`,
  ]);

  let balanceMinor = report.openingMinor;
  const entries = entriesByDay(report);
  for (const day of daysOf(report)) {
    const group = new Totals();
    const one = new Totals();
    const openingMinor = balanceMinor;
    balanceMinor += day.credits.minor - day.debits.minor;
    yield group.records([`02,,${sender},1,${dateOf(day.day)},2359,${account.currency},2/`]);
    yield one.records(
      [
        `03,${accountId},${account.currency},010,${openingMinor},,/`,
        `88,015,${balanceMinor},,/`,
        `88,100,${day.credits.minor},${day.credits.count},/`,
        `88,400,${day.debits.minor},${day.debits.count},/`,
      ],
      openingMinor + balanceMinor + day.credits.minor + day.debits.minor,
    );
    for await (const part of entries(day)) {
      const lines = part.map(detail);
      yield one.records(
        lines.flat(),
        part.reduce((sum, { amountMinor }) => sum + amountMinor, 0n),
      );
    }
    yield one.end('49', null);
    group.add(one);
    yield group.end('98', 1);
    file.add(group);
    file.groups += 1;
  }
  yield file.end('99', file.groups);
}

/** Days with entries; the last day of the period where nothing happened, so that the balance is told. */
function daysOf({ days, period }: AccountReport): readonly ReportDay[] {
  const none = { count: 0, minor: 0n };
  return days.length > 0 ? days : [{ day: period.end, credits: none, debits: none }];
}

/** The content of a trailer: the sum of all amounts before it, and the number of records with itself. */
class Totals {
  private sum = 0n;
  private count = 0;
  groups = 0;

  records(lines: readonly string[], sum = 0n): string {
    this.sum += sum;
    this.count += lines.length;
    return lines.map(line => `${line}\r\n`).join('');
  }

  add({ sum, count }: Totals): void {
    this.sum += sum;
    this.count += count;
  }

  end(code: string, parts: number | null): string {
    this.count += 1;
    return `${code},${this.sum},${parts === null ? '' : `${parts},`}${this.count}/\r\n`;
  }
}

/** Gives the entries of one day after the other, each read once. */
function entriesByDay(report: AccountReport): (day: ReportDay) => AsyncGenerator<readonly ReportEntry[]> {
  const parts = report.entries('day')[Symbol.asyncIterator]();
  let rest: readonly ReportEntry[] = [];
  return async function* ({ day, credits, debits }) {
    for (let left = credits.count + debits.count; left > 0;) {
      if (rest.length === 0) rest = ((await parts.next()).value as readonly ReportEntry[] | undefined) ?? [];
      const part = rest.slice(0, left);
      if (part.some(entry => entry.day !== day) || part.length === 0) {
        throw new Error('the entries of a report are not those of its days');
      }
      rest = rest.slice(part.length);
      left -= part.length;
      yield part;
    }
  };
}

/** A transaction, with its text in the same line if it fits there, and else in lines of its own. */
function detail({ id, description, memo, type, direction, amountMinor }: ReportEntry): string[] {
  const reference = fittingId(id, MAX.reference, FORBIDDEN);
  const record = `16,${codesOf(type, direction).bai2},${amountMinor},,${reference},`;
  const text = textOf(distinctTexts(description, memo).join(' - '));
  if (text === '') return [`${record}/`];
  if (record.length + 1 + text.length <= LINE_CHARACTERS) return [`${record},${text}`];
  return [`${record}/`, ...continued(text)];
}

/** A text in ASCII, without the characters that separate fields and end records. */
function textOf(text: string): string {
  const plain = lineOf(text, MAX.text, inAscii).replaceAll(',', ' ').replaceAll('/', '-');
  return plain.replace(/ {2,}/g, ' ').trim();
}

/** Lines of at most 80 characters, broken before a space if there is one: the space begins the next line. */
function continued(text: string): string[] {
  const lines: string[] = [];
  for (let rest = text; rest !== '';) {
    const room = LINE_CHARACTERS - '88,'.length;
    const space = rest.lastIndexOf(' ', room);
    const end = rest.length <= room || space <= 0 ? room : space;
    lines.push(`88,${rest.slice(0, end)}`);
    rest = rest.slice(end);
  }
  return lines;
}

/** A sender numbers its files of a day. The number follows from the id, so files of many accounts have their own. */
function fileNumber({ id }: AccountReport): string {
  let number = 0n;
  for (const character of id) number = (number * 131n + BigInt(character.charCodeAt(0))) % FILE_NUMBERS;
  return String(number + 1n);
}

function dateOf(day: string): string {
  return day.slice(2).replaceAll('-', '');
}
