import { expect, test } from '@jest/globals';
import { readPng } from '../png.js';
import { chunk, pngOf } from '../../../test/support/png.js';

const good = pngOf();
const changed = (at: number): Buffer => {
  const bytes = Buffer.from(good);
  bytes.writeUInt8((bytes[at] as number) ^ 1, at);
  return bytes;
};
const PALETTE = chunk('PLTE', Buffer.from([0, 0, 0, 255, 255, 255]));

test.each([
  ['colours', pngOf()],
  ['greys of one bit', pngOf({ depth: 1, colourType: 0, width: 9 })],
  ['colours that can be seen through', pngOf({ colourType: 6 })],
  ['a palette', pngOf({ colourType: 3, depth: 4, more: [PALETTE] })],
  ['samples of 16 bits', pngOf({ depth: 16 })],
  ['an animation, by its first picture', pngOf({ more: [chunk('acTL', Buffer.alloc(8))] })],
  ['the largest size', pngOf({ width: 4096, height: 2 })],
])('a picture of %s can be drawn', (_what, bytes) => {
  expect(readPng(bytes)).toMatchObject({ width: expect.any(Number), height: expect.any(Number) });
});

test.each([
  ['nothing', Buffer.alloc(0), 'no PNG'],
  ['another format', Buffer.from('GIF89a and more'), 'no PNG'],
  ['the signature alone', good.subarray(0, 8), 'damaged'],
  ['a cut file', good.subarray(0, good.length - 1), 'damaged'],
  ['something behind the end', Buffer.concat([good, Buffer.from('MZ')]), 'damaged'],
  ['a changed header', changed(17), 'damaged'],
  ['changed pixels', changed(good.length - 20), 'damaged'],
  ['no width', pngOf({ width: 0, pixels: Buffer.alloc(2) }), 'dots a side'],
  ['a depth that its colours cannot have', pngOf({ depth: 4 }), 'damaged'],
  ['a palette that is missing', pngOf({ colourType: 3 }), 'damaged'],
  ['fewer pixels than its size', pngOf({ pixels: Buffer.alloc(5) }), 'damaged'],
  ['more pixels than its size', pngOf({ pixels: Buffer.alloc(500) }), 'damaged'],
  ['an unknown filter', pngOf({ pixels: Buffer.alloc(14, 9) }), 'damaged'],
  ['too many pixels', pngOf({ width: 4097 }), 'dots a side'],
  // It says so before anything is unpacked.
  ['a size that nobody has memory for', pngOf({ width: 0xffffffff, pixels: Buffer.alloc(1) }), 'dots a side'],
  ['interlaced lines', pngOf({ interlace: 1 }), 'interlaced'],
])('a picture with %s cannot be drawn', (_what, bytes, problem) => {
  expect(() => readPng(bytes)).toThrow(problem);
});
