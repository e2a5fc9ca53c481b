import { Field, ID } from 'type-graphql';
import { ACCOUNT_ID } from '../account/account.entity.js';
import { Base64, LocalDate } from '../../platform/scalars/scalars.js';
import { Input } from '../../platform/input/input.js';
import { Matches, Size, Text } from '../../platform/input/rules.js';
import { BOOKED } from '../../shared/calendar.js';
import { DocumentType } from './statement.entity.js';

/** The input of GraphQL and REST without the PDF, which REST takes as the body. */
@Input("A partner's document without its PDF.")
export class StatementDetails {
  @Matches(BOOKED, 'a day from 1850 to 2099')
  @Field(() => LocalDate, {
    description: 'The last day of the period; not later than today.',
  })
  statementDate!: string;

  @Text(1, 200)
  @Field(() => String, {
    nullable: true,
    description: 'The title, 1 to 200 characters; the date when absent.',
  })
  description?: string | null;
}

@Input('The PDF of a partner, stored unchanged.')
export class StatementInput extends StatementDetails {
  @Field(() => Base64, {
    description: 'A PDF up to 10 MiB without scripts.',
  })
  document!: Buffer;
}

@Input('The account, and the statement that is stored for it.')
export class AddStatementInput {
  @Field(() => ID, { description: ACCOUNT_ID })
  accountId!: string;

  @Field(() => StatementInput, { description: 'The new statement.' })
  statement!: StatementInput;
}

@Input('The filter of a list of documents.')
export class StatementFilter {
  @Size(1, 2)
  @Field(() => [DocumentType], { nullable: true, description: 'The types of documents to list.' })
  documentTypes?: DocumentType[] | null;
}
