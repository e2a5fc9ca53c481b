/** Short texts of a program's own, by their keys. */
export type Metadata = Readonly<Record<string, string>>;

/** Metadata as it is sent: null or an empty text removes a key. */
export type MetadataChange = Readonly<Record<string, string | null>>;

export const MAX_METADATA_KEYS = 50;
export const MAX_METADATA_CHARACTERS = 500;
/** No key is the name of something that every object of JavaScript has. */
export const METADATA_KEY = /^(?!constructor$)[A-Za-z][A-Za-z0-9_.-]{0,39}$/;

/** The metadata of a record after a change, with sorted keys, so that equal ones are one text. Null removes all. */
export function metadataAfter(onFile: Metadata, change: MetadataChange | null | undefined): Metadata {
  if (change === undefined) return onFile;
  const entries = Object.entries(change === null ? {} : { ...onFile, ...change });
  const kept = entries.filter((entry): entry is [string, string] => Boolean(entry[1]));
  return Object.fromEntries(kept.sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** True if both have the same keys with the same texts. */
export function isEqual(one: Metadata, other: Metadata): boolean {
  const keys = Object.keys(one);
  return keys.length === Object.keys(other).length && keys.every(key => one[key] === other[key]);
}

/** True if a record has all pairs of a filter. */
export function hasPairs(metadata: Metadata, filter: MetadataChange | null | undefined): boolean {
  return Object.entries(filter ?? {}).every(([key, text]) => metadata[key] === text);
}
