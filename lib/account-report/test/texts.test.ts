import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { distinctTexts, escapedInAscii, inAscii, inWindows1252, lineOf, windows1252Bytes } from '../texts.js';
import { anyCharacters } from '../../../test/support/any-characters.js';

test.each([
  ['Łódź & Söhne', 'Lodz & Sohne', 'Lódz & Söhne'],
  ['ﬃ ﬁ ½ ™ …', 'ffi fi 1/2 TM ...', 'ffi fi ½ ™ …'],
  ['‘a’ “b” – €5', `'a' "b" - EUR5`, '‘a’ “b” – €5'],
  ['e\u0301 東京 ไทย', 'e ?? ???', 'é ?? ???'],
  ['👨‍👩‍👧‍👦 🇨🇭', '? ?', '? ?'],
  ['soft\u00adhyphen \u202eabc', 'softhyphen abc', 'soft\u00adhyphen abc'],
  ['Nguyễn Văn', 'Nguyen Van', 'Nguyen Van'],
  ['①②③ ㎏ ⅷ', '123 kg viii', '123 kg viii'],
])('a text is spelled character by character: %s', (text, ascii, windows) => {
  expect(lineOf(text, 100, inAscii)).toBe(ascii);
  expect(lineOf(text, 100, inWindows1252)).toBe(windows);
});

test('a text is cut behind a whole character, counted as it is spelled', () => {
  expect([6, 5, 4, 3, 2].map(length => lineOf('ﬃﬃ', length, inAscii))).toEqual(['ffiffi', 'ffi', 'ffi', 'ffi', '']);
  expect([4, 3, 2].map(length => lineOf('a€b', length, inAscii))).toEqual(['aEUR', 'a', 'a']);
  expect([12, 11].map(length => lineOf('a👨‍👩‍👧‍👦', length))).toEqual(['a👨‍👩‍👧‍👦', 'a']);
  expect([2, 1].map(length => lineOf('a😀', length))).toEqual(['a', 'a']);
  // A letter with more marks than there is room keeps some.
  expect(lineOf(`x${'\u0301'.repeat(200)}`, 32)).toHaveLength(32);
});

test('what is spelled fits, and is of the character set, whatever it was', () => {
  const text = anyCharacters();
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 40 }), (value, length) => {
      const ascii = lineOf(value, length, inAscii);
      expect(ascii.length).toBeLessThanOrEqual(length);
      expect(ascii).toMatch(/^[\x20-\x7e]*$/);
      const windows = lineOf(value, length, inWindows1252);
      expect(windows.length).toBeLessThanOrEqual(length);
      expect(new TextDecoder('windows-1252').decode(windows1252Bytes(windows))).toBe(windows);
      expect(lineOf(value, length).isWellFormed()).toBe(true);
      expect(lineOf(value, length).length).toBeLessThanOrEqual(length);
    }),
  );
});

test('references say each character in ASCII', () => {
  expect(escapedInAscii('Ł & <ö> 😀')).toBe('&#321; &amp; &lt;&#246;&gt; &#128512;');
});

test('what is said twice is told once', () => {
  expect(distinctTexts(' Rent ', 'rent')).toEqual(['Rent']);
  expect(distinctTexts('Cafe\u0301', 'Café')).toEqual(['Cafe\u0301']);
  expect(distinctTexts('Rent', 'Rent of March')).toEqual(['Rent', 'Rent of March']);
  expect(distinctTexts('Rent', null)).toEqual(['Rent']);
  expect(distinctTexts('', 'x')).toEqual(['x']);
});
