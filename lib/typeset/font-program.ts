import { deflateSync } from 'node:zlib';
import { type Face, textFace, type Weight } from './fonts.js';

/** A glyph and the characters that it stands for: readers of the document copy and search these. */
export interface Glyph {
  readonly id: number;
  readonly codePoints: readonly number[];
  /** In thousandths of an em. */
  readonly advance: number;
}

/** A part of a font, ready to be written into a PDF. Its streams are compressed (FlateDecode). */
export interface FontProgram {
  readonly face: Face;
  readonly isCff: boolean;
  /** The font file with the glyphs that are used, and its length before it was compressed. */
  readonly file: Buffer;
  readonly fileBytes: number;
  /** From codes to glyphs of the file, two bytes for each; null where they are the same. */
  readonly glyphOfCode: Buffer | null;
  /** The width of each code, in thousandths of an em. */
  readonly widths: readonly number[];
  /** A CMap from codes to the characters that they stand for. */
  readonly toUnicode: Buffer;
}

/**
 * The letters of most documents, made into a font once for each thread. Making a font costs more than everything else
 * of a document together, so only characters that are not here are worth a font of the document's own.
 */
export interface SharedFont {
  readonly codes: GlyphCodes;
  readonly program: FontProgram;
  /** The code and the width of single characters, for text that needs no shaping. */
  readonly characters: ReadonlyMap<string, { readonly code: string; readonly advance: number }>;
}

// Latin of western Europe, figures and punctuation.
const SHARED_RANGES = [
  [0x20, 0x7e],
  [0xa1, 0xac],
  [0xae, 0xff],
] as const;
const SHARED_PUNCTUATION = '–—‘’“”„…•€™−';

const sharedFonts = new Map<Weight, SharedFont>();

/** The shared font of a weight. */
export function sharedFontOf(weight: Weight): SharedFont {
  let shared = sharedFonts.get(weight);
  if (!shared) {
    shared = makeSharedFont(weight);
    sharedFonts.set(weight, shared);
  }
  return shared;
}

function makeSharedFont(weight: Weight): SharedFont {
  const face = textFace(weight);
  const codes = new GlyphCodes(face);
  const characters = new Map<string, { code: string; advance: number }>();
  const add = (codePoint: number): void => {
    const { id, codePoints, advanceWidth } = face.font.glyphForCodePoint(codePoint);
    const advance = advanceWidth * face.scale;
    characters.set(String.fromCodePoint(codePoint), { code: codes.code({ id, codePoints, advance }), advance });
  };
  for (const [first, last] of SHARED_RANGES) for (let each = first; each <= last; each += 1) add(each);
  for (const character of SHARED_PUNCTUATION) add(character.codePointAt(0)!);
  return { codes, program: codes.program(9), characters };
}

// The types of fontkit are wrong about this one: it takes a glyph's number and gives the number that it has in the
// subset.
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

  /** The font of the glyphs that have a code. The level is high where it is made once for many documents. */
  program(level: 1 | 9): FontProgram {
    const { face, isCff } = this;
    const glyphOfCode = Buffer.alloc(this.glyphs.length * 2);
    this.glyphs.forEach(({ id }, code) => glyphOfCode.writeUInt16BE(this.subset.includeGlyph(id), code * 2));
    const file = this.subset.encode();
    return {
      face,
      isCff,
      file: deflateSync(file, { level }),
      fileBytes: file.length,
      glyphOfCode: isCff ? null : deflateSync(glyphOfCode, { level }),
      widths: this.glyphs.map(glyph => glyph.advance),
      toUnicode: deflateSync(toUnicode(this.glyphs), { level }),
    };
  }

  // One glyph for two characters gets two codes, so that both can be read back. A CFF font cannot do that: its codes
  // are its glyphs.
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
