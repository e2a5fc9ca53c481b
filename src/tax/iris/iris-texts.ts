import { inAscii } from '../../../lib/account-report/texts.js';

const NAME_CONTROL_CHARACTERS = 4;

/** A text in ASCII, in which `?` stands for each letter that has no spelling there. */
function latin(text: string): string {
  return text.replaceAll(/\P{M}\p{M}*/gu, inAscii);
}

/** Whether a return can have a text: the IRS takes the letters from A to Z alone. */
export function isFilable(text: string): boolean {
  const filed = latin(text.replaceAll('?', ''));
  return /[A-Za-z0-9]/.test(filed) && !filed.includes('?');
}

function line(text: string, forbidden: RegExp, maxCharacters: number): string {
  const kept = latin(text).replaceAll(forbidden, ' ').replaceAll(/-{2,}/g, '-').replaceAll(/\s+/g, ' ').trim();
  return kept.slice(0, maxCharacters).trimEnd();
}

/** A part of the name of a person: letters, hyphens and spaces. */
export function personName(text: string, maxCharacters: number): string {
  return line(text.replaceAll(/['\u2018\u2019]/g, ''), /[^A-Za-z\- ]/g, maxCharacters);
}

/** The name of an organisation, in one or two lines. */
export function businessName(text: string, maxCharacters: number): string[] {
  return wrapped(
    line(text.replaceAll(/['\u2018\u2019]/g, ''), /[^A-Za-z0-9\-&() ]/g, 2 * maxCharacters),
    maxCharacters,
  );
}

/** The streets of an address in one or two lines: letters, digits, hyphens and slashes, without `--` and `#`. */
export function addressLines(lines: readonly string[], maxCharacters: number): string[] {
  return wrapped(line(lines.join(' '), /[^A-Za-z0-9\-/ ]/g, 2 * maxCharacters), maxCharacters);
}

/** A city or province: letters, and what stands between them. */
export function placeName(text: string, maxCharacters: number): string {
  return line(text, /[^A-Za-z\- ]/g, maxCharacters);
}

export function foreignPostalCode(text: string, maxCharacters: number): string {
  return line(text, /[^A-Za-z0-9\- ]/g, maxCharacters);
}

/** A text in two lines of at most so many characters, broken between words where there are some. */
function wrapped(text: string, maxCharacters: number): string[] {
  if (text.length <= maxCharacters) return text === '' ? [] : [text];
  const space = text.lastIndexOf(' ', maxCharacters);
  const end = space > 0 ? space : maxCharacters;
  return [text.slice(0, end), text.slice(end).trim().slice(0, maxCharacters).trimEnd()].filter(part => part !== '');
}

/**
 * The name control of a business: the first four letters, digits, hyphens and ampersands of its name, without a leading
 * `The` that more than one word follows (Publication 5718, 'Name Control').
 */
export function businessNameControl(name: string): string {
  const words = latin(name).toUpperCase().split(/\s+/).filter(Boolean);
  const significant = words[0] === 'THE' && words.length > 2 ? words.slice(1) : words;
  return significant
    .join('')
    .replaceAll(/[^A-Z0-9&-]/g, '')
    .slice(0, NAME_CONTROL_CHARACTERS);
}

/** ZIP codes of 5, 9 or 12 digits; null for what is none. */
export function zipCode(text: string | null): string | null {
  const digits = (text ?? '').replaceAll(/\D/g, '');
  return [5, 9, 12].includes(digits.length) ? digits : null;
}

/** The ten digits of a telephone number of the United States; null for another one. */
export function telephoneDigits(text: string | null): string | null {
  const digits = (text ?? '').replaceAll(/\D/g, '').replace(/^1(?=\d{10}$)/, '');
  return digits.length === 10 ? digits : null;
}
