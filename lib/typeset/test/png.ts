import { chunk, pngOf as pngOfPixels } from '../../../test/support/png.js';

interface PngShape {
  readonly width: number;
  readonly height: number;
  /** The type of colour, as in PNG: 2 of colours, 3 of a palette, 6 of colours and alpha. */
  readonly kind: number;
  /** The pixels, with eight bits a channel. */
  readonly dots?: readonly number[];
  readonly filter?: 0 | 1 | 2 | 3 | 4;
  readonly palette?: readonly number[];
  readonly transparency?: readonly number[];
  readonly interlaced?: number;
  /** In place of the dots, compressed. */
  readonly data?: Buffer;
}

/** A PNG, also one that is wrong. */
export function pngOf({ width, height, kind, dots = [], filter = 0, interlaced = 0, ...rest }: PngShape): Buffer {
  const { palette, transparency, data } = rest;
  const channels = kind === 2 ? 3 : kind === 6 ? 4 : 1;
  const rowBytes = width * channels;
  const rows = Buffer.concat(
    Array.from({ length: dots.length / rowBytes }, (_, row) => filtered(dots, row, rowBytes, channels, filter)),
  );
  return pngOfPixels({
    width,
    height,
    colourType: kind,
    interlace: interlaced,
    pixels: rows,
    ...(data && { data }),
    more: [
      ...(palette ? [chunk('PLTE', Buffer.from(palette))] : []),
      ...(transparency ? [chunk('tRNS', Buffer.from(transparency))] : []),
    ],
  });
}

function filtered(dots: readonly number[], row: number, rowBytes: number, step: number, filter: number): Buffer {
  const at = (y: number, x: number): number => (y < 0 || x < 0 ? 0 : dots[y * rowBytes + x]!);
  const bytes = Array.from({ length: rowBytes }, (_, x) => {
    const [left, above, corner] = [at(row, x - step), at(row - 1, x), at(row - 1, x - step)];
    const estimate = left + above - corner;
    const nearest = [left, above, corner].toSorted(
      (one, other) => Math.abs(estimate - one) - Math.abs(estimate - other),
    )[0]!;
    const predicted = [0, left, above, Math.floor((left + above) / 2), nearest][filter]!;
    return (at(row, x) - predicted) & 255;
  });
  return Buffer.from([filter, ...bytes]);
}
