/**
 * Finds names that an object in a JSON text has twice. `JSON.parse` takes the last one and others the first (RFC 8259,
 * section 4), so what one program checks could be something else than what another one does.
 */

/**
 * Where such a name stands: the names and positions that lead there, itself the last. Null where there is none. `value`
 * is the text, parsed.
 */
export function repeatedName(text: string, value: unknown): readonly (string | number)[] | null {
  // Each member has one colon, and all others are in texts: what is missing after parsing was there twice. A colon may
  // be written as an escape.
  const isSure = !text.includes('\\u003a') && !text.includes('\\u003A');
  return isSure && colonsIn(text) === colonsOf(value) ? null : locate(text);
}

function colonsIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf(':'); at !== -1; at = text.indexOf(':', at + 1)) count += 1;
  return count;
}

/** How many colons the JSON of a value has. */
function colonsOf(whole: unknown): number {
  let count = 0;
  const left = [whole];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value === 'string') count += colonsIn(value);
    else if (Array.isArray(value)) for (const item of value) left.push(item);
    else if (typeof value === 'object' && value !== null) {
      for (const name of Object.keys(value)) {
        count += 1 + colonsIn(name);
        left.push((value as Record<string, unknown>)[name]);
      }
    }
  }
  return count;
}

interface Open {
  /** Of an object the names so far; null for a list. */
  readonly names: Set<string> | null;
  at: string | number;
}

const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]/g;

/** Reads the text, which is JSON, token by token. */
function locate(text: string): readonly (string | number)[] | null {
  const open: Open[] = [];
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
