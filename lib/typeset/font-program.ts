import { type Face } from './fonts.js';

/** A glyph and the characters that it stands for, which is what a reader copies and searches. */
export interface Glyph {
  readonly id: number;
  readonly codePoints: readonly number[];
  /** In thousandths of an em. */
  readonly advance: number;
}

/** A part of a font, ready to be written into a PDF, and the codes that its glyphs have there. */
export interface FontProgram {
  readonly face: Face;
  readonly isCff: boolean;
  /** The font file with the glyphs that are used, not compressed. */
  readonly file: Uint8Array;
  /** From codes to glyphs of the file, two bytes for each; null where they are the same. */
  readonly glyphOfCode: Uint8Array | null;
  /** Of each code, in thousandths of an em. */
  readonly widths: readonly number[];
  /** A CMap from codes to the characters that they stand for. */
  readonly toUnicode: string;
}

// The types of fontkit are wrong about this one: it takes a glyph's number and gives the number that it has in the subset.
interface GlyphSubset {
  readonly cff?: object;
  includeGlyph(id: number): number;
  encode(): Uint8Array;
}

/** Hands out codes to glyphs of one face, and in the end makes the font of those that were asked for. */
export class GlyphCodes {
  private readonly codes = new Map<string, string>();
  private readonly glyphs: Glyph[] = [];
  private readonly subset: GlyphSubset;
  private readonly isCff: boolean;

  constructor(readonly face: Face) {
    this.subset = face.font.createSubset() as unknown as GlyphSubset;
    this.isCff = this.subset.cff !== undefined;
    // Code 0 is the glyph for a missing character, as in every font.
    this.code({ id: 0, codePoints: [0xfffd], advance: face.font.getGlyph(0).advanceWidth * face.scale });
  }

  /** The code of a glyph as four hexadecimal digits, if it has one. */
  find(glyph: Glyph): string | undefined {
    return this.codes.get(this.keyOf(glyph));
  }

  /** The code of a glyph, old or new. */
  code(glyph: Glyph): string {
    let code = this.find(glyph);
    if (!code) {
      code = hex(this.glyphs.length);
      this.codes.set(this.keyOf(glyph), code);
      this.glyphs.push(glyph);
    }
    return code;
  }

  program(): FontProgram {
    const glyphOfCode = new Uint8Array(this.glyphs.length * 2);
    this.glyphs.forEach(({ id }, code) => {
      const glyph = this.subset.includeGlyph(id);
      glyphOfCode[code * 2] = glyph >> 8;
      glyphOfCode[code * 2 + 1] = glyph & 0xff;
    });
    return {
      face: this.face,
      isCff: this.isCff,
      file: this.subset.encode(),
      glyphOfCode: this.isCff ? null : glyphOfCode,
      widths: this.glyphs.map(glyph => glyph.advance),
      toUnicode: toUnicode(this.glyphs),
    };
  }

  // One glyph for two characters gets two codes, so that both can be read back. A CFF font cannot do that: its codes are its glyphs.
  private keyOf(glyph: Glyph): string {
    return this.isCff ? String(glyph.id) : `${glyph.id}:${glyph.codePoints.join(' ')}`;
  }
}

function toUnicode(glyphs: readonly Glyph[]): string {
  const lines = glyphs.map(({ codePoints }, code) => `<${hex(code)}> <${utf16(codePoints)}>`);
  const blocks: string[] = [];
  for (let first = 0; first < lines.length; first += MAX_BFCHARS) {
    const block = lines.slice(first, first + MAX_BFCHARS);
    blocks.push(`${block.length} beginbfchar\n${block.join('\n')}\nendbfchar`);
  }
  return CMAP_HEAD + blocks.join('\n') + CMAP_TAIL;
}

// Empty for a glyph that stands for no character of its own, such as the dots of an Arabic letter.
function utf16(codePoints: readonly number[]): string {
  return String.fromCodePoint(...codePoints)
    .split('')
    .map(unit => hex(unit.charCodeAt(0)))
    .join('');
}

function hex(value: number): string {
  return value.toString(16).padStart(4, '0');
}

// ISO 32000-1, 9.10.3 and the CMap specification: at most a hundred entries to a block.
const MAX_BFCHARS = 100;
const CMAP_HEAD = `/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
/CMapName /Adobe-Identity-UCS def
/CMapType 2 def
1 begincodespacerange
<0000> <ffff>
endcodespacerange
`;
const CMAP_TAIL = `
endcmap
CMapName currentdict /CMap defineresource pop
end
end`;
