import { expect, test } from '@jest/globals';
import { difference } from './promised.js';

const json = (promised: unknown, answer: unknown) =>
  difference({ language: 'json', text: JSON.stringify(promised) }, JSON.stringify(answer));
const lines = (promised: string, answer: string) => difference({ language: '', text: promised }, answer);

test('an answer is what a page promises, or it is said where it is not', () => {
  expect(json({ a: [1, { b: null }] }, { a: [1, { b: null }] })).toBeNull();
  expect(json({ a: 1 }, { a: 2 })).toMatch(/^\/a is 2, and 1 is promised/);
  expect(json({ a: 1 }, { a: 1, b: 2 })).toMatch(/^\/ has b, of which nothing is said/);
  expect(json({ a: 1, b: 2 }, { a: 1 })).toMatch(/^\/b is undefined/);
  expect(json([1], [1, 2])).toMatch(/^\/ has 2 elements, and 1 are promised/);
  expect(json({ a: null }, { a: {} })).not.toBeNull();
  expect(difference({ language: 'json', text: '{}' }, 'no JSON')).toMatch(/^The answer is no JSON/);
  expect(lines('one\ntwo', 'one\ntwo\n')).toBeNull();
  expect(lines('one\ntwo', 'one\nthree\n')).not.toBeNull();
  expect(lines('one', 'one\ntwo\n')).not.toBeNull();
  expect(lines('', 'one\n')).not.toBeNull();
});

test('an ellipsis stands for what varies, and for nothing else', () => {
  expect(json({ a: '...', b: 'x-...-z' }, { a: 7, b: 'x-y-z' })).toBeNull();
  expect(json({ b: 'x-...-z' }, { b: 'y-z' })).not.toBeNull();
  expect(json({ a: '...' }, {})).not.toBeNull();
  expect(json([1, '...'], [1, 2, 3])).toBeNull();
  expect(json([1, 2, '...'], [1])).not.toBeNull();
  expect(json({ a: 1, '...': '...' }, { a: 1, b: 2 })).toBeNull();
  expect(lines('in ... s', 'in 1.2 s\n')).toBeNull();
  expect(lines('in 1.2 s', 'in 1x2 s\n')).not.toBeNull();
  expect(lines('first\n...\nlast', 'first\nlast\n')).toBeNull();
  expect(lines('first\n...\nlast', 'first\n1\n2\nlast\n')).toBeNull();
  expect(lines('first\n...\nlast', 'first\n1\n2\n')).not.toBeNull();
});
