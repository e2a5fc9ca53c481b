import { Field } from 'type-graphql';
import { ENCODINGS, type Encoding } from '../../../../lib/csv/decoded.js';
import { InvalidInput } from '../../../shared/errors.js';
import { UsageError } from '../../../shared/usage-error.js';
import { Input } from '../../input/input.js';
import { pathOf, readDocument } from '../../input/read-document.js';
import { readInput } from '../../input/read-input.js';
import { Matches, Size, Text } from '../../input/rules.js';

const MAX_FIELDS = 200;
const MAX_WORDS = 200;
const MAX_CHARACTERS = 200;
const SEPARATOR_FORM = 'one character that separates cells: , ; | or a tab';

@Input('A word of a file, and what it means.')
export class MeaningOfWord {
  @Text(0, MAX_CHARACTERS, { symbols: true })
  @Field(() => String)
  cell!: string;

  @Text(1, MAX_CHARACTERS, { symbols: true })
  @Field(() => String)
  is!: string;
}

@Input('A field of records, and where a file has it.')
export class MappedField {
  /** A path such as `name.last` or `addresses.0.city`. */
  @Text(1, MAX_CHARACTERS)
  @Field(() => String)
  field!: string;

  /** The name in the header. */
  @Text(1, MAX_CHARACTERS, { symbols: true })
  @Field(() => String, { nullable: true })
  column?: string | null;

  /** What an empty cell means, as the record has it; without a column what every row has. */
  @Text(1, MAX_CHARACTERS, { symbols: true })
  @Field(() => String, { nullable: true })
  default?: string | null;

  /** The form of dates or amounts of this column. */
  @Text(1, MAX_CHARACTERS)
  @Field(() => String, { nullable: true })
  format?: string | null;

  @Size(0, MAX_WORDS)
  @Field(() => [MeaningOfWord], { nullable: true })
  words?: MeaningOfWord[] | null;
}

@Input('How the rows of a CSV file become records.')
export class ColumnMap {
  @Matches(/^[,;|\t]$/, SEPARATOR_FORM)
  @Field(() => String, { nullable: true })
  separator?: string | null;

  @Matches(new RegExp(`^(${ENCODINGS.join('|')})$`), `one of ${ENCODINGS.join(', ')}`)
  @Field(() => String, { nullable: true })
  encoding?: Encoding | null;

  /** The form of dates, and of times that have a date, such as `DD.MM.YYYY`. */
  @Text(1, MAX_CHARACTERS)
  @Field(() => String, { nullable: true })
  dates?: string | null;

  /** An amount as the file writes it, such as `1.234,56`. */
  @Text(1, MAX_CHARACTERS)
  @Field(() => String, { nullable: true })
  amounts?: string | null;

  /** Where the clocks are that times of the file are read from. */
  @Text(1, MAX_CHARACTERS)
  @Field(() => String, { nullable: true })
  timeZone?: string | null;

  @Size(1, MAX_FIELDS)
  @Field(() => [MappedField])
  fields!: MappedField[];
}

/** The map in a file of YAML or JSON. Throws `UsageError` with all that is wrong in it. */
export async function readColumnMap(path: string): Promise<ColumnMap> {
  const document = await readDocument(path);
  try {
    return readInput(ColumnMap, asTexts(document));
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error;
    throw new UsageError(error.errors.map(({ pointer, detail }) => `${path}:${pathOf(pointer)} ${detail}`).join('\n'));
  }
}

/** All values of a map are texts, so that `default: 0` and `default: true` need no quotes. */
function asTexts(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asTexts);
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, asTexts(inner)]));
}
