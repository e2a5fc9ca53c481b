/** A random UUID. React Native has `getRandomValues` alone, from the package react-native-get-random-values. */
export function newKey(): string {
  const source: Partial<typeof crypto> | undefined = globalThis.crypto;
  if (source?.randomUUID) return source.randomUUID();
  if (!source?.getRandomValues) throw new Error('crypto.getRandomValues is missing.');
  const bytes = source.getRandomValues.call(crypto, new Uint8Array(16)) as Uint8Array;
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const digits = Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
