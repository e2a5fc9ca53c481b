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
  if (value === null || typeof value !== 'object') return JSON.stringify(value ?? null);
  let text = '';
  if (Array.isArray(value)) {
    for (const item of value as readonly Json[]) text += `${text && ','}${canonical(item)}`;
    return `[${text}]`;
  }
  const record = value as Readonly<Record<string, Json | undefined>>;
  for (const name of Object.keys(record).sort()) {
    const item = record[name];
    if (item !== undefined) text += `${text && ','}${JSON.stringify(name)}:${canonical(item)}`;
  }
  return `{${text}}`;
}
