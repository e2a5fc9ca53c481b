import { expect, test } from '@jest/globals';
import { SharedPlaces } from '../../../lib/collections/shared-places.js';

test('a client, a program and all have so many places, and what is given back is free', () => {
  const places = new SharedPlaces([4, 3, 2]);
  const taken = ['a/1', 'a/1', 'a/1', 'a/2', 'a/2', 'b/1', 'b/1'].map(name => places.take(name.split('/')));
  expect(taken.map(place => place !== null)).toEqual([true, true, false, true, false, true, false]);
  taken[0]?.();
  taken[0]?.();
  expect(places.take(['b', '1'])).not.toBeNull();
  expect(places.take(['a', '1'])).toBeNull();
  taken[1]?.();
  expect(places.take(['a', '1'])).not.toBeNull();
});
