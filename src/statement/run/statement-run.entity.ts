import { Field, ID, Int, ObjectType, registerEnumType } from 'type-graphql';
import { Input } from '../../platform/input/input.js';
import { Matches } from '../../platform/input/rules.js';
import { Node, NodeKey } from '../../platform/graphql/node.js';
import { DateTimeISO, UUID } from '../../platform/scalars/scalars.js';
import { LEFT_OUT_REASONS } from '../issue/left-out.js';
import type { AccountLeftOutView, RunView } from './statement-runs.js';
import { DocumentType } from '../statement.entity.js';

export const StatementRunStarter = { COMMAND_LINE: 'COMMAND_LINE', OPERATOR: 'OPERATOR', GATEWAY: 'GATEWAY' } as const;
export type StatementRunStarter = keyof typeof StatementRunStarter;
registerEnumType(StatementRunStarter, {
  name: 'StatementRunStarter',
  description: 'Who started a run.',
  valuesConfig: {
    COMMAND_LINE: { description: 'An operator on the command line: `tillgate statements close`, `1099` or `rerun`.' },
    OPERATOR: { description: 'An operator over GraphQL or REST: `rerunStatementRun`.' },
    GATEWAY: { description: 'The gateway by itself: the close on the first of each month.' },
  },
});

export const StatementRunStatus = { RUNNING: 'RUNNING', FINISHED: 'FINISHED', GIVEN_UP: 'GIVEN_UP' } as const;
export type StatementRunStatus = keyof typeof StatementRunStatus;
registerEnumType(StatementRunStatus, {
  name: 'StatementRunStatus',
  description: 'What became of a run.',
  valuesConfig: {
    RUNNING: { description: 'Its documents are being issued.' },
    FINISHED: { description: 'Every account was looked at. Those without a document are in `leftOut`.' },
    GIVEN_UP: { description: 'Some accounts failed repeatedly. `rerunStatementRun` takes them up again.' },
  },
});

/** The codes of the reasons in capitals, as the names of the API are. */
export const LeftOutReason = Object.fromEntries(
  Object.keys(LEFT_OUT_REASONS).map(code => [code.toUpperCase(), code.toUpperCase()]),
);
registerEnumType(LeftOutReason, {
  name: 'LeftOutReason',
  description: 'Why an account got no document.',
  valuesConfig: Object.fromEntries(
    Object.entries(LEFT_OUT_REASONS).map(([code, description]) => [code.toUpperCase(), { description }]),
  ),
});

@ObjectType({ description: 'An account that got no document in a run, and why.', simpleResolvers: true })
export class LeftOutAccount implements AccountLeftOutView {
  @Field(() => ID, { description: 'The id of the account, such as `demo-1001`.' })
  accountId!: string;

  @Field(() => [LeftOutReason], { description: 'All reasons, one or more.' })
  reasons!: readonly string[];
}

@NodeKey('runId')
@ObjectType({
  description:
    'The issue of the documents of a month or of a tax year. The numbers are those of the accounts of the program, even if the run was for all programs.',
  implements: Node,
  simpleResolvers: true,
})
export class StatementRun implements RunView {
  @Field(() => UUID, { description: 'The id of the run, such as `7c0d5b1e-93a4-4f0e-9d0e-2f5b0f3c6a11`.' })
  runId!: string;

  @Field(() => DocumentType, { description: 'Whether the run issues statements or tax forms.' })
  documentType!: DocumentType;

  @Field(() => String, { description: 'The month, such as `2026-03`, or the tax year, such as `2025`.' })
  period!: string;

  @Field(() => StatementRunStarter, {
    nullable: true,
    description: 'Who started it; null for runs of before this was recorded.',
  })
  startedBy!: StatementRunStarter | null;

  @Field(() => DateTimeISO, { description: 'When it was started, such as `2026-04-01T12:30:00.000Z`.' })
  startedAt!: string;

  @Field(() => DateTimeISO, {
    nullable: true,
    description:
      'When its last document was issued, such as `2026-04-01T12:34:00.000Z`; null until then, and for runs of before this was recorded.',
  })
  finishedAt!: string | null;

  @Field(() => StatementRunStatus, { description: 'What became of it.' })
  status!: StatementRunStatus;

  @Field(() => Boolean, {
    description: 'Whether tax forms were issued even if they lacked something (`--incomplete issue`).',
  })
  issueIncomplete!: boolean;

  @Field(() => UUID, {
    nullable: true,
    description:
      'The run whose accounts without a document this run took up again, such as `7c0d5b1e-93a4-4f0e-9d0e-2f5b0f3c6a11`; null if it was for all accounts.',
  })
  rerunOf!: string | null;

  @Field(() => Int, { description: 'The number of accounts that it is for.' })
  accounts!: number;

  @Field(() => Int, { description: 'The number of accounts that were looked at so far.' })
  done!: number;

  @Field(() => Int, { description: 'The number of documents that were issued, without corrections.' })
  issued!: number;

  @Field(() => Int, { description: 'The number of corrected documents that were issued.' })
  corrected!: number;

  @Field(() => Int, { description: 'The number of accounts whose period was not over in their time zone.' })
  notOverYet!: number;

  @Field(() => Int, { description: 'The number of accounts that got no document though one was due.' })
  leftOutCount!: number;

  @Field(() => Int, {
    description:
      'The number of accounts that were looked at and were due no document: they had no activity of which their program issues statements, or no interest, or their document was issued already.',
  })
  notDueCount!: number;

  @Field(() => Int, {
    description:
      'The number of issued documents with letters that no installed font can print. They show boxes, and the log names the accounts.',
  })
  unprintableCount!: number;
}

@Input('A filter of runs. A run must match every field that is given.')
export class StatementRunFilter {
  @Field(() => DocumentType, { nullable: true, description: 'Only runs that issue this type of documents.' })
  documentType?: DocumentType | null;

  @Matches(/^\d{4}(-\d\d)?$/, 'a month such as 2026-03, or a year such as 2025')
  @Field(() => String, {
    nullable: true,
    description: 'Only runs of this month, such as `2026-03`, or of this tax year, such as `2025`.',
  })
  period?: string | null;
}
