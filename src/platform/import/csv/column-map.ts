import { Field, Int, registerEnumType } from 'type-graphql';
import { Input } from '../../input/input.js';
import { Between, EachText, Matches, Size, Text } from '../../input/rules.js';

const MAX_FIELDS = 200;
const MAX_WORDS = 200;
const MAX_CHARACTERS = 200;
const MAX_SKIPS = 10;
const MAX_SKIPPED_CELLS = 50;
export const MAX_HEADER_LINE = 1000;
export const HEADER_LINE = 'The line of the header, counted from 1; the first one that is not blank when absent.';
const SEPARATOR_FORM = 'one character that separates cells: , ; | or a tab';

@Input('A word of a file, and what it means.')
export class MeaningOfWordInput {
  @Text(0, MAX_CHARACTERS, { symbols: true })
  @Field(() => String, { description: 'The word in the cells, such as `CHK`.' })
  cell!: string;

  @Text(1, MAX_CHARACTERS, { symbols: true })
  @Field(() => String, { description: 'The word in records, such as `CHECKING`.' })
  is!: string;
}

/** The source of an id where the file has none. */
export const MadeId = { UUID: 'UUID', LINE: 'LINE', ROW: 'ROW' } as const;
export type MadeId = keyof typeof MadeId;

registerEnumType(MadeId, {
  name: 'MadeId',
  description: 'The source of an id that a file lacks.',
  valuesConfig: {
    UUID: { description: "The cell of the column, such as the bank's own number: the same UUID for it each time." },
    LINE: { description: 'The number of the line in the file.' },
    ROW: { description: 'All cells of the row: the same id for the same row of any file.' },
  },
});

@Input('A field of records, and where CSV has it.')
export class MappedFieldInput {
  @Text(1, MAX_CHARACTERS)
  @Field(() => String, { description: 'A path such as `name.last` or `addresses.0.city`.' })
  field!: string;

  @Text(1, MAX_CHARACTERS, { symbols: true })
  @Field(() => String, { nullable: true, description: 'The name in the header, such as `Last name`.' })
  column?: string | null;

  @Text(1, MAX_CHARACTERS, { symbols: true })
  @Field(() => String, {
    nullable: true,
    description: 'The value of an empty cell, such as `US`; without a column, the value of every row.',
  })
  default?: string | null;

  @Text(1, MAX_CHARACTERS, { symbols: true })
  @Field(() => String, {
    nullable: true,
    description: 'The default is only for rows that have a cell in this column.',
  })
  where?: string | null;

  @Text(1, MAX_CHARACTERS, { symbols: true })
  @Field(() => String, {
    nullable: true,
    description: 'A column of amounts for `debitCreditMemo`: those with a minus are `DEBIT`.',
  })
  signOf?: string | null;

  @Field(() => MadeId, { nullable: true, description: 'The source of an id that the file does not have.' })
  makeId?: MadeId | null;

  @Text(1, MAX_CHARACTERS)
  @Field(() => String, {
    nullable: true,
    description: 'The form of this column, such as `D.M.YYYY`, or of an id that is made, such as `march-#`.',
  })
  format?: string | null;

  @Size(0, MAX_WORDS)
  @Field(() => [MeaningOfWordInput], {
    nullable: true,
    description: 'The words that mean something else. Other cells are read as they are.',
  })
  words?: MeaningOfWordInput[] | null;
}

@Input('Rows of a file that are no records, such as totals.')
export class SkippedRowsInput {
  @Text(1, MAX_CHARACTERS, { symbols: true })
  @Field(() => String, { description: 'The name in the header.' })
  column!: string;

  @EachText(0, MAX_CHARACTERS)
  @Size(1, MAX_SKIPPED_CELLS)
  @Field(() => [String], { description: 'Whole cells, such as `Total`, or their beginnings, such as `Balance on*`.' })
  cells!: string[];
}

@Input('A map, by which rows of CSV become records.')
export class ColumnMapInput {
  @Between(1, MAX_HEADER_LINE)
  @Field(() => Int, { nullable: true, description: HEADER_LINE })
  headerLine?: number | null;

  @Matches(/^[,;|\t]$/, SEPARATOR_FORM)
  @Field(() => String, {
    nullable: true,
    description: 'The character that separates cells: `,`, `;`, `|` or a tab; found out from the header when absent.',
  })
  separator?: string | null;

  @Text(1, MAX_CHARACTERS)
  @Field(() => String, {
    nullable: true,
    description: 'The form of dates and times, such as `DD.MM.YYYY`; `YYYY-MM-DD` when absent.',
  })
  dates?: string | null;

  @Text(1, MAX_CHARACTERS)
  @Field(() => String, {
    nullable: true,
    description: 'The amount 1234.56 as the file writes it, such as `1.234,56`; `1234.56` when absent.',
  })
  amounts?: string | null;

  @Text(1, MAX_CHARACTERS)
  @Field(() => String, {
    nullable: true,
    description: 'The time zone of times that say none, such as `America/New_York`.',
  })
  timeZone?: string | null;

  @Size(0, MAX_SKIPS)
  @Field(() => [SkippedRowsInput], { nullable: true, description: 'The rows that count as blank lines; at most 10.' })
  skip?: SkippedRowsInput[] | null;

  @Size(1, MAX_FIELDS)
  @Field(() => [MappedFieldInput], { description: 'The fields of the records, at most 200.' })
  fields!: MappedFieldInput[];
}
