import { orEmpty } from '../platform/input/json-schema.js';
import type { Described } from '../platform/openapi/operation.js';
import { countryCode, formOf, oneOf, record, text } from '../platform/openapi/schema.js';
import { AddressType, EmailType, PhoneType } from './person.entity.js';
import { AddressInput, EmailInput, PersonNameInput, PhoneInput } from './person.inputs.js';

/** How owners and beneficiaries are called and reached, as answers show it. */
export const personApi: Described = {
  schemas: {
    PersonName: record('The name of a person.', {
      first: text('Given name.', formOf(PersonNameInput, 'first')),
      middle: orEmpty(text('Middle name or initial.', formOf(PersonNameInput, 'middle'))),
      last: text('Family name.', formOf(PersonNameInput, 'last')),
    }),
    Address: record('A postal address.', {
      line1: text('Street and number.', formOf(AddressInput, 'line1')),
      line2: orEmpty(text('Second line.', formOf(AddressInput, 'line2'))),
      line3: orEmpty(text('Third line.', formOf(AddressInput, 'line3'))),
      city: text('City or town.', formOf(AddressInput, 'city')),
      state: orEmpty(text('State, province or region.', formOf(AddressInput, 'state'))),
      postalCode: orEmpty(text('Postal code.', formOf(AddressInput, 'postalCode'))),
      country: countryCode('Country (ISO 3166-1, two letters).'),
      type: oneOf(Object.values(AddressType), 'The purpose of the address.'),
    }),
    Email: record('An e-mail address.', {
      type: oneOf(Object.values(EmailType), 'The purpose of the address.'),
      email: text('The address.', formOf(EmailInput, 'email')),
    }),
    Phone: record('A telephone number.', {
      type: oneOf(Object.values(PhoneType), 'The purpose of the number.'),
      country: orEmpty(countryCode('Country (ISO 3166-1, two letters).')),
      number: text('The number as its owner writes it.', formOf(PhoneInput, 'number')),
    }),
  },
};
