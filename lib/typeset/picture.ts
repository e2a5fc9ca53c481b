import { point } from './embedding.js';
import { type PdfFile, type Reference, refer } from './file.js';
import { type Png, readPng } from './png.js';
import { type Outline, readOutline } from './svg-path.js';
import { UnusablePicture } from './unusable-picture.js';

/** A picture that has been read: dots, or outlines that are filled with one colour. */
export type Picture = { readonly width: number; readonly height: number } & (
  | { readonly png: Png }
  | { readonly outline: Outline; readonly left: number; readonly top: number; readonly color: string }
);

/** A PNG of 1 to 4,096 dots a side, not interlaced. Throws `UnusablePicture`. */
export function pictureOfPng(bytes: Buffer): Picture {
  const png = readPng(bytes);
  return { png, width: png.width, height: png.height };
}

/**
 * Outlines in the syntax of the `d` of an SVG path, and the part of their plane that is shown: left, top, width and
 * height. The colour is as PDF writes it. Throws `UnusablePicture`.
 */
export function pictureOfPath(d: string, viewBox: readonly [number, number, number, number], color: string): Picture {
  const [left, top, width, height] = viewBox;
  if (!viewBox.every(Number.isFinite) || width <= 0 || height <= 0) {
    throw new UnusablePicture(
      'The view box must be four numbers: left, top, width and height, the last two above zero.',
    );
  }
  return { outline: readOutline(d), left, top, width, height, color };
}

/** The pictures of one document. */
export class Pictures {
  private readonly shown: Png[] = [];

  /** The operators that show a picture below a height on the page, which is measured from its lower edge. */
  show(picture: Picture, x: number, top: number, width: number, height: number): string {
    if ('png' in picture) {
      let index = this.shown.indexOf(picture.png);
      if (index < 0) index = this.shown.push(picture.png) - 1;
      return `q ${point(width)} 0 0 ${point(height)} ${point(x)} ${point(top - height)} cm /P${index} Do Q`;
    }
    const { outline, color } = picture;
    const [across, down] = [width / picture.width, height / picture.height];
    const clip = `${point(x)} ${point(top - height)} ${point(width)} ${point(height)} re W n`;
    const path = outline.map(({ operator, points }) => {
      const numbers = points.map((value, index) =>
        point(index % 2 === 0 ? x + (value - picture.left) * across : top - (value - picture.top) * down),
      );
      return [...numbers, operator].join(' ');
    });
    return `q ${clip} ${color} rg ${path.join(' ')} f Q`;
  }

  /** Writes the pictures into a file, and gives them by their names in the pages. */
  embed(file: PdfFile): string {
    return this.shown.map((png, index) => `/P${index} ${refer(embedPng(file, png))}`).join('');
  }
}

function embedPng(file: PdfFile, { width, height, color, alpha }: Png): Reference {
  const image = `/Type/XObject/Subtype/Image/Width ${width}/Height ${height}`;
  const mask = alpha && file.addStream({ entries: image + alpha.entries, bytes: alpha.bytes });
  const entries = image + color.entries + (mask ? `/SMask ${refer(mask)}` : '');
  return file.addStream({ entries, bytes: color.bytes });
}
