import pg from 'pg';

const { prepareValue } = (
  pg as unknown as { readonly utils: { readonly prepareValue: (value: unknown) => string | Buffer | null } }
).utils;

/** The type `bytea`, as the server numbers types. */
const BYTEA = 17;
const NULL_LENGTH = -1;
const INT32_BYTES = 4;
/** Dimensions, whether there are nulls, the type, and of the one dimension its length and where it begins. */
const ARRAY_HEADER_INTS = 5;

/**
 * A value as it is sent to the server: a text, or bytes in the binary format, or null. Arrays of bytes are sent in the
 * binary format of arrays (`array_recv` of PostgreSQL), since as a text they are twice as long, which costs both sides.
 * Arrays of texts are written here, and all else by the driver, which escapes each text of an array in two passes.
 */
export function parameterOf(value: unknown): string | Buffer | null {
  if (!Array.isArray(value)) return prepareValue(value);
  const items = value as readonly unknown[];
  const known = items.find(item => item !== null && item !== undefined);
  if (known instanceof Uint8Array) return bytesArray(items as readonly (Uint8Array | null | undefined)[]);
  return items.every(isPlain) ? textArray(items) : prepareValue(items);
}

function bytesArray(items: readonly (Uint8Array | null | undefined)[]): Buffer {
  const lengths = items.map(item => INT32_BYTES + (item?.length ?? 0));
  const size = lengths.reduce((sum, length) => sum + length, ARRAY_HEADER_INTS * INT32_BYTES);
  const bytes = Buffer.allocUnsafe(size);
  const hasNulls = items.some(item => !item);
  let at = 0;
  const add = (number: number): void => {
    at = bytes.writeInt32BE(number, at);
  };
  for (const number of [1, hasNulls ? 1 : 0, BYTEA, items.length, 1]) add(number);
  for (const item of items) {
    add(item ? item.length : NULL_LENGTH);
    if (!item) continue;
    bytes.set(item, at);
    at += item.length;
  }
  return bytes;
}

type Plain = string | number | bigint | boolean | null | undefined;

function isPlain(item: unknown): item is Plain {
  return item === null || typeof item !== 'object';
}

const TO_ESCAPE = /["\\]/;

function textArray(items: readonly Plain[]): string {
  let text = '';
  for (const item of items) {
    if (text !== '') text += ',';
    if (item === null || item === undefined) {
      text += 'NULL';
      continue;
    }
    const element = String(item);
    text += `"${TO_ESCAPE.test(element) ? element.replaceAll(/["\\]/g, String.raw`\$&`) : element}"`;
  }
  return `{${text}}`;
}
