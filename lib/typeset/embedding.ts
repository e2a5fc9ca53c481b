import { type FontProgram, GlyphCodes, sharedFontOf } from './font-program.js';
import { type Face, type Weight } from './fonts.js';
import { type Run, type SetText } from './runs.js';

type Reference = PDFKit.PDFKitReference;

const SHARED_NAMES: Readonly<Record<Weight, string>> = { regular: 'R', semibold: 'S' };

/** The fonts of one document: the shared ones, and its own with the glyphs that it uses of other characters. */
export class DocumentFonts {
  private readonly shared = new Set<Weight>();
  private readonly own = new Map<Face, { readonly name: string; readonly codes: GlyphCodes }>();

  /** The operators that show a text at a size in points, inside of BT and ET. */
  show({ runs }: SetText, size: number): string {
    let operators = '';
    for (let index = 0; index < runs.length;) {
      const first = runs[index]!;
      let shown = '';
      for (; index < runs.length && isAlike(first, runs[index]!); index += 1) shown += this.glyphsOf(runs[index]!);
      const array = `/${this.nameOf(first)} ${size} Tf [<${shown}>] TJ\n`;
      operators += first.rise === 0 ? array : `${point((first.rise * size) / 1000)} Ts ${array}0 Ts\n`;
    }
    return operators;
  }

  /** Writes the fonts that were used into a document, and gives them by their names in the pages. */
  embed(document: PDFKit.PDFDocument): Record<string, Reference> {
    const fonts: Record<string, Reference> = {};
    for (const weight of this.shared) {
      fonts[SHARED_NAMES[weight]] = embedProgram(document, sharedFontOf(weight).program, 'AAAAAA');
    }
    for (const { name, codes } of this.own.values()) {
      fonts[name] = embedProgram(document, codes.program(1), `BAAAA${name.slice(-1)}`);
    }
    return fonts;
  }

  private glyphsOf(run: Run): string {
    if (run.shared) return run.shown[0] as string;
    const { codes } = this.ownFont(run.face);
    return run.shown.map(part => (typeof part === 'string' ? part : codes.code(part))).join('');
  }

  private nameOf(run: Run): string {
    if (!run.shared) return this.ownFont(run.face).name;
    this.shared.add(run.shared);
    return SHARED_NAMES[run.shared];
  }

  private ownFont(face: Face): { readonly name: string; readonly codes: GlyphCodes } {
    let font = this.own.get(face);
    if (!font) {
      font = { name: `F${String.fromCharCode(A + this.own.size)}`, codes: new GlyphCodes(face) };
      this.own.set(face, font);
    }
    return font;
  }
}

const A = 65;

/** A number as PDF writes it, to a hundredth of a point. */
export function point(value: number): string {
  return String(Math.round(value * 100) / 100);
}

function isAlike(one: Run, other: Run): boolean {
  return one.face === other.face && one.shared === other.shared && one.rise === other.rise;
}

// A composite font (ISO 32000-1, 9.7) with two-byte codes. PDFKit makes these for its own text only, and there parses,
// shapes and subsets each font again for every document.
function embedProgram(document: PDFKit.PDFDocument, program: FontProgram, tag: string): Reference {
  const { face, isCff, glyphOfCode } = program;
  const { font, scale } = face;
  const { minX, minY, maxX, maxY } = font.bbox;
  const name = `${tag}+${(font.postscriptName ?? 'Font').replace(/[^A-Za-z0-9-]/g, '')}`;
  const fileType = isCff ? { Subtype: 'CIDFontType0C' } : { Length1: program.fileBytes };
  const descriptor = dictionary(document, {
    Type: 'FontDescriptor',
    FontName: name,
    Flags: 4,
    ItalicAngle: 0,
    StemV: 80,
    FontBBox: [minX, minY, maxX, maxY].map(side => side * scale),
    Ascent: font.ascent * scale,
    Descent: font.descent * scale,
    CapHeight: (font.capHeight || font.ascent) * scale,
    [isCff ? 'FontFile3' : 'FontFile2']: stream(document, program.file, fileType),
  });
  const descendant = dictionary(document, {
    Type: 'Font',
    Subtype: isCff ? 'CIDFontType0' : 'CIDFontType2',
    BaseFont: name,
    CIDSystemInfo: { Registry: literal('Adobe'), Ordering: literal('Identity'), Supplement: 0 },
    FontDescriptor: descriptor,
    W: [0, program.widths],
    ...(glyphOfCode && { CIDToGIDMap: stream(document, glyphOfCode, {}) }),
  });
  return dictionary(document, {
    Type: 'Font',
    Subtype: 'Type0',
    BaseFont: name,
    Encoding: 'Identity-H',
    DescendantFonts: [descendant],
    ToUnicode: stream(document, program.toUnicode, {}),
  });
}

// PDFKit writes a primitive string as a name, and a String object as text.
function literal(text: string): object {
  return Object(text) as object;
}

function dictionary(document: PDFKit.PDFDocument, data: object): Reference {
  const reference = document.ref(data);
  reference.end(null);
  return reference;
}

function stream(document: PDFKit.PDFDocument, compressed: Buffer, data: object): Reference {
  const reference = document.ref({ ...data, Filter: 'FlateDecode' });
  reference.end(compressed);
  return reference;
}
