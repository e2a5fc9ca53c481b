/** The number of trailing characters of a number that a mask leaves readable. */
const VISIBLE = 4;

/** Asterisks for all but the last four characters: `123456789` becomes `*****6789`. Shorter texts are all asterisks. */
export function mask(text: string): string {
  if (text.length <= VISIBLE) return '*'.repeat(text.length);
  return '*'.repeat(text.length - VISIBLE) + text.slice(-VISIBLE);
}

/** The first letter of each word of a name, and no more: `Ada Lovelace` becomes `A*** L***`. */
export function maskName(name: string): string {
  const words = name.split(/\s+/u).filter(word => word !== '');
  return words.map(word => `${[...word][0] ?? ''}***`).join(' ');
}

/** The first character of an e-mail address, and its domain: `ada@example.com` becomes `a***@example.com`. */
export function maskEmail(address: string): string {
  const at = address.lastIndexOf('@');
  return `${[...address][0] ?? ''}***${at < 1 ? '' : address.slice(at)}`;
}
