import { type Font, type GlyphRun } from 'fontkit';
import { type Glyph, type SharedFont, sharedFontOf } from './font-program.js';
import { type Face, faceFor, type Ideographs, textFace, type Weight } from './fonts.js';

/**
 * Glyphs of one font beside each other. `shown` is the inside of a TJ array (ISO 32000-1, 9.4.3) without its first `<`
 * and its last `>`: text where the codes are known, glyphs that wait for the codes of a document's own font where they
 * are not.
 */
export interface Run {
  readonly face: Face;
  readonly shared: Weight | null;
  readonly shown: readonly (string | Glyph)[];
  /** The distance of the glyphs above the line, in thousandths of an em: a vowel sign over an Arabic letter has one. */
  readonly rise: number;
  /** Set where the glyphs do not say what was written, alike for all runs of one text: what to read in their place. */
  readonly reads: GlyphText | null;
  /** True if a character is shown as an empty box, or a script without its shaping. */
  readonly isFlawed: boolean;
}

/** The text that readers copy and say in place of glyphs. */
export interface GlyphText {
  readonly text: string;
}

/** Text that has been set: its runs from left to right, and its width in thousandths of an em. */
export interface SetText {
  readonly runs: readonly Run[];
  readonly width: number;
}

// No ligatures: a reader copies what was written, and the shared fonts have letters only.
const FEATURES = { liga: false, clig: false };

/** Makes runs of a word: each character in the first face that has it, shaped by that face. */
export function shape(word: string, weight: Weight, isRightToLeft: boolean, ideographs: Ideographs): SetText {
  const text = new RunBuilder(weight);
  const parts = byFace(word, weight, ideographs);
  for (const part of isRightToLeft ? parts.reverse() : parts) {
    if (part.face) text.add(part.face, part.text, isRightToLeft);
    else text.addMissing(part.text, isRightToLeft);
  }
  return { runs: text.runs, width: text.width };
}

function byFace(word: string, weight: Weight, ideographs: Ideographs): { face: Face | null; text: string }[] {
  const parts: { face: Face | null; text: string }[] = [];
  for (const character of word) {
    const codePoint = character.codePointAt(0)!;
    const last = parts.at(-1);
    // A mark stays in the font of its letter, which knows where to put it, and a space in that of its words.
    const isAttached = /[\p{M} ]/u.test(character) && last?.face?.codePoints.has(codePoint) === true;
    const face = isAttached ? last.face : faceFor(codePoint, weight, ideographs);
    if (last?.face === face) last.text += character;
    else parts.push({ face, text: character });
  }
  return parts;
}

class RunBuilder {
  readonly runs: {
    face: Face;
    shared: Weight | null;
    shown: (string | Glyph)[];
    rise: number;
    reads: GlyphText | null;
    isFlawed: boolean;
  }[] = [];
  width = 0;
  private reads: GlyphText | null = null;
  private readonly sharedFont: SharedFont;

  constructor(private readonly weight: Weight) {
    this.sharedFont = sharedFontOf(weight);
  }

  add(face: Face, text: string, isRightToLeft: boolean): void {
    const isMoved = MOVED.test(text);
    this.reads = isMoved ? { text } : null;
    const { glyphs, positions, isUnshaped } = layOut(face, text.replaceAll(SARA_AM, '\u0e4d$1\u0e32'), isRightToLeft);
    const characters = isMoved ? glyphs.map(glyph => glyph.codePoints) : charactersOf(glyphs, text, isRightToLeft);
    const runsBefore = this.runs.length;
    glyphs.forEach((glyph, index) => {
      const { xAdvance, xOffset, yOffset } = positions[index]!;
      const advance = glyph.advanceWidth * face.scale;
      const shift = Math.round(xOffset * face.scale);
      const kerning = Math.round(xAdvance * face.scale - advance) - shift;
      const [first, ...others] = characters[index]!;
      const codePoints = isRightToLeft && first !== undefined ? [first] : characters[index]!;
      if (isRightToLeft) for (const other of others.reverse()) this.push(face, invisible(face, other), 0, 0, 0);
      this.push(face, { id: glyph.id, codePoints, advance }, shift, kerning, Math.round(yOffset * face.scale));
      this.width += advance + shift + kerning;
    });
    this.reads = null;
    if (isUnshaped === true && isMoved) for (const run of this.runs.slice(runsBefore)) run.isFlawed = true;
  }

  /** Characters that no font has: the text face's empty box, which still reads back as the character. */
  addMissing(text: string, isRightToLeft: boolean): void {
    const face = textFace(this.weight);
    const advance = face.font.getGlyph(0).advanceWidth * face.scale;
    const characters = Array.from(text);
    for (const character of isRightToLeft ? characters.reverse() : characters) {
      this.push(face, { id: 0, codePoints: [character.codePointAt(0)!], advance }, 0, 0, 0);
      this.runs.at(-1)!.isFlawed = true;
      this.width += advance;
    }
  }

  private push(face: Face, glyph: Glyph, shift: number, kerning: number, rise: number): void {
    const code = face === this.sharedFont.codes.face ? this.sharedFont.codes.find(glyph) : undefined;
    const shared = code ? this.weight : null;
    let run = this.runs.at(-1);
    if (run?.face !== face || run.shared !== shared || run.rise !== rise || run.reads !== this.reads) {
      run = { face, shared, shown: [], rise, reads: this.reads, isFlawed: false };
      this.runs.push(run);
    }
    if (shift !== 0) append(run.shown, `>${-shift}<`);
    append(run.shown, code ?? glyph);
    if (kerning !== 0) append(run.shown, `>${-kerning}<`);
  }
}

// The second letter of an Arabic ligature, with no shape of its own: readers of a file turn glyphs around, not the
// letters of one.
function invisible({ font }: Face, codePoint: number): Glyph {
  return { id: font.glyphForCodePoint(0x20).id, codePoints: [codePoint], advance: 0 };
}

type ShapedText = Pick<GlyphRun, 'glyphs' | 'positions'> & { readonly isUnshaped?: boolean };

// Indic scripts write glyphs in another order than their letters, and Thai takes one of its vowels apart.
const MOVED = /\p{Script=Devanagari}|[\u0e48-\u0e4b]\u0e33/u;
// The ring of this vowel stands below a tone mark, and is written after it: fonts expect the parts in the order of the
// page.
const SARA_AM = /([\u0e48-\u0e4b])\u0e33/gu;

// fontkit remembers of each glyph the characters that it stood for at first, and counts and places others by those. So
// what was set before could change what is set now. That matters only where glyphs are not characters one by one: it
// forgets then.
function layOut({ font }: Face, text: string, isRightToLeft: boolean): ShapedText {
  const direction = isRightToLeft ? 'rtl' : 'ltr';
  const isOneByOne = !/\p{M}/u.test(text);
  try {
    if (!isOneByOne) forgetGlyphs(font);
    const run = font.layout(text, FEATURES, undefined, undefined, direction);
    if (isOneByOne && run.glyphs.length === Array.from(text).length) return run;
    forgetGlyphs(font);
    return font.layout(text, FEATURES, undefined, undefined, direction);
  } catch {
    // fontkit fails on some tables of some fonts, such as marks without a place. Letters without shaping are better
    // than no document.
    return unshaped(font, text, isRightToLeft);
  }
}

function forgetGlyphs(font: Font): void {
  (font as { _glyphs?: object })._glyphs = {};
}

function unshaped(font: Font, text: string, isRightToLeft: boolean): ShapedText {
  const glyphs = Array.from(text, character => font.glyphForCodePoint(character.codePointAt(0)!));
  if (isRightToLeft) glyphs.reverse();
  return {
    isUnshaped: true,
    glyphs,
    positions: glyphs.map(glyph => ({ xAdvance: glyph.advanceWidth, yAdvance: 0, xOffset: 0, yOffset: 0 })),
  };
}

// Which characters each glyph stands for: fontkit is right about how many they are, and they come in reading order.
function charactersOf(
  glyphs: GlyphRun['glyphs'],
  text: string,
  isRightToLeft: boolean,
): readonly (readonly number[])[] {
  const codePoints = Array.from(text, character => character.codePointAt(0)!);
  const inReadingOrder = isRightToLeft ? glyphs.toReversed() : glyphs;
  const counts = inReadingOrder.map(glyph => (glyphs.length === codePoints.length ? 1 : glyph.codePoints.length));
  if (counts.reduce((sum, count) => sum + count, 0) !== codePoints.length) return glyphs.map(glyph => glyph.codePoints);
  let next = 0;
  const characters = counts.map(count => codePoints.slice(next, (next += count)));
  return isRightToLeft ? characters.reverse() : characters;
}

function append(shown: (string | Glyph)[], part: string | Glyph): void {
  const last = shown.at(-1);
  if (typeof last === 'string' && typeof part === 'string') shown[shown.length - 1] = last + part;
  else shown.push(part);
}
