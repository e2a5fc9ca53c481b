import { ACCENT } from '../../../../lib/typeset/paper.js';
import { type Picture, pictureOfPath, pictureOfPng } from '../../../../lib/typeset/picture.js';
import { type Logo } from '../statement.content.js';

// The documents of a run have one logo each program, so reading the last one again is most of what can be saved.
let last: { readonly logo: string; readonly picture: Picture } | undefined;

/** Reads a logo. Throws `UnusablePicture`, whose message says what is wrong with it. */
export function pictureOf(logo: Logo): Picture {
  const key = 'png' in logo ? logo.png : JSON.stringify(logo);
  if (last?.logo !== key) last = { logo: key, picture: read(logo) };
  return last.picture;
}

function read(logo: Logo): Picture {
  if ('png' in logo) return pictureOfPng(Buffer.from(logo.png, 'base64'));
  const { svgPath, viewBox, color } = logo;
  return pictureOfPath(svgPath, viewBox, color === null ? ACCENT : pdfColor(color));
}

/** `#rrggbb` as PDF writes it. */
function pdfColor(color: string): string {
  const parts = /[0-9a-f]{6}/i.exec(color)?.[0].match(/../g) ?? [];
  return parts.map(part => String(Math.round((Number.parseInt(part, 16) / 255) * 1000) / 1000)).join(' ') || ACCENT;
}
