import { UsageError } from '../../../shared/usage-error.js';
import type { InputClass } from '../../input/input.js';
import { BOOLEAN, TEXT, datesAs, instantsAs, numbersLike, type CellForm } from './cell-forms.js';
import type { ColumnMapInput, MappedFieldInput } from './column-map.js';
import { UnfitMap, type MapFault } from './unfit-map.js';
import { fieldAt, fieldsOf, recordOf, type RecordField } from './record-fields.js';

/** How a field of a record is read from a row. */
export interface FieldOfRow extends CellForm {
  readonly path: readonly string[];
  /** The path of the object that it is in; empty for the record itself. */
  readonly parent: string;
  readonly pointer: string;
  /** Null where every row has the default. */
  readonly column: string | null;
  /** What an empty cell means. */
  readonly fallback: unknown;
}

export const DEFAULT_DATES = 'YYYY-MM-DD';
export const DEFAULT_AMOUNTS = '1234.56';
/** Separates several texts in one cell. */
export const LIST_SEPARATOR = '|';

/** The fields of a map. Throws `UnfitMap`, which names each that the records do not have, or has twice. */
export function mappedFields(input: InputClass, map: ColumnMapInput): FieldOfRow[] {
  const { under, type } = recordOf(input);
  const faults: MapFault[] = [];
  const seen = new Set<string>();
  const fields = map.fields.flatMap((mapped, place): FieldOfRow[] => {
    const { field: name } = mapped;
    const pointer = `/fields/${place}`;
    const field = fieldAt(type, name.split('.'));
    if (field === null) {
      const told = `The map has the field ${name}, which these records do not have.`;
      faults.push({ pointer: `${pointer}/field`, code: 'format', detail: 'Must be a field of these records.', told });
    } else if (seen.size === seen.add(name).size) {
      const told = `The map has the field ${name} twice. Remove one.`;
      faults.push({ pointer: `${pointer}/field`, code: 'repeated', detail: 'Is in the map twice. Remove one.', told });
    } else if (mapped.column == null && mapped.default == null) {
      const told = `The map has neither a column nor a default for ${name}. Give one, or remove the field.`;
      faults.push({ pointer, code: 'required', detail: 'Needs a column or a default.', told });
    } else return [fieldOfRow(field, mapped, map, under)];
    return [];
  });
  if (faults.length > 0) {
    const names = fieldsOf(type).map(path => path.join('.'));
    throw new UnfitMap(faults, [`The fields are ${names.join(', ')}.`]);
  }
  return fields;
}

function fieldOfRow(
  field: RecordField,
  mapped: MappedFieldInput,
  map: ColumnMapInput,
  under: string | null,
): FieldOfRow {
  const { path, isList } = field;
  const one = withWords(formOf(field, mapped, map), mapped);
  const read = isList
    ? (cell: string) => allOf(cell.split(LIST_SEPARATOR).map(part => one.read(part.trim())))
    : one.read;
  return {
    path,
    parent: path.slice(0, -1).join('.'),
    pointer: [...(under === null ? [] : [under]), ...path].map(step => `/${step}`).join(''),
    column: mapped.column?.trim().normalize('NFC') ?? null,
    fallback: defaultOf(field, mapped),
    read,
    form: one.form,
  };
}

function formOf({ type }: RecordField, { field, format = null }: MappedFieldInput, map: ColumnMapInput): CellForm {
  const dates = format ?? map.dates ?? DEFAULT_DATES;
  switch (type.name) {
    case 'LocalDate':
      return datesAs(dates, `The form of dates for ${field}`);
    case 'DateTimeISO':
      return instantsAs(dates, map.timeZone ?? null, `The form of dates for ${field}`);
    case 'Int':
    case 'Float':
      return numbersLike(format ?? map.amounts ?? DEFAULT_AMOUNTS, `The form of amounts for ${field}`);
    case 'Boolean':
      return BOOLEAN;
    default:
      return TEXT;
  }
}

/** A word of the file is what the map says that it means; other cells are read as they are. */
function withWords({ read, form }: CellForm, { words }: MappedFieldInput): CellForm {
  if (!words || words.length === 0) return { read, form };
  const meanings = new Map(words.map(({ cell, is }) => [cell, is]));
  return { read: cell => read(meanings.get(cell) ?? cell), form };
}

function allOf(values: readonly unknown[]): unknown {
  return values.includes(undefined) ? undefined : values;
}

/** A default is written as in the records themselves, whatever the form of the cells. */
function defaultOf(field: RecordField, { field: name, default: text = null }: MappedFieldInput): unknown {
  if (text === null) return undefined;
  const form = DEFAULT_FORMS[field.type.name] ?? TEXT;
  const value = form.read(text);
  if (value === undefined) throw new UsageError(`The default of ${name} in the map is wrong. ${form.form}`);
  return field.isList ? [value] : value;
}

const NUMBER = numbersLike(DEFAULT_AMOUNTS, 'The default');
const DEFAULT_FORMS: Readonly<Record<string, CellForm>> = {
  LocalDate: datesAs(DEFAULT_DATES, 'The default'),
  Int: NUMBER,
  Float: NUMBER,
  Boolean: BOOLEAN,
};
