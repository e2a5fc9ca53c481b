import { expect, test } from '@jest/globals';
import { SharedPlaces } from '../shared-places.js';

const places = () => new SharedPlaces({ most: 16, parts: [1, 0.25] });

/** Takes places until there is none for the sharer. */
function takeAll(of: SharedPlaces, ...sharer: string[]): (() => void)[] {
  const taken: (() => void)[] = [];
  for (let place = of.take(sharer); place; place = of.take(sharer)) taken.push(place);
  return taken;
}

test('a client alone has a quarter, and other clients and programs find places beside it', () => {
  const of = places();
  expect(takeAll(of, 'a', '1')).toHaveLength(4);
  expect(takeAll(of, 'a', '2')).toHaveLength(3);
  expect(takeAll(of, 'a', '3')).toHaveLength(1);
  expect(takeAll(of, 'a', '4')).toHaveLength(0);
  expect(takeAll(of, 'b', '1')).toHaveLength(2);
});

test('who has nothing finds a place while one is free, however many came before', () => {
  const of = places();
  for (let n = 0; n < 7; n++) takeAll(of, `program ${n}`, '1');
  expect(of.take(['late', '1'])).not.toBeNull();
});

test('what is given back is free, and giving it back twice frees nothing of others', () => {
  const of = places();
  const [first] = takeAll(of, 'a', '1');
  first?.();
  first?.();
  expect(takeAll(of, 'a', '1')).toHaveLength(1);
});

test('a place of a size is taken where so much is free', () => {
  const of = places();
  expect(of.take(['a', '1'], { size: 12 })).not.toBeNull();
  expect(of.take(['b', '1'], { size: 5 })).toBeNull();
  expect(of.take(['b', '1'], { size: 4 })).not.toBeNull();
});
