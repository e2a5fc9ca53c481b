import { Field, Int } from 'type-graphql';
import { ColumnMapInput, HEADER_LINE, MAX_HEADER_LINE } from '../../platform/import/csv/column-map.js';
import { DryRun } from '../../platform/graphql/flag.js';
import { Input } from '../../platform/input/input.js';
import { Between, Fits } from '../../platform/input/rules.js';
import { ImportKind } from './import.entity.js';

/** The longest text of lines, in UTF-8. */
const MAX_IMPORT_BYTES = 256 * 1024;
/** The number of lines of one short transaction. */
export const MAX_IMPORT_LINES = 1000;
/** The longest map in a text, which is a hundred fields with words. Reading YAML takes a microsecond a byte. */
const MAX_MAP_CHARACTERS = 16 * 1024;
const MAP_FORM = `Must be a map of at most ${MAX_MAP_CHARACTERS} characters.`;
const MAP_SCHEMA = { minLength: 1, maxLength: MAX_MAP_CHARACTERS };
const MAP_TEXT = 'A map in YAML or JSON, as files for the command line have it, in place of `map`.';

function isShortMap(text: string): boolean {
  return text !== '' && text.length <= MAX_MAP_CHARACTERS;
}

const MAX_LINE_NUMBER = 2_000_000_000;

/** True if a text has few enough lines. The end of the last line may be missing. */
function isShort(text: string): boolean {
  if (text.length > MAX_IMPORT_BYTES || Buffer.byteLength(text) > MAX_IMPORT_BYTES) return false;
  let ends = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) ends += 1;
  return ends < MAX_IMPORT_LINES || (ends === MAX_IMPORT_LINES && text.endsWith('\n'));
}

const LINES_FORM = `Must be at most ${MAX_IMPORT_LINES} lines, together 1 to ${MAX_IMPORT_BYTES} bytes in UTF-8. Send the rest in another request.`;
const LINES_SCHEMA = { minLength: 1, maxLength: MAX_IMPORT_BYTES };

@Input('Lines of an import.')
export class ImportLinesInput {
  @Fits('text', text => text !== '' && isShort(text), LINES_FORM, LINES_SCHEMA)
  @Field(() => String, {
    description: `The lines, at most ${MAX_IMPORT_LINES}: JSON objects, such as \`{"customerId":"…"}\`, or CSV with its header where there is a \`map\`.`,
  })
  lines!: string;

  @Between(1, MAX_LINE_NUMBER)
  @Field(() => Int, {
    nullable: true,
    description: 'The number of the first line in its file; 1 when absent.',
  })
  firstLine?: number | null;

  @Field(() => ColumnMapInput, { nullable: true, description: 'The map of lines that are CSV.' })
  map?: ColumnMapInput | null;

  @Fits('text', isShortMap, MAP_FORM, MAP_SCHEMA)
  @Field(() => String, { nullable: true, description: MAP_TEXT })
  mapText?: string | null;
}

@Input('Records to be imported.')
export class ImportRecordsInput extends ImportLinesInput {
  @Field(() => ImportKind, { description: 'The kind of records that the lines have.' })
  kind!: ImportKind;

  @DryRun()
  dryRun?: boolean;
}

@Input('The beginning of CSV that is to be imported.')
export class ImportTableInput {
  @Field(() => ImportKind, { description: 'The kind of the records.' })
  kind!: ImportKind;

  @Fits('text', text => text !== '' && isShort(text), LINES_FORM, LINES_SCHEMA)
  @Field(() => String, { description: `The header and some rows: at most ${MAX_IMPORT_LINES} lines.` })
  lines!: string;

  @Between(1, MAX_HEADER_LINE)
  @Field(() => Int, { nullable: true, description: HEADER_LINE })
  headerLine?: number | null;

  @Fits('text', isShortMap, MAP_FORM, MAP_SCHEMA)
  @Field(() => String, {
    nullable: true,
    description: 'A map in YAML or JSON, whose `headerLine` and `separator` count.',
  })
  mapText?: string | null;
}
