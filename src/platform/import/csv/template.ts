import { csvLine } from '../../../../lib/csv/csv.js';
import { formOf } from '../../input/shape.js';
import type { InputClass } from '../../input/input.js';
import { DEFAULT_AMOUNTS, DEFAULT_DATES, LIST_SEPARATOR } from './mapped-fields.js';
import { fieldAt, fieldsOf, recordOf, type RecordField } from './record-fields.js';

/** A map of all fields of a kind, in YAML, and the header of a file that it fits. */
export function templateOf(input: InputClass, name: string): { readonly map: string; readonly header: string } {
  const { type } = recordOf(input);
  const fields = fieldsOf(type).map(path => fieldAt(type, path) as RecordField);
  const header = csvLine(fields.map(({ path }) => path.join('.'))).trimEnd();
  const isTimed = fields.some(field => field.type.name === 'DateTimeISO');
  const lines = [
    `# A map for tillgate import ${name}. Each field names the column that has it; remove the fields that your file does not have.`,
    '# `default: US` beside a column fills empty cells, and without a column all rows. A name such as addresses.0.city is of the first',
    '# address: addresses.1.city is of the second. `words: [{ cell: CHK, is: CHECKING }]` says what a word of the file means.',
    '# `headerLine: 6` is for lines before the header, `skip: [{ column: Date, cells: [Total] }]` for rows that are no records.',
    '# `makeId: ROW` or `LINE` makes an id that the file does not have, `makeId: UUID` beside a column one of the number there.',
    '# A file that this map fits begins with:',
    `# ${header}`,
    `dates: ${DEFAULT_DATES} # or DD.MM.YYYY, M/D/YYYY; of times YYYY-MM-DD HH:mm:ss`,
    `amounts: '${DEFAULT_AMOUNTS}' # or 1.234,56: the amount 1234.56 as the file writes it`,
    ...(isTimed ? ['# timeZone: America/New_York # of times that say none'] : []),
    'fields:',
    ...fields.map(field => `  - { field: ${pathOf(field)}, column: ${pathOf(field)} } # ${commentOf(field)}`),
  ];
  return { map: `${lines.join('\n')}\n`, header };
}

/** The head of the map says what these are, or there is nothing to say of them. */
const PLAIN: ReadonlySet<string> = new Set(['LocalDate', 'DateTimeISO', 'String', 'ID', 'Float']);

function pathOf({ path }: RecordField): string {
  return path.join('.');
}

function commentOf({ type, isRequired, isList }: RecordField): string {
  const form = PLAIN.has(type.name) ? '' : ` ${formOf(type)}`;
  const several = isList ? ` Separate several by ${LIST_SEPARATOR}.` : '';
  return `${isRequired ? 'Required.' : 'Optional.'}${form}${several}`;
}
