import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { repeatedName, sizeOfJson } from '../../src/shared/repeated-name.js';
import { anyCharacters } from '../support/any-characters.js';
import { rounds } from '../support/rounds.js';

test.each([
  ['{"a":1,"a":1}', ['a']],
  [String.raw`{"a":1,"\u0061":2}`, ['a']],
  [String.raw`{"a":1,"a":"\u003a"}`, ['a']],
  [String.raw`{"a":{"x":"\u003A\u003A\u003A"},"a":":::"}`, ['a']],
  ['{"a":{"b":1},"a":{"c":1}}', ['a']],
  ['{"list":[{"a":1},{"b":{"c":1,"d":2,"c":3}}]}', ['list', 1, 'b', 'c']],
  ['[[1,2],[{}, {"a":[1,{"b":1, "b" :2}]}]]', [1, 1, 'a', 1, 'b']],
  ['{"":1,"":2}', ['']],
  ['{"__proto__":1,"__proto__":2}', ['__proto__']],
  ['{"7":1,"7":2}', ['7']],
  [String.raw`{"\"":1,"\u0022":2}`, ['"']],
])('%s has a name twice', (text, path) => {
  expect(repeatedName(text, JSON.parse(text))).toEqual(path);
});

test.each([
  '{}',
  '[]',
  '"a:b"',
  '1',
  'null',
  '{"a":{"a":{"a":1}},"b":[{"a":1},{"a":1}]}',
  '{"a":":","b:":"::"}',
  String.raw`{"a":"\u003a","b":"\u003A:"}`,
  String.raw`{"a":"{\"a\":1,\"a\":2}"}`,
  '{"A":1,"a":2}',
  String.raw`{"a":"\\u003a","\\u003a":1}`,
  String.raw`{"\\":"\\\"","\"":":"}`,
])('%s has no name twice', text => {
  expect(repeatedName(text, JSON.parse(text))).toBeNull();
});

// Without a backslash for a name: once V8 has met one, it takes it for whatever begins with an escape.
const name = fc
  .oneof(fc.constantFrom('a', 'b', ':', '"', '{', '\u0000'), anyCharacters(3))
  .filter(text => text !== '\\');
const { json } = fc.letrec<{ json: unknown }>(tie => ({
  json: fc.oneof(
    { depthSize: 'small' },
    fc.oneof(name, fc.double({ noNaN: true }), fc.boolean(), fc.constant(null)),
    fc.array(tie('json'), { maxLength: 3 }),
    fc.dictionary(name, tie('json'), { maxKeys: 3 }),
  ),
}));

/** With an escape for a colon and a letter, where there is none before. */
const escaped = (text: string, all: boolean) =>
  all && !text.includes('\\') ? text.replaceAll('a', String.raw`\u0061`).replaceAll(':', String.raw`\u003a`) : text;

test('what JavaScript writes has no name twice, and with a member more of a name it has', () => {
  fc.assert(
    fc.property(fc.dictionary(name, json, { minKeys: 1, maxKeys: 4 }), json, fc.boolean(), (whole, other, all) => {
      const text = JSON.stringify(whole);
      expect(repeatedName(text, JSON.parse(text))).toBeNull();
      const [first] = Object.keys(whole) as [string];
      const member = `${escaped(JSON.stringify(first), all)}:${escaped(JSON.stringify(other), false)}`;
      const twice = `[0,{${member},${text.slice(1)}]`;
      expect(repeatedName(twice, JSON.parse(twice))).toEqual([1, first]);
    }),
    { numRuns: rounds(500) },
  );
});

test.each([
  ['{}', 0, 1],
  ['[1,2,3]', 0, 3],
  ['{"a":1,"b":[{}]}', 2, 6],
  [String.raw`{"a:{[,":"\\\":,","\"":"\\\\"}`, 2, 4],
])('%s has its members and values counted, and nothing in its texts', (text, members, values) => {
  expect(sizeOfJson(text)).toEqual({ members, values });
});

test('counting ends once there is too much', () => {
  expect(sizeOfJson(`[${'{},'.repeat(1000)}1]`, 10).values).toBe(11);
});
