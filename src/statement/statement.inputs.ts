import { Field } from 'type-graphql';
import { Base64, LocalDate } from '../platform/graphql/scalars.js';
import { Input } from '../platform/input/input.js';
import { Matches, Text } from '../platform/input/rules.js';

/** A year that makes sense: a mistyped century is found, and PostgreSQL has no year 0. */
const DAY = /^(18[5-9]|19\d|20\d)\d-/;

/** What both doors take beside the PDF, which REST has as its body. */
@Input("A partner's document without its PDF.")
export class StatementDetails {
  @Matches(DAY, 'a day from 1850 to 2099')
  @Field(() => LocalDate, { description: 'The last day of its period; not after today.' })
  statementDate!: string;

  @Text(1, 200)
  @Field(() => String, {
    nullable: true,
    description: 'What the document is called, up to 200 characters; the statement date when absent.',
  })
  description?: string | null;
}

@Input("A partner's document, to be kept as it is.")
export class StatementInput extends StatementDetails {
  @Field(() => Base64, { description: 'The PDF, up to 10 MiB: whole, not encrypted, and without anything that acts.' })
  document!: Buffer;
}
