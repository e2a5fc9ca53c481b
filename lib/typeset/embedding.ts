import { type PdfFile, type Reference, refer, textString } from './file.js';
import { type FontProgram, GlyphCodes, sharedFontOf } from './font-program.js';
import { type Face, type Weight } from './fonts.js';
import { type GlyphText, type Run, type SetText } from './runs.js';

const SHARED_NAMES: Readonly<Record<Weight, string>> = { regular: 'R', semibold: 'S' };

/** The fonts of one document: the shared ones, and its own with the glyphs that it uses of other characters. */
export class DocumentFonts {
  private readonly shared = new Set<Weight>();
  private readonly own = new Map<Face, { readonly name: string; readonly codes: GlyphCodes }>();

  /** The operators that show a text at a size in points, inside of BT and ET. */
  show({ runs }: SetText, size: number): string {
    let operators = '';
    let reads: GlyphText | null = null;
    for (let index = 0; index < runs.length;) {
      const first = runs[index]!;
      let shown = '';
      for (; index < runs.length && isAlike(first, runs[index]!); index += 1) shown += this.glyphsOf(runs[index]!);
      if (first.reads !== reads) {
        if (reads) operators += 'EMC\n';
        if (first.reads) operators += `/Span<</ActualText${textString(first.reads.text)}>>BDC\n`;
        reads = first.reads;
      }
      const array = `/${this.nameOf(first)} ${size} Tf [<${shown}>] TJ\n`;
      operators += first.rise === 0 ? array : `${point((first.rise * size) / 1000)} Ts ${array}0 Ts\n`;
    }
    return reads ? `${operators}EMC\n` : operators;
  }

  /** Writes the fonts that were used into a file, and gives them by their names in the pages. */
  embed(file: PdfFile): string {
    let fonts = '';
    const add = (name: string, program: FontProgram, tag: string): void => {
      fonts += `/${name} ${refer(embedProgram(file, program, tag))}`;
    };
    for (const weight of this.shared) add(SHARED_NAMES[weight], sharedFontOf(weight).program, 'AAAAAA');
    for (const { name, codes } of this.own.values()) add(name, codes.program(1), `BAAAA${name.slice(-1)}`);
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
  return one.face === other.face && one.shared === other.shared && one.rise === other.rise && one.reads === other.reads;
}

// A composite font (ISO 32000-1, 9.7) with two-byte codes.
function embedProgram(file: PdfFile, program: FontProgram, tag: string): Reference {
  const { face, isCff, glyphOfCode } = program;
  const { font, scale } = face;
  const { minX, minY, maxX, maxY } = font.bbox;
  const name = `/${tag}+${(font.postscriptName ?? 'Font').replace(/[^A-Za-z0-9-]/g, '')}`;
  const sides = [minX, minY, maxX, maxY].map(side => point(side * scale)).join(' ');
  const heights = [font.ascent, font.descent, font.capHeight || font.ascent].map(height => point(height * scale));
  const fileEntries = isCff ? '/Subtype/CIDFontType0C' : `/Length1 ${program.fileBytes}`;
  const fontFile = file.addStream({ entries: fileEntries, bytes: program.file });
  const descriptor = file.add(
    `<</Type/FontDescriptor/FontName${name}/Flags 4/ItalicAngle 0/StemV 80/FontBBox[${sides}]/Ascent ${heights[0]}` +
      `/Descent ${heights[1]}/CapHeight ${heights[2]}/FontFile${isCff ? 3 : 2} ${refer(fontFile)}>>`,
  );
  const map = glyphOfCode ? `/CIDToGIDMap ${refer(file.addStream({ entries: '', bytes: glyphOfCode }))}` : '';
  const descendant = file.add(
    `<</Type/Font/Subtype/CIDFontType${isCff ? 0 : 2}/BaseFont${name}` +
      `/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>` +
      `/FontDescriptor ${refer(descriptor)}/W[0[${program.widths.map(point).join(' ')}]]${map}>>`,
  );
  const toUnicode = file.addStream({ entries: '', bytes: program.toUnicode });
  return file.add(
    `<</Type/Font/Subtype/Type0/BaseFont${name}/Encoding/Identity-H/DescendantFonts[${refer(descendant)}]` +
      `/ToUnicode ${refer(toUnicode)}>>`,
  );
}
