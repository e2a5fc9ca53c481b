import { orNull } from '../platform/input/json-schema.js';
import type { Described } from '../platform/openapi/operation.js';
import { countryCode, oneOf, record, text } from '../platform/openapi/schema.js';
import { AddressType, EmailType, PhoneType } from './person.entity.js';

/** How owners and beneficiaries are called and reached, as answers show it. */
export const personApi: Described = {
  schemas: {
    PersonName: record('How a person is called.', {
      first: text('Given name.'),
      middle: orNull(text('Middle name or initial.')),
      last: text('Family name.'),
    }),
    Address: record('A postal address.', {
      line1: text('Street and number.'),
      line2: orNull(text('Second line.')),
      line3: orNull(text('Third line.')),
      city: text('City or town.'),
      state: orNull(text('State, province or region.')),
      postalCode: orNull(text('Postal code.')),
      country: countryCode('Country (ISO 3166-1, two letters).'),
      type: oneOf(Object.values(AddressType), 'What the address is for.'),
    }),
    Email: record('An e-mail address.', {
      type: oneOf(Object.values(EmailType), 'What the address is for.'),
      email: text('The address.'),
    }),
    Phone: record('A telephone number.', {
      type: oneOf(Object.values(PhoneType), 'What the number is for.'),
      country: orNull(countryCode('Country (ISO 3166-1, two letters).')),
      number: text('The number as its owner writes it.'),
    }),
  },
};
