import {
  AddressType,
  PhoneType,
  TaxStatus,
  type ConsoleCustomerQuery,
  type CustomerInput,
} from '../../generated/graphql.js';
import type { FieldsOf, InputOf, Values } from '../../ui/form.js';
import { COUNTRY } from '../../ui/usual-fields.js';
import { words } from '../../ui/words.js';

export type Customer = NonNullable<ConsoleCustomerQuery['customer']>;

const MAX_CONTACTS = 10;
const UNCHANGED = 'Masked. As it is, it stays on record.';

const ADDRESS = {
  type: { label: 'Kind of address', options: Object.values(AddressType) },
  line1: { label: 'Street and number', maxLength: 200 },
  line2: { label: 'Second line', maxLength: 200, isOptional: true },
  line3: { label: 'Third line', maxLength: 200, isOptional: true },
  city: { label: 'City', maxLength: 100 },
  state: { label: 'State', maxLength: 100, isOptional: true },
  postalCode: { label: 'Postal code', maxLength: 20, isOptional: true },
  country: COUNTRY,
} as const;

const PHONE = {
  number: { label: 'Number', type: 'tel', maxLength: 40 },
  type: { label: 'Kind of telephone', options: Object.values(PhoneType) },
  // It is not shown, and stays as it is.
  country: { label: 'Country', isOptional: true, isShown: () => false },
} as const;

/** All that is on record of a person. The date of birth is not shown. */
export function customerFields(isNew: boolean) {
  return {
    'name/first': { legend: 'Person', label: 'First name', isOptional: true, maxLength: 100, autoFocus: true },
    'name/middle': { label: 'Middle name', isOptional: true, maxLength: 100 },
    'name/last': { label: 'Last name', maxLength: 100 },
    bankNumber: {
      label: 'Customer number',
      isOptional: true,
      hint: 'Under which the bank knows the customer.',
      maxLength: 64,
    },
    dateOfBirth: {
      label: 'Date of birth',
      type: 'date',
      isOptional: true,
      hint: isNew ? undefined : 'Empty leaves what is on record.',
    },
    taxId: {
      label: 'Tax id',
      isOptional: true,
      hint: isNew ? undefined : UNCHANGED,
      maxLength: 24,
      // A tax id of the bank's own country is the rule.
      along: (taxId: string, { taxIdCountry }: Values) => ({ taxIdCountry: taxId ? taxIdCountry || 'US' : '' }),
    },
    taxIdCountry: { ...COUNTRY, label: 'Country of the tax id', isOptional: true, placeholder: 'US' },
    governmentId: {
      label: 'Government id',
      isOptional: true,
      hint: isNew ? 'Of a passport or the like.' : UNCHANGED,
      maxLength: 40,
    },
    'contact/email': {
      legend: 'E-mail',
      repeated: 'e-mail',
      fields: { email: { label: 'E-mail address', type: 'email', maxLength: 254 } },
      max: MAX_CONTACTS,
    },
    'contact/telephones': {
      legend: 'Telephones',
      repeated: 'telephone',
      fields: PHONE,
      fresh: { type: 'CELL' },
      max: MAX_CONTACTS,
    },
    addresses: {
      legend: 'Addresses',
      repeated: 'address',
      fields: ADDRESS,
      fresh: { country: 'US' },
      max: MAX_CONTACTS,
    },
    taxStatus: {
      legend: 'Taxes',
      label: 'Tax status',
      options: [['', 'Not recorded'], ...Object.values(TaxStatus).map(one => [one, words(one)] as const)],
    },
    taxStatusOn: { label: 'Tax status from', type: 'date', isOptional: true },
    secondTinNoticeOn: { label: 'Second TIN notice on', type: 'date', isOptional: true },
    electronicTaxFormsOn: {
      label: 'Electronic tax forms since',
      type: 'date',
      isOptional: true,
      hint: 'The day of the consent.',
    },
  } as const satisfies FieldsOf<CustomerInput>;
}

type Input = InputOf<ReturnType<typeof customerFields>>;

/** The customer as the fields begin: the form has objects where the API has addresses of e-mail. */
export function valuesFrom(customer: Customer) {
  const { contact } = customer;
  return { ...customer, contact: { ...contact, email: contact.email.map(email => ({ email })) } };
}

export function contactSent({ email, telephones }: Input['contact']) {
  return { telephones, email: email.map(one => one.email) };
}
