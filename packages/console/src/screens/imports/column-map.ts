import type { ColumnMapInput, ConsoleImportTableQuery } from '../../generated/graphql.js';

/** The beginning of a file of CSV as the gateway reads it. */
export type Table = NonNullable<ConsoleImportTableQuery['importTable']>;

/** Where a field comes from: a column, or a text that all rows have. */
export interface FieldChoice {
  readonly column: string | null;
  readonly text: string | null;
}

/** The choices for the fields, by their paths, and for the forms of dates and amounts. */
export interface MapChoices {
  readonly fields: Readonly<Record<string, FieldChoice>>;
  readonly dates: string;
  /** The text behind dates that have a time, such as ` HH:mm`. */
  readonly times: string;
  readonly amounts: string;
  readonly timeZone: string;
}

const NOTHING: FieldChoice = { column: null, text: null };

/** The choices to begin with: columns whose names are like those of fields. */
export function likelyChoices({ fields }: Table): MapChoices {
  return {
    fields: Object.fromEntries(fields.map(({ path, column }) => [path, { column: column ?? null, text: null }])),
    dates: 'YYYY-MM-DD',
    times: '',
    amounts: '1234.56',
    timeZone: '',
  };
}

export function choiceOf({ fields }: MapChoices, path: string): FieldChoice {
  return fields[path] ?? NOTHING;
}

/** The required fields that have neither a column nor a text. */
export function missingFields({ fields }: Table, choices: MapChoices): string[] {
  return fields
    .filter(({ path, isRequired }) => {
      const { column, text } = choiceOf(choices, path);
      return isRequired && column === null && !text;
    })
    .map(({ path }) => path);
}

/** The map of what was chosen. The header is where the gateway has found it. */
export function mapOf({ headerLine }: Table, { fields, dates, times, amounts, timeZone }: MapChoices): ColumnMapInput {
  return {
    headerLine,
    dates: `${dates}${times}`,
    amounts,
    ...(timeZone !== '' && { timeZone }),
    fields: Object.entries(fields)
      .filter(([, { column, text }]) => column !== null || text)
      .map(([field, { column, text }]) => ({ field, ...(column === null ? { default: text } : { column }) })),
  };
}
