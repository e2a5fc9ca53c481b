import { randomFillSync } from 'node:crypto';

const AT_ONCE_BYTES = 4096;
const drawn = Buffer.alloc(AT_ONCE_BYTES);
let given = AT_ONCE_BYTES;

/** Random bytes, at most 4096, from the system's generator: drawn many at once, since a draw costs the same for 12 bytes, and given once. */
export function freshBytes(bytes: number): Buffer {
  if (given + bytes > AT_ONCE_BYTES) {
    randomFillSync(drawn);
    given = 0;
  }
  const part = Buffer.from(drawn.subarray(given, given + bytes));
  drawn.fill(0, given, given + bytes);
  given += bytes;
  return part;
}
