import type { FieldOfRow } from './mapped-fields.js';

type Branch = Map<string, unknown>;

/**
 * A record of values by their paths. Defaults fill what is empty, but make no object of their own: a customer without
 * an address gets none whose country is the default.
 */
export function nested(
  fields: readonly FieldOfRow[],
  values: readonly unknown[],
  hasDefault: (index: number) => boolean,
): unknown {
  const root: Branch = new Map();
  const presentPaths = new Set(['']);
  fields.forEach(({ parents }, index) => {
    if (values[index] !== undefined) for (const parent of parents) presentPaths.add(parent);
  });
  fields.forEach(({ path, fallback, parents }, index) => {
    const isPresent = presentPaths.has(parents.at(-1) ?? '');
    const value = values[index] ?? (isPresent && hasDefault(index) ? fallback : undefined);
    if (value !== undefined) put(root, path, value);
  });
  return plain(root);
}

function put(root: Branch, path: readonly string[], value: unknown): void {
  let branch = root;
  for (const step of path.slice(0, -1)) {
    const inner = (branch.get(step) as Branch | undefined) ?? new Map<string, unknown>();
    branch.set(step, inner);
    branch = inner;
  }
  branch.set(path.at(-1) as string, value);
}

/** Makes a list of an object that has places for names, in their order and without gaps. */
function plain(value: unknown): unknown {
  if (!(value instanceof Map)) return value;
  const entries = [...(value as Branch)];
  if (entries.length > 0 && entries.every(([name]) => /^\d$/.test(name))) {
    return entries.sort(([one], [other]) => Number(one) - Number(other)).map(([, inner]) => plain(inner));
  }
  return Object.fromEntries(entries.map(([name, inner]) => [name, plain(inner)]));
}
