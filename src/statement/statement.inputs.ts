import { Field } from 'type-graphql';
import { Base64, LocalDate } from '../platform/graphql/scalars.js';
import { Input } from '../platform/input/input.js';
import { Matches, Text } from '../platform/input/rules.js';
import { BOOKED } from '../shared/calendar.js';

/** What both doors take beside the PDF, which REST has as its body. */
@Input("A partner's document without its PDF.")
export class StatementDetails {
  @Matches(BOOKED, 'a day from 1850 to 2099')
  @Field(() => LocalDate, {
    description: "The last day of its period, such as `2026-03-31`; not after today on the account's clock.",
  })
  statementDate!: string;

  @Text(1, 200)
  @Field(() => String, {
    nullable: true,
    description: 'What the document is called, 1 to 200 characters; the statement date when absent.',
  })
  description?: string | null;
}

@Input('A PDF that a partner made, to be kept as it is.')
export class StatementInput extends StatementDetails {
  @Field(() => Base64, {
    description:
      'The PDF, up to 10 MiB; its base64 begins with a text such as `JVBERi0x`. Whole, not encrypted, and without anything that acts: scripts, forms that send, files inside.',
  })
  document!: Buffer;
}
