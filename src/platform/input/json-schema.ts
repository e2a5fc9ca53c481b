/** A JSON Schema (2020-12), the dialect of OpenAPI 3.1. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The schema for a value that may be null as well. */
export function orNull(schema: JsonSchema): JsonSchema {
  const { $ref, description, type, anyOf, enum: values } = schema;
  if (Array.isArray(anyOf)) return { ...schema, anyOf: [...(anyOf as unknown[]), { type: 'null' }] };
  if ($ref !== undefined) {
    return { ...(description !== undefined && { description }), anyOf: [{ $ref }, { type: 'null' }] };
  }
  return { ...schema, type: [type, 'null'], ...(Array.isArray(values) && { enum: [...(values as unknown[]), null] }) };
}

/** Words of spaces alone, which are as good as none. Every kind of space, for readers without the mode of Unicode. */
export const SPACES = String.raw`^[ \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]*$`;

/**
 * The schema for a value that may be an empty text as well, which no `format` allows: it becomes a pattern. `empty` is
 * the pattern of what counts as empty.
 */
export function orEmpty(schema: JsonSchema, empty = '^$'): JsonSchema {
  const { description, ...constraints } = schema;
  const words = { ...(description !== undefined && { description }) };
  if (constraints['type'] !== 'string' || 'allOf' in constraints) {
    return {
      ...words,
      anyOf: [constraints, { type: 'string', ...(empty === '^$' ? { maxLength: 0 } : { pattern: empty }) }],
    };
  }
  const { format, pattern, enum: values, minLength: _, ...rest } = constraints;
  const forms = [FORMATS[String(format)], pattern].filter(form => typeof form === 'string');
  const [first, ...others] = forms.map(form => ({ pattern: `${empty}|${form}` }));
  return {
    ...words,
    ...rest,
    ...first,
    ...(others.length > 0 && { allOf: others }),
    ...(Array.isArray(values) && { enum: [...(values as unknown[]), ''] }),
  };
}

/** The forms of texts (RFC 3339, RFC 9562) as patterns, for texts that may be empty. */
const FORMATS: Readonly<Record<string, string>> = {
  date: String.raw`^\d{4}-\d\d-\d\d$`,
  'date-time': String.raw`^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$`,
  uuid: '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$',
};

/** Refers to the schema of this name in the document. */
export function ref(name: string, description?: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}`, ...(description !== undefined && { description }) };
}

/** Both schemas in one. If they differ in a keyword, both values of it apply. */
export function both(one: JsonSchema, other: JsonSchema): JsonSchema {
  const merged: Record<string, unknown> = { ...one };
  const besides: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(other)) {
    if (!(keyword in one)) merged[keyword] = value;
    else if (keyword === 'items') merged[keyword] = both(one[keyword] as JsonSchema, value as JsonSchema);
    else if (keyword !== 'type' && one[keyword] !== value) besides[keyword] = value;
  }
  if (Object.keys(besides).length === 0) return merged;
  return { ...merged, allOf: [...((one['allOf'] as JsonSchema[] | undefined) ?? []), besides] };
}
