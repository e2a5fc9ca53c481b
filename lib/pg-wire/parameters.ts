import pg from 'pg';

const { prepareValue } = (
  pg as unknown as { readonly utils: { readonly prepareValue: (value: unknown) => string | Buffer | null } }
).utils;

type Bytes = Uint8Array | null | undefined;

/** The type `bytea`, as the server numbers types. */
const BYTEA = 17;
const NULL_LENGTH = -1;
const INT32_BYTES = 4;
/** Dimensions, whether there are nulls, the type, and of the one dimension its length and where it begins. */
const ARRAY_HEADER_INTS = 5;

/**
 * A value as it is sent to the server: a text, or bytes in the binary format, or null. Arrays of bytes are sent in the
 * binary format of arrays (`array_recv` of PostgreSQL), since as a text they are twice as long, which costs both sides.
 * All else is as the driver writes it.
 */
export function parameterOf(value: unknown): string | Buffer | null {
  return Array.isArray(value) && isOfBytes(value) ? bytesArray(value) : prepareValue(value);
}

/** True if the first value that is not null is bytes: all values of an array have one type. */
function isOfBytes(items: readonly unknown[]): items is readonly Bytes[] {
  for (const item of items) if (item !== null && item !== undefined) return item instanceof Uint8Array;
  return false;
}

function bytesArray(items: readonly Bytes[]): Buffer {
  let size = ARRAY_HEADER_INTS * INT32_BYTES;
  for (const item of items) size += INT32_BYTES + (item ? item.length : 0);
  const bytes = Buffer.allocUnsafe(size);
  let at = 0;
  for (const number of [1, items.some(item => !item) ? 1 : 0, BYTEA, items.length, 1]) {
    at = bytes.writeInt32BE(number, at);
  }
  for (const item of items) {
    at = bytes.writeInt32BE(item ? item.length : NULL_LENGTH, at);
    if (!item) continue;
    bytes.set(item, at);
    at += item.length;
  }
  return bytes;
}
