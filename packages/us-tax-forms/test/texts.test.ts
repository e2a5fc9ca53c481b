import { expect, test } from '@jest/globals';
import type { InvalidInput } from '../../../src/shared/errors.js';
import { readAcknowledgement } from '../src/filing/acknowledgement.js';
import {
  addressLines,
  businessName,
  businessNameControl,
  foreignPostalCode,
  isFilable,
  personName,
  placeName,
  zipCode,
} from '../src/iris/iris-texts.js';
import { taxDaysOf } from '../src/tax-days.js';

test.each([
  ['The Harbor Example Bank, N.A.', 'HARB'],
  ['The Bank', 'THEB'],
  ['A & B Savings', 'A&BS'],
  ['4-Ever Bank', '4-EV'],
  ['Ö', 'O'],
])('the name control of %s is %s', (name, control) => {
  expect(businessNameControl(name)).toBe(control);
});

test.each([
  ['Jürgen', 'Jurgen'],
  ["O'Brien", 'OBrien'],
  ['Anne--Marie', 'Anne-Marie'],
  ['Ørsted', 'Orsted'],
  ['D’Arcy–Wells', 'DArcy-Wells'],
  ['Maximiliana Theodora Alexandrina', 'Maximiliana Theodora'],
])('the name %s is filed as %s', (name, filed) => {
  expect(personName(name, 20)).toBe(filed);
});

test('lines are cut between words; the IRS takes neither # nor --', () => {
  expect(addressLines(['Apartment #4 -- The Old Lanternworks', 'Street 508'], 35)).toEqual([
    'Apartment 4 - The Old Lanternworks',
    'Street 508',
  ]);
  expect(businessName('Quill & Sons, Inc.', 75)).toEqual(['Quill & Sons Inc']);
});

test.each([
  // 71 characters: the last word would have been cut to `1234`.
  [
    'Building Lanternworks North Wing Floor Seventeen Corridor Apartment 12345',
    ['Building Lanternworks North Wing', 'Floor Seventeen Corridor Apartment'],
  ],
  ["O'Connell St. 5, c/o D’Arcy", ['OConnell St 5 c/o DArcy']],
  ['1'.repeat(35), ['1'.repeat(35)]],
  [`House ${'1'.repeat(36)}`, null],
  ['', []],
])('the address %s is filed in lines of whole words, or listed', (address, lines) => {
  expect(addressLines([address], 35)).toEqual(lines);
});

test('places keep their spelling as names do, are cut between words, and codes are never cut', () => {
  expect(placeName("St. John's", 40)).toBe('St Johns');
  expect(placeName('Kingston upon Hull Yorkshire', 17)).toBe('Kingston upon');
  expect(placeName('Llanfairpwllgwyngyll', 17)).toBeNull();
  expect(placeName('', 17)).toBe('');
  expect([foreignPostalCode('SW1A 1AA', 16), foreignPostalCode('1234567890 1234567', 16)]).toEqual(['SW1A 1AA', null]);
});

test('other scripts cannot be filed, and ZIP codes have 5, 9 or 12 digits', () => {
  expect(['สมชาย', '王', 'Ада', 'Ada', 'Ø', 'Ada?'].map(isFilable)).toEqual([false, false, false, true, true, true]);
  expect(['97201', '97201-1234', '972011234123', '9720', null].map(zipCode)).toEqual([
    '97201',
    '972011234',
    '972011234123',
    null,
    null,
  ]);
});

test('a day at a weekend is the next Monday', () => {
  expect(taxDaysOf(2026)).toEqual({ recipients: '2027-02-01', form1042S: '2027-03-15', irs: '2027-03-31' });
  expect(taxDaysOf(2027)).toEqual({ recipients: '2028-01-31', form1042S: '2028-03-15', irs: '2028-03-31' });
});

test.each([
  ['no XML', 'accepted'],
  ['cut', '<a><TransmissionStatusCd>Accepted'],
  ['without a status', '<a><UniqueTransmissionId>x</UniqueTransmissionId></a>'],
  [
    'of a status that nobody knows',
    '<a><UniqueTransmissionId>x</UniqueTransmissionId><TransmissionStatusCd>Lost</TransmissionStatusCd></a>',
  ],
])('a file that is %s is not an acknowledgement', (_what, xml) => {
  expect(problemsOf(Buffer.from(xml))).toMatchObject([
    { pointer: '/answer', detail: expect.stringContaining('not an acknowledgement') },
  ]);
});

function problemsOf(answer: Buffer): unknown {
  try {
    return readAcknowledgement(answer, '/answer');
  } catch (error) {
    return (error as InvalidInput).errors;
  }
}
