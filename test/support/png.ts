import { crc32, deflateSync } from 'node:zlib';

interface PngOrder {
  readonly width?: number;
  readonly height?: number;
  readonly depth?: number;
  readonly colourType?: number;
  readonly interlace?: number;
  /** The bytes of the pixels, each line after the number of its filter. */
  readonly pixels?: Buffer;
  /** In place of the pixels, compressed. */
  readonly data?: Buffer;
  readonly more?: readonly Buffer[];
}

export function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([frame.subarray(0, 4), named, frame.subarray(4)]);
}

/** A PNG of one colour, or of what the order says. */
export function pngOf({
  width = 2,
  height = 2,
  depth = 8,
  colourType = 2,
  interlace = 0,
  more = [],
  ...order
}: PngOrder = {}): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([depth, colourType, 0, 0, interlace], 8);
  const samples = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }[colourType] ?? 1;
  const pixels = order.pixels ?? Buffer.alloc((1 + Math.ceil((width * samples * depth) / 8)) * height);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    ...more,
    chunk('IDAT', order.data ?? deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
