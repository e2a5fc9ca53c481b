import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { joined, jsonOf, jsonOfText } from '../../../src/platform/http/json.js';
import { anyCharacters } from '../../support/any-characters.js';
import { rounds } from '../../support/rounds.js';

const text = fc.string({ unit: 'grapheme' }).map(each => each.toWellFormed());
const leaf = fc.oneof(
  fc.constant(null),
  fc.constant(undefined),
  fc.boolean(),
  fc.double(),
  text,
  fc.date({ noInvalidDate: true }),
  fc.integer().map(each => JSON.rawJSON(`${each}.50`)),
);
const { value } = fc.letrec(tie => ({
  value: fc.oneof({ maxDepth: 4 }, leaf, tie('list'), tie('object')),
  list: fc.oneof(fc.array(tie('value'), { maxLength: 3 }), fc.array(tie('value'), { minLength: 16, maxLength: 40 })),
  object: fc.dictionary(text, tie('value'), { maxKeys: 5, noNullPrototype: true }),
}));
const object = fc.dictionary(text, value, { maxKeys: 5, noNullPrototype: true });

test('is the JSON that JavaScript writes, whatever is in it', () => {
  fc.assert(
    fc.property(object, data => {
      expect(jsonOf(data).toString()).toBe(JSON.stringify(data));
    }),
    { numRuns: rounds(500) },
  );
});

test('is bytes where there is a long list, however deep', () => {
  const rows = Array.from({ length: 16 }, (_, n) => ({ n, name: 'Dvořák' }));
  expect(jsonOf({ rows })).toBeInstanceOf(Buffer);
  expect(jsonOf({ data: { account: { rows } } })).toBeInstanceOf(Buffer);
  expect(jsonOf({ rows: rows.slice(1) })).toBe(JSON.stringify({ rows: rows.slice(1) }));
});

test('of a text is what JavaScript writes, whatever is in it', () => {
  const any = fc.oneof(
    text,
    anyCharacters(),
    fc.constantFrom('"', '\\', '\n', '\u0000', '\u007f', '\u2028', '\ud83d', '\udc4d'),
  );
  fc.assert(
    fc.property(any, each => {
      expect(jsonOfText(each)).toBe(JSON.stringify(each));
    }),
    { numRuns: rounds(1000) },
  );
});

test('parts are the same together, few or many', () => {
  fc.assert(
    fc.property(fc.array(text, { maxLength: 40 }), parts => {
      expect(joined(parts).toString()).toBe(parts.join(''));
    }),
  );
});
