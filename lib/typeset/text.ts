import createBidi from 'bidi-js';
import { sharedFontOf } from './font-program.js';
import { type Ideographs, ideographsOf, type Weight } from './fonts.js';
import { type Run, type SetText, shape } from './runs.js';

// Characters that are not shown: control and format characters, and what cannot be a character.
const UNSEEN = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}]+/gu;
// Marks are piled up on their letter; no language has more than a few, and a pile of hundreds would leave the page.
const PILED_MARKS = /(\p{M}{4})\p{M}+/gu;
// Two Latin letters in one character, which no font here has, and which keyboards write as two.
const DIGRAPHS = /[\u01c4-\u01cc\u01f1-\u01f3]/g;
const SPACES = /[\s\p{Zs}]+/gu;
const PLAIN = /^[\x20-\x7e\xa1-\xac\xae-\xff–—‘’“”…•€−]*$/;
const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
// Between these a line may end without a space.
const IDEOGRAPH = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff00-\uffef]/u;
const ELLIPSIS = '…';
// In UTF-16 units: more could be wider than a line.
const MAX_CLUSTER = 16;
// The limit of each cache, so that text made to fill them cannot take much memory.
const MAX_CACHED_WORDS = 10_000;
const MAX_CACHED_LENGTH = 64;
const MAX_RECENT_LINES = 500;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
// The package exports the function itself, although its types say that it is a module with the function in it.
const bidi = (createBidi as unknown as typeof createBidi.default)();

/** A text as it can be shown: composed, on one line, without what has no shape. */
export function showable(text: string): string {
  if (PLAIN.test(text) && !text.includes('  ')) return text.trim();
  return text
    .toWellFormed()
    .normalize('NFC')
    .replace(DIGRAPHS, digraph => digraph.normalize('NFKC'))
    .replace(SPACES, ' ')
    .replace(UNSEEN, '')
    .replace(/ {2,}/g, ' ')
    .replace(PILED_MARKS, '$1')
    .trim();
}

/** The width of showable text in points. */
export function widthOf(text: string, weight: Weight, size: number): number {
  return (setLine(text, weight).width * size) / 1000;
}

/**
 * Breaks a text of any length into lines of a width in points: at spaces, between ideographs, and inside of a word only
 * where it is wider than a line. What is left over after the last line shows as an ellipsis.
 */
export function wrap(text: string, weight: Weight, size: number, width: number, maxLines: number): string[] {
  const measure: Measure = part => widthOf(part, weight, size);
  const shown = showable(text);
  if (measure(shown) <= width) return shown === '' ? [] : [shown];
  const lines: string[] = [];
  let line = '';
  for (const part of partsOf(shown, measure, width)) {
    if (line === '' || measure(line + part.trimEnd()) <= width) {
      line += part;
      continue;
    }
    if (lines.length === maxLines - 1) return [...lines, shortened(line.trimEnd(), measure, width)];
    lines.push(line.trimEnd());
    line = part;
  }
  return [...lines, line.trimEnd()];
}

/** One line of a width, with an ellipsis where the text is longer. Empty text stays empty. */
export function clip(text: string, weight: Weight, size: number, width: number): string {
  return wrap(text, weight, size, width, 1)[0] ?? '';
}

type Measure = (part: string) => number;

// Parts that a line may end after, each with the space that follows it.
function* partsOf(text: string, measure: Measure, width: number): Generator<string> {
  for (const word of text.match(/\S* ?/g) ?? []) {
    if (!IDEOGRAPH.test(word) && measure(word.trimEnd()) <= width) yield word;
    else yield* partsOfWord(word, measure, width);
  }
}

// Here letters are measured one by one: measuring each part again with every letter would take a second for a long
// text.
function* partsOfWord(word: string, measure: Measure, width: number): Generator<string> {
  let part = '';
  let partWidth = 0;
  for (const cluster of clustersOf(word)) {
    const clusterWidth = measure(cluster);
    const endsHere = IDEOGRAPH.test(cluster) && IDEOGRAPH.test(part.slice(-2));
    if (part !== '' && cluster !== ' ' && (endsHere || partWidth + clusterWidth > width)) {
      yield part;
      part = '';
      partWidth = 0;
    }
    part += cluster;
    partWidth += clusterWidth;
  }
  if (part !== '') yield part;
}

function shortened(line: string, measure: Measure, width: number): string {
  const clusters = clustersOf(line);
  while (clusters.length > 0 && measure(clusters.join('').trimEnd() + ELLIPSIS) > width) clusters.pop();
  return clusters.join('').trimEnd() + ELLIPSIS;
}

// A letter stays with its marks, unless there are too many.
function clustersOf(text: string): string[] {
  return Array.from(graphemes.segment(text), ({ segment }) => segment).flatMap(segment =>
    segment.length > MAX_CLUSTER ? Array.from(segment) : [segment],
  );
}

// A line is measured first and written next, so the last ones are kept.
const recentLines: Readonly<Record<Weight, Map<string, SetText>>> = { regular: new Map(), semibold: new Map() };

/** Sets one line of showable text. */
export function setLine(line: string, weight: Weight): SetText {
  return remembered(recentLines[weight], MAX_RECENT_LINES, line, () => {
    if (PLAIN.test(line)) return setWords(line.split(' '), weight, 'chinese');
    if (!RIGHT_TO_LEFT.test(line)) return setWords(line.split(' '), weight, ideographsOf(line));
    // Words that run right to left stay together: a reader of the file turns them around together.
    return joined(
      visualOrder(line).map(({ text, level }) =>
        level % 2 === 1 ? setWord(text, weight, 'leftward') : setWords(text.split(' '), weight, 'chinese'),
      ),
    );
  });
}

/** A line after another one: with a space before it, which keeps their words apart where the file is read aloud. */
export function setNextLine(line: string, weight: Weight): SetText & { readonly indent: number } {
  const space = setWord(' ', weight, 'chinese');
  return { ...joined([space, setLine(line, weight)]), indent: space.width };
}

/** A part of a line that runs one way, its letters in reading order. The level is odd from right to left. */
interface Piece {
  text: string;
  readonly level: number;
}

// The pieces in the order of the page, by the Unicode bidirectional algorithm (UAX 9). The first letter decides which
// way the line runs.
function visualOrder(line: string): Piece[] {
  // bidi-js takes each half of a surrogate pair for a Latin letter, so it is shown a character of the right kind in its
  // place.
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

type Shapes = Ideographs | 'leftward';

function setWords(words: readonly string[], weight: Weight, shapes: Shapes): SetText {
  const [first = '', ...others] = words;
  if (others.length === 0) return setWord(first, weight, shapes);
  const space = setWord(' ', weight, 'chinese');
  const sets = [setWord(first, weight, shapes)];
  for (const word of others) sets.push(space, setWord(word, weight, shapes));
  return joined(sets);
}

function joined(sets: readonly SetText[]): SetText {
  const runs: Run[] = [];
  let width = 0;
  for (const set of sets) {
    runs.push(...set.runs);
    width += set.width;
  }
  return { runs, width };
}

function setWord(word: string, weight: Weight, shapes: Shapes): SetText {
  const figures = /\d/.test(word) ? setFigures(word, weight) : null;
  if (figures) return figures;
  const isRightToLeft = shapes === 'leftward';
  const make = (): SetText => shape(word, weight, isRightToLeft, isRightToLeft ? 'chinese' : shapes);
  if (word.length > MAX_CACHED_LENGTH) return make();
  return remembered(recentWords[weight][shapes], MAX_CACHED_WORDS, word, make);
}

// Figures are all of one width and stand without kerning. Amounts hardly ever come again, so they are not worth a place
// in the cache.
function setFigures(word: string, weight: Weight): SetText | null {
  const { codes, characters } = sharedFontOf(weight);
  let shown = '';
  let width = 0;
  for (let index = 0; index < word.length; index += 1) {
    const character = characters.get(word[index]!);
    if (!character) return null;
    shown += character.code;
    width += character.advance;
  }
  return { runs: [{ face: codes.face, shared: weight, shown: [shown], rise: 0, reads: null, isFlawed: false }], width };
}

// Words come again and again, also from one document to the next: shaping one costs a hundred times as much as finding
// it again.
const byShapes = (): Record<Shapes, Map<string, SetText>> => ({
  chinese: new Map(),
  japanese: new Map(),
  korean: new Map(),
  leftward: new Map(),
});
const recentWords: Readonly<Record<Weight, Record<Shapes, Map<string, SetText>>>> = {
  regular: byShapes(),
  semibold: byShapes(),
};

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
