import { expect, test } from '@jest/globals';
import { add, compare, fromMinorUnits, negate, subtract, toMinorUnits } from '../../../packages/client/src/decimal.js';
import { readJson, writeJson } from '../../../packages/client/src/exact-json.js';

test('decimals are added, subtracted and compared exactly', () => {
  expect(add('0.10', '0.2', '900719925474099312')).toBe('900719925474099312.30');
  expect(add()).toBe('0');
  expect(subtract('0.01', '1')).toBe('-0.99');
  expect(negate('-5.00')).toBe('5.00');
  expect(negate('0.00')).toBe('0.00');
  expect(['10.0', '9.99', '-1', '2'].sort(compare)).toEqual(['-1', '2', '9.99', '10.0']);
  expect(compare('1', '1.00')).toBe(0);
});

test('decimals become minor units and come from them', () => {
  expect([toMinorUnits('1250', 2), toMinorUnits('-0.05', 2), toMinorUnits('7.10', 1), toMinorUnits('3', 0)]).toEqual([
    125_000n,
    -5n,
    71n,
    3n,
  ]);
  expect([fromMinorUnits(-5n, 2), fromMinorUnits(125_000n, 2), fromMinorUnits(3n, 0)]).toEqual([
    '-0.05',
    '1250.00',
    '3',
  ]);
  expect(() => toMinorUnits('0.001', 2)).toThrow(RangeError);
  for (const none of ['', '1e5', '1,5', ' 1', '.5', 'NaN']) expect(() => toMinorUnits(none, 2)).toThrow(TypeError);
});

test.each([-1, 1.5, Number.NaN, Infinity, 101, '2'])('digits that are no number of digits are refused: %s', digits => {
  expect(() => toMinorUnits('1.00', digits as number)).toThrow(TypeError);
  expect(() => fromMinorUnits(100n, digits as number)).toThrow(TypeError);
});

test('amounts are read as texts with all their digits, and everything else as it is', () => {
  const text =
    '{"amount" : 900719925474099312.30,"count":2,"inner":[{"balance":-0.10,"memo":"\\"amount\\":1.50"}],"period":{"days":31},"total":5}';
  expect(readJson(text)).toEqual({
    amount: '900719925474099312.30',
    count: 2,
    period: { days: 31 },
    total: '5',
    inner: [
      {
        balance: '-0.10',
        memo: '"amount":1.50',
      },
    ],
  });
});

test('amounts are written as numbers with all their digits, and texts stay texts', () => {
  const written = writeJson({ amount: '900719925474099312.30', reference: '12', note: '"amount":"1.50"', list: ['1'] });
  expect(written).toBe(
    '{"amount":900719925474099312.30,"reference":"12","note":"\\"amount\\":\\"1.50\\"","list":["1"]}',
  );
});
