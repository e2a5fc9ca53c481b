import { inflateSync } from 'node:zlib';
import { type Budget, MAX_INFLATED_BYTES } from './budget.js';
import { Unreadable } from './problem.js';
import { type Dict, isDict, type PdfValue } from './value.js';

/** The predictors that are no filter at all and those of PNG (ISO 32000-2, table 10). */
const NO_PREDICTOR = 1;
const FIRST_PNG_PREDICTOR = 10;
const LAST_PNG_PREDICTOR = 15;
/** Far more than any writer uses: object streams have rows of a few bytes. */
const MAX_ROW_BYTES = 65_536;

/**
 * The content of an object stream or a cross-reference stream. They are written plain or with FlateDecode, and with a
 * predictor of PNG or none; whatever else the format allows here serves to hide, and is `uncheckable`.
 */
export function contentOf(dict: Dict, data: Buffer, budget: Budget): Buffer {
  budget.openStream();
  const filter = only(dict.get('Filter'));
  if (filter === undefined) return data;
  if (filter !== 'FlateDecode') throw new Unreadable('uncheckable');
  const inflated = inflate(data, budget);
  const parameters = only(dict.get('DecodeParms'));
  if (parameters === undefined) return inflated;
  if (!isDict(parameters)) throw new Unreadable('uncheckable');
  return unpredicted(inflated, parameters);
}

/** A single filter may be given by itself or as an array of one (ISO 32000-2, table 5). */
function only(value: PdfValue | undefined): PdfValue | undefined {
  if (!Array.isArray(value)) return value ?? undefined;
  const items = value as readonly PdfValue[];
  if (items.length > 1) throw new Unreadable('uncheckable');
  return items[0] ?? undefined;
}

function inflate(data: Buffer, budget: Budget): Buffer {
  if (budget.inflatableBytes === 0) throw new Unreadable('uncheckable');
  try {
    const inflated = inflateSync(data, { maxOutputLength: budget.inflatableBytes });
    budget.inflatedBytes += inflated.length;
    return inflated;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_BUFFER_TOO_LARGE') throw new Unreadable('damaged');
    budget.inflatedBytes = MAX_INFLATED_BYTES;
    throw new Unreadable('uncheckable');
  }
}

function unpredicted(bytes: Buffer, parameters: Dict): Buffer {
  const predictor = numberIn(parameters, 'Predictor', NO_PREDICTOR);
  if (predictor === NO_PREDICTOR) return bytes;
  if (predictor < FIRST_PNG_PREDICTOR || predictor > LAST_PNG_PREDICTOR) throw new Unreadable('uncheckable');
  const bitsPerPixel = numberIn(parameters, 'Colors', 1) * numberIn(parameters, 'BitsPerComponent', 8);
  const rowBytes = Math.ceil((bitsPerPixel * numberIn(parameters, 'Columns', 1)) / 8);
  if (!(rowBytes >= 1 && rowBytes <= MAX_ROW_BYTES)) throw new Unreadable('uncheckable');
  if (bytes.length % (rowBytes + 1) !== 0) throw new Unreadable('damaged');
  return withoutPngFilters(bytes, rowBytes, Math.ceil(bitsPerPixel / 8));
}

/** PNG, 9.2: each row begins with the number of its filter, and each byte is a difference to its neighbours. */
function withoutPngFilters(bytes: Buffer, rowBytes: number, pixelBytes: number): Buffer {
  const rows = bytes.length / (rowBytes + 1);
  const plain = Buffer.alloc(rows * rowBytes);
  for (let row = 0; row < rows; row++) {
    const filter = bytes[row * (rowBytes + 1)]!;
    if (filter > 4) throw new Unreadable('damaged');
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

function predicted(filter: number, left: number, up: number, upLeft: number): number {
  if (filter === 0) return 0;
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  const [toLeft, toUp, toUpLeft] = [Math.abs(up - upLeft), Math.abs(left - upLeft), Math.abs(left + up - 2 * upLeft)];
  if (toLeft <= toUp && toLeft <= toUpLeft) return left;
  return toUp <= toUpLeft ? up : upLeft;
}

function numberIn(dict: Dict, key: string, otherwise: number): number {
  const value = dict.get(key) ?? otherwise;
  if (typeof value !== 'number') throw new Unreadable('uncheckable');
  return value;
}
