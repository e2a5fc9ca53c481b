/** A JSON Schema (2020-12), the dialect of OpenAPI 3.1. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The schema for a value that may be null as well. */
export function orNull(schema: JsonSchema): JsonSchema {
  const { $ref, description, type, enum: values } = schema;
  if ($ref !== undefined) {
    return { ...(description !== undefined && { description }), anyOf: [{ $ref }, { type: 'null' }] };
  }
  return { ...schema, type: [type, 'null'], ...(Array.isArray(values) && { enum: [...(values as unknown[]), null] }) };
}

/** Where a document keeps the schema of this name. */
export function ref(name: string, description?: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}`, ...(description !== undefined && { description }) };
}

/** Both schemas in one. Where they say something else under the same keyword, both hold. */
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
