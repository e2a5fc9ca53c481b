/** The first day on which a release may leave out what is deprecated since 0.3. */
const REMOVAL = '2027-06-01';

/** Why something of the schema is deprecated: what to use in its place, and how long it stays. */
export function replacedBy(name: string): string {
  return `Use \`${name}\`. Removed from ${REMOVAL} on.`;
}
