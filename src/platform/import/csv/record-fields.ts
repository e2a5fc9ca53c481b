import {
  GraphQLString,
  getNullableType,
  isInputObjectType,
  isListType,
  isNonNullType,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLLeafType,
} from 'graphql';
import { inputClassOf, inputTypeOf, type InputClass } from '../../input/input.js';
import { rulesInWords } from '../../input/rules.js';
import { readTypeOf } from '../../input/uuid-type.js';
import { MetadataScalar } from '../../scalars/scalars.js';
import { METADATA_KEY } from '../../../shared/metadata.js';

/** A value of a record that is no object. */
export interface RecordField {
  /** The names from the record to it, with the places in lists: `addresses`, `0`, `city`. */
  readonly path: readonly string[];
  readonly type: GraphQLLeafType;
  /** Several texts. */
  readonly isList: boolean;
  readonly isRequired: boolean;
}

/**
 * Where the fields of a record are. A record whose one field is an object is that object, as a line of transactions is
 * one `depositTransaction`.
 */
export function recordOf(input: InputClass): { readonly under: string | null; readonly type: GraphQLInputObjectType } {
  const type = inputTypeOf(input);
  const [field, ...others] = Object.values(type.getFields());
  const inner = field && getNullableType(field.type);
  return field && others.length === 0 && isInputObjectType(inner)
    ? { under: field.name, type: inner }
    : { under: null, type };
}

/** The field at a path such as `addresses.0.city`; null if there is none. */
export function fieldAt(record: GraphQLInputObjectType, path: readonly string[]): RecordField | null {
  let type: GraphQLInputType = record;
  let isRequired = true;
  for (const [index, step] of path.entries()) {
    const of: GraphQLInputType = getNullableType(type);
    // A key may have dots of its own, and its value is a text.
    if (of === MetadataScalar) return metadataField(path.slice(0, index), path.slice(index).join('.'));
    if (isListType(of)) {
      if (!/^\d$/.test(step)) return null;
      isRequired = false;
      type = of.ofType;
    } else {
      const field: GraphQLInputField | undefined = isInputObjectType(of) ? of.getFields()[step] : undefined;
      if (!field || !isInputObjectType(of)) return null;
      isRequired &&= isNonNullType(field.type);
      type = readTypeOf(of, field);
    }
  }
  const last = getNullableType(type);
  const value = isListType(last) ? getNullableType(last.ofType) : last;
  if (isInputObjectType(value) || isListType(value) || value === MetadataScalar) return null;
  return { path, type: value, isList: isListType(last), isRequired };
}

function metadataField(path: readonly string[], key: string): RecordField | null {
  return METADATA_KEY.test(key)
    ? { path: [...path, key], type: GraphQLString, isList: false, isRequired: false }
    : null;
}

/** The fields of a record, of lists of objects those of the first object. */
export function fieldsOf(record: GraphQLInputObjectType, path: readonly string[] = []): (readonly string[])[] {
  const target = inputClassOf(record);
  return Object.values(record.getFields()).flatMap(({ name, type }) => {
    // Always empty in the contract.
    const isEmpty =
      target && rulesInWords(target.prototype as object, name).some(said => said.schema?.['maxItems'] === 0);
    if (isEmpty) return [];
    const value = getNullableType(type);
    const element = isListType(value) ? getNullableType(value.ofType) : null;
    if (value === MetadataScalar) return [[...path, name, 'key']];
    if (isInputObjectType(value)) return fieldsOf(value, [...path, name]);
    return isInputObjectType(element) ? fieldsOf(element, [...path, name, '0']) : [[...path, name]];
  });
}
