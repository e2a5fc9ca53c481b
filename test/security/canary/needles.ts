import type { Canary, Kind } from './canaries.js';

/** One way in which a canary can be written down. */
export interface Needle {
  readonly canary: Canary;
  readonly form: string;
  readonly bytes: Buffer;
}

/** Every needle is at least as long, so that no run of random bytes is taken for one. */
export const MIN_NEEDLE_BYTES = 9;

/** Every way to write a canary that a leak could take. Case is the search's affair: it knows none. */
export function needlesOf(canary: Canary): Needle[] {
  const needles = new Map<string, Needle>();
  for (const writing of writingsOf(canary)) {
    for (const [form, bytes] of encodingsOf(writing)) {
      if (bytes.length < MIN_NEEDLE_BYTES) throw new Error(`A ${canary.kind} is too short to be found as ${form}.`);
      const key = bytes.toString('latin1');
      if (!needles.has(key)) needles.set(key, { canary, form, bytes });
    }
  }
  return [...needles.values()];
}

/** As it was sent, and as programs rewrite it: without its separators, or with those of others. */
function writingsOf({ kind, text }: Canary): string[] {
  const digits = text.replaceAll(/\D/g, '');
  const others: Partial<Record<Kind, readonly string[]>> = {
    taxId: [digits, grouped(digits, [3, 2, 4], '-'), grouped(digits, [3, 2, 4], ' '), grouped(digits, [2, 7], '-')],
    governmentId: [text.replaceAll('-', ''), text.replaceAll('-', ' ')],
    cardNumber: [grouped(digits, [4, 4, 4, 4], ' '), grouped(digits, [4, 4, 4, 4], '-')],
    // With and without the country's number.
    phone: [
      digits,
      digits.slice(1),
      grouped(digits.slice(1), [3, 3, 4], '-'),
      grouped(digits.slice(1), [3, 3, 4], '.'),
    ],
    // Not as eight digits alone: a few hundred hexadecimal digests have those by chance.
    birthDate: [dateOf(text, '/'), dateOf(text, '.')],
  };
  return [text, ...(others[kind] ?? [])];
}

function grouped(digits: string, lengths: readonly number[], separator: string): string {
  let start = 0;
  return lengths.map(length => digits.slice(start, (start += length))).join(separator);
}

/** In the order of the United States with slashes, in that of Europe with dots. */
function dateOf(text: string, separator: '/' | '.'): string {
  const [year, month, day] = text.split('-');
  return (separator === '/' ? [month, day, year] : [day, month, year]).join(separator);
}

function encodingsOf(text: string): [form: string, bytes: Buffer][] {
  const utf8 = Buffer.from(text);
  const utf16 = Buffer.from(text, 'utf16le');
  const json = JSON.stringify(text).slice(1, -1);
  const ascii = json.replaceAll(/[^\x20-\x7e]/g, escaped);
  return [
    ['text', utf8],
    ['JSON', Buffer.from(json)],
    ['JSON with escaped slashes', Buffer.from(json.replaceAll('/', '\\/'))],
    ['JSON in ASCII', Buffer.from(ascii)],
    ['JSON in ASCII with escaped slashes', Buffer.from(ascii.replaceAll('/', '\\/'))],
    ['JSON of escapes alone', Buffer.from([...text].map(escaped).join(''))],
    // A text with JSON in it, such as a log line of a response, has its quotes escaped twice.
    ['JSON in JSON', Buffer.from(JSON.stringify(json).slice(1, -1))],
    ['Latin-1', Buffer.from(text, 'latin1')],
    ['UTF-16LE', utf16],
    ['UTF-16BE', Buffer.from(utf16).swap16()],
    ['hexadecimal', Buffer.from(utf8.toString('hex'))],
    ['hexadecimal of UTF-16LE', Buffer.from(utf16.toString('hex'))],
    ['hexadecimal of UTF-16BE', Buffer.from(Buffer.from(utf16).swap16().toString('hex'))],
    ['a part of an address', Buffer.from(encodeURIComponent(text))],
    ['a part of a form', Buffer.from(new URLSearchParams({ '': text }).toString().slice(1))],
    ...[0, 1, 2].flatMap((offset): [string, Buffer][] => [
      [`base64 at ${offset}`, base64At(utf8, offset, 'base64')],
      [`base64url at ${offset}`, base64At(utf8, offset, 'base64url')],
    ]),
  ];
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/**
 * What base64 always makes of these bytes behind so many others: without the letters at its ends that tell of its
 * neighbours.
 */
function base64At(bytes: Buffer, offset: number, alphabet: 'base64' | 'base64url'): Buffer {
  const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString(alphabet);
  return Buffer.from(text.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6)));
}
