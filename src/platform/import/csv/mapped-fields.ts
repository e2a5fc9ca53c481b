import { isEnumType } from 'graphql';
import { UsageError } from '../../../shared/usage-error.js';
import type { InputClass } from '../../input/input.js';
import { BOOLEAN, TEXT, datesAs, instantsAs, numbersLike, type CellForm } from './cell-forms.js';
import type { ColumnMapInput, MappedFieldInput } from './column-map.js';
import { idsOf, uuidOf, type IdRow, type RowsOrigin } from './made-ids.js';
import { UnfitMap, type MapFault } from './unfit-map.js';
import { fieldAt, fieldsOf, recordOf, type RecordField } from './record-fields.js';

/** A field of a record, with how it is read from a row. */
export interface FieldOfRow extends CellForm {
  readonly path: readonly string[];
  /** The paths of the objects that it is in, from the outermost one. */
  readonly parents: readonly string[];
  readonly pointer: string;
  /** Null where every row has the default, or an id that is made of it. */
  readonly column: string | null;
  /** The value that an empty cell stands for. */
  readonly fallback: unknown;
  /** The column that must have a cell where the default holds; null where it always holds. */
  readonly where: string | null;
  /** Makes the id of a row; null where the file has it. */
  readonly made: ((row: IdRow) => string) | null;
}

export const DEFAULT_DATES = 'YYYY-MM-DD';
export const DEFAULT_AMOUNTS = '1234.56';
/** Separates several texts in one cell. */
export const LIST_SEPARATOR = '|';
/** More texts than a list of a record has. */
const MAX_PARTS = 1000;

/** The fields of a map. Throws `UnfitMap`, which names each that the records do not have, or has twice. */
export function mappedFields(input: InputClass, map: ColumnMapInput, origin: RowsOrigin): FieldOfRow[] {
  const { under, type } = recordOf(input);
  const faults: MapFault[] = [];
  const seen = new Set<string>();
  const signed = new Set(map.fields.map(({ signOf }) => signOf));
  const fields = map.fields.flatMap((mapped, place): FieldOfRow[] => {
    const { field: name } = mapped;
    const pointer = `/fields/${place}`;
    const field = fieldAt(type, name.split('.'));
    if (field === null) {
      const message = `The map has the field ${name}, which these records do not have.`;
      faults.push({
        pointer: `${pointer}/field`,
        code: 'format',
        detail: 'Must be a field of these records.',
        message,
      });
    } else if (seen.size === seen.add(name).size) {
      const message = `The map has the field ${name} twice. Remove one.`;
      faults.push({
        pointer: `${pointer}/field`,
        code: 'repeated',
        detail: 'Is in the map twice. Remove one.',
        message,
      });
    } else {
      const fault = sourceFault(field, mapped);
      if (!fault) return [fieldOfRow(field, mapped, { map, under, signed, origin })];
      faults.push({ ...fault, pointer: `${pointer}${fault.pointer}` });
    }
    return [];
  });
  if (faults.length > 0) {
    const names = fieldsOf(type).map(path => path.join('.'));
    throw new UnfitMap(faults, [`The fields are ${names.join(', ')}.`]);
  }
  return fields;
}

/** Finds the fault of where a field comes from. */
function sourceFault({ type }: RecordField, mapped: MappedFieldInput): MapFault | null {
  const { field: name, column, signOf, makeId, default: fallback, where } = mapped;
  const ofRow = makeId === 'LINE' || makeId === 'ROW';
  if (column == null && signOf == null && !ofRow && fallback == null) {
    const message = `The map has neither a column nor a default for ${name}. Give one, or remove the field.`;
    return { pointer: '', code: 'required', detail: 'Needs a column or a default.', message };
  }
  if ([column, signOf, ofRow || null].filter(source => source != null).length > 1) {
    const message = `The map has several sources for ${name}. Give a column, signOf or an id that is made of the row.`;
    return { pointer: '', code: 'format', detail: 'Needs one of column, signOf and makeId.', message };
  }
  if (makeId && (makeId === 'UUID' ? type.name !== 'UUID' || column == null : type.name !== 'ID')) {
    const message = `The map makes an id for ${name}. UUID is for ids that are UUIDs and need a column, LINE and ROW are for other ids.`;
    return { pointer: '/makeId', code: 'format', detail: 'UUID needs a column of ids that are UUIDs.', message };
  }
  if (signOf != null && !(isEnumType(type) && type.getValue('DEBIT') && type.getValue('CREDIT'))) {
    const message = `The map has signOf for ${name}, which is neither DEBIT nor CREDIT. Name a column.`;
    return { pointer: '/signOf', code: 'format', detail: 'Is for a field that is DEBIT or CREDIT.', message };
  }
  if (where != null && fallback == null) {
    const message = `The map says where ${name} has a default, and has none. Give the default.`;
    return { pointer: '/default', code: 'required', detail: 'Needs a default, since where is given.', message };
  }
  return null;
}

interface MapFacts {
  readonly map: ColumnMapInput;
  readonly under: string | null;
  /** The columns whose signs are directions, and no part of the amount. */
  readonly signed: ReadonlySet<string | null | undefined>;
  readonly origin: RowsOrigin;
}

function fieldOfRow(field: RecordField, mapped: MappedFieldInput, facts: MapFacts): FieldOfRow {
  const { under, origin } = facts;
  const { path, isList } = field;
  const one = withWords(formOf(field, mapped, facts), mapped);
  const read = isList
    ? (cell: string) => allOf(cell.split(LIST_SEPARATOR, MAX_PARTS).map(part => one.read(part.trim())))
    : one.read;
  const { column, signOf, makeId, format } = mapped;
  return {
    path,
    parents: path.slice(1).map((_, index) => path.slice(0, index + 1).join('.')),
    pointer: [...(under === null ? [] : [under]), ...path].map(step => `/${step}`).join(''),
    column: columnName(column ?? signOf),
    fallback: defaultOf(field, mapped),
    where: columnName(mapped.where),
    made: makeId && makeId !== 'UUID' ? idsOf(makeId, format ?? null, origin) : null,
    read,
    form: one.form,
  };
}

/** A name as headers have it. */
export function columnName(name: string | null | undefined): string | null {
  return name?.trim().normalize('NFC') ?? null;
}

function formOf({ type }: RecordField, mapped: MappedFieldInput, { map, signed, origin }: MapFacts): CellForm {
  const { field, column, signOf, makeId, format = null } = mapped;
  const dates = format ?? map.dates ?? DEFAULT_DATES;
  const amounts = (): CellForm =>
    numbersLike(format ?? map.amounts ?? DEFAULT_AMOUNTS, `The form of amounts for ${field}`);
  if (signOf != null) return directionOf(amounts(), mapped);
  if (makeId === 'UUID') return { ...TEXT, read: cell => uuidOf(origin.program, cell.normalize('NFC')) };
  switch (type.name) {
    case 'LocalDate':
      return datesAs(dates, `The form of dates for ${field}`);
    case 'DateTimeISO':
      return instantsAs(dates, map.timeZone ?? null, `The form of dates for ${field}`);
    case 'Int':
    case 'Float':
      return column != null && signed.has(column) ? withoutSign(amounts()) : amounts();
    case 'Boolean':
      return BOOLEAN;
    default:
      return TEXT;
  }
}

/** The meanings of the sign of an amount where the map says nothing else of `-` and `+`. */
const DIRECTIONS: Readonly<Record<string, string>> = { '-': 'DEBIT', '+': 'CREDIT' };

function directionOf({ read, form }: CellForm, { words }: MappedFieldInput): CellForm {
  const meanings = { ...DIRECTIONS, ...Object.fromEntries((words ?? []).map(({ cell, is }) => [cell, is])) };
  return {
    form,
    read: cell => {
      const amount = read(cell) as number | undefined;
      return amount === undefined ? undefined : meanings[amount < 0 ? '-' : '+'];
    },
  };
}

function withoutSign({ read, form }: CellForm): CellForm {
  return {
    form,
    read: cell => {
      const amount = read(cell) as number | undefined;
      return amount === undefined ? undefined : Math.abs(amount);
    },
  };
}

/** A word of the file is what the map says that it means; other cells are read as they are. */
function withWords({ read, form }: CellForm, { words, signOf }: MappedFieldInput): CellForm {
  if (!words || words.length === 0 || signOf != null) return { read, form };
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
