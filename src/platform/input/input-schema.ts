import {
  getNamedType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLScalarType,
} from 'graphql';
import { CountryCode, Currency } from '../graphql/scalars.js';
import { inputClassOf, inputTypeOf, type InputClass } from './input.js';
import { both, orEmpty, orNull, ref, type JsonSchema } from './json-schema.js';
import { rulesInWords } from './rules.js';
import { isText } from './shape.js';

/** A field of an input class, as the document describes it. */
export interface DescribedField {
  readonly name: string;
  readonly description: string;
  readonly isRequired: boolean;
  /** Without null, which means the same as leaving the field out. */
  readonly schema: JsonSchema;
  /** The class of its value or of the elements of its list, where that is an input class. */
  readonly inner: InputClass | undefined;
}

/**
 * The schemas of an input class and of all classes in it, by their names: what `readRecord` accepts, as far as JSON
 * Schema can say it.
 */
export function inputSchemas(target: InputClass): ReadonlyMap<string, JsonSchema> {
  const schemas = new Map<string, JsonSchema>();
  collect(inputTypeOf(target), schemas);
  return schemas;
}

/** The fields of an input class, each for itself. */
export function inputFields(target: InputClass): DescribedField[] {
  return Object.values(inputTypeOf(target).getFields()).map(field => ({
    name: field.name,
    description: field.description ?? '',
    isRequired: isNonNullType(field.type),
    schema: fieldSchema(target, field).schema,
    inner: inputClassOf(getNamedType(field.type)),
  }));
}

function collect(type: GraphQLInputType, schemas: Map<string, JsonSchema>): void {
  if (isNonNullType(type) || isListType(type)) return collect(type.ofType, schemas);
  const codes = CODES[type.name];
  if (codes) schemas.set(type.name, codes);
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
  const schema = type.name in CODES ? ref(type.name) : SCALARS[type.name];
  if (!schema) throw new Error('a scalar type has no JSON Schema: give it one');
  return schema;
}

/**
 * The codes that a scalar of the library takes. Its own pattern of them is of no use to people and generated clients.
 */
function codesOf({ description, extensions }: GraphQLScalarType): JsonSchema {
  const { pattern } = extensions['jsonSchema'] as { readonly pattern: string };
  return { type: 'string', description, enum: pattern.slice('^('.length, -')$'.length).split('|') };
}

/** Long lists of codes, which other schemas refer to by the names of the scalars. */
const CODES: Readonly<Record<string, JsonSchema>> = {
  CountryCode: codesOf(CountryCode),
  Currency: codesOf(Currency),
};

const SCALARS: Readonly<Record<string, JsonSchema>> = {
  String: { type: 'string' },
  ID: { type: 'string' },
  Int: { type: 'integer', format: 'int32' },
  UUID: { type: 'string', format: 'uuid' },
  LocalDate: { type: 'string', format: 'date' },
  DateTimeISO: { type: 'string', format: 'date-time' },
  Decimal: { type: 'string', pattern: String.raw`^-?(0|[1-9]\d{0,17})(\.\d{1,4})?$` },
};
