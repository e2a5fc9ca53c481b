import type { KeyRing } from '../../platform/crypto/key-ring.js';

/** Fewer digits name nobody. */
const MIN_PHONE_DIGITS = 7;
/** 15 (ITU-T E.164), and 011, which is dialled in front of them in America. */
const MAX_PHONE_DIGITS = 18;
/** The form of a number as people write it; behind its digits an extension may follow. */
const PHONE = /^(?:tel:)?[+\d(][\d\s()+./\p{Pd}]*(?:(?:ext\.?|x|#|;ext=)\s*\d+)?$/iu;
const EXTENSION = /(?:ext|x|#|;).*$/i;
const EMAIL = /^[^\s@]+@[^\s@]+$/;

const DIGESTS = 'customer contact';

/** The contacts in the sealed part of a customer. */
interface Contacts {
  readonly contact: { readonly email: readonly string[]; readonly telephones: readonly { readonly number: string }[] };
}

/** The keyed digests that find customers by an e-mail address or a telephone number; null where there are none. */
export function contactDigests(keys: KeyRing, secrets: unknown): string | null {
  const { email, telephones } = (secrets as Contacts).contact;
  const forms = [...email.map(emailForm), ...telephones.flatMap(({ number }) => phoneForms(phoneDigits(number)))];
  return forms.length === 0 ? null : keys.digestWords(DIGESTS, forms);
}

/** The words of which customers with an e-mail address or a number have one; null for a text that is neither. */
export function contactWords(keys: KeyRing, text: string): string[] | null {
  if (EMAIL.test(text)) return keys.wordsOf(DIGESTS, [emailForm(text)]);
  const digits = PHONE.test(text) ? phoneDigits(text) : '';
  if (!isNumber(digits)) return null;
  // The text may have more in front than the record, which may be without the code of its country, or less.
  return keys.wordsOf(DIGESTS, [endForm(digits), ...endsOf(digits).map(wholeForm)]);
}

/** Hosts have no case, and no bank tells two people apart by the case of what is before the `@`. */
function emailForm(address: string): string {
  return `mailto:${address.trim().normalize('NFKC').toLowerCase()}`;
}

/**
 * The digits of a number without its extension, and without what is dialled in front of it in its country (0, and 8
 * where numbers have ten digits) or to leave the country (00).
 */
function phoneDigits(number: string): string {
  const digits = number.normalize('NFKC').replace(EXTENSION, '').replace('(0)', '').replaceAll(/\D/g, '');
  return digits.replace(/^(?:0+|8(?=\d{10}$))/, '');
}

/** A number is found by its end, with or without the codes of its area and country, and by a longer spelling of it. */
function phoneForms(digits: string): string[] {
  return isNumber(digits) ? [wholeForm(digits), ...endsOf(digits).map(endForm)] : [];
}

function isNumber({ length }: string): boolean {
  return length >= MIN_PHONE_DIGITS && length <= MAX_PHONE_DIGITS;
}

/** The number itself, and its ends down to seven digits. */
function endsOf(digits: string): string[] {
  return Array.from({ length: digits.length - MIN_PHONE_DIGITS + 1 }, (_, place) => digits.slice(place));
}

function wholeForm(digits: string): string {
  return `tel:${digits}`;
}

function endForm(digits: string): string {
  return `tel:*${digits}`;
}
