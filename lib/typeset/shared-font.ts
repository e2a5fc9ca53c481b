import { deflateSync } from 'node:zlib';
import { type FontProgram, GlyphCodes } from './font-program.js';
import { textFace, type Weight } from './fonts.js';

/**
 * The letters of most documents, made into a font and compressed once for each thread. Making a font costs more than everything
 * else of a document together, so only characters that are not here are worth a font of the document's own.
 */
export interface SharedFont {
  readonly codes: GlyphCodes;
  readonly program: CompressedProgram;
  /** The code and the width of single characters, for text that needs no shaping. */
  readonly characters: ReadonlyMap<string, { readonly code: string; readonly advance: number }>;
}

/** A font program with its streams compressed. */
export interface CompressedProgram extends FontProgram {
  readonly compressed: { readonly file: Buffer; readonly toUnicode: Buffer; readonly glyphOfCode: Buffer | null };
}

const LATIN = characters(0x20, 0x7e) + characters(0xa1, 0xac) + characters(0xae, 0xff);
const PUNCTUATION = '–—‘’“”„…•€™−';

const sharedFonts = new Map<Weight, SharedFont>();

/** The stock of a weight: Latin of western Europe, figures and punctuation. */
export function sharedFontOf(weight: Weight): SharedFont {
  let stock = sharedFonts.get(weight);
  if (!stock) {
    stock = makeSharedFont(weight);
    sharedFonts.set(weight, stock);
  }
  return stock;
}

/** Compresses well what is compressed once, and quickly what is made for one document. */
export function compress(program: FontProgram, level: 1 | 9): CompressedProgram {
  const { file, toUnicode, glyphOfCode } = program;
  return {
    ...program,
    compressed: {
      file: deflateSync(file, { level }),
      toUnicode: deflateSync(toUnicode, { level }),
      glyphOfCode: glyphOfCode && deflateSync(glyphOfCode, { level }),
    },
  };
}

function makeSharedFont(weight: Weight): SharedFont {
  const face = textFace(weight);
  const codes = new GlyphCodes(face);
  const known = [...(LATIN + PUNCTUATION)].map(character => {
    const { id, codePoints, advanceWidth } = face.font.glyphForCodePoint(character.codePointAt(0)!);
    const advance = advanceWidth * face.scale;
    return [character, { code: codes.code({ id, codePoints, advance }), advance }] as const;
  });
  return { codes, program: compress(codes.program(), 9), characters: new Map(known) };
}

function characters(first: number, last: number): string {
  return String.fromCodePoint(...Array.from({ length: last - first + 1 }, (_, index) => first + index));
}
