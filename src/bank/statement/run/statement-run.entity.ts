import { Field, ID, Int, ObjectType, registerEnumType } from 'type-graphql';
import { Input } from '../../../platform/input/input.js';
import { Matches } from '../../../platform/input/rules.js';
import { Node, NodeKey } from '../../../platform/graphql/node.js';
import { DateTimeISO, UUID } from '../../../platform/scalars/scalars.js';
import { LEFT_OUT_REASONS } from '../issue/left-out.js';
import type { AccountLeftOutView, RunView } from './statement-runs.js';
import { DocumentType } from '../statement.entity.js';
import { Renamed } from '../../../platform/graphql/renamed.js';

export const StatementRunStarter = { COMMAND_LINE: 'COMMAND_LINE', OPERATOR: 'OPERATOR', GATEWAY: 'GATEWAY' } as const;
export type StatementRunStarter = keyof typeof StatementRunStarter;
registerEnumType(StatementRunStarter, {
  name: 'StatementRunStarter',
  description: 'Who started a run.',
  valuesConfig: {
    COMMAND_LINE: { description: '`tillgate statements close`, `1099` or `rerun`.' },
    OPERATOR: { description: '`rerunStatementRun` or its route.' },
    GATEWAY: { description: 'The close on the first of each month.' },
  },
});

export const StatementRunStatus = { RUNNING: 'RUNNING', FINISHED: 'FINISHED', GIVEN_UP: 'GIVEN_UP' } as const;
export type StatementRunStatus = keyof typeof StatementRunStatus;
registerEnumType(StatementRunStatus, {
  name: 'StatementRunStatus',
  description: 'What became of a run.',
  valuesConfig: {
    RUNNING: { description: 'Its documents are being issued.' },
    FINISHED: { description: 'Every account was looked at.' },
    GIVEN_UP: { description: 'Some accounts failed repeatedly: see `rerunStatementRun`.' },
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

@ObjectType({ description: 'Whose document was due and is missing.', simpleResolvers: true })
export class LeftOutAccount implements AccountLeftOutView {
  @Field(() => ID, { description: 'The id of the account, such as `demo-1001`.' })
  accountId!: string;

  @Field(() => [LeftOutReason], { description: 'All reasons, one or more.' })
  reasons!: readonly string[];
}

@NodeKey('runId')
@ObjectType({
  description: 'The issue of documents of a month or a tax year.',
  implements: Node,
  simpleResolvers: true,
})
export class StatementRun implements RunView {
  @Field(() => UUID, { description: 'The id that its start gave.' })
  runId!: string;

  @Field(() => DocumentType, { description: 'What it issues.' })
  documentType!: DocumentType;

  @Field(() => String, { description: 'The month, such as `2026-03`, or the tax year, such as `2025`.' })
  period!: string;

  @Field(() => StatementRunStarter, {
    nullable: true,
    description: 'Null for runs of before this was recorded.',
  })
  startedBy!: StatementRunStarter | null;

  @Field(() => DateTimeISO, { description: 'When it was started.' })
  startedAt!: string;

  @Field(() => DateTimeISO, {
    nullable: true,
    description: 'When the last document was issued; null until then.',
  })
  finishedAt!: string | null;

  @Field(() => StatementRunStatus, { description: 'What became of it.' })
  status!: StatementRunStatus;

  @Field(() => Boolean, {
    description: 'Whether incomplete forms were issued (`--incomplete issue`).',
  })
  issueIncomplete!: boolean;

  @Field(() => UUID, {
    nullable: true,
    description: 'What it repeats.',
  })
  @Renamed('previousRunId')
  rerunOf!: string | null;

  @Field(() => Int, { description: 'How many it is for.' })
  @Renamed('accountCount')
  accounts!: number;

  @Field(() => Int, { description: 'How many were looked at so far.' })
  @Renamed('doneCount')
  done!: number;

  @Field(() => Int, { description: 'How many documents, without corrections.' })
  @Renamed('issuedCount')
  issued!: number;

  @Field(() => Int, { description: 'How many corrected documents.' })
  @Renamed('correctedCount')
  corrected!: number;

  @Field(() => Int, { description: 'Accounts whose period was not over in their time zone.' })
  @Renamed('notOverYetCount')
  notOverYet!: number;

  @Field(() => Int, { description: 'Accounts without a document that was due.' })
  leftOutCount!: number;

  @Field(() => Int, {
    description: 'Accounts that were due none: no activity to issue, no interest, or issued already.',
  })
  notDueCount!: number;

  @Field(() => Int, {
    description: 'Documents with letters that no font has; the log names the accounts.',
  })
  unprintableCount!: number;
}

@Input('A run must match every field.')
export class StatementRunFilter {
  @Field(() => DocumentType, { nullable: true, description: 'What it issues.' })
  documentType?: DocumentType | null;

  @Matches(/^\d{4}(-\d\d)?$/, 'a month such as 2026-03, or a year such as 2025')
  @Field(() => String, {
    nullable: true,
    description: 'A month, such as `2026-03`, or a tax year, such as `2025`.',
  })
  period?: string | null;
}
