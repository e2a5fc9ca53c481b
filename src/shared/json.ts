/** Plain data: what a command may return, so that its record and its first answer are the same thing. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json | undefined };

/** One text for equal data: names sorted, absent ones left out. Two requests with this text in common ask for the same thing. */
export function canonicalJson(value: Json | undefined): string {
  if (Array.isArray(value)) return `[${value.map(item => canonicalJson(item as Json)).join(',')}]`;
  if (value !== null && typeof value === 'object') {
    const entries = Object.entries(value as Record<string, Json | undefined>)
      .filter(([, item]) => item !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${entries.map(([name, item]) => `${JSON.stringify(name)}:${canonicalJson(item)}`).join(',')}}`;
  }
  return JSON.stringify(value ?? null);
}
