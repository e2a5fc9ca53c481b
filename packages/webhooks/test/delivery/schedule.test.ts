import { describe, expect, test } from '@jest/globals';
import { askedPause, pauseAfter, RETRY_SECONDS } from '../../src/delivery/schedule.js';

const NOW = Date.parse('2026-03-31T18:05:00Z');

test('after ten attempts a delivery fails, and each pause is the planned one, a fifth more or less', () => {
  const hours = (count: number) => count * 3600;
  expect(RETRY_SECONDS).toEqual([5, 300, 1800, ...[2, 5, 10, 14, 20, 24].map(hours)]);
  for (const [index, seconds] of RETRY_SECONDS.entries()) {
    const pauses = [0, 0.5, 1].map(random => pauseAfter(index + 1, null, RETRY_SECONDS, () => random));
    expect(pauses).toEqual([800, 1000, 1200].map(part => part * seconds));
  }
  expect(pauseAfter(10, null)).toBeNull();
  expect(pauseAfter(10, 60_000)).toBeNull();
});

test('a receiver may ask for a longer pause than the planned one, and not for a shorter', () => {
  expect(pauseAfter(1, 60_000)).toBe(60_000);
  expect(pauseAfter(3, 60_000)).toBeGreaterThan(1_400_000);
});

describe('Retry-After', () => {
  test.each<[string | null, number | null]>([
    ['0', 0],
    ['7', 7000],
    [' 120 ', 120_000],
    ['86400', 86_400_000],
    ['86401', 86_400_000],
    ['999999999999999', 86_400_000],
    ['Tue, 31 Mar 2026 18:06:00 GMT', 60_000],
    ['Tue, 31 Mar 2026 18:04:00 GMT', 0],
    ['Fri, 31 Dec 9999 23:59:59 GMT', 86_400_000],
    [null, null],
    ['', null],
    ['-1', null],
    ['1.5', null],
    ['soon', null],
    ['2026', 2_026_000],
    ['1e9', null],
    ['2026-03-31T18:06:00Z', null],
    ['Tue, 99 Xxx 2026 18:06:00 GMT', null],
    ['9999999999999999999', null],
  ])('%j asks for %j ms', (header, ms) => expect(askedPause(header, NOW)).toBe(ms));
});
