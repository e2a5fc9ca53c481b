import { currencyDigits } from 'tillgate/noun';

/** Names and amounts of invented payments, for the demo data and for the sandbox. Nobody has these names. */

export const SHOPS = [
  'Thistle & Thorn Grocers',
  'Copperkettle Cafe',
  'Lanternlight Books',
  'Quarry Road Fuel',
  'Bellwether Pharmacy',
  'Saltmarsh Market',
];
export const BILLS = ['Ambergill Power and Light', 'Nettle Springs Water', 'Farspeaker Telephone'];
export const SALARY = 'Salary, Orchard Way Works';
export const WIRE = 'Wire, Harborlight Estates';
export const TRANSFER = 'Transfer, Orchard Way Works';
export const INTEREST = 'Interest';
export const MONTHLY_FEE = 'Monthly service fee';
/** In units. */
export const MONTHLY_FEE_UNITS = 6;

/** Units of about a dollar as an amount in a currency. */
export function amountOf(units: number, currency: string): string {
  const digits = currencyDigits(currency);
  const size = digits === 0 ? 150 : digits > 2 ? 0.3 : 1;
  return (units * size).toFixed(digits);
}
