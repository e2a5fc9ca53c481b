/**
 * An exact decimal number as a text, such as `1250.00`. Amounts are texts in all of this package, and never
 * floating-point numbers.
 */
export type Decimal = string;

/** More than any amount or rate has. */
const MAX_DIGITS = 100;

/** The sum, with as many decimal digits as the most exact of the values. */
export function add(...values: readonly Decimal[]): Decimal {
  const digits = Math.max(0, ...values.map(digitsOf));
  return fromMinorUnits(
    values.reduce((sum, value) => sum + toMinorUnits(value, digits), 0n),
    digits,
  );
}

export function subtract(value: Decimal, subtracted: Decimal): Decimal {
  return add(value, negate(subtracted));
}

export function negate(value: Decimal): Decimal {
  const digits = digitsOf(value);
  return fromMinorUnits(-toMinorUnits(value, digits), digits);
}

/**
 * Below zero if the first is the smaller one, zero if they are equal, however many digits they are written with. Sorts
 * with `sort`.
 */
export function compare(one: Decimal, other: Decimal): number {
  const digits = Math.max(digitsOf(one), digitsOf(other));
  const difference = toMinorUnits(one, digits) - toMinorUnits(other, digits);
  return difference < 0n ? -1 : Number(difference > 0n);
}

/**
 * `1250.00` with two digits is `125000n`. Throws a `RangeError` if the value has more digits than that, and a
 * `TypeError` if it is no decimal number, or `digits` is not a whole number from 0 to 100.
 */
export function toMinorUnits(value: Decimal, digits: number): bigint {
  requireDigits(digits);
  const [, sign, whole = '', , fraction = ''] = parts(value);
  const kept = fraction.slice(0, digits).padEnd(digits, '0');
  if (/[1-9]/.test(fraction.slice(digits))) throw new RangeError(`The amount has more than ${digits} decimal digits.`);
  const units = BigInt(whole + kept);
  return sign ? -units : units;
}

/** `125000n` with two digits is `1250.00`. Throws a `TypeError` if `digits` is not a whole number from 0 to 100. */
export function fromMinorUnits(units: bigint, digits: number): Decimal {
  requireDigits(digits);
  const text = String(units < 0n ? -units : units).padStart(digits + 1, '0');
  const at = text.length - digits;
  return `${units < 0n ? '-' : ''}${text.slice(0, at)}${digits > 0 ? `.${text.slice(at)}` : ''}`;
}

function requireDigits(digits: unknown): void {
  if (Number.isInteger(digits) && Number(digits) >= 0 && Number(digits) <= MAX_DIGITS) return;
  throw new TypeError('digits must be a whole number from 0 to 100.');
}

function digitsOf(value: Decimal): number {
  return parts(value)[4]?.length ?? 0;
}

function parts(value: Decimal): RegExpExecArray {
  const found = /^(-?)(\d+)(\.(\d+))?$/.exec(value);
  if (!found) throw new TypeError('An amount must be a text such as 1250.00.');
  return found;
}
