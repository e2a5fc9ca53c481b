import { decoded, type Encoding } from './decoded.js';
import { ROW_FAULTS, RowReader, UnreadableCsv, type CsvForm, type CsvRow } from './rows.js';

/**
 * The rows of CSV from the header on, in UTF-8, UTF-16 or Windows-1252. Blank rows are left out. Throws `UnreadableCsv`
 * where the header has a fault, and `WrongEncoding`.
 */
export async function* csvRows(
  chunks: AsyncIterable<Uint8Array>,
  form: CsvForm & { readonly encoding?: Encoding | null | undefined },
): AsyncGenerator<CsvRow> {
  const reader = new RowReader(form);
  let isHeader = true;
  const shown = ({ line, cells, fault }: CsvRow): boolean => {
    if (isHeader && fault) {
      throw new UnreadableCsv(
        `The header on line ${line} ${ROW_FAULTS[fault]} If another line is the header, name it as headerLine.`,
      );
    }
    isHeader = false;
    return fault !== null || cells.some(cell => cell !== '');
  };
  for await (const text of decoded(chunks, form.encoding ?? undefined)) {
    for (const row of reader.take(text)) if (shown(row)) yield row;
  }
  for (const row of reader.take('', true)) if (shown(row)) yield row;
}
