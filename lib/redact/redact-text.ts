/** Text beyond this is cut: a log line is for reading. */
export const MAX_TEXT_CHARACTERS = 8 * 1024;
/**
 * The number of characters beyond the cut that are searched, so that a secret across it is found. Longer than any
 * secret but a token.
 */
const CUT_MARGIN_CHARACTERS = 512;

const TOKEN = '[token]';
const CARD = '[card number]';

/**
 * The text without what looks like a secret or personal data, wherever it stands: JSON Web Tokens and `Bearer` or
 * `Basic` credentials, passwords in addresses, e-mail addresses, IBANs (ISO 13616), tax ids written NNN-NN-NNNN or
 * NN-NNNNNNN, and card numbers of 13 to 19 digits that pass Luhn (ISO/IEC 7812), also with spaces or hyphens. It would
 * rather hide a harmless number than show a card's.
 */
export function redactText(text: string): string {
  const seen = text.length > MAX_TEXT_CHARACTERS ? text.slice(0, MAX_TEXT_CHARACTERS + CUT_MARGIN_CHARACTERS) : text;
  const redacted = SUSPICIOUS.test(seen) ? redactDigits(redactWords(seen)) : seen;
  return text.length > MAX_TEXT_CHARACTERS ? `${redacted.slice(0, MAX_TEXT_CHARACTERS)} [cut]` : redacted;
}

/** The beginnings of all patterns. Most texts have none of them, and one search is enough. */
const SUSPICIOUS = /@|eyJ|[Bb][Ee]?[Aa]|[A-Z]{2}\d\d|\d[ -]?\d[ -]?\d[ -]?\d[ -]?\d[ -]?\d[ -]?\d[ -]?\d[ -]?\d/;

// Every repetition below has a bound or cannot overlap its neighbour, so no text makes them slow.
const JWT = /eyJ[A-Za-z0-9_-]{5,}(?:\.[A-Za-z0-9_-]*){0,4}/g;
const BEARER = /\b(bearer)\s{1,8}(?!tokens?(?:\s|$)|realm=)[A-Za-z0-9._~+/-]+=*/gi;
/** With a capital, a digit or a sign among the first letters, as base64 has and an English word has not. */
const BASIC = /\b([Bb]asic)\s{1,8}(?=[a-z]{0,16}[A-Z0-9+/=])[A-Za-z0-9+/]{6,}={0,2}/g;
const URL_PASSWORD = /(:\/\/)[^\s/@]{1,256}@/g;
/**
 * The second form is for a local part that ends in a slash. It needs a dot, or every `node_modules/@scope` of a stack
 * would match.
 */
const EMAIL = /[^\s@<>"(),:;[\]\\/]{1,64}@[^\s@<>"'(),:;[\]\\/]{1,255}|\/@[^\s@<>"'(),:;[\]\\/]{1,200}\.[A-Za-z]{2,}/g;
const IBAN_START = /(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?= ?[A-Z0-9])/g;
const IBAN_RUN = /(?: ?[A-Z0-9]){15,34}/y;

function redactWords(text: string): string {
  let words = text;
  if (words.includes('eyJ')) words = words.replace(JWT, TOKEN);
  if (/bearer|basic/i.test(words)) words = words.replace(BEARER, `$1 ${TOKEN}`).replace(BASIC, `$1 ${TOKEN}`);
  if (words.includes('@')) words = words.replace(URL_PASSWORD, '$1[secret]@').replace(EMAIL, '[email]');
  return redactIbans(words);
}

function redactIbans(text: string): string {
  let redacted = '';
  let redactedUntil = 0;
  for (const { index } of text.matchAll(IBAN_START)) {
    const end = index < redactedUntil ? null : findIbanEnd(text, index);
    if (end === null) continue;
    redacted += `${text.slice(redactedUntil, index)}[iban]`;
    redactedUntil = end;
  }
  return redactedUntil === 0 ? text : redacted + text.slice(redactedUntil);
}

/** Words in capitals may follow, so the longest run that passes the check (ISO 7064, mod 97) counts. */
function findIbanEnd(text: string, start: number): number | null {
  IBAN_RUN.lastIndex = start;
  const run = IBAN_RUN.exec(text)?.[0] ?? '';
  // For the check the first four characters go to the end, letters as two digits, which makes six digits of them.
  const head = Number(run.slice(0, 4).replace(/[A-Z]/g, letter => String(parseInt(letter, 36))));
  let remainder = 0;
  let length = 4;
  let end: number | null = null;
  for (let index = 4; index < run.length; index++) {
    const value = parseInt(run[index] ?? '', 36);
    if (Number.isNaN(value)) continue;
    length++;
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
    if (length >= 15 && (remainder * 1_000_000 + head) % 97 === 1) end = start + index + 1;
  }
  return end;
}

/**
 * Ids and digests stay, as logs are searched by them. One in ten long numbers in them would pass for a card's by
 * chance.
 */
const ID = String.raw`(?<![0-9A-Za-z])(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?=\d{0,63}[a-f])[0-9a-f]{32,64})(?![0-9A-Za-z])`;
const GROUPED_DIGITS = String.raw`\d+(?:[ -]\d+)*`;
const ID_OR_DIGITS = new RegExp(`(${ID})|${GROUPED_DIGITS}`, 'gi');
const TAX_ID = /(?<!\d)(?:\d{3}[ -]\d{2}[ -]\d{4}|\d{2}-\d{7})(?!\d)/g;

function redactDigits(text: string): string {
  // The shortest number to hide has nine digits, and most texts have fewer.
  if (!/(?:\d[ -]?){9}/.test(text)) return text;
  return text.replace(ID_OR_DIGITS, (match: string, id: string | undefined) =>
    id === undefined ? redactCards(match.replace(TAX_ID, '[tax id]')) : match,
  );
}

/** Year to second, as in the names of migrations. Card numbers of 14 digits begin with 3 (Diners Club). */
const INSTANT = /^20\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:[01]\d|2[0-3])[0-5]\d[0-5]\d$/;

/** A card number may stand between other numbers, so every run of whole groups with 13 to 19 digits is tried. */
function redactCards(text: string): string {
  if (text.length < 13) return text;
  const parts = text.split(/([ -])/);
  const hidden = new Set<number>();
  for (let first = 0; first < parts.length; first += 2) {
    let digits = '';
    for (let last = first; last < parts.length && /^\d+$/.test(parts[last] ?? ''); last += 2) {
      digits += parts[last];
      if (digits.length > 19) break;
      const isCard = digits.length >= 13 && !INSTANT.test(digits) && passesLuhn(digits);
      if (isCard) for (let part = first; part <= last; part++) hidden.add(part);
    }
  }
  if (hidden.size === 0) return text;
  return parts.map((part, index) => (!hidden.has(index) ? part : hidden.has(index - 1) ? '' : CARD)).join('');
}

function passesLuhn(digits: string): boolean {
  let sum = 0;
  let doubled = false;
  for (let index = digits.length - 1; index >= 0; index--) {
    const digit = digits.charCodeAt(index) - 48;
    sum += doubled ? digit * 2 - (digit > 4 ? 9 : 0) : digit;
    doubled = !doubled;
  }
  return sum % 10 === 0;
}
