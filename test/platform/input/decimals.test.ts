import { expect, test } from '@jest/globals';
import { parseValue } from 'graphql';
import { Decimal } from '../../../src/platform/scalars/scalars.js';

test.each([
  ['1250.00', '1250.00'],
  ['-0.5', '-0.5'],
  ['999999999999999999.9999', '999999999999999999.9999'],
  [1250, '1250'],
  [0.07, '0.07'],
  [-12.5, '-12.5'],
  [9999999999999.99, '9999999999999.99'],
])('%p is the amount %s', (sent, amount) => {
  expect(Decimal.parseValue(sent)).toBe(amount);
});

test.each([
  '',
  '1e5',
  '01',
  '1.',
  '1,5',
  '1.23456',
  1e21,
  1e-7,
  Number.NaN,
  Infinity,
  12345678901234.56,
  true,
  null,
  {},
])('%p is no amount', sent => {
  expect(() => Decimal.parseValue(sent)).toThrow(TypeError);
});

test('the digits of a literal are exact, however many', () => {
  for (const literal of ['1250.00', '"1250.00"', '123456789012345678.9012', '-5']) {
    expect(Decimal.parseLiteral(parseValue(literal))).toBe(literal.replaceAll('"', ''));
  }
  for (const literal of ['1e5', 'TEN', 'true', '[1]', '{ a: 1 }', 'null']) {
    expect(() => Decimal.parseLiteral(parseValue(literal))).toThrow(TypeError);
  }
});
