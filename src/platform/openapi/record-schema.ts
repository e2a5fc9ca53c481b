import {
  classOf,
  fieldsOf,
  inputFields,
  valueSchema,
  type DescribedField,
  type FieldType,
} from '../input/input-schema.js';
import type { InputClass } from '../input/input.js';
import { orEmpty, type JsonSchema } from '../input/json-schema.js';
import { FORMS, record } from './schema.js';

type RecordClass = new () => object;
type Field = ReturnType<typeof fieldsOf>[number];

/** A class of GraphQL as REST shows it. */
export interface RestRecord {
  readonly of: RecordClass;
  /** The name in the document; that of the class when absent. */
  readonly name?: string;
  readonly description?: string;
  /** The input class that the values came in by: its rules limit the fields of the same names. */
  readonly limits?: InputClass | undefined;
  /** Fields that REST does not show. */
  readonly omit?: readonly string[];
  /** Fields that REST shows only where they have a value. */
  readonly optional?: readonly string[];
  /**
   * The fields that REST shows otherwise, by their names, and fields that only REST has. A schema with a `type` or a
   * `$ref` replaces the field's own except for its description; other keywords are added to it.
   */
  readonly differs?: Readonly<Record<string, JsonSchema>>;
  /** The parts of an example besides what the descriptions of the fields give. */
  readonly example?: object;
}

/** The schemas of records and of all classes in them, by their names. */
export function recordSchemas(records: readonly RestRecord[]): Record<string, JsonSchema> {
  const schemas: Record<string, JsonSchema> = {};
  const add = (shown: RestRecord): void => {
    const { of, name = of.name, description = classOf(of)?.description ?? '' } = shown;
    schemas[name] = record(description, propertiesOf(shown), shown.optional);
    const limits = limitsOf(shown);
    for (const { name: field, getType } of shownFields(shown)) {
      const inner = getType() as RecordClass;
      if (!classOf(inner) || inner.name in schemas || records.some(other => other.of === inner)) continue;
      add({ of: inner, limits: limits.get(field)?.type as InputClass | undefined });
    }
  };
  // A class that several records have gets its limits from one that came in by an input.
  records.toSorted((one, other) => Number(!one.limits) - Number(!other.limits)).forEach(add);
  return schemas;
}

/** The properties of a record, each for itself. */
export function propertiesOf(shown: RestRecord): Readonly<Record<string, JsonSchema>> {
  const { differs = {} } = shown;
  const limits = limitsOf(shown);
  const properties = Object.fromEntries(
    shownFields(shown).map(field => [field.name, propertyOf(field, limits.get(field.name), differs[field.name])]),
  );
  // The fields that only REST has come last.
  return { ...properties, ...differs, ...properties };
}

function shownFields({ of, omit = [] }: RestRecord): Field[] {
  return fieldsOf(of).filter(({ name }) => !omit.includes(name));
}

function limitsOf({ limits }: RestRecord): ReadonlyMap<string, DescribedField> {
  return new Map(limits && inputFields(limits).map(field => [field.name, field]));
}

function propertyOf(field: Field, limits: DescribedField | undefined, differs: JsonSchema = {}): JsonSchema {
  // GraphQL's null is an empty text over REST.
  const description = field.description?.replace(/; null (?=if|unless)/, '; empty ');
  if ('type' in differs || '$ref' in differs) return { description, ...differs };
  // Type-GraphQL knows whether it is a list only once it was asked for the type.
  const type = field.getType() as FieldType;
  const { nullable, array } = field.typeOptions;
  const { items, maxItems, ...rules } = limits?.schema ?? {};
  const value = limited(valueSchema(type, FORMS), array ? (items as JsonSchema) : rules);
  const own = { description, ...(array ? { type: 'array', items: value, maxItems } : value), ...differs };
  return nullable ? orEmpty(own) : own;
}

/** A value that came in by an input with these rules. */
function limited(form: JsonSchema, { enum: words, maxLength, pattern, minimum, maximum }: JsonSchema = {}): JsonSchema {
  // REST may have words of its own, which its input takes.
  if (form['enum']) return { ...form, ...(words !== undefined && { enum: words }) };
  if (form['type'] === 'integer') return { ...form, ...(minimum !== undefined && { minimum, maximum }) };
  if (form['type'] !== 'string' || form['pattern'] || form['format']) return form;
  // A text that has a length is shown with whatever characters were taken when it was stored.
  return { ...form, ...(maxLength === undefined ? pattern !== undefined && { pattern } : { maxLength }) };
}
