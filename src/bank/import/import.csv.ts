import { csvRows } from '../../../lib/csv/csv-rows.js';
import { UnreadableCsv, type CsvRow } from '../../../lib/csv/rows.js';
import {
  UnusableSource,
  type ImportKind as Kind,
  type ReadLine,
  type RecordFormat,
} from '../../platform/import/batch.js';
import type { ColumnMapInput } from '../../platform/import/csv/column-map.js';
import { columnMapOf } from '../../platform/import/csv/map-file.js';
import { csvTable } from '../../platform/import/csv/csv-table.js';
import type { RowsOrigin } from '../../platform/import/csv/made-ids.js';
import { fieldAt, fieldsOf, recordOf, type RecordField } from '../../platform/import/csv/record-fields.js';
import { UnfitMap } from '../../platform/import/csv/unfit-map.js';
import { jsonLines } from '../../platform/import/json-lines.js';
import { MAX_LINE_BYTES } from '../../platform/import/source.js';
import { formOf } from '../../platform/input/shape.js';
import { InvalidInput } from '../../shared/errors.js';
import { UsageError } from '../../shared/usage-error.js';
import type { ImportField, ImportTable } from './import.entity.js';

const MAX_ROWS = 10;

/** Reads lines of JSON, or of CSV by a map. Throws `InvalidInput` where the map does not fit, or the text is no CSV. */
export async function readLinesOf(
  kind: Kind,
  lines: string,
  map: ColumnMapInput | null,
  origin: RowsOrigin,
): Promise<ReadLine[]> {
  return refusingText(async () => {
    const format: RecordFormat = map === null ? jsonLines(kind) : csvTable(kind.input, map, origin);
    const read: ReadLine[] = [];
    for await (const batch of format.batches(chunksOf(lines))) read.push(...batch);
    return read;
  });
}

/** The map in a text. Throws `InvalidInput`. The text is UTF-8, so the encoding of its file does not count. */
export function mapIn(text: string): ColumnMapInput {
  try {
    return columnMapOf(text);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new InvalidInput('rule_broken', [{ pointer: '/mapText', code: 'format', detail: error.message }]);
  }
}

/** The header, the first rows, and the fields that a map may name. Throws `InvalidInput` where the text is no CSV. */
export async function tableIn(
  kind: Kind,
  lines: string,
  { headerLine, separator = null }: Pick<ColumnMapInput, 'headerLine' | 'separator'>,
): Promise<ImportTable> {
  return refusingText(async () => {
    const rows: CsvRow[] = [];
    const form = { headerLine, separator, maxRowCharacters: MAX_LINE_BYTES };
    for await (const row of csvRows(chunksOf(lines), form)) if (rows.push(row) > MAX_ROWS) break;
    const [header, ...shown] = rows;
    const columns = header?.cells ?? [];
    // The first of several columns whose names are alike.
    const byName = new Map(columns.toReversed().map(column => [plainName(column), column]));
    const { type } = recordOf(kind.input);
    const fields = fieldsOf(type).map(path => fieldOf(fieldAt(type, path) as RecordField, byName));
    return { headerLine: header?.line ?? 1, separator, columns, rows: shown.map(({ cells }) => cells), fields };
  });
}

function fieldOf({ path, type, isRequired }: RecordField, columns: ReadonlyMap<string, string>): ImportField {
  const [whole, last] = [path.join(''), path.at(-1) ?? ''].map(name => columns.get(plainName(name)));
  return { path: path.join('.'), isRequired, form: formOf(type), column: whole ?? last ?? null };
}

/** Letters and digits alone, so that `Last name` is like `lastName`. */
function plainName(name: string): string {
  return name
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}

async function refusingText<Result>(read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof UnfitMap) {
      const faults = error.faults.map(fault => ({ ...fault, pointer: `/map${fault.pointer}` }));
      throw new InvalidInput('rule_broken', faults);
    }
    // A form of dates or amounts, a time zone or a default: the message names a field of the records.
    if (error instanceof UsageError) {
      throw new InvalidInput('rule_broken', [{ pointer: '/map', code: 'format', detail: error.message }]);
    }
    if (error instanceof UnreadableCsv || error instanceof UnusableSource) {
      throw new InvalidInput('rule_broken', [{ pointer: '/lines', code: 'format', detail: error.message }]);
    }
    throw error;
  }
}

async function* chunksOf(lines: string): AsyncGenerator<Buffer> {
  yield Buffer.from(lines);
}
