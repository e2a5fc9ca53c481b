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

// What XML 1.0 has no place for, even escaped (2.2), lone surrogates, and what breaks a line.
const UNPRINTABLE = /[\p{Cc}\p{Cs}\u2028\u2029\ufffe\uffff]+/gu;

/** A text in one line, without what cannot be printed, at most so many UTF-16 units long. */
export function lineOf(text: string, maxLength: number): string {
  const line = text.replace(UNPRINTABLE, ' ').trim();
  if (line.length <= maxLength) return line;
  // Not between the two halves of a character.
  const end = /[\ud800-\udbff]/.test(line[maxLength - 1] ?? '') ? maxLength - 1 : maxLength;
  return line.slice(0, end).trimEnd();
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** The characters that SGML and XML give a meaning, as entities that both know. */
export function escaped(text: string): string {
  return text.replace(/[&<>]/g, character => ENTITIES[character] ?? character);
}

// Letters and signs that Unicode does not take apart.
const SPELLED: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', ẞ: 'SS', æ: 'ae', Æ: 'AE', œ: 'oe', Œ: 'OE', ø: 'o', Ø: 'O', ł: 'l', Ł: 'L', đ: 'd', Đ: 'D' },
  ...{ ð: 'd', Ð: 'D', þ: 'th', Þ: 'TH', ı: 'i', '€': 'EUR', '£': 'GBP', '¥': 'JPY', '‘': "'", '’': "'" },
  ...{ '“': '"', '”': '"', '„': '"', '«': '"', '»': '"', '–': '-', '—': '-', '‐': '-', '‑': '-', '−': '-', '•': '*' },
};

/** A character that `isOurs` does not have, in ASCII: without its marks, spelled, or `?`. */
function spelled(character: string): string {
  const found = SPELLED[character];
  if (found !== undefined) return found;
  const plain = character.normalize('NFKD').replace(/\p{M}/gu, '');
  return /^[\x20-\x7e]+$/.test(plain) ? plain : (SPELLED[plain] ?? '?');
}

/** A text in ASCII. */
export function inAscii(text: string): string {
  return /^[\x20-\x7e]*$/.test(text) ? text : text.normalize('NFC').replace(/[^\x20-\x7e]/gu, spelled);
}

// The characters of Windows-1252 at 0x80 to 0x9f; five places are empty. The others from 0xa0 are those of Unicode.
const HIGH = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';
const BYTE_OF = new Map([...HIGH].map((character, index) => [character, 0x80 + index] as const));
const NOT_WINDOWS = new RegExp(`[^\\x20-\\x7e\\xa0-\\xff\\r\\n${HIGH.replace(/[\u0080-\u009f]/g, '')}]`, 'gu');

/** A text with no character that Windows-1252 lacks. */
export function inWindows1252(text: string): string {
  return text.normalize('NFC').replace(NOT_WINDOWS, spelled);
}

/** The bytes of a text of such characters. */
export function windows1252Bytes(text: string): Buffer {
  const bytes = Buffer.from(text, 'latin1');
  for (const { index, 0: character } of text.matchAll(/[^\x20-\x7e\xa0-\xff\r\n]/g)) {
    bytes[index] = BYTE_OF.get(character) ?? 0x3f;
  }
  return bytes;
}
