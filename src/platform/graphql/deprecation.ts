/** The first day on which a release may leave out what is deprecated since 0.3. */
const REMOVAL = '2027-06-01';

/** Why something of the schema is deprecated: what to use in its place, and how long it stays. */
export function replacedBy(...names: readonly string[]): string {
  return `Use ${names.map(name => `\`${name}\``).join(' or ')}. Removed from ${REMOVAL} on.`;
}

/** The values that a filter's list and a former argument of one value both select; null where neither is given. */
export function inBoth<Value>(
  list: readonly Value[] | null | undefined,
  former: Value | null | undefined,
): Value[] | null {
  if (former === null || former === undefined) return list ? [...list] : null;
  return (list ?? [former]).filter(value => value === former);
}
