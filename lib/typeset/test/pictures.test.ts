import { deflateSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { extractImages } from 'unpdf';
import { checkPdf } from '../../pdf-check/pdf-check.js';
import { Paper } from '../paper.js';
import { type Picture, pictureOfPath, pictureOfPng } from '../picture.js';
import { pngOf } from './png.js';

const DESCRIPTION = { title: 'A page', author: 'Somebody', documentId: '1', issuedOn: '2026-10-01', program: 'Sample' };

function pageWith(picture: Picture): Buffer {
  const paper = new Paper(DESCRIPTION);
  paper.picture(picture, 'A picture', 54, 54, 40, 40);
  return paper.finish();
}

/** The dots of the one picture of a page, as a reader of the file has them. */
async function dotsOf(png: Buffer): Promise<number[]> {
  const pdf = pageWith(pictureOfPng(png));
  expect(checkPdf(pdf)).toBeNull();
  const [image, ...others] = await extractImages(new Uint8Array(pdf), 1);
  expect(others).toEqual([]);
  return [...image!.data];
}

describe('a PNG', () => {
  const [red, teal, sand] = [
    [200, 10, 20],
    [0, 128, 128],
    [240, 220, 180],
  ] as const;
  const colors = [...red, ...teal, ...sand, ...teal];

  test('of colours is the same to a reader, whatever filters its rows have', async () => {
    for (const filter of [0, 1, 2, 3, 4] as const) {
      expect(await dotsOf(pngOf({ width: 2, height: 2, kind: 2, dots: colors, filter }))).toEqual(colors);
    }
  });

  test('that is partly transparent keeps its colours and how opaque they are', async () => {
    for (const filter of [0, 1, 2, 3, 4] as const) {
      const dots = [...red, 255, ...teal, 128, ...sand, 0, ...teal, 255];
      expect(await dotsOf(pngOf({ width: 2, height: 2, kind: 6, dots, filter }))).toEqual(dots);
    }
  });

  test('of a palette has its colours, also with transparent ones among them', async () => {
    const palette = [...red, ...teal, ...sand];
    const dots = [0, 1, 2, 1];
    expect(await dotsOf(pngOf({ width: 2, height: 2, kind: 3, dots, palette }))).toEqual(colors);
    const see = await dotsOf(pngOf({ width: 2, height: 2, kind: 3, dots, palette, transparency: [255, 0] }));
    expect(see).toEqual([...red, 255, ...teal, 0, ...sand, 255, ...teal, 0]);
  });

  test.each([
    ['no PNG', Buffer.from('GIF89a and more of it'), 'no PNG'],
    ['cut', pngOf({ width: 2, height: 2, kind: 2, dots: colors }).subarray(0, 50), 'damaged'],
    ['of too little data', pngOf({ width: 2, height: 3, kind: 2, dots: colors }), 'damaged'],
    ['of too much data', pngOf({ width: 2, height: 1, kind: 2, dots: [...colors, ...colors] }), 'damaged'],
    ['a bomb', pngOf({ width: 2, height: 2, kind: 2, data: deflateSync(Buffer.alloc(50_000_000)) }), 'damaged'],
    ['too large', pngOf({ width: 5_000, height: 1, kind: 2, dots: [] }), '4,096'],
    ['interlaced', pngOf({ width: 2, height: 2, kind: 2, dots: colors, interlaced: 1 }), 'interlaced'],
    ['of an unknown kind', pngOf({ width: 2, height: 2, kind: 5, dots: colors }), 'damaged'],
    ['of a palette that is missing', pngOf({ width: 2, height: 2, kind: 3, dots: [0, 0, 0, 0] }), 'damaged'],
  ])('that is %s is refused, and the sentence says why', (_what, png, why) => {
    expect(() => pictureOfPng(png)).toThrow(
      expect.objectContaining({ name: 'UnusablePicture', message: expect.stringContaining(why) }),
    );
  });
});

describe('outlines', () => {
  const steps = (d: string): string => {
    const picture = pictureOfPath(d, [0, 0, 100, 100], '0 0 0');
    if (!('outline' in picture)) throw new Error('there are no outlines');
    return picture.outline
      .map(({ operator, points }) => [operator, ...points.map(value => Math.round(value * 10) / 10)].join(' '))
      .join(', ');
  };

  test.each([
    ['M1 2L3 4H9V8Z', 'm 1 2, l 3 4, l 9 4, l 9 8, h'],
    ['m1 2 3 4-1-2z', 'm 1 2, l 4 6, l 3 4, h'],
    ['M.5.5 1.5.5', 'm 0.5 0.5, l 1.5 0.5'],
    ['M0 0C1 1 2 2 3 3S5 5 6 6', 'm 0 0, c 1 1 2 2 3 3, c 4 4 5 5 6 6'],
    ['M0 0Q3 3 6 0T12 0', 'm 0 0, c 2 2 4 2 6 0, c 8 -2 10 -2 12 0'],
    ['M0 0zm5 5l1 1', 'm 0 0, h, m 5 5, l 6 6'],
    ['M10 0A10 10 0 0 1 20 10', 'm 10 0, c 15.5 0 20 4.5 20 10'],
    ['M10 0a10 10 0 0110 10', 'm 10 0, c 15.5 0 20 4.5 20 10'],
    ['M0 0A0 5 0 0 1 20 10', 'm 0 0, l 20 10'],
  ])('are read as SVG has them: %s', (d, expected) => {
    expect(steps(d)).toBe(expected);
  });

  test.each(['', 'L1 1', 'M1', 'M1 1 X', 'M1 1L', 'M0 0A1 1 0 2 0 3 3', 'M0 0z 5', '<path d="M0 0"/>'])(
    'that cannot be read are refused: %s',
    d => {
      expect(() => steps(d)).toThrow('The path cannot be read');
    },
  );

  test('stand where they should, in a file that is whole', () => {
    const pdf = pageWith(pictureOfPath('M0 0h24v24h-24z', [0, 0, 24, 24], '0 0 1'));
    expect(checkPdf(pdf)).toBeNull();
    expect(() => pictureOfPath('M0 0', [0, 0, 0, 24], '0 0 1')).toThrow('The view box');
  });
});
