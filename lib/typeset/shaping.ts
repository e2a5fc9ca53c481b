import createBidi from 'bidi-js';
import { type Ideographs, ideographsOf, type Weight } from './fonts.js';
import { type Run, type SetText, shape } from './runs.js';
import { type SharedFont, sharedFontOf } from './shared-font.js';

// What a text leaves behind when it is shown: control and format characters, and what cannot be a character.
const UNSEEN = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}]+/gu;
// Marks are piled up on their letter; no language has more than a few, and a pile of hundreds would leave the page.
const PILED_MARKS = /(\p{M}{4})\p{M}+/gu;
const SPACES = /[\s\p{Zs}]+/gu;
const PLAIN = /^[\x20-\x7e\xa1-\xac\xae-\xff–—‘’“”…•€−]*$/;
const FIGURES = /\d/;
// So that text made to fill the caches cannot take much memory.
const MAX_CACHED_WORDS = 10_000;
const MAX_CACHED_LENGTH = 64;
const MAX_RECENT_LINES = 500;

/** A text as it can be shown: composed, on one line, without what has no shape. */
export function showable(text: string): string {
  if (PLAIN.test(text) && !text.includes('  ')) return text.trim();
  return text
    .toWellFormed()
    .normalize('NFC')
    .replace(SPACES, ' ')
    .replace(UNSEEN, '')
    .replace(/ {2,}/g, ' ')
    .replace(PILED_MARKS, '$1')
    .trim();
}

// A line is measured first and written next, so the last ones are kept.
const recentLines: Readonly<Record<Weight, Map<string, SetText>>> = { regular: new Map(), semibold: new Map() };

/** Sets one line of showable text. */
export function setLine(line: string, weight: Weight): SetText {
  return remembered(recentLines[weight], MAX_RECENT_LINES, line, () => {
    if (!RIGHT_TO_LEFT.test(line))
      return setWords(line, weight, false, PLAIN.test(line) ? 'chinese' : ideographsOf(line));
    const pieces = visualOrder(line).map(piece => setWords(piece.text, weight, piece.level % 2 === 1, 'chinese'));
    return { runs: pieces.flatMap(piece => piece.runs), width: pieces.reduce((sum, piece) => sum + piece.width, 0) };
  });
}

const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
// What the package exports is the function itself, although its types say that it is the function's module.
const bidi = (createBidi as unknown as typeof createBidi.default)();

/** A part of a line that runs one way. Parts are in the order of the page, the letters of each in reading order. */
interface Piece {
  text: string;
  readonly level: number;
}

// The Unicode bidirectional algorithm (UAX 9); the first letter decides which way the line runs.
function visualOrder(line: string): Piece[] {
  // bidi-js takes each half of a surrogate pair for a Latin letter, so it is shown a character of the right kind in its place.
  const order = line.replace(/[\u{10000}-\u{10ffff}]/gu, pair => (/\p{L}/u.test(pair) ? 'aa' : '••'));
  const embedding = bidi.getEmbeddingLevels(order);
  const mirrored = bidi.getMirroredCharactersMap(order, embedding.levels);
  const pieces: Piece[] = [];
  for (const index of bidi.getReorderedIndices(order, embedding)) {
    const level = embedding.levels[index]!;
    const unit = mirrored.get(index) ?? line[index]!;
    const piece = pieces.at(-1);
    if (!piece || piece.level !== level) pieces.push({ text: unit, level });
    else piece.text = level % 2 === 1 ? unit + piece.text : piece.text + unit;
  }
  return pieces;
}

function setWords(text: string, weight: Weight, isRightToLeft: boolean, ideographs: Ideographs): SetText {
  // Words that run right to left stay together: a reader of the file turns them around together.
  const words = isRightToLeft ? [text] : text.split(' ');
  if (words.length === 1) return setWord(text, weight, isRightToLeft, ideographs);
  const space = setWord(' ', weight, false, 'chinese');
  const runs: Run[] = [];
  let width = 0;
  words.forEach((word, index) => {
    if (index > 0) {
      runs.push(...space.runs);
      width += space.width;
    }
    if (word === '') return;
    const set = setWord(word, weight, isRightToLeft, ideographs);
    runs.push(...set.runs);
    width += set.width;
  });
  return { runs, width };
}

function setWord(word: string, weight: Weight, isRightToLeft: boolean, ideographs: Ideographs): SetText {
  const stock = sharedFontOf(weight);
  if (FIGURES.test(word)) {
    const set = setFigures(word, weight, stock);
    if (set) return set;
  }
  const make = (): SetText => shape(word, weight, isRightToLeft, ideographs);
  if (word.length > MAX_CACHED_LENGTH) return make();
  return remembered(recentWords[weight][isRightToLeft ? 'leftward' : ideographs], MAX_CACHED_WORDS, word, make);
}

// Words come again and again, also from one document to the next: shaping one costs a hundred times as much as finding it again.
const byIdeographs = (): Record<Ideographs | 'leftward', Map<string, SetText>> => ({
  ...{ chinese: new Map(), japanese: new Map(), korean: new Map(), leftward: new Map() },
});
const recentWords = { regular: byIdeographs(), semibold: byIdeographs() };

// Emptied rather than trimmed when it is full: what is in use is back at once, and no order has to be kept.
function remembered(cache: Map<string, SetText>, limit: number, text: string, make: () => SetText): SetText {
  let set = cache.get(text);
  if (!set) {
    if (cache.size >= limit) cache.clear();
    set = make();
    cache.set(text, set);
  }
  return set;
}

// Figures are all of one width and stand without kerning. Amounts hardly ever come again, so they are not worth a place in the cache.
function setFigures(word: string, weight: Weight, stock: SharedFont): SetText | null {
  let codes = '';
  let width = 0;
  for (let index = 0; index < word.length; index += 1) {
    const character = stock.characters.get(word[index]!);
    if (!character) return null;
    codes += character.code;
    width += character.advance;
  }
  return { runs: [{ face: stock.codes.face, stock: weight, shown: [codes], rise: 0 }], width };
}
