/**
 * The type and the parts of the key, which have no spaces: the ids of banks are visible characters. Throws where a part
 * is absent, since two records must never have one id.
 */
export function nodeId(type: string, key: readonly (string | undefined)[]): string {
  if (!key.every(part => part)) throw new Error(`a record of type ${type} lacks a part of its key`);
  return Buffer.from([type, ...key].join(' ')).toString('base64url');
}

/** The type and the key in an id; null unless it is written as `nodeId` writes it. */
export function nodeKeyOf(id: string): { readonly type: string; readonly key: readonly string[] } | null {
  const [type = '', ...key] = Buffer.from(id, 'base64url').toString().split(' ');
  return key.every(part => part !== '') && nodeId(type, key) === id ? { type, key } : null;
}
