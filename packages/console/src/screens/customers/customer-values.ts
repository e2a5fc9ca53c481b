import type {
  AddressInput,
  ConsoleCustomerQuery,
  CustomerInput,
  CustomerPatch,
  PhoneInput,
  TaxStatus,
} from '../../generated/graphql.js';

export type Customer = NonNullable<ConsoleCustomerQuery['customer']>;

/** What the form of a customer has in its fields. Numbers are masked as they were shown. */
export interface CustomerValues {
  readonly bankNumber: string;
  readonly first: string;
  readonly middle: string;
  readonly last: string;
  readonly dateOfBirth: string;
  readonly taxId: string;
  readonly taxIdCountry: string;
  readonly governmentId: string;
  readonly emails: readonly { readonly email: string }[];
  readonly telephones: readonly PhoneInput[];
  readonly addresses: readonly AddressInput[];
  readonly taxStatus: TaxStatus | '';
  readonly taxStatusOn: string;
  readonly secondTinNoticeOn: string;
  readonly electronicTaxFormsOn: string;
}

const NOBODY: CustomerValues = {
  bankNumber: '',
  first: '',
  middle: '',
  last: '',
  dateOfBirth: '',
  taxId: '',
  taxIdCountry: '',
  governmentId: '',
  emails: [],
  telephones: [],
  addresses: [],
  taxStatus: '',
  taxStatusOn: '',
  secondTinNoticeOn: '',
  electronicTaxFormsOn: '',
};

/** The fields of a customer on record, or of a new one. The date of birth is not shown. */
export function valuesOf(customer?: Customer): CustomerValues {
  if (!customer) return NOBODY;
  const { name, contact, addresses } = customer;
  return {
    bankNumber: customer.bankNumber ?? '',
    first: name.first,
    middle: name.middle ?? '',
    last: name.last,
    dateOfBirth: '',
    taxId: customer.taxId ?? '',
    taxIdCountry: customer.taxIdCountry ?? '',
    governmentId: customer.governmentId ?? '',
    emails: contact.email.map(email => ({ email })),
    telephones: contact.telephones,
    addresses,
    taxStatus: customer.taxStatus ?? '',
    taxStatusOn: customer.taxStatusOn ?? '',
    secondTinNoticeOn: customer.secondTinNoticeOn ?? '',
    electronicTaxFormsOn: customer.electronicTaxFormsOn ?? '',
  };
}

/** A new customer. An empty field is none. */
export function inputOf(values: CustomerValues): CustomerInput {
  const { first, middle, last, taxId, taxIdCountry } = values;
  return {
    bankNumber: values.bankNumber || null,
    name: { first: first || null, middle: middle || null, last },
    dateOfBirth: values.dateOfBirth || null,
    taxId: taxId || null,
    // Of a tax id alone the gateway says that its country is missing.
    taxIdCountry: taxIdCountry.toUpperCase() || null,
    governmentId: values.governmentId || null,
    contact: contactOf(values),
    addresses: values.addresses.map(filledIn),
    taxStatus: values.taxStatus || null,
    taxStatusOn: values.taxStatusOn || null,
    secondTinNoticeOn: values.secondTinNoticeOn || null,
    electronicTaxFormsOn: values.electronicTaxFormsOn || null,
  };
}

/** What somebody has changed in the fields, so that all else stays as it is on record by then. */
export function patchOf(before: CustomerValues, after: CustomerValues): CustomerPatch {
  const [was, is] = [inputOf(before), inputOf(after)];
  const changed = Object.entries(is).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(was[name as keyof CustomerInput]),
  );
  return Object.fromEntries(changed);
}

function contactOf({ emails, telephones }: CustomerValues) {
  return {
    email: emails.map(({ email }) => email.trim()).filter(Boolean),
    telephones: telephones
      .filter(({ number }) => number.trim())
      .map(({ type, country, number }) => ({
        type,
        country: country || null,
        number,
      })),
  };
}

function filledIn({ type, line1, line2, line3, city, state, postalCode, country }: AddressInput): AddressInput {
  return {
    type,
    line1,
    line2: line2 || null,
    line3: line3 || null,
    city,
    state: state || null,
    postalCode: postalCode || null,
    country: country.toUpperCase(),
  };
}
