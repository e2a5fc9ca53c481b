import { expect, test } from '@jest/globals';
import { hasPngFilters, withoutPngFilters } from '../png-filters.js';

test('each filter is undone by the neighbours of a byte: left, above, their mean, and the nearest of Paeth', () => {
  const rows = Buffer.from(
    [
      [0, 10, 20, 30],
      [1, 1, 2, 3],
      [2, 1, 1, 1],
      [3, 5, 5, 5],
      [4, 1, 1, 1],
    ].flat(),
  );
  expect([...(withoutPngFilters(rows, 3, 1) ?? [])]).toEqual([10, 20, 30, 1, 3, 6, 2, 4, 7, 6, 10, 13, 7, 11, 14]);
});

test('the neighbour on the left is the byte of the pixel before, and sums are of one byte', () => {
  expect([...(withoutPngFilters(Buffer.from([1, 250, 1, 10, 255]), 4, 2) ?? [])]).toEqual([250, 1, 4, 0]);
});

test('a filter that does not exist is no filter', () => {
  const rows = Buffer.from([0, 1, 5, 1]);
  expect([hasPngFilters(rows, 1), withoutPngFilters(rows, 1, 1)]).toEqual([false, null]);
});
