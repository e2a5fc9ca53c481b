/** A piece of a line in the order in which it stands there; the letters of a right-to-left piece are still in reading order. */
export interface Piece {
  readonly text: string;
  readonly isRightToLeft: boolean;
}

const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
const NUMBER = 3;
const MIRRORED: Readonly<Record<string, string>> = {
  ...{ '(': ')', ')': '(', '[': ']', ']': '[', '{': '}', '}': '{', '<': '>', '>': '<', '«': '»', '»': '«' },
};

/** Whether a text has letters that are written from right to left. */
export function isMixed(text: string): boolean {
  return RIGHT_TO_LEFT.test(text);
}

/**
 * Puts a line that has right-to-left words in it into visual order: the Unicode bidirectional algorithm (UAX 9) without explicit
 * embeddings, which text on a statement has no use for. The first letter decides which way the line runs.
 */
export function visualOrder(line: string): Piece[] {
  const characters = Array.from(line);
  const first = characters.find(character => /\p{L}/u.test(character)) ?? '';
  const levels = resolveLevels(characters, RIGHT_TO_LEFT.test(first) ? 1 : 0);
  const pieces: Piece[] = [];
  for (const [start, end] of stretches(levels.map(level => level > 0))) {
    if (levels[start] === 0) pieces.push({ text: characters.slice(start, end).join(''), isRightToLeft: false });
    else pieces.push(...reversed(characters.slice(start, end), levels.slice(start, end)));
  }
  return pieces;
}

// Levels as in UAX 9: 0 is left to right, 1 right to left, 2 left to right among right-to-left words. A number after such words
// counts as one of them for what stands beside it, although its own figures run left to right.
function resolveLevels(characters: readonly string[], base: 0 | 1): number[] {
  const leftToRight = base === 1 ? 2 : 0;
  const levels: (number | null)[] = [];
  let strong = base === 1 ? 1 : 0;
  for (const [index, character] of characters.entries()) {
    if (RIGHT_TO_LEFT.test(character)) strong = 1;
    else if (/\p{L}/u.test(character)) strong = leftToRight;
    if (/\p{M}/u.test(character)) levels.push(levels.at(-1) ?? base);
    else if (/\p{Nd}/u.test(character)) levels.push(strong === 1 ? NUMBER : strong);
    else if (/\p{L}/u.test(character)) levels.push(strong);
    else levels.push(strong === 1 && isInsideNumber(characters, index) ? NUMBER : null);
  }
  return levels.map((level, index) => level ?? between(levels, index, base));
}

function isInsideNumber(characters: readonly string[], index: number): boolean {
  const isDigit = (character = ''): boolean => /\p{Nd}/u.test(character);
  return /[.,:/]/.test(characters[index]!) && isDigit(characters[index - 1]) && isDigit(characters[index + 1]);
}

// What is neither letter nor number goes with its neighbours where they agree, and with the line where they do not.
function between(levels: readonly (number | null)[], index: number, base: 0 | 1): number {
  const before = levels.slice(0, index).findLast(level => level !== null) ?? base;
  const after = levels.slice(index + 1).find(level => level !== null) ?? base;
  const isLeftToRight = (level: number): boolean => level === 0 || level === 2;
  if (isLeftToRight(before) && isLeftToRight(after)) return before;
  return isLeftToRight(before) || isLeftToRight(after) ? base : 1;
}

function reversed(characters: readonly string[], levels: readonly number[]): Piece[] {
  return stretches(levels)
    .map(([start, end]) => {
      const isRightToLeft = levels[start] === 1;
      const shown = characters.slice(start, end);
      const text = isRightToLeft ? shown.map(character => MIRRORED[character] ?? character) : shown;
      return { text: text.join(''), isRightToLeft };
    })
    .reverse();
}

// Where one value begins and ends.
function stretches(values: readonly unknown[]): [start: number, end: number][] {
  const found: [number, number][] = [];
  values.forEach((value, index) => {
    if (index > 0 && value === values[index - 1]) found.at(-1)![1] = index + 1;
    else found.push([index, index + 1]);
  });
  return found;
}
