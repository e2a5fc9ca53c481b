import { withoutPngFilters } from '../png-filters/png-filters.js';
import { constants, inflateRawSync, inflateSync } from 'node:zlib';
import { type Budget, MAX_INFLATED_BYTES, Unreadable } from './problem.js';
import { type Dict, isDict, type PdfValue } from './reader.js';

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
  if (filter === null) return data;
  if (filter !== 'FlateDecode') throw new Unreadable('uncheckable');
  const inflated = inflate(data, budget);
  const parameters = only(dict.get('DecodeParms'));
  if (parameters === null) return inflated;
  if (!isDict(parameters)) throw new Unreadable('uncheckable');
  return unpredicted(inflated, parameters);
}

function only(value: PdfValue | undefined): PdfValue {
  const [first = null, ...others] = listOf(value);
  if (others.length > 0) throw new Unreadable('uncheckable');
  return first;
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
  const plain = withoutPngFilters(bytes, rowBytes, Math.ceil(bitsPerPixel / 8));
  if (plain === null) throw new Unreadable('damaged');
  return plain;
}

function numberIn(dict: Dict, key: string, otherwise: number): number {
  const value = dict.get(key) ?? otherwise;
  if (typeof value !== 'number') throw new Unreadable('uncheckable');
  return value;
}

/**
 * Filters that write bytes in another form: nothing comes out that is longer than what went in by more than the four
 * zeros for a `z`. The short names are meant for pictures within a page (ISO 32000-2, table 92), and some readers take
 * them everywhere.
 */
const ENCODINGS = new Map<PdfValue, (data: Buffer) => Buffer>([
  ['ASCIIHexDecode', fromAsciiHex],
  ['AHx', fromAsciiHex],
  ['ASCII85Decode', fromAscii85],
  ['A85', fromAscii85],
]);

/** The filters whose output may be a thousand times of their input. */
const COMPRESSIONS = new Map<PdfValue, (data: Buffer, budget: Budget, parameters: PdfValue | undefined) => void>([
  ['FlateDecode', spendInflated],
  ['Fl', spendInflated],
  ['LZWDecode', spendLzw],
  ['LZW', spendLzw],
  ['RunLengthDecode', spendRunLength],
  ['RL', spendRunLength],
]);

/** Pictures say themselves how large they are, and stay closed. */
const PICTURES = new Set<PdfValue>(['DCTDecode', 'DCT', 'JPXDecode', 'CCITTFaxDecode', 'CCF', 'JBIG2Decode']);

const SPACE = /[\0\t\n\f\r ]/g;

/**
 * Spends what a stream expands to, and gives nothing of it. Throws `Unreadable`, with `expanding` for more than the
 * budget has. A stream has at most one compression, with encodings before it and a picture in it: a second one
 * multiplies what the first one does, and is `uncheckable`.
 */
export function spendExpanded({ dict, data }: { readonly dict: Dict; readonly data: Buffer }, budget: Budget): void {
  const filters = listOf(dict.get('Filter'));
  const parameters = listOf(dict.get('DecodeParms') ?? dict.get('DP'));
  let bytes = data;
  let at = 0;
  for (let encoding; (encoding = ENCODINGS.get(filters[at] ?? null)); at++) bytes = encoding(bytes);
  const compression = COMPRESSIONS.get(filters[at] ?? null);
  if (compression) compression(bytes, budget, parameters[at++]);
  if (PICTURES.has(filters[at] ?? null)) at++;
  if (at < filters.length) throw new Unreadable('uncheckable');
}

/** A single filter may be given by itself or as an array of one (ISO 32000-2, table 5). */
function listOf(value: PdfValue | undefined): readonly PdfValue[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? (value as readonly PdfValue[]) : [value];
}

/** RFC 1950. A checksum that is wrong or cut off is passed over, as readers do. */
function spendInflated(data: Buffer, budget: Budget): void {
  // The rest of an empty stream is the line break before `endstream`.
  if (data.length <= 2) return;
  const isZlib = (data[0]! & 0x0f) === 8 && data.readUInt16BE(0) % 31 === 0 && (data[1]! & 0x20) === 0;
  if (!isZlib) throw new Unreadable('damaged');
  try {
    const most = Math.max(1, budget.expandableBytes);
    const { length } = inflateRawSync(data.subarray(2), { maxOutputLength: most, finishFlush: constants.Z_SYNC_FLUSH });
    budget.expand(length);
  } catch (error) {
    if (error instanceof Unreadable) throw error;
    throw new Unreadable((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? 'expanding' : 'damaged');
  }
}

const [CLEAR, END, FIRST_FREE, MAX_CODES] = [256, 257, 258, 4096];

/** ISO 32000-2, 7.4.4.2. How long each code's text is suffices. */
function spendLzw(data: Buffer, budget: Budget, parameters: PdfValue | undefined): void {
  const early = isDict(parameters) && parameters.get('EarlyChange') === 0 ? 0 : 1;
  const lengths = new Uint32Array(MAX_CODES).fill(1, 0, CLEAR);
  let [free, width, previous] = [FIRST_FREE, 9, 0];
  let [bits, held, expanded] = [0, 0, 0];
  for (const byte of data) {
    held = ((held << 8) | byte) & 0xff_ffff;
    bits += 8;
    if (bits < width) continue;
    bits -= width;
    const code = (held >> bits) & ((1 << width) - 1);
    if (code === END) break;
    if (code === CLEAR) {
      [free, width, previous] = [FIRST_FREE, 9, 0];
      continue;
    }
    // A code is known, or it is the one that is about to be.
    if (code > free || (code === free && previous === 0)) throw new Unreadable('damaged');
    const length = code === free ? previous + 1 : lengths[code]!;
    if (previous > 0 && free < MAX_CODES) lengths[free++] = previous + 1;
    previous = length;
    expanded += length;
    while (width < 12 && free + early >= 1 << width) width++;
  }
  budget.expand(expanded);
}

/** ISO 32000-2, 7.4.5. */
function spendRunLength(data: Buffer, budget: Budget): void {
  let expanded = 0;
  for (let at = 0; at < data.length && data[at] !== 128;) {
    const length = data[at]!;
    expanded += length < 128 ? length + 1 : 257 - length;
    at += length < 128 ? length + 2 : 2;
  }
  budget.expand(expanded);
}

function fromAsciiHex(data: Buffer): Buffer {
  const [digits = ''] = data.toString('latin1').replace(SPACE, '').split('>', 1);
  if (/[^\dA-Fa-f]/.test(digits)) throw new Unreadable('damaged');
  return Buffer.from(digits.length % 2 ? `${digits}0` : digits, 'hex');
}

/** ISO 32000-2, 7.4.3: five characters from `!` to `u` are four bytes, and `z` is four zeros. */
function fromAscii85(data: Buffer): Buffer {
  const [text = ''] = data.toString('latin1').replace(SPACE, '').split('~', 1);
  const bytes = Buffer.alloc(text.length * 4);
  let end = 0;
  for (let at = 0; at < text.length;) {
    if (text[at] === 'z') {
      at += 1;
      end += 4;
      continue;
    }
    const group = text.slice(at, at + 5);
    if (group.length === 1 || /[^!-u]/.test(group)) throw new Unreadable('damaged');
    let value = 0;
    for (const character of group.padEnd(5, 'u')) value = value * 85 + character.charCodeAt(0) - 33;
    if (value > 0xffff_ffff) throw new Unreadable('damaged');
    bytes.writeUInt32BE(value, end);
    at += 5;
    end += group.length - 1;
  }
  return bytes.subarray(0, end);
}
