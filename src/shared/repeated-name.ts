/**
 * Finds names that an object in a JSON text has twice. `JSON.parse` takes the last one and others the first (RFC 8259,
 * section 4), so what one program checks could be something else than what another one does.
 */

/**
 * Where such a name stands: the names and positions that lead there, itself the last. Null where there is none. `value`
 * is the text, parsed.
 */
export function repeatedName(
  text: string,
  value: unknown,
  { members } = sizeOfJson(text),
): readonly (string | number)[] | null {
  // Each member has one colon outside of texts: what is missing after parsing was there twice.
  return members === membersOf(value) ? null : locate(text);
}

/** The size of a JSON text. */
export interface JsonSize {
  /** Members of all objects. */
  readonly members: number;
  /** Members of all objects, elements of all lists, and the objects and lists themselves, at least. */
  readonly values: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const BRACKET = 0x5b;
const BRACE = 0x7b;

/**
 * Counts in one pass, without parsing, so that it costs the same whatever a sender writes: about a millisecond for a
 * megabyte. Ends once there are more than `maxValues` values.
 */
export function sizeOfJson(text: string, maxValues = Number.POSITIVE_INFINITY): JsonSize {
  let [members, others] = [0, 0];
  for (let at = 0; at < text.length && members + others <= maxValues; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfText(text, at);
    else if (code === COLON) members += 1;
    else if (code === COMMA || code === BRACKET || code === BRACE) others += 1;
  }
  return { members, values: members + others };
}

/** The position of the quote that ends the text which begins at `start`, or of the end of all. */
function endOfText(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text.charCodeAt(before) === BACKSLASH) before -= 1;
    // Two backslashes are one in the text, so an odd number of them escapes the quote.
    if ((end - before) % 2 === 1) return end;
  }
  return text.length;
}

/** The number of members of the objects in a value. */
function membersOf(whole: unknown): number {
  let count = 0;
  const left = [whole];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value !== 'object' || value === null) continue;
    if (Array.isArray(value)) for (const item of value) left.push(item);
    else {
      for (const name of Object.keys(value)) {
        count += 1;
        left.push((value as Record<string, unknown>)[name]);
      }
    }
  }
  return count;
}

interface OpenBracket {
  /** The names of an object so far; null for a list. */
  readonly names: Set<string> | null;
  at: string | number;
}

const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]/g;

/** Reads the text, which is JSON, token by token. */
function locate(text: string): readonly (string | number)[] | null {
  const open: OpenBracket[] = [];
  let last = '';
  for (const [token] of text.matchAll(TOKEN)) {
    const inside = open.at(-1);
    if (token === '{') open.push({ names: new Set(), at: '' });
    else if (token === '[') open.push({ names: null, at: 0 });
    else if (token === '}' || token === ']') open.pop();
    else if (token === ',' && inside && typeof inside.at === 'number') inside.at += 1;
    else if (token === ':' && inside?.names) {
      inside.at = JSON.parse(last) as string;
      if (inside.names.size === inside.names.add(inside.at).size) return open.map(({ at }) => at);
    }
    last = token;
  }
  return null;
}
