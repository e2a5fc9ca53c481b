import { readPng, type Png } from '../../../lib/typeset/png.js';
import { readOutline } from '../../../lib/typeset/svg-path.js';
import { UnusablePicture } from '../../../lib/typeset/unusable-picture.js';

export const MAX_PNG_BYTES = 64 * 1024;
/** In base64. */
export const MAX_PNG_CHARACTERS = Math.ceil(MAX_PNG_BYTES / 3) * 4;
/** A logo is printed some centimetres wide: this is 600 dots an inch of it, and bounds what a picture expands to. */
export const MAX_PNG_SIDE = 1200;
export const MAX_PATH_CHARACTERS = 32_768;
const MAX_VIEW = 100_000;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** True for a text that is the base64 of a PNG that can be printed. */
export function isPng(base64: string): boolean {
  if (base64.length > MAX_PNG_CHARACTERS || !BASE64.test(base64)) return false;
  const bytes = Buffer.from(base64, 'base64');
  return bytes.length <= MAX_PNG_BYTES && isUsable(() => isSmall(readPng(bytes)));
}

/**
 * True for a text that is path data that can be drawn. Nothing else can be in it, so it can neither load nor run
 * anything.
 */
export function isPathData(text: string): boolean {
  return text.length <= MAX_PATH_CHARACTERS && isUsable(() => readOutline(text).length > 0);
}

function isSmall({ width, height }: Png): boolean {
  return Math.max(width, height) <= MAX_PNG_SIDE;
}

function isUsable(read: () => boolean): boolean {
  try {
    return read();
  } catch (error) {
    if (error instanceof UnusablePicture) return false;
    throw error;
  }
}

/** Left, top, width and height of what is shown. */
export function isViewBox(value: unknown): boolean {
  if (!Array.isArray(value) || value.length !== 4) return false;
  const [, , width, height] = value as number[];
  return (
    value.every(number => typeof number === 'number' && Math.abs(number) <= MAX_VIEW) &&
    (width as number) > 0 &&
    (height as number) > 0
  );
}
