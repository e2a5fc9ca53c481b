import { useState } from 'preact/hooks';
import { csvLine } from '../../../../lib/csv/csv.js';
import { MAX_SAVED, type Pages } from '../client/pages.js';
import { asProblem } from '../client/problem.js';
import { Button } from './button.js';
import { toast } from './toast.js';
import { counted } from './words.js';

/** A column of a file: its name, and the value as the API has it. */
export type CsvColumn<Row> = readonly [name: string, value: (row: Row) => string | number | null | undefined];

/** Columns that are called like fields of the API. The values of a list have spaces between them. */
export function csvFields<Row>(...names: readonly (keyof Row & string)[]): readonly CsvColumn<Row>[] {
  return names.map((name): CsvColumn<Row> => [
    name,
    row => {
      const value: unknown = row[name];
      return Array.isArray(value) ? value.join(' ') : ((value ?? '') as string | number);
    },
  ]);
}

/** RFC 4180, with a byte order mark by which spreadsheets know UTF-8. */
export function csvOf<Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[]): Blob {
  const lines = rows.map(row => csvLine(columns.map(([, value]) => String(value(row) ?? ''))));
  return new Blob(['\ufeff', csvLine(columns.map(([name]) => name)), ...lines], { type: 'text/csv' });
}

/** Has the browser keep a file. */
export function saveAs(name: string, content: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

interface CsvButtonProps<Row> {
  readonly of: Pages<Row>;
  /** The name of the file, without its ending. */
  readonly name: string;
  readonly columns: readonly CsvColumn<Row>[];
}

/** Saves the whole list as it is filtered and ordered, and not only what is shown. Says how many rows were saved. */
export async function saveList<Row>({ of: { all }, name, columns }: CsvButtonProps<Row>): Promise<void> {
  try {
    const { nodes: rows, isWhole } = await all();
    saveAs(`${name}.csv`, csvOf(columns, rows));
    const saved = `${counted(rows.length, 'row was', 'rows were')} saved`;
    toast(
      isWhole ? `${saved}.` : `${saved}. A file has at most ${MAX_SAVED.toLocaleString('en-US')}: filter the list.`,
    );
  } catch (error) {
    const { message, advice } = asProblem(error);
    toast(`Nothing was saved. ${message} ${advice}`);
  }
}

export function CsvButton<Row>(props: CsvButtonProps<Row>) {
  const [isBusy, setBusy] = useState(false);
  const save = async (): Promise<void> => {
    setBusy(true);
    await saveList(props);
    setBusy(false);
  };
  return (
    <Button isSmall icon="download" isBusy={isBusy} disabled={props.of.nodes.length === 0} onClick={() => void save()}>
      <span class="icon-text">CSV</span>
    </Button>
  );
}
