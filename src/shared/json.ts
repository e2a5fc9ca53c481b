/** Plain data: what a command may return, so that its record and its first answer are the same thing. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json | undefined };

/**
 * Plain data, which is the same after it was recorded and read again. A type with a member that is not plain (a bigint,
 * a date, bytes) becomes one that no value has, so that what would return one does not compile.
 */
export type Plain<T> = T extends string | number | boolean | null | undefined
  ? T
  : T extends bigint | symbol | { readonly buffer: unknown } | ((...args: never[]) => unknown)
    ? never
    : { readonly [Name in keyof T]: Plain<T[Name]> };

/**
 * One text for equal data: names sorted, absent ones left out. Two requests with this text in common ask for the same
 * thing.
 */
export function canonicalJson(value: Json | object): string {
  return canonical(value as Json);
}

function canonical(value: Json | undefined): string {
  if (Array.isArray(value)) return `[${value.map(item => canonical(item as Json)).join(',')}]`;
  if (value !== null && typeof value === 'object') {
    const entries = Object.entries(value as Record<string, Json | undefined>)
      .filter(([, item]) => item !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${entries.map(([name, item]) => `${JSON.stringify(name)}:${canonical(item)}`).join(',')}}`;
  }
  return JSON.stringify(value ?? null);
}
