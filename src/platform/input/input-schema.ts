import type { GraphQLScalarType } from 'graphql';
import { getMetadataStorage } from 'type-graphql';
import type { FieldProblem } from '../../shared/errors.js';
import { CountryCode, Currency } from '../scalars/scalars.js';
import type { InputClass } from './input.js';
import { SPACES, both, orEmpty, orNull, ref, type JsonSchema } from './json-schema.js';
import { breakableRule, rulesInWords } from './rules.js';

/** A field of an input class, as the document describes it. */
export interface DescribedField {
  readonly name: string;
  readonly description: string;
  readonly isRequired: boolean;
  /** Without null, which means the same as leaving the field out. */
  readonly schema: JsonSchema;
  /** The type of its value, or of the elements of its list. */
  readonly type: FieldType;
}

/** A class, a scalar or the object of an enum, as Type-GraphQL has it. */
export type FieldType = { readonly name: string };
type Field = ReturnType<typeof getMetadataStorage>['fields'][number];

/** The schemas of an input class and of all in it, by their names: what `readRecord` accepts, as far as possible. */
export function inputSchemas(target: InputClass): ReadonlyMap<string, JsonSchema> {
  const schemas = new Map<string, JsonSchema>();
  collect(target, schemas);
  return schemas;
}

function collect(type: FieldType, schemas: Map<string, JsonSchema>): void {
  const codes = CODES[type.name];
  if (codes) schemas.set(type.name, codes);
  if (classOf(type) === undefined || schemas.has(type.name)) return;
  const fields = inputFields(type as InputClass);
  schemas.set(type.name, {
    type: 'object',
    description: classOf(type)?.description,
    properties: Object.fromEntries(fields.map(field => [field.name, property(type as InputClass, field)])),
    required: fields.filter(({ isRequired }) => isRequired).map(({ name }) => name),
    additionalProperties: false,
  });
  for (const field of fields) collect(field.type, schemas);
}

/** The fields of an input class, each for itself. */
export function inputFields(target: InputClass): DescribedField[] {
  return fieldsOf(target).map(({ name, description = '', getType, typeOptions }) => {
    const type = getType() as FieldType;
    const value = valueSchema(type, SCALARS);
    const said = rulesInWords(target.prototype as object, name).map(({ schema = {} }) => schema);
    const schema = said.reduce(both, typeOptions.array ? { type: 'array', items: value } : value);
    return { name, description, isRequired: !typeOptions.nullable, schema, type };
  });
}

function property(target: InputClass, { name, description, isRequired, schema, type }: DescribedField): JsonSchema {
  const described = { description, ...schema };
  const forbidsNull = rulesInWords(target.prototype as object, name).some(said => said.forbidsNull);
  if (isRequired || forbidsNull) return described;
  const isText = schema['type'] === 'string' || (schema['$ref'] !== undefined && classOf(type) === undefined);
  return orNull(isText ? orEmpty(described, type === String ? SPACES : undefined) : described);
}

/** A rule that an input of this class, or an object in it, can break; undefined where there is none. */
export function breakableRuleIn(
  target: InputClass,
  pointer = '',
  around: readonly FieldType[] = [],
): FieldProblem | undefined {
  for (const { name, type } of inputFields(target)) {
    const at = `${pointer}/${name}`;
    const broken = breakableRule(target.prototype as object, name);
    if (broken) return { pointer: at, code: broken.code, detail: broken.detail };
    // A class may contain itself.
    if (!classOf(type) || type === target || around.includes(type)) continue;
    const inside = breakableRuleIn(type as InputClass, at, [...around, target]);
    if (inside) return inside;
  }
  return undefined;
}

/** The fields of a class, those of the classes that it extends first. */
export function fieldsOf(target: object): Field[] {
  const base = Object.getPrototypeOf(target) as { readonly prototype?: object };
  const own = getMetadataStorage().fields.filter(field => field.target === target);
  return base.prototype ? [...fieldsOf(base), ...own] : own;
}

/** Returns what Type-GraphQL knows of a class that is an input or is shown; undefined for other types. */
export function classOf(type: unknown): { readonly description?: string } | undefined {
  const { inputTypes, objectTypes } = getMetadataStorage();
  return inputTypes.find(({ target }) => target === type) ?? objectTypes.find(({ target }) => target === type);
}

/** The schema of a value of this type; `scalars` has those of scalars. */
export function valueSchema(type: FieldType, scalars: Readonly<Record<string, JsonSchema>>): JsonSchema {
  if (classOf(type)) return ref(type.name);
  const words = getMetadataStorage().enums.find(({ enumObj }) => (enumObj as unknown) === type);
  if (words) return { type: 'string', enum: Object.keys(words.enumObj) };
  const schema = scalars[type.name];
  if (!schema) throw new Error(`the scalar ${type.name} has no JSON Schema: give it one`);
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
  Boolean: { type: 'boolean' },
  String: { type: 'string' },
  ID: { type: 'string' },
  Int: { type: 'integer', format: 'int32' },
  UUID: { type: 'string', format: 'uuid' },
  LocalDate: { type: 'string', format: 'date' },
  DateTimeISO: { type: 'string', format: 'date-time' },
  Metadata: { type: 'object', maxProperties: 50, additionalProperties: { type: ['string', 'null'], maxLength: 500 } },
  Float: { type: 'number' },
  Decimal: { type: 'string', pattern: String.raw`^-?(0|[1-9]\d{0,17})(\.\d{1,4})?$` },
  CountryCode: ref('CountryCode'),
  Currency: ref('Currency'),
};
