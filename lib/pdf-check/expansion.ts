import { inflateRawSync, constants } from 'node:zlib';
import { type Budget } from './budget.js';
import { Unreadable } from './problem.js';
import { type Dict, isDict, type PdfValue } from './value.js';

/** Writes bytes in another form: nothing comes out that is longer than what went in by more than the four zeros for a `z`. */
const ENCODINGS = new Map<string, (data: Buffer) => Buffer>([
  ['ASCIIHexDecode', fromAsciiHex],
  ['ASCII85Decode', fromAscii85],
]);

/** What comes out may be a thousand times of what went in. */
const COMPRESSIONS = new Map<string, (data: Buffer, parameters: Dict | null, budget: Budget) => void>([
  ['FlateDecode', spendInflated],
  ['LZWDecode', spendLzw],
  ['RunLengthDecode', spendRunLength],
]);

/** Pictures say themselves how large they are, and stay closed. */
const PICTURES = new Set(['DCTDecode', 'JPXDecode', 'CCITTFaxDecode', 'JBIG2Decode']);

/** Names that are meant for pictures within a page (ISO 32000-2, table 92), and that some readers take everywhere. */
const SHORT_NAMES = new Map(
  Object.entries({
    ...{ AHx: 'ASCIIHexDecode', A85: 'ASCII85Decode', LZW: 'LZWDecode', Fl: 'FlateDecode', RL: 'RunLengthDecode' },
    ...{ CCF: 'CCITTFaxDecode', DCT: 'DCTDecode' },
  }),
);

const SPACE = /[\0\t\n\f\r ]/g;

/**
 * Spends what a stream expands to, and gives nothing of it. Throws `Unreadable`, with `expanding` for more than the budget has. A stream has at
 * most one compression, with encodings before it and a picture in it: a second one multiplies what the first one does, and is `uncheckable`.
 */
export function spendExpanded({ dict, data }: { readonly dict: Dict; readonly data: Buffer }, budget: Budget): void {
  const filters = listOf(dict.get('Filter')).map(nameOf);
  const parameters = listOf(dict.get('DecodeParms') ?? dict.get('DP'));
  let bytes = data;
  let at = 0;
  for (let encoding; (encoding = ENCODINGS.get(filters[at] ?? '')); at++) bytes = encoding(bytes);
  const compression = COMPRESSIONS.get(filters[at] ?? '');
  if (compression) compression(bytes, dictOf(parameters[at++]), budget);
  if (PICTURES.has(filters[at] ?? '')) at++;
  if (at < filters.length) throw new Unreadable('uncheckable');
}

function listOf(value: PdfValue | undefined): readonly PdfValue[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? (value as readonly PdfValue[]) : [value];
}

function nameOf(filter: PdfValue): string {
  if (typeof filter !== 'string') throw new Unreadable('uncheckable');
  return SHORT_NAMES.get(filter) ?? filter;
}

function dictOf(value: PdfValue | undefined): Dict | null {
  return isDict(value) ? value : null;
}

/** RFC 1950. A checksum that is wrong or cut off is passed over, as readers do. */
function spendInflated(data: Buffer, _parameters: Dict | null, budget: Budget): void {
  // What is left of nothing is the line break before `endstream`.
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
function spendLzw(data: Buffer, parameters: Dict | null, budget: Budget): void {
  const early = parameters?.get('EarlyChange') === 0 ? 0 : 1;
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
function spendRunLength(data: Buffer, _parameters: Dict | null, budget: Budget): void {
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
