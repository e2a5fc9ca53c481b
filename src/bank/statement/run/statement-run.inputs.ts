import { Field, ID } from 'type-graphql';
import { Reason } from '../../account/account.service.js';
import { DryRun, Flag } from '../../../platform/graphql/flag.js';
import { Input } from '../../../platform/input/input.js';
import { Distinct, EachMatches, Matches, Size } from '../../../platform/input/rules.js';
import { namesRecord } from '../../../platform/graphql/record-name.js';
import { BANK_ID, BANK_ID_FORM } from '../../../shared/ids.js';
import { DocumentType } from '../statement.entity.js';

/** The most accounts that a run may be for by their ids. */
const MAX_NAMED_ACCOUNTS = 100;

export const RUN_ID = { description: 'The id of the run, which its start returned.' };
const NamesRun = namesRecord('StatementRun', {
  runId: { description: 'A run of the program, by the id that its start returned.', isUuid: true },
});

@Input('The documents that a run issues.')
export class StatementRunOrder {
  @Field(() => DocumentType, { description: 'The type of the documents that are issued.' })
  documentType!: DocumentType;

  @Matches(/^\d{4}(-\d\d)?$/, 'a month such as 2026-03, or a year such as 2025')
  @Field(() => String, {
    description:
      'The month of statements, such as `2026-03`, or the tax year of forms, such as `2025`. It must be over.',
  })
  period!: string;

  @EachMatches(BANK_ID, BANK_ID_FORM)
  @Distinct()
  @Size(1, MAX_NAMED_ACCOUNTS)
  @Field(() => [ID], {
    nullable: true,
    description: `The accounts, 1 to ${MAX_NAMED_ACCOUNTS}, such as \`demo-1001\`; all accounts of the program when absent.`,
  })
  accountIds?: string[] | null;

  @Flag('True to issue tax forms that lack something as well. Statements lack nothing.')
  issueIncomplete?: boolean;
}

@Input('The documents that are issued.')
export class StartStatementRunInput extends StatementRunOrder {
  @DryRun()
  dryRun?: boolean;
}

@Input('The run that is stopped.')
export class StopStatementRunInput extends NamesRun {
  @Reason({ nullable: true })
  reason?: string | null;
}

@Input('The run that is repeated for what it left out.')
export class RerunStatementRunInput extends NamesRun {}
