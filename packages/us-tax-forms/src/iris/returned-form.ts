import { minorOf, type Address } from 'tillgate/noun';
import { fittingId } from '../../../../lib/account-report/texts.js';
import type { IrisFormat } from './iris-format.js';
import {
  addressLines,
  businessName,
  foreignPostalCode,
  isFilable,
  personName,
  placeName,
  zipCode,
} from './iris-texts.js';

/** The part of a Form 1099-INT as it was issued that a return takes. */
export interface IssuedForm {
  readonly recipient: { readonly name: string };
  readonly recipientTaxId?: string | null;
  readonly recipientPerson?: { readonly first: string; readonly middle: string | null; readonly last: string };
  readonly recipientAddress?: Address | null;
  readonly secondTinNotice?: boolean;
  readonly boxes: Readonly<Partial<Record<number, string>>>;
}

/** An address as returns have it: at most two lines, and of the United States or of another country. */
export type ReturnedAddress = { readonly lines: readonly string[]; readonly city: string } & (
  | { readonly state: string; readonly zip: string }
  | { readonly province: string; readonly country: string; readonly postalCode: string }
);

/** A form as a return has it. Amounts are cents, by their boxes. */
export interface ReturnedForm {
  readonly accountNumber: string;
  readonly taxId: string;
  /** A person has `first`; one name is a business's. */
  readonly name:
    | { readonly first: string; readonly middle: string; readonly last: string }
    | { readonly business: readonly string[] };
  readonly address: ReturnedAddress;
  readonly secondTinNotice: boolean;
  readonly cents: Readonly<Record<number, bigint>>;
  readonly state: { readonly code: string; readonly number: string } | null;
}

/** Why a form cannot be filed as it is: the code of a fact, and what it means to an operator. */
export const UNFILABLE_REASONS = {
  unfilable_name: 'The name has letters that the IRS does not take, which are those from A to Z.',
  unfilable_address:
    'The address has no city, no ZIP code, letters that the IRS does not take, or a word or a postal code that is longer than a line.',
  unfilable_tax_id:
    'The recipient has no tax id of nine digits. Ask for it with Form W-9, and withhold 24 percent of the interest until it is given (26 USC 3406). Without it, file the form on paper.',
  unfilable_form: 'The form was issued before names and addresses were kept in parts. Issue the year again.',
} as const;
export type UnfilableReason = keyof typeof UNFILABLE_REASONS;

/** A form as a return has it, with zero amounts if it takes one back; or why it cannot be filed. */
export function returnedForm(
  format: IrisFormat,
  accountId: string,
  form: IssuedForm,
  isZero: boolean,
): ReturnedForm | UnfilableReason {
  const { limits } = format;
  const { recipientPerson: person, recipientAddress, recipientTaxId } = form;
  if (!person || recipientAddress === undefined) return 'unfilable_form';
  if (!/^\d{9}$/.test(recipientTaxId ?? '')) return 'unfilable_tax_id';
  if (!isFilable([person.first, person.middle, person.last].filter(Boolean).join(' '))) return 'unfilable_name';
  const address = recipientAddress && returnedAddress(format, recipientAddress);
  if (!address) return 'unfilable_address';
  const { 15: state, 16: number = '' } = form.boxes;
  return {
    accountNumber: fittingId(accountId, limits.accountNumber, /[^A-Za-z0-9-]/g),
    taxId: recipientTaxId as string,
    name:
      person.first === ''
        ? { business: businessName(person.last, limits.businessName) }
        : {
            first: personName(person.first, limits.personName),
            middle: personName(person.middle ?? '', limits.personName),
            last: personName(person.last, limits.personName),
          },
    address,
    secondTinNotice: form.secondTinNotice ?? false,
    cents: Object.fromEntries([1, 2, 4, 17].map(box => [box, isZero ? 0n : centsOf(form.boxes[box])])),
    state: state ? { code: state, number: number.slice(0, limits.stateId) } : null,
  };
}

function centsOf(amount = '0.00'): bigint {
  return minorOf(amount, 'USD') ?? 0n;
}

/** An address as returns have it; null where they cannot have it. */
export function returnedAddress(
  { limits, countries }: Pick<IrisFormat, 'limits' | 'countries'>,
  address: Omit<Address, 'type'>,
): ReturnedAddress | null {
  const { line1, line2, line3, city, state, postalCode, country } = address;
  const streets = [line1, line2, line3].filter((one): one is string => Boolean(one));
  if (!isFilable(streets.join(' ')) || !isFilable(city)) return null;
  const lines = addressLines(streets, limits.addressLine);
  const isHome = country === 'US';
  const place = placeName(city, isHome ? limits.city : limits.foreignCity);
  if (!lines || !place) return null;
  if (isHome) {
    const zip = zipCode(postalCode);
    return zip && /^[A-Z]{2}$/.test(state ?? '') ? { lines, city: place, state: state as string, zip } : null;
  }
  const code = countries[country];
  const province = placeName(state ?? '', limits.province);
  const foreign = foreignPostalCode(postalCode ?? '', limits.foreignPostalCode);
  if (!code || province === null || foreign === null) return null;
  return { lines, city: place, province, country: code, postalCode: foreign };
}
