import { hash } from 'node:crypto';

/** Hexadecimal digits of a digest that stand for what does not fit: two ids in 2^32 share them. */
const DIGEST_DIGITS = 16;

/**
 * An id as a format can hold it, always the same one for the same id: itself if it fits, else its beginning without
 * what the format does not take, and a digest of all of it.
 */
export function fittingId(id: string, maxLength: number, forbidden: RegExp = /[^\x21-\x7e]/g): string {
  const allowed = id.replace(forbidden, '');
  if (allowed.length === id.length && id.length <= maxLength) return id;
  const digits = Math.min(DIGEST_DIGITS, maxLength);
  const digest = hash('sha256', id, 'hex').slice(0, digits);
  const beginning = allowed.slice(0, Math.max(0, maxLength - digits - 1));
  return beginning === '' ? digest : `${beginning}-${digest}`;
}

// Characters that XML 1.0 does not have, even escaped (2.2), lone surrogates, and what breaks a line.
const UNPRINTABLE = /[\p{Cc}\p{Cs}\u2028\u2029\ufffe\uffff]+/gu;
const ASCII = /^[\x20-\x7e]*$/;

/** Marks, joiners, colours of skin, halves of flags, parts of Korean syllables. */
const HAS_PARTS = /[\p{M}\p{Cf}\p{Emoji_Modifier}\p{Regional_Indicator}\u1100-\u11ff]/u;

/** Characters as people see them: a letter with its marks is one, and so is a flag. */
const CHARACTERS = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Says a character in the character set of a format: `ﬃ` is `ffi` in ASCII. */
export type Spelling = (character: string) => string;

/**
 * A text in one line, without what cannot be printed, as a format spells it, and then at most so many UTF-16 units
 * long: it ends behind a whole character of the text, so `ﬃ` is there as `ffi` or not at all.
 */
export function lineOf(text: string, maxLength: number, spell?: Spelling): string {
  const line = text.replace(UNPRINTABLE, ' ').trim();
  if (line.length <= maxLength && (!spell || ASCII.test(line))) return line;
  if (ASCII.test(line)) return line.slice(0, maxLength).trimEnd();
  const whole = (parts: Iterable<string>): string => {
    let fitting = '';
    for (const part of parts) {
      const written = spell ? spell(part) : part;
      if (fitting.length + written.length > maxLength) break;
      fitting += written;
    }
    return fitting.trim();
  };
  // A letter can have more marks than a text may have characters.
  return whole(charactersOf(line)) || whole(line);
}

function* charactersOf(text: string): Generator<string> {
  const composed = text.normalize('NFC');
  // Finding characters that have parts takes ten times as long, and few texts have any.
  if (!HAS_PARTS.test(composed)) yield* composed;
  else for (const { segment } of CHARACTERS.segment(composed)) yield segment;
}

/** The texts of an entry, each once: many senders write their description into the memo as well. */
export function distinctTexts(description: string, memo: string | null): string[] {
  const comparable = (text: string): string => text.normalize('NFKC').replace(/\s+/gu, ' ').trim().toLowerCase();
  const isSame = comparable(description) === comparable(memo ?? '');
  return [description.trim(), isSame ? '' : (memo ?? '').trim()].filter(Boolean);
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** The characters that SGML and XML give a meaning, as entities that both know. */
export function escaped(text: string): string {
  return text.replace(/[&<>]/g, character => ENTITIES[character] ?? character);
}

/**
 * A text for XML in ASCII alone, for readers that know no character set: other characters are written by their numbers
 * (XML 1.0, 4.1).
 */
export function escapedInAscii(text: string): string {
  return escaped(text).replace(/[^\x20-\x7e]/gu, character => `&#${character.codePointAt(0)};`);
}

// Letters and signs that Unicode does not take apart.
const SPELLED: Readonly<Record<string, string>> = {
  ß: 'ss',
  ẞ: 'SS',
  æ: 'ae',
  Æ: 'AE',
  œ: 'oe',
  Œ: 'OE',
  ø: 'o',
  Ø: 'O',
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  ð: 'd',
  Ð: 'D',
  þ: 'th',
  Þ: 'TH',
  ı: 'i',
  ħ: 'h',
  Ħ: 'H',
  ŧ: 't',
  Ŧ: 'T',
  ŋ: 'n',
  Ŋ: 'N',
  ə: 'e',
  Ə: 'E',
  '€': 'EUR',
  '£': 'GBP',
  '¥': 'JPY',
  '¢': 'c',
  '©': '(C)',
  '®': '(R)',
  '×': 'x',
  '÷': '/',
  '⁄': '/',
  '∕': '/',
  '‘': "'",
  '’': "'",
  '‚': "'",
  '‛': "'",
  ʼ: "'",
  ʻ: "'",
  '′': "'",
  '‹': "'",
  '›': "'",
  '“': '"',
  '”': '"',
  '„': '"',
  '«': '"',
  '»': '"',
  '″': '"',
  '–': '-',
  '—': '-',
  '‐': '-',
  '‑': '-',
  '‒': '-',
  '―': '-',
  '−': '-',
  '•': '*',
  '·': '*',
};

/** The characters that do not show: joiners, marks of direction, the soft hyphen. */
const HIDDEN = /\p{Cf}/gu;

/** A character in ASCII: without its marks, spelled, or `?`, once however many code points it has. */
export function inAscii(character: string): string {
  return spelled(character, /[^\x20-\x7e]/u);
}

function spelled(character: string, missing: RegExp): string {
  if (!missing.test(character)) return character;
  const found = SPELLED[character];
  if (found !== undefined) return found;
  // With its marks off it may be there, such as `ẞ̈`; what is taken apart further are ligatures, fractions and the
  // like.
  const plain = character.normalize('NFKD').replace(/\p{M}/gu, '').replace(HIDDEN, '');
  const parts = [...plain].map(part => (missing.test(part) ? SPELLED[part] : part));
  if (parts.length === 0) return HIDDEN.test(character) ? '' : '?';
  return parts.includes(undefined) ? '?' : parts.join('');
}

// The characters of Windows-1252 at 0x80 to 0x9f; five places are empty. The others from 0xa0 are those of Unicode.
const HIGH = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';
const BYTE_OF = new Map([...HIGH].map((character, index) => [character, 0x80 + index] as const));
const NOT_WINDOWS = new RegExp(`[^\\x20-\\x7e\\xa0-\\xff${HIGH.replace(/[\u0080-\u009f]/g, '')}]`, 'u');

/** A character as Windows-1252 has it: itself, without its marks, spelled, or `?`. */
export function inWindows1252(character: string): string {
  return spelled(character, NOT_WINDOWS);
}

/** The bytes of a text of such characters. */
export function windows1252Bytes(text: string): Buffer {
  const bytes = Buffer.from(text, 'latin1');
  for (const { index, 0: character } of text.matchAll(/[^\x20-\x7e\xa0-\xff\r\n]/g)) {
    bytes[index] = BYTE_OF.get(character) ?? 0x3f;
  }
  return bytes;
}
