/** What the REST contract shows of plain data: where there is no text it has an empty one, and never null. */
export function contractRecord(record: object): object {
  return withoutNulls(record) as object;
}

function withoutNulls(value: unknown): unknown {
  if (value === null) return '';
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutNulls(member)]));
}
