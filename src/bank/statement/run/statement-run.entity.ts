import { Field, ID, Int, ObjectType, registerEnumType } from 'type-graphql';
import { Input } from '../../../platform/input/input.js';
import { Matches } from '../../../platform/input/rules.js';
import { Node, NodeKey } from '../../../platform/graphql/node.js';
import { DateTimeISO, UUID } from '../../../platform/scalars/scalars.js';
import { Payload } from '../../../platform/graphql/payload.js';
import type { Caller } from '../../../shared/caller.js';
import { MAX_LEFT_OUT_TOLD } from '../issue/issue-run.js';
import { LEFT_OUT_REASONS } from '../issue/left-out.js';
import { MAX_PREVIEWED, type RunPreview, type RunStart } from './run-preview.js';
import type { AccountLeftOutView, RunView } from './statement-runs.js';
import { DocumentType } from '../statement.entity.js';
import { Renamed } from '../../../platform/graphql/renamed.js';

export const StatementRunStarter = { COMMAND_LINE: 'COMMAND_LINE', OPERATOR: 'OPERATOR', GATEWAY: 'GATEWAY' } as const;
export type StatementRunStarter = keyof typeof StatementRunStarter;
registerEnumType(StatementRunStarter, {
  name: 'StatementRunStarter',
  description: 'The person or system that started a run.',
  valuesConfig: {
    COMMAND_LINE: { description: 'The command line: `tillgate statements close`, `1099` or `rerun`.' },
    OPERATOR: { description: 'An operator, by `startStatementRun`, `rerunStatementRun` or their routes.' },
    GATEWAY: { description: 'The gateway, by the close on the first of each month.' },
  },
});

export const StatementRunStatus = {
  RUNNING: 'RUNNING',
  FINISHED: 'FINISHED',
  STOPPED: 'STOPPED',
  GIVEN_UP: 'GIVEN_UP',
} as const;
export type StatementRunStatus = keyof typeof StatementRunStatus;
registerEnumType(StatementRunStatus, {
  name: 'StatementRunStatus',
  description: 'The outcome of a run.',
  valuesConfig: {
    RUNNING: { description: 'The documents of the run are being issued.' },
    FINISHED: { description: 'Every account was looked at.' },
    STOPPED: {
      description: 'An operator stopped the run: `rerunStatementRun` issues what is missing.',
    },
    GIVEN_UP: { description: 'Some accounts failed repeatedly: see `rerunStatementRun`.' },
  },
});

/** The codes of the reasons in capitals, as the names of the API are. */
export const LeftOutReason = Object.fromEntries(
  Object.keys(LEFT_OUT_REASONS).map(code => [code.toUpperCase(), code.toUpperCase()]),
);
registerEnumType(LeftOutReason, {
  name: 'LeftOutReason',
  description: 'The reason for which an account got no document.',
  valuesConfig: Object.fromEntries(
    Object.entries(LEFT_OUT_REASONS).map(([code, description]) => [code.toUpperCase(), { description }]),
  ),
});

@ObjectType({ description: 'An account whose document was due and is missing.', simpleResolvers: true })
export class LeftOutAccount implements AccountLeftOutView {
  @Field(() => ID, { description: 'The id of the account, such as `demo-1001`.' })
  accountId!: string;

  @Field(() => [LeftOutReason], { description: 'The reasons, one or more.' })
  reasons!: readonly string[];
}

@NodeKey('runId')
@ObjectType({
  description: 'The issue of documents of a month or a tax year.',
  implements: Node,
  simpleResolvers: true,
})
export class StatementRun implements RunView {
  @Field(() => UUID, { description: 'The id of the run, which its start returned.' })
  runId!: string;

  @Field(() => DocumentType, { description: 'The type of the documents that the run issues.' })
  documentType!: DocumentType;

  @Field(() => String, { description: 'The month, such as `2026-03`, or the tax year, such as `2025`.' })
  period!: string;

  @Field(() => StatementRunStarter, {
    nullable: true,
    description: 'The person or system that started the run; null for runs from before this was recorded.',
  })
  startedBy!: StatementRunStarter | null;

  @Field(() => DateTimeISO, { description: 'The time at which the run was started.' })
  startedAt!: string;

  @Field(() => DateTimeISO, {
    nullable: true,
    description: 'The time at which the last document was issued; null until then.',
  })
  finishedAt!: string | null;

  @Field(() => DateTimeISO, {
    nullable: true,
    description: 'The time at which an operator stopped the run; null unless somebody did.',
  })
  stoppedAt!: string | null;

  @Field(() => StatementRunStatus, { description: 'The outcome so far.' })
  status!: StatementRunStatus;

  @Field(() => Boolean, {
    description: 'True if incomplete forms were issued (`--incomplete issue`).',
  })
  issueIncomplete!: boolean;

  @Field(() => UUID, {
    nullable: true,
    description: 'The id of the run that this one repeats.',
  })
  @Renamed('previousRunId')
  rerunOf!: string | null;

  @Field(() => Int, { description: 'The number of accounts that the run is for.' })
  @Renamed('accountCount')
  accounts!: number;

  @Field(() => Int, { description: 'The number of accounts that were looked at so far.' })
  @Renamed('doneCount')
  done!: number;

  @Field(() => Int, { description: 'The number of issued documents, without corrections.' })
  @Renamed('issuedCount')
  issued!: number;

  @Field(() => Int, { description: 'The number of corrected documents.' })
  @Renamed('correctedCount')
  corrected!: number;

  @Field(() => Int, { description: 'The number of accounts whose period was not over in their time zone.' })
  @Renamed('notOverYetCount')
  notOverYet!: number;

  @Field(() => Int, { description: 'The number of accounts without a document that was due.' })
  leftOutCount!: number;

  @Field(() => Int, {
    description: 'The number of accounts that were due none: no activity to issue, no interest, or issued already.',
  })
  notDueCount!: number;

  @Field(() => Int, {
    description: 'The number of documents with letters that no font has; the log names the accounts.',
  })
  unprintableCount!: number;
}

@ObjectType({
  description: 'The number of accounts that a reason keeps from getting a document.',
  simpleResolvers: true,
})
export class LeftOutReasonCount {
  @Field(() => LeftOutReason, { description: 'The fault or the fact that keeps a document from being issued.' })
  reason!: string;

  @Field(() => Int, { description: 'The number of accounts. One with several reasons counts for each.' })
  @Renamed('accountCount')
  accounts!: number;
}

@ObjectType({ description: 'The documents that a run would issue, as the accounts are now.', simpleResolvers: true })
export class StatementRunPreview implements RunPreview {
  @Field(() => Int, { description: `The number of accounts that were looked at, at most ${MAX_PREVIEWED}.` })
  @Renamed('accountCount')
  accounts!: number;

  @Field(() => Boolean, { description: 'True if all accounts of the run were looked at.' })
  isComplete!: boolean;

  @Field(() => Boolean, { description: 'True if the run waits for an approval before it starts.' })
  waits!: boolean;

  @Field(() => Int, { description: 'The number of documents that would be issued, without corrections.' })
  @Renamed('issuedCount')
  issued!: number;

  @Field(() => Int, { description: 'The number of documents that would be corrected.' })
  @Renamed('correctedCount')
  corrected!: number;

  @Field(() => Int, { description: 'The number of accounts whose period is not over in their time zone.' })
  @Renamed('notOverYetCount')
  notOverYet!: number;

  @Field(() => Int, { description: 'The number of accounts that would get no document though one is due.' })
  leftOutCount!: number;

  @Field(() => Int, { description: 'The number of accounts that are due none.' })
  notDueCount!: number;

  @Field(() => [LeftOutReasonCount], { description: 'The reasons, the most frequent first.' })
  reasons!: readonly LeftOutReasonCount[];

  @Field(() => [LeftOutAccount], {
    description: `The first ${MAX_LEFT_OUT_TOLD} accounts that would get none, by their ids.`,
  })
  leftOut!: readonly LeftOutAccount[];
}

@ObjectType({ description: 'The result of `startStatementRun`.', simpleResolvers: true })
export class StartStatementRunPayload extends Payload {
  constructor(caller: Caller, { run, accounts, preview }: RunStart) {
    super(caller);
    this.run = run;
    this.accountCount = accounts;
    this.preview = preview;
  }

  @Field(() => StatementRun, { nullable: true, description: 'The run, which goes on by itself; null for a dry run.' })
  readonly run: StatementRun | null;

  @Field(() => Int, { description: 'The number of accounts that the run is for.' })
  readonly accountCount: number;

  @Field(() => StatementRunPreview, {
    nullable: true,
    description: 'The documents that the run would issue; null unless this is a dry run.',
  })
  readonly preview: StatementRunPreview | null;
}

@Input('A filter of runs, which must match every field.')
export class StatementRunFilter {
  @Field(() => DocumentType, { nullable: true, description: 'The type of the documents that the run issues.' })
  documentType?: DocumentType | null;

  @Matches(/^\d{4}(-\d\d)?$/, 'a month such as 2026-03, or a year such as 2025')
  @Field(() => String, {
    nullable: true,
    description: 'A month, such as `2026-03`, or a tax year, such as `2025`.',
  })
  period?: string | null;
}
