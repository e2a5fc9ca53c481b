import { type Weight } from './fonts.js';
import { setLine, showable } from './shaping.js';

const ELLIPSIS = '…';
const MAX_CLUSTER = 16;
// Between these a line may end without a space.
const IDEOGRAPH = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff00-\uffef]/u;
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** The width of showable text in points. */
export function widthOf(text: string, weight: Weight, size: number): number {
  return (setLine(text, weight).width * size) / 1000;
}

/**
 * Breaks a text of any length into lines of a width in points: at spaces, between ideographs, and inside of a word only where it
 * is wider than a line. What is left over after the last line shows as an ellipsis.
 */
export function wrap(text: string, weight: Weight, size: number, width: number, maxLines: number): string[] {
  const room: Room = { width, measure: part => widthOf(part, weight, size) };
  const shown = showable(text);
  if (room.measure(shown) <= width) return shown === '' ? [] : [shown];
  const lines: string[] = [];
  let line = '';
  let isCut = false;
  for (const part of partsOf(shown, room)) {
    if (line === '' || room.measure(line + part.trimEnd()) <= width) {
      line += part;
      continue;
    }
    if (lines.length === maxLines - 1) {
      isCut = true;
      break;
    }
    lines.push(line.trimEnd());
    line = part;
  }
  lines.push(isCut ? shortened(line.trimEnd(), room) : line.trimEnd());
  return lines;
}

/** One line of a width, with an ellipsis where the text is longer. Empty text stays empty. */
export function clip(text: string, weight: Weight, size: number, width: number): string {
  return wrap(text, weight, size, width, 1)[0] ?? '';
}

interface Room {
  readonly width: number;
  measure(part: string): number;
}

// Pieces that a line may end after, each with the space that follows it.
function* partsOf(text: string, room: Room): Generator<string> {
  for (const word of text.match(/\S* ?/g) ?? []) {
    if (!IDEOGRAPH.test(word) && room.measure(word.trimEnd()) <= room.width) yield word;
    else yield* piecesOf(word, room);
  }
}

// Here letters are measured one by one: measuring each piece again with every letter would take a second for a long text.
function* piecesOf(word: string, room: Room): Generator<string> {
  let piece = '';
  let pieceWidth = 0;
  for (const cluster of clustersOf(word)) {
    const clusterWidth = room.measure(cluster);
    const endsHere = IDEOGRAPH.test(cluster) && IDEOGRAPH.test(piece.slice(-2));
    if (piece !== '' && cluster !== ' ' && (endsHere || pieceWidth + clusterWidth > room.width)) {
      yield piece;
      piece = '';
      pieceWidth = 0;
    }
    piece += cluster;
    pieceWidth += clusterWidth;
  }
  if (piece !== '') yield piece;
}

function shortened(line: string, room: Room): string {
  const clusters = clustersOf(line);
  while (clusters.length > 0 && room.measure(clusters.join('').trimEnd() + ELLIPSIS) > room.width) clusters.pop();
  return clusters.join('').trimEnd() + ELLIPSIS;
}

// A letter stays with its marks, unless there are so many that the cluster could be wider than a line.
function clustersOf(text: string): string[] {
  return Array.from(graphemes.segment(text), ({ segment }) => segment).flatMap(segment =>
    segment.length > MAX_CLUSTER ? Array.from(segment) : [segment],
  );
}
