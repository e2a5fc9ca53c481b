/** The longest description of a transaction, in UTF-16 units, as the rules of inputs count them. */
export const MAX_DESCRIPTION = 500;

/** The end of a text that was cut within a character of two units. */
const HALF = /[\uD800-\uDBFF]$/;

/**
 * A description that is made from another one, such as `Reversal: Rent`. Where the whole would be too long, the end of
 * the other one is missing.
 */
export function derivedDescription(before: string, original: string, after = ''): string {
  const room = MAX_DESCRIPTION - before.length - after.length;
  const beginning = original.length > room ? original.slice(0, room).replace(HALF, '') : original;
  return before + beginning + after;
}
