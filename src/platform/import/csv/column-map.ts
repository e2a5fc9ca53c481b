import { Field } from 'type-graphql';
import { Input } from '../../input/input.js';
import { Matches, Size, Text } from '../../input/rules.js';

const MAX_FIELDS = 200;
const MAX_WORDS = 200;
const MAX_CHARACTERS = 200;
const SEPARATOR_FORM = 'one character that separates cells: , ; | or a tab';

@Input('A word of a file, and what it means.')
export class MeaningOfWordInput {
  @Text(0, MAX_CHARACTERS, { symbols: true })
  @Field(() => String, { description: 'As it is in the cells, such as `CHK`.' })
  cell!: string;

  @Text(1, MAX_CHARACTERS, { symbols: true })
  @Field(() => String, { description: 'As records have it, such as `CHECKING`.' })
  is!: string;
}

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
    description: 'What an empty cell means, such as `US`; without a column what every row has.',
  })
  default?: string | null;

  @Text(1, MAX_CHARACTERS)
  @Field(() => String, {
    nullable: true,
    description: 'The form of dates or amounts of this column, such as `D.M.YYYY`; that of the map when absent.',
  })
  format?: string | null;

  @Size(0, MAX_WORDS)
  @Field(() => [MeaningOfWordInput], { nullable: true, description: 'Other cells are read as they are.' })
  words?: MeaningOfWordInput[] | null;
}

@Input('How the rows of CSV become records.')
export class ColumnMapInput {
  @Matches(/^[,;|\t]$/, SEPARATOR_FORM)
  @Field(() => String, {
    nullable: true,
    description: 'One of `,`, `;`, `|` and a tab; found out from the header when absent.',
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
    description: 'Of times that say none, such as `America/New_York`.',
  })
  timeZone?: string | null;

  @Size(1, MAX_FIELDS)
  @Field(() => [MappedFieldInput], { description: 'At most 200.' })
  fields!: MappedFieldInput[];
}
