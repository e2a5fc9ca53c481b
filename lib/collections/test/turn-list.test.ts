import { expect, test } from '@jest/globals';
import { TurnList } from '../turn-list.js';

function listOf(...items: readonly [program: string, client: string, item: string][]): TurnList<string> {
  const list = new TurnList<string>();
  for (const [program, client, item] of items) list.add([program, client], item);
  return list;
}

/** The items that are left, in the order of turns. */
function drained(list: TurnList<string>): string[] {
  return Array.from({ length: list.sizeOf([]) }, () => list.next() as string);
}

test('the next item of one sharer is taken before its turn, and the others keep theirs', () => {
  const list = listOf(['a', '1', 'a1'], ['a', '1', 'a1 again'], ['a', '2', 'a2'], ['b', '1', 'b1']);
  expect(list.next(['a', '2'])).toBe('a2');
  expect(list.next(['a', '2'])).toBeUndefined();
  expect(list.sizeOf(['a'])).toBe(2);
  expect(drained(list)).toEqual(['a1', 'b1', 'a1 again']);
});

test('an item that is taken out has no turn', () => {
  const list = listOf(['a', '1', 'a1'], ['a', '1', 'a1 again'], ['b', '1', 'b1']);
  list.remove(['a', '1'], 'a1');
  list.remove(['a', '1'], 'a1');
  list.remove(['c', '1'], 'c1');
  list.remove(['b', '1'], 'b1');
  expect([list.sizeOf([]), list.sizeOf(['b'])]).toEqual([1, 0]);
  expect(drained(list)).toEqual(['a1 again']);
  expect(list.next()).toBeUndefined();
});
