import {
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLScalarType,
} from 'graphql';
import { inputClassOf, inputTypeOf, type InputClass } from './input.js';
import { both, orEmpty, orNull, ref, type JsonSchema } from './json-schema.js';
import { rulesInWords } from './rules.js';
import { isText } from './shape.js';

/** A field of an input class, for a document. */
export interface DescribedField {
  readonly name: string;
  readonly description: string;
  readonly isRequired: boolean;
  /** Without null, which means the same as leaving the field out. */
  readonly schema: JsonSchema;
}

/**
 * The schemas of an input class and of all classes in it, by name: what `readRecord` accepts, as far as they can say
 * it.
 */
export function inputSchemas(target: InputClass): ReadonlyMap<string, JsonSchema> {
  const schemas = new Map<string, JsonSchema>();
  collect(inputTypeOf(target), schemas);
  return schemas;
}

/** The fields of an input class. */
export function inputFields(target: InputClass): DescribedField[] {
  return Object.values(inputTypeOf(target).getFields()).map(field => ({
    name: field.name,
    description: field.description ?? '',
    isRequired: isNonNullType(field.type),
    schema: fieldSchema(target, field).schema,
  }));
}

function collect(type: GraphQLInputType, schemas: Map<string, JsonSchema>): void {
  if (isNonNullType(type) || isListType(type)) return collect(type.ofType, schemas);
  if (CODES.has(type.name)) schemas.set(type.name, codesOf(type as GraphQLScalarType));
  if (!isInputObjectType(type) || schemas.has(type.name)) return;
  const fields = Object.values(type.getFields());
  schemas.set(type.name, {
    type: 'object',
    description: type.description,
    properties: Object.fromEntries(fields.map(field => [field.name, property(inputClassOf(type), field)])),
    required: fields.filter(field => isNonNullType(field.type)).map(({ name }) => name),
    additionalProperties: false,
  });
  for (const field of fields) collect(field.type, schemas);
}

function property(target: InputClass | undefined, field: GraphQLInputField): JsonSchema {
  const { schema, mayBeNull } = fieldSchema(target, field);
  const described = { description: field.description, ...schema };
  if (!mayBeNull) return described;
  return orNull(isText(field.type) ? orEmpty(described) : described);
}

function fieldSchema(
  target: InputClass | undefined,
  { name, type }: GraphQLInputField,
): { readonly schema: JsonSchema; readonly mayBeNull: boolean } {
  const said = target ? rulesInWords(target.prototype as object, name) : [];
  const schema = said.reduce<JsonSchema>((whole, { schema: words = {} }) => both(whole, words), typeSchema(type));
  return { schema, mayBeNull: !isNonNullType(type) && !said.some(({ forbidsNull }) => forbidsNull) };
}

function typeSchema(type: GraphQLInputType): JsonSchema {
  if (isNonNullType(type)) return typeSchema(type.ofType);
  if (isListType(type)) return { type: 'array', items: typeSchema(type.ofType) };
  if (isInputObjectType(type)) return ref(type.name);
  if (isEnumType(type)) return { type: 'string', enum: type.getValues().map(({ name }) => name) };
  const schema = CODES.has(type.name) ? ref(type.name) : SCALARS[type.name];
  if (!schema) throw new Error('a scalar type has no JSON Schema: give it one');
  return schema;
}

/** Scalars with long lists of codes, which schemas refer to by their names. */
const CODES: ReadonlySet<string> = new Set(['CountryCode', 'Currency']);

/** The library tells the codes of a scalar as a pattern, which is of no use to a person or a generated client. */
function codesOf({ description, extensions }: GraphQLScalarType): JsonSchema {
  const { pattern } = extensions['jsonSchema'] as { readonly pattern: string };
  return { type: 'string', description, enum: pattern.slice('^('.length, -')$'.length).split('|') };
}

const SCALARS: Readonly<Record<string, JsonSchema>> = {
  String: { type: 'string' },
  ID: { type: 'string' },
  Int: { type: 'integer', format: 'int32' },
  UUID: { type: 'string', format: 'uuid' },
  LocalDate: { type: 'string', format: 'date' },
  DateTimeISO: { type: 'string', format: 'date-time' },
  Decimal: { type: 'string', pattern: String.raw`^-?(0|[1-9]\d{0,17})(\.\d{1,4})?$` },
};
