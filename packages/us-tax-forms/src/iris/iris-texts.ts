import { inAscii } from '../../../../lib/account-report/texts.js';

const NAME_CONTROL_CHARACTERS = 4;

/** A text in ASCII, in which `?` stands for each letter that has no spelling there. */
function latin(text: string): string {
  return text.replaceAll(/\P{M}\p{M}*/gu, inAscii);
}

/** True for a text that a return can have: the IRS takes the letters from A to Z alone. */
export function isFilable(text: string): boolean {
  const filed = latin(text.replaceAll('?', ''));
  return /[A-Za-z0-9]/.test(filed) && !filed.includes('?');
}

/** A text in what a return takes: apostrophes are left out, and other forbidden characters are spaces. */
function taken(text: string, forbidden: RegExp): string {
  return latin(text.replaceAll(/['\u2018\u2019]/g, ''))
    .replaceAll(forbidden, ' ')
    .replaceAll(/-{2,}/g, '-')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

const NOT_IN_NAMES = /[^A-Za-z\- ]/g;

/** A part of the name of a person: letters, hyphens and spaces. */
export function personName(text: string, maxCharacters: number): string {
  return taken(text, NOT_IN_NAMES).slice(0, maxCharacters).trimEnd();
}

/** The name of an organisation, in one or two lines. */
export function businessName(text: string, maxCharacters: number): string[] {
  const name = taken(text, /[^A-Za-z0-9\-&() ]/g);
  return wholeWords(name, maxCharacters, 2) ?? [name.slice(0, maxCharacters)];
}

/**
 * The streets of an address in one or two lines: letters, digits, hyphens and slashes, without `--` and `#`. What is
 * too long ends after a word; null where a word is longer than a line, since half a number is another one.
 */
export function addressLines(lines: readonly string[], maxCharacters: number): string[] | null {
  return wholeWords(taken(lines.join(' '), /[^A-Za-z0-9\-/ ]/g), maxCharacters, 2);
}

/** A city or province: letters, and what stands between them. What is too long is as in `addressLines`. */
export function placeName(text: string, maxCharacters: number): string | null {
  return wholeWords(taken(text, NOT_IN_NAMES), maxCharacters, 1)?.join('') ?? null;
}

/** A postal code of another country; null where it is too long. */
export function foreignPostalCode(text: string, maxCharacters: number): string | null {
  const code = taken(text, /[^A-Za-z0-9\- ]/g);
  return code.length <= maxCharacters ? code : null;
}

/** As many words of a text as lines of so many characters take; null where one of them takes more than a line. */
function wholeWords(text: string, maxCharacters: number, maxLines: number): string[] | null {
  const lines: string[] = [];
  for (const word of text.split(' ').filter(Boolean)) {
    if (word.length > maxCharacters) return null;
    const longer = `${lines.at(-1) ?? ''} ${word}`;
    if (lines.length > 0 && longer.length <= maxCharacters) lines[lines.length - 1] = longer;
    else if (lines.length < maxLines) lines.push(word);
    else break;
  }
  return lines;
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
