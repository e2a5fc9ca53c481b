import { crc32, deflateSync, inflateSync } from 'node:zlib';
import { hasPngFilters, withoutPngFilters } from '../png-filters/png-filters.js';
import { type CompressedStream } from './file.js';
import { UnusablePicture } from './unusable-picture.js';

/** The dots of a PNG as PDF has them: colours, and how opaque they are where that differs. */
export interface Png {
  readonly width: number;
  readonly height: number;
  readonly color: CompressedStream;
  readonly alpha: CompressedStream | null;
}

const SIGNATURE = '89504e470d0a1a0a';
/** The bytes of a chunk beside its data: its length, its type and its checksum. */
const FRAME_BYTES = 12;
const MAX_SIDE = 4_096;
const MAX_DOTS = 4_000_000;

/** By the type of colour: its channels, and the bits that each may have (PNG, table 11.1). */
const KINDS: Readonly<Record<number, { readonly channels: number; readonly bits: readonly number[] }>> = {
  0: { channels: 1, bits: [1, 2, 4, 8, 16] },
  2: { channels: 3, bits: [8, 16] },
  3: { channels: 1, bits: [1, 2, 4, 8] },
  4: { channels: 2, bits: [8, 16] },
  6: { channels: 4, bits: [8, 16] },
};
const [PALETTE, GREY_ALPHA, COLOR_ALPHA] = [3, 4, 6];

interface Header {
  readonly width: number;
  readonly height: number;
  readonly bits: number;
  readonly kind: number;
  readonly channels: number;
}

/** Throws `UnusablePicture`. */
export function readPng(file: Buffer): Png {
  const { header, palette, transparency, data } = chunksOf(file);
  const { width, height, bits, kind, channels } = header;
  const rowBytes = Math.ceil((width * bits * channels) / 8);
  const rows = expanded(data, (rowBytes + 1) * height);
  if (!hasPngFilters(rows, rowBytes)) throw damaged();
  const depth = `/BitsPerComponent ${bits}`;
  if (kind === GREY_ALPHA || kind === COLOR_ALPHA) {
    const [color, alpha] = separated(unfiltered(rows, header, rowBytes), channels, bits / 8);
    return {
      width,
      height,
      color: {
        entries: `/ColorSpace/${kind === COLOR_ALPHA ? 'DeviceRGB' : 'DeviceGray'}${depth}`,
        bytes: color,
      },
      alpha: {
        entries: `/ColorSpace/DeviceGray${depth}`,
        bytes: alpha,
      },
    };
  }
  // PDF has the filters of PNG, so the dots stay as they are.
  const filters = `/DecodeParms<</Predictor 15/Colors ${channels}/BitsPerComponent ${bits}/Columns ${width}>>`;
  if (kind !== PALETTE) {
    const space = `/ColorSpace/${channels === 3 ? 'DeviceRGB' : 'DeviceGray'}`;
    return {
      width,
      height,
      color: { entries: space + depth + filters + keyOf(transparency, channels), bytes: data },
      alpha: null,
    };
  }
  if (!palette || palette.length % 3 !== 0) throw damaged();
  const space = `/ColorSpace[/Indexed/DeviceRGB ${palette.length / 3 - 1}<${palette.toString('hex')}>]`;
  const color = { entries: space + depth + filters, bytes: data };
  return {
    width,
    height,
    color,
    alpha: transparency && ofPalette(transparency, unfiltered(rows, header, rowBytes), header, rowBytes),
  };
}

function chunksOf(file: Buffer): { header: Header; palette: Buffer | null; transparency: Buffer | null; data: Buffer } {
  if (file.subarray(0, 8).toString('hex') !== SIGNATURE) throw new UnusablePicture('The picture is no PNG.');
  let header: Header | undefined;
  let [palette, transparency]: (Buffer | null)[] = [null, null];
  const data: Buffer[] = [];
  let isWhole = false;
  for (let at = 8; at + FRAME_BYTES <= file.length && !isWhole;) {
    const end = at + FRAME_BYTES + file.readUInt32BE(at);
    if (end > file.length || crc32(file.subarray(at + 4, end - 4)) !== file.readUInt32BE(end - 4)) throw damaged();
    const type = file.toString('latin1', at + 4, at + 8);
    const body = file.subarray(at + 8, end - 4);
    if (type === 'IHDR') header = headerOf(body);
    else if (type === 'PLTE') palette = body;
    else if (type === 'tRNS') transparency = body;
    else if (type === 'IDAT') data.push(body);
    else if (type === 'IEND') isWhole = end === file.length;
    at = end;
  }
  if (!isWhole || !header || data.length === 0) throw damaged();
  return { header, palette: palette ?? null, transparency: transparency ?? null, data: Buffer.concat(data) };
}

function headerOf(body: Buffer): Header {
  if (body.length !== 13) throw damaged();
  const [width, height] = [body.readUInt32BE(0), body.readUInt32BE(4)];
  const [bits = 0, kind = 0, , , interlaced] = body.subarray(8);
  const colorType = KINDS[kind];
  if (!colorType?.bits.includes(bits)) throw damaged();
  if (width === 0 || height === 0 || Math.max(width, height) > MAX_SIDE || width * height > MAX_DOTS) {
    throw new UnusablePicture(
      `A PNG must have 1 to ${MAX_SIDE.toLocaleString('en')} dots a side, and at most ${MAX_DOTS.toLocaleString('en')} dots.`,
    );
  }
  if (interlaced !== 0) throw new UnusablePicture('The PNG is interlaced. Save it without interlacing.');
  return { width, height, bits, kind, channels: colorType.channels };
}

function expanded(data: Buffer, size: number): Buffer {
  let rows: Buffer;
  try {
    rows = inflateSync(data, { maxOutputLength: size });
  } catch {
    throw damaged();
  }
  if (rows.length !== size) throw damaged();
  return rows;
}

function unfiltered(rows: Buffer, { bits, channels }: Header, rowBytes: number): Buffer {
  const plain = withoutPngFilters(rows, rowBytes, Math.max(1, (bits * channels) / 8));
  if (plain === null) throw damaged();
  return plain;
}

/** The colours and the last channel of each dot, compressed. */
function separated(dots: Buffer, channels: number, channelBytes: number): [Buffer, Buffer] {
  const dotBytes = channels * channelBytes;
  const count = dots.length / dotBytes;
  const color = Buffer.alloc(count * (dotBytes - channelBytes));
  const alpha = Buffer.alloc(count * channelBytes);
  for (let dot = 0; dot < count; dot += 1) {
    const from = dot * dotBytes;
    dots.copy(color, dot * (dotBytes - channelBytes), from, from + dotBytes - channelBytes);
    dots.copy(alpha, dot * channelBytes, from + dotBytes - channelBytes, from + dotBytes);
  }
  return [deflateSync(color, { level: 9 }), deflateSync(alpha, { level: 9 })];
}

/** Reads the opacity of each dot of a palette; those that the list does not name are wholly opaque. */
function ofPalette(
  transparency: Buffer,
  dots: Buffer,
  { width, height, bits }: Header,
  rowBytes: number,
): CompressedStream {
  const alpha = Buffer.alloc(width * height, 255);
  for (let dot = 0; dot < alpha.length; dot += 1) {
    const bit = (dot % width) * bits;
    const byte = dots[Math.floor(dot / width) * rowBytes + (bit >> 3)]!;
    const index = (byte >> (8 - bits - (bit & 7))) & ((1 << bits) - 1);
    alpha[dot] = transparency[index] ?? 255;
  }
  return { entries: '/ColorSpace/DeviceGray/BitsPerComponent 8', bytes: deflateSync(alpha, { level: 9 }) };
}

/** The one colour that is transparent. */
function keyOf(transparency: Buffer | null, channels: number): string {
  if (!transparency) return '';
  if (transparency.length !== channels * 2) throw damaged();
  const values = Array.from({ length: channels }, (_, index) => transparency.readUInt16BE(index * 2));
  return `/Mask[${values.flatMap(value => [value, value]).join(' ')}]`;
}

function damaged(): UnusablePicture {
  return new UnusablePicture('The PNG is damaged. Save it anew.');
}
