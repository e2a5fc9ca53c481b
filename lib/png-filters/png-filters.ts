const MAX_FILTER = 4;

/**
 * Undoes the filters of the rows of a PNG (9.2), which PDF has as predictors: each row begins with the number of its
 * filter, and each byte is a difference to its neighbours. `pixelBytes` is 1 for pixels of less than a byte. Null if a
 * row has a filter that does not exist.
 */
export function withoutPngFilters(bytes: Buffer, rowBytes: number, pixelBytes: number): Buffer | null {
  if (!hasPngFilters(bytes, rowBytes)) return null;
  const rows = bytes.length / (rowBytes + 1);
  const plain = Buffer.alloc(rows * rowBytes);
  for (let row = 0; row < rows; row++) {
    const filter = bytes[row * (rowBytes + 1)]!;
    for (let column = 0; column < rowBytes; column++) {
      const at = row * rowBytes + column;
      const left = column >= pixelBytes ? plain[at - pixelBytes]! : 0;
      const up = row > 0 ? plain[at - rowBytes]! : 0;
      const upLeft = row > 0 && column >= pixelBytes ? plain[at - rowBytes - pixelBytes]! : 0;
      plain[at] = bytes[row * (rowBytes + 1) + 1 + column]! + predicted(filter, left, up, upLeft);
    }
  }
  return plain;
}

/** True if each row begins with the number of a filter. */
export function hasPngFilters(bytes: Buffer, rowBytes: number): boolean {
  for (let at = 0; at < bytes.length; at += rowBytes + 1) if (bytes[at]! > MAX_FILTER) return false;
  return true;
}

function predicted(filter: number, left: number, up: number, upLeft: number): number {
  if (filter === 0) return 0;
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  const [toLeft, toUp, toUpLeft] = [Math.abs(up - upLeft), Math.abs(left - upLeft), Math.abs(left + up - 2 * upLeft)];
  if (toLeft <= toUp && toLeft <= toUpLeft) return left;
  return toUp <= toUpLeft ? up : upLeft;
}
