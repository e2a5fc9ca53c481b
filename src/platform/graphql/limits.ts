import { MalformedRequest } from '../../shared/errors.js';

/** How deep brackets of any kind may be nested. The parser recurses, so this is checked before it runs. */
export const MAX_NESTING = 64;

/** Throws `MalformedRequest` when a document is nested deeper than any honest one, looking at its characters only. */
export function refuseDeepNesting(source: string): void {
  let depth = 0;
  for (let at = 0; at < source.length; at++) {
    const character = source[at];
    if (character === '{' || character === '(' || character === '[') {
      if (++depth > MAX_NESTING) {
        throw new MalformedRequest(`The document is nested more than ${MAX_NESTING} levels deep. Reduce the nesting.`);
      }
    } else if (character === '}' || character === ')' || character === ']') depth--;
    else if (character === '"') at = endOfString(source, at);
    else if (character === '#') at = endOfLine(source, at);
  }
}

function endOfString(source: string, start: number): number {
  if (source.startsWith('"""', start)) {
    let end = source.indexOf('"""', start + 3);
    // Three quotes behind a backslash are part of the text.
    while (end >= 0 && source[end - 1] === '\\') end = source.indexOf('"""', end + 3);
    return end < 0 ? source.length : end + 2;
  }
  for (let at = start + 1; at < source.length; at++) {
    if (source[at] === '\\') at++;
    else if (source[at] === '"' || isLineEnd(source[at])) return at;
  }
  return source.length;
}

function endOfLine(source: string, start: number): number {
  let at = start;
  while (at < source.length && !isLineEnd(source[at])) at++;
  return at;
}

function isLineEnd(character: string | undefined): boolean {
  return character === '\n' || character === '\r';
}
