import { setImmediate } from 'node:timers/promises';
import { csvRows, type CsvRow } from '../../../../lib/csv/csv-rows.js';
import { WrongEncoding, type Encoding } from '../../../../lib/csv/decoded.js';
import { InvalidInput, Refusal, type FieldProblem } from '../../../shared/errors.js';
import { readRecord } from '../../input/read-input.js';
import type { InputClass } from '../../input/input.js';
import type { ReadLine, RecordFormat } from '../batch.js';
import { LINES_AT_ONCE, orRefusal } from '../json-lines.js';
import { BATCH_LINES, MAX_LINE_BYTES } from '../source.js';
import type { ColumnMapInput } from './column-map.js';
import { mappedFields, type FieldOfRow } from './mapped-fields.js';
import { recordOf } from './record-fields.js';
import { nested } from './nested.js';
import { UnfitMap, type MapFault } from './unfit-map.js';

/** A batch ends here even if it has few rows. */
const BATCH_CHARACTERS = 4 * 1024 * 1024;

/**
 * Rows of CSV, whose first row names the columns. Throws `UnfitMap` if the map does not fit the records; the
 * first batch throws it if the map does not fit the header. Batches throw `UnreadableCsv` where the file is no CSV.
 */
export function csvTable(
  input: InputClass,
  map: ColumnMapInput & { readonly encoding?: Encoding | null },
): RecordFormat {
  const { under } = recordOf(input);
  const fields = mappedFields(input, map);
  return {
    async *batches(chunks) {
      const { separator, encoding } = map;
      const rows = csvRows(chunks, { separator, encoding, maxRowBytes: MAX_LINE_BYTES });
      try {
        const header = (await rows.next()) as IteratorResult<CsvRow, undefined>;
        if (header.value) yield* batchesOf(rows, header.value.cells, under, fields, input);
      } catch (error) {
        if (!(error instanceof WrongEncoding)) throw error;
        throw new Error(`${error.message} Set encoding in the map.`, { cause: error });
      }
    },
    columnOf: pointer => columnOf(fields, pointer),
  };
}

async function* batchesOf(
  rows: AsyncIterable<CsvRow>,
  header: readonly string[],
  under: string | null,
  fields: readonly FieldOfRow[],
  input: InputClass,
): AsyncGenerator<ReadLine[]> {
  const places = placesIn(header, fields);
  let batch: ReadLine[] = [];
  let characters = 0;
  for await (const { line, cells } of rows) {
    const read = orRefusal(() => recordIn(cells, header.length, places, under, fields, input));
    batch.push({ line, ...(read instanceof Refusal ? { item: read } : read) });
    characters += cells.reduce((sum, { length }) => sum + length, 0);
    if (batch.length % LINES_AT_ONCE === 0) await setImmediate();
    if (batch.length < BATCH_LINES && characters < BATCH_CHARACTERS) continue;
    yield batch;
    batch = [];
    characters = 0;
  }
  if (batch.length > 0) yield batch;
}

/**
 * Where each field is in a row; null for those without a column. Names of the map can be told, those of the file not.
 */
function placesIn(header: readonly string[], fields: readonly FieldOfRow[]): (number | null)[] {
  const names = header.map(name => name.normalize('NFC'));
  const faults: MapFault[] = [];
  const places = fields.map(({ column, path }, index) => {
    if (column === null) return null;
    const place = names.indexOf(column);
    const pointer = `/fields/${index}/column`;
    if (place === -1) {
      const told = `The file has no column ${column}, which the map names for ${path.join('.')}.`;
      faults.push({ pointer, code: 'format', detail: 'Must be a column of the header.', told });
    } else if (names.lastIndexOf(column) !== place) {
      const told = `The file has two columns ${column}. Rename one.`;
      faults.push({ pointer, code: 'repeated', detail: 'Is in the header twice. Rename one.', told });
    }
    return place;
  });
  if (faults.length > 0) throw new UnfitMap(faults);
  return places;
}

function recordIn(
  cells: readonly string[],
  width: number,
  places: readonly (number | null)[],
  under: string | null,
  fields: readonly FieldOfRow[],
  input: InputClass,
): Omit<ReadLine, 'line'> {
  if (cells.length < width || cells.slice(width).some(cell => cell !== '')) {
    const detail = `The row has ${cells.length} cells, and the header ${width}. Put cells that contain the separator or a line break in quotes.`;
    throw new InvalidInput('malformed', [{ pointer: '', code: 'wrong_type', detail }]);
  }
  const wrong: FieldProblem[] = [];
  const values = fields.map(({ pointer, read, form }, index) => {
    const place = places[index] ?? null;
    const cell = place === null ? '' : (cells[place] as string);
    if (cell === '') return undefined;
    const value = read(cell);
    if (value === undefined) wrong.push({ pointer, code: 'wrong_type', detail: form });
    return value;
  });
  const record = nested(fields, values);
  const value = under === null ? record : { [under]: record };
  const item = readWith(wrong, () => readRecord(input, value));
  return item instanceof Refusal ? { item, value } : { item };
}

/** The record, or a refusal with the cells that are wrong and with what else is. */
function readWith(wrong: readonly FieldProblem[], read: () => object): object {
  const item = orRefusal(read);
  if (wrong.length === 0) return item;
  const pointers = new Set(wrong.map(({ pointer }) => pointer));
  const others = item instanceof InvalidInput ? item.errors.filter(({ pointer }) => !pointers.has(pointer)) : [];
  return new InvalidInput('malformed', [...wrong, ...others]);
}

/** The column of the field at a pointer, or of the list that it is in. */
function columnOf(fields: readonly FieldOfRow[], pointer: string): string | undefined {
  const found = fields.find(field => pointer === field.pointer || pointer.startsWith(`${field.pointer}/`));
  return found?.column ?? undefined;
}
