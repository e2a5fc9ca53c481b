import { expect, test } from '@jest/globals';
import type { Address } from '../../../src/bank/person/person.entity.js';
import { addressLines } from '../../../src/bank/statement/issue/address-lines.js';

const address = (
  country: string,
  line1: string,
  city: string,
  state: string | null,
  postalCode: string | null,
): Address => ({
  line1,
  line2: null,
  line3: null,
  city,
  state,
  postalCode,
  country,
  type: 'HOME',
});

test.each([
  [address('US', '12 Elm Street', 'Springfield', 'IL', '62704'), ['12 Elm Street', 'Springfield, IL 62704']],
  [
    address('CA', '1 Rue Bonsecours', 'Montréal', 'QC', 'H2Y 3C5'),
    ['1 Rue Bonsecours', 'Montréal QC H2Y 3C5', 'Canada'],
  ],
  [address('DE', 'Hauptstraße 5', 'Köln', null, '50667'), ['Hauptstraße 5', '50667 Köln', 'Germany']],
  [address('DE', 'Hauptstraße 5', 'Köln', 'NRW', '50667'), ['Hauptstraße 5', '50667 Köln', 'NRW, Germany']],
  [
    address('GB', '10 Downing Street', 'London', null, 'SW1A 2AA'),
    ['10 Downing Street', 'London', 'SW1A 2AA', 'United Kingdom'],
  ],
  [address('HU', 'Fő utca 1', 'Budapest', null, '1011'), ['Budapest', 'Fő utca 1', '1011', 'Hungary']],
  [
    address('JP', '1-1 Chiyoda', 'Chiyoda-ku', 'Tokyo', '100-8111'),
    ['1-1 Chiyoda', 'Chiyoda-ku', 'Tokyo', '100-8111', 'Japan'],
  ],
  [
    address('JP', '千代田1-1', '千代田区', '東京都', '100-8111'),
    ['〒100-8111', '東京都', '千代田1-1', '千代田区', 'Japan'],
  ],
  [
    address('AE', 'Sheikh Zayed Road 1', 'Dubai', null, '00000'),
    ['Sheikh Zayed Road 1', 'Dubai 00000', 'United Arab Emirates'],
  ],
  [
    address('BR', 'Rua Augusta 1', 'São Paulo', 'SP', '01304-000'),
    ['Rua Augusta 1', 'São Paulo-SP', '01304-000', 'Brazil'],
  ],
])('%j is printed in the order of its country', (given, lines) => {
  expect(addressLines(given)).toEqual(lines);
});

test('an address fits into a window, and loses nothing', () => {
  const long = {
    ...address('GB', '1 High Street', 'Leeds', 'Yorkshire', 'LS1 1AA'),
    line2: 'Flat 2',
    line3: 'Rear court',
  };
  expect(addressLines(long)).toEqual([
    '1 High Street',
    'Flat 2',
    'Rear court',
    'Leeds',
    'LS1 1AA, Yorkshire, United Kingdom',
  ]);
});

test('no country loses a part of an address', () => {
  const countries = Array.from({ length: 676 }, (_, n) => String.fromCharCode(65 + Math.floor(n / 26), 65 + (n % 26)));
  for (const country of countries) {
    const text = addressLines(address(country, 'Line', 'Town', 'Region', 'Code')).join(' ');
    for (const part of ['Line', 'Town', 'Region', 'Code']) {
      expect([country, text]).toEqual([country, expect.stringContaining(part)]);
    }
  }
});
