import { csvRows } from '../../../../lib/csv/csv-rows.js';
import { ROW_FAULTS, UnreadableCsv, type CsvRow } from '../../../../lib/csv/rows.js';
import { WrongEncoding, type Encoding } from '../../../../lib/csv/decoded.js';
import { InvalidInput, Refusal, type FieldProblem } from '../../../shared/errors.js';
import { readRecord } from '../../input/read-input.js';
import type { InputClass } from '../../input/input.js';
import { UnusableSource, type ReadLine, type RecordFormat } from '../batch.js';
import { LineTooLong, Pace, orRefusal } from '../json-lines.js';
import { BATCH_LINES, MAX_LINE_BYTES } from '../source.js';
import type { ColumnMapInput } from './column-map.js';
import type { RowsOrigin } from './made-ids.js';
import { columnName, mappedFields, type FieldOfRow } from './mapped-fields.js';
import { recordOf } from './record-fields.js';
import { nested } from './nested.js';
import { UnfitMap, type MapFault } from './unfit-map.js';

/** A batch ends here even if it has few rows. */
const BATCH_CHARACTERS = 4 * 1024 * 1024;
/** No field of a record is longer. Many fields may be read from one cell. */
const MAX_CELL_CHARACTERS = 20_000;

/**
 * Rows of CSV, whose header names the columns. Throws `UnfitMap` if the map does not fit the records; the first batch
 * throws it if the map does not fit the header, and `UnusableSource` where no header can be read.
 */
export function csvTable(
  input: InputClass,
  map: ColumnMapInput & { readonly encoding?: Encoding | null },
  origin: RowsOrigin,
): RecordFormat {
  const { under } = recordOf(input);
  const fields = mappedFields(input, map, origin);
  return {
    async *batches(chunks) {
      const { separator, encoding, headerLine } = map;
      const rows = csvRows(chunks, { separator, encoding, headerLine, maxRowCharacters: MAX_LINE_BYTES });
      try {
        const header = (await rows.next()) as IteratorResult<CsvRow, undefined>;
        if (header.value) yield* batchesOf(rows, tableOf(header.value.cells, map, fields), under, input);
      } catch (error) {
        if (error instanceof UnreadableCsv) throw new UnusableSource(error.message, { cause: error });
        if (!(error instanceof WrongEncoding)) throw error;
        throw new UnusableSource(`${error.message} Set encoding in the map.`, { cause: error });
      }
    },
    columnOf: pointer => columnOf(fields, pointer),
  };
}

/** The rows under one header, and how they are read. */
interface Table {
  readonly width: number;
  readonly fields: readonly PlacedField[];
  readonly isSkipped: (cells: readonly string[]) => boolean;
}

interface PlacedField extends FieldOfRow {
  /** Where its cell is; null for a field without a column. */
  readonly place: number | null;
  /** Where the cell is with which the default holds; null where it always holds. */
  readonly wherePlace: number | null;
}

async function* batchesOf(
  rows: AsyncIterable<CsvRow>,
  table: Table,
  under: string | null,
  input: InputClass,
): AsyncGenerator<ReadLine[]> {
  const pace = new Pace();
  let batch: ReadLine[] = [];
  let characters = 0;
  for await (const row of rows) {
    if (table.isSkipped(row.cells)) continue;
    const read = orRefusal(() => recordIn(row, table, under, input));
    batch.push({ line: row.line, ...(read instanceof Refusal ? { item: read } : read) });
    characters += row.text.length;
    if (pace.isDue) await pace.rest();
    if (batch.length < BATCH_LINES && characters < BATCH_CHARACTERS) continue;
    yield batch;
    batch = [];
    characters = 0;
  }
  if (batch.length > 0) yield batch;
}

/**
 * Throws `UnfitMap` where the header lacks a column of the map. Names of the map can be told, those of the file not.
 */
function tableOf(header: readonly string[], map: ColumnMapInput, fields: readonly FieldOfRow[]): Table {
  const places = new Map<string, number>();
  const repeated = new Set<string>();
  for (const [place, cell] of header.entries()) {
    const name = cell.normalize('NFC');
    if (places.has(name)) repeated.add(name);
    else places.set(name, place);
  }
  const faults: MapFault[] = [];
  const placeOf = (column: string | null, pointer: string, use: string): number | null => {
    if (column === null) return null;
    const place = places.get(column);
    if (place === undefined) {
      const message = `The file has no column ${column}, which the map names ${use}.`;
      faults.push({ pointer, code: 'format', detail: 'Must be a column of the header.', message });
    } else if (repeated.has(column)) {
      const message = `The file has two columns ${column}. Rename one.`;
      faults.push({ pointer, code: 'repeated', detail: 'Is in the header twice. Rename one.', message });
    }
    return place ?? null;
  };
  const placed = fields.map((field, index) => {
    const [pointer, use] = [`/fields/${index}`, `for ${field.path.join('.')}`];
    const source = map.fields[index]?.signOf == null ? 'column' : 'signOf';
    const place = placeOf(field.column, `${pointer}/${source}`, use);
    return { ...field, place, wherePlace: placeOf(field.where, `${pointer}/where`, use) };
  });
  const skips = (map.skip ?? []).map(({ column, cells }, index) => ({
    place: placeOf(columnName(column), `/skip/${index}/column`, 'for rows to skip') ?? 0,
    whole: new Set(cells),
    beginnings: cells.filter(cell => cell.endsWith('*')).map(cell => cell.slice(0, -1)),
  }));
  if (faults.length > 0) throw new UnfitMap(faults);
  return {
    width: header.length,
    fields: placed,
    isSkipped: cells =>
      skips.some(({ place, whole, beginnings }) => {
        const cell = cells[place];
        return cell !== undefined && (whole.has(cell) || beginnings.some(beginning => cell.startsWith(beginning)));
      }),
  };
}

function recordIn(
  row: CsvRow,
  { width, fields }: Table,
  under: string | null,
  input: InputClass,
): Omit<ReadLine, 'line'> {
  const { cells, fault } = row;
  if (fault === 'too long') throw new LineTooLong();
  if (fault !== null) throw new UnreadableRow(`The row ${ROW_FAULTS[fault]}`);
  if (cells.length < width || cells.slice(width).some(cell => cell !== '')) {
    const detail = `The row has ${cells.length} cells, and the header ${width}. Put cells that contain the separator or a line break in quotes.`;
    throw new InvalidInput('malformed', [{ pointer: '', code: 'wrong_type', detail }]);
  }
  const wrong: FieldProblem[] = [];
  const values = fields.map(({ pointer, place, made, read, form }) => {
    if (made) return made(row);
    const cell = place === null ? '' : (cells[place] as string);
    if (cell === '') return undefined;
    const isTooLong = cell.length > MAX_CELL_CHARACTERS;
    const value = isTooLong ? undefined : read(cell);
    const detail = isTooLong ? `Must be at most ${MAX_CELL_CHARACTERS} characters.` : form;
    if (value === undefined) wrong.push({ pointer, code: 'wrong_type', detail });
    return value;
  });
  const hasDefault = (index: number): boolean => {
    const place = fields[index]?.wherePlace ?? null;
    return place === null || cells[place] !== '';
  };
  const record = nested(fields, values, hasDefault);
  const value = under === null ? record : { [under]: record };
  const item = readWith(wrong, () => readRecord(input, value));
  return item instanceof Refusal ? { item, value } : { item };
}

/** The record, or a refusal with the cells that are wrong and with what else is. */
function readWith(wrong: readonly FieldProblem[], read: () => object): object {
  const item = orRefusal(read);
  if (wrong.length === 0) return item;
  // A wrong cell is told once, and not by its object as well, which seems to lack it.
  const isTold = (pointer: string) => wrong.some(cell => `${cell.pointer}/`.startsWith(`${pointer}/`));
  const others = item instanceof InvalidInput ? item.errors.filter(({ pointer }) => !isTold(pointer)) : [];
  return new InvalidInput('malformed', [...wrong, ...others]);
}

/** The column of the field at a pointer, or of the list that it is in, or the columns of the object that is there. */
function columnOf(fields: readonly FieldOfRow[], pointer: string): string | undefined {
  const found = fields.find(field => `${pointer}/`.startsWith(`${field.pointer}/`));
  if (found) return found.column ?? undefined;
  const inner = pointer === '' ? [] : fields.filter(field => field.pointer.startsWith(`${pointer}/`));
  return inner.flatMap(({ column }) => column ?? []).join(', ') || undefined;
}

class UnreadableRow extends Refusal {
  readonly code = 'not_csv';
}
