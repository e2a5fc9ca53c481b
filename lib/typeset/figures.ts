const MONTHS = 'January February March April May June July August September October November December'.split(' ');

/** An amount as a statement shows it: `-1234567.50` is `−1,234,567.50`. Works on the text, so that no digit can change. */
export function grouped(amount: string): string {
  const isNegative = amount.startsWith('-');
  const [whole = '', fraction] = (isNegative ? amount.slice(1) : amount).split('.');
  const digits = whole.replace(/\B(?=(?:\d{3})+$)/g, ',') + (fraction === undefined ? '' : `.${fraction}`);
  return isNegative ? `−${digits}` : digits;
}

/** `2026-10-01` is `October 1, 2026`. */
export function longDate(day: string): string {
  const [year, month, date] = day.split('-');
  return `${MONTHS[Number(month) - 1]} ${Number(date)}, ${year}`;
}

/** `2026-10-01` is `Oct 1`. */
export function shortDate(day: string): string {
  const [, month, date] = day.split('-');
  return `${MONTHS[Number(month) - 1]?.slice(0, 3)} ${Number(date)}`;
}
