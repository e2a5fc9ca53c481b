/**
 * Money is exact: an integer of minor units inside, a decimal text outside. How many digits a currency has is ISO 4217,
 * table A.1, column 'Minor unit' (the platform's own currency data follows common usage and differs from it).
 */
const DIGITS_OTHER_THAN_TWO: Readonly<Record<string, number>> = {
  BIF: 0,
  CLP: 0,
  DJF: 0,
  GNF: 0,
  ISK: 0,
  JPY: 0,
  KMF: 0,
  KRW: 0,
  PYG: 0,
  RWF: 0,
  UGX: 0,
  UYI: 0,
  VND: 0,
  VUV: 0,
  XAF: 0,
  XOF: 0,
  XPF: 0,
  BHD: 3,
  IQD: 3,
  JOD: 3,
  KWD: 3,
  LYD: 3,
  OMR: 3,
  TND: 3,
  CLF: 4,
  UYW: 4,
};

/** The number of decimal digits of an ISO 4217 currency: 2 for USD, 0 for JPY, 3 for BHD. */
export function currencyDigits(currency: string): number {
  return DIGITS_OTHER_THAN_TWO[currency] ?? 2;
}

/** The currencies of a number of digits other than two. */
export function currenciesOf(digits: number): string[] {
  return Object.keys(DIGITS_OTHER_THAN_TWO).filter(currency => DIGITS_OTHER_THAN_TWO[currency] === digits);
}

/** Minor units as a decimal text with the currency's own digits: 125000n USD is `1250.00`. */
export function decimalOf(amountMinor: bigint, currency: string): string {
  return decimalOfText(amountMinor.toString(), currency);
}

/** As `decimalOf`, of a whole number as a text: `125000` USD is `1250.00`. */
export function decimalOfText(minor: string, currency: string): string {
  const digits = currencyDigits(currency);
  if (digits === 0) return minor;
  const sign = minor.startsWith('-') ? '-' : '';
  const text = (sign === '' ? minor : minor.slice(1)).padStart(digits + 1, '0');
  return `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

/** A decimal text without zeros at its end, so that `12.50` and `12.5` are one text. */
export function shortDecimal(decimal: string): string {
  return decimal.includes('.') ? decimal.replace(/\.?0+$/, '') : decimal;
}

/** The largest amount of one transaction, in minor units: every decimal text up to here is one number, in JSON too. */
export const MAX_AMOUNT_MINOR = 10n ** 15n;
/**
 * The largest balance, in minor units, above and below zero: what a `Decimal` can show and `bigint` of PostgreSQL can
 * hold.
 */
export const MAX_BALANCE_MINOR = 10n ** 18n - 1n;

const DECIMAL = /^(-?)(\d{1,18})(?:\.(\d{1,4}))?$/;

/**
 * A decimal text in minor units of a currency, or null when it is no decimal number or has more digits than the
 * currency.
 */
export function minorOf(decimal: string, currency: string): bigint | null {
  const [, sign, whole, fraction = ''] = DECIMAL.exec(decimal) ?? [];
  const digits = currencyDigits(currency);
  const significant = fraction.replace(/0+$/, '');
  if (whole === undefined || significant.length > digits) return null;
  const minor = BigInt(whole + significant.padEnd(digits, '0'));
  return sign === '-' ? -minor : minor;
}

/** The most digits that a currency has. */
const MOST_DIGITS = 4;

/** True if a decimal text is more than another one, which may have more digits than its currency. */
function isAbove(amount: string, limit: string): boolean {
  const [one, other] = [amount, limit].map(decimal => {
    const [, sign, whole = '0', fraction = ''] = DECIMAL.exec(decimal) ?? [];
    return BigInt(`${sign ?? ''}${whole}${fraction.padEnd(MOST_DIGITS, '0')}`);
  }) as [bigint, bigint];
  return one > other;
}

/** An amount of one currency. */
export interface CurrencyAmount {
  readonly currency: string;
  /** A decimal text, such as `10000.00`. */
  readonly amount: string;
}

/** True if an amount is more than the one for its currency; for a currency without one it is not. */
export function isAboveAny({ amount, currency }: CurrencyAmount, thresholds: readonly CurrencyAmount[]): boolean {
  return thresholds.some(one => one.currency === currency && isAbove(amount, one.amount));
}
