import { expect, test } from '@jest/globals';
import { freshBytes } from '../../../src/platform/crypto/key-ring.js';

test('bytes are given once, as many as asked for, and stay as they were given', () => {
  const drawn = Array.from({ length: 5000 }, (_, n) => freshBytes(12 + (n % 5)));
  const texts = drawn.map(bytes => bytes.toString('hex'));
  for (let n = 0; n < 5000; n++) freshBytes(16).fill(0);
  expect(drawn.map(({ length }) => length)).toEqual(drawn.map((_, n) => 12 + (n % 5)));
  expect(new Set(texts).size).toBe(5000);
  expect(drawn.map(bytes => bytes.toString('hex'))).toEqual(texts);
});
