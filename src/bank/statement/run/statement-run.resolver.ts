import { Arg, Args, Ctx, FieldResolver, Mutation, Query, Resolver, Root } from 'type-graphql';
import { connectionOf, type Connection } from '../../../platform/graphql/connection.js';
import { Writer, atPointer, type Context } from '../../../platform/graphql/context.js';
import { CursorArgs } from '../../../platform/graphql/page-args.js';
import { payloadOf, type Payload } from '../../../platform/graphql/payload.js';
import { UuidArg } from '../../../platform/graphql/uuid-arg.js';
import type { Caller } from '../../../shared/caller.js';
import type { RerunService } from './rerun.service.js';
import { LeftOutAccount, StartStatementRunPayload, StatementRun, StatementRunFilter } from './statement-run.entity.js';
import {
  RUN_ID,
  RerunStatementRunInput,
  StartStatementRunInput,
  StopStatementRunInput,
} from './statement-run.inputs.js';
import type { StartService } from './start.service.js';
import type { StatementRunService } from './statement-run.service.js';
import type { AccountLeftOutView, RunView } from './statement-runs.js';
import type { StopService } from './stop.service.js';
import {
  READ_STATEMENT_RUNS,
  RERUN_STATEMENT_RUN,
  START_STATEMENT_RUN,
  STOP_STATEMENT_RUN,
} from '../statement.operations.js';
import { Performs } from '../../../platform/graphql/performs.js';

const RerunStatementRunPayload = payloadOf<RunView>(
  'rerunStatementRun',
  'run',
  StatementRun,
  'The new run, which issues what the other one left out.',
);
const StopStatementRunPayload = payloadOf<RunView>(
  'stopStatementRun',
  'run',
  StatementRun,
  'The run as it is after the stop.',
);
const StatementRunConnection = connectionOf<RunView>(StatementRun);
const LeftOutAccountConnection = connectionOf<AccountLeftOutView>(LeftOutAccount);

@Resolver(() => StatementRun)
export class StatementRunResolver {
  constructor(
    private readonly service: StatementRunService,
    private readonly reruns: RerunService,
    private readonly starts: StartService,
    private readonly stops: StopService,
  ) {}

  @Performs(READ_STATEMENT_RUNS)
  @Query(() => StatementRunConnection, {
    nullable: true,
    description: 'The runs that issued documents, in the order of their periods and starts, the newest first.',
  })
  statementRuns(
    @Args(() => CursorArgs) page: CursorArgs,
    @Arg('filter', () => StatementRunFilter, { nullable: true })
    filter: StatementRunFilter | null,
    @Ctx() { caller }: Context,
  ): Connection<RunView> {
    return new StatementRunConnection(this.service.list(caller, page, filter));
  }

  @Performs(READ_STATEMENT_RUNS)
  @Query(() => StatementRun, {
    nullable: true,
    description: 'The run that issued documents with this id; null if there is none.',
  })
  statementRun(
    @UuidArg('runId', RUN_ID)
    runId: string,
    @Ctx() { caller }: Context,
  ): Promise<RunView | null> {
    return this.service.find(caller, runId);
  }

  @Performs(READ_STATEMENT_RUNS)
  @FieldResolver(() => StatementRun, {
    nullable: true,
    description: 'The run that this one repeats.',
  })
  async previousRun(@Root() { rerunOf }: RunView, @Ctx() { caller }: Context): Promise<RunView | null> {
    caller.require(READ_STATEMENT_RUNS);
    return rerunOf === null ? null : this.service.find(caller, rerunOf);
  }

  @Performs(READ_STATEMENT_RUNS)
  @FieldResolver(() => LeftOutAccountConnection, {
    nullable: true,
    description: 'The accounts without a document that was due, in the order of their ids.',
  })
  leftOut(
    @Root() run: RunView,
    @Args(() => CursorArgs) page: CursorArgs,
    @Ctx() { caller }: Context,
  ): Connection<AccountLeftOutView> {
    return new LeftOutAccountConnection(this.service.leftOut(caller, run, page));
  }

  @Performs(START_STATEMENT_RUN)
  @Mutation(() => StartStatementRunPayload, {
    nullable: true,
    description:
      'Issues the documents of a month or a tax year that are missing, in a run. A dry run tells which these are.',
  })
  async startStatementRun(
    @Writer() caller: Caller,
    @Arg('input', () => StartStatementRunInput) { dryRun, ...order }: StartStatementRunInput,
  ): Promise<StartStatementRunPayload> {
    return new StartStatementRunPayload(caller, await atPointer('/input', this.starts.start(caller, order, dryRun)));
  }

  @Performs(STOP_STATEMENT_RUN)
  @Mutation(() => StopStatementRunPayload, {
    nullable: true,
    description: 'Stops a run. The documents that it has issued stay.',
  })
  async stopStatementRun(
    @Writer() caller: Caller,
    @Arg('input', () => StopStatementRunInput) { key, reason = null }: StopStatementRunInput,
  ): Promise<Payload> {
    return new StopStatementRunPayload(caller, await this.stops.stop(caller, key.runId, reason));
  }

  @Performs(RERUN_STATEMENT_RUN)
  @Mutation(() => RerunStatementRunPayload, {
    nullable: true,
    description: 'Issues what a run left out, as a new run.',
  })
  async rerunStatementRun(
    @Writer() caller: Caller,
    @Arg('input', () => RerunStatementRunInput) { key }: RerunStatementRunInput,
  ): Promise<Payload> {
    return new RerunStatementRunPayload(caller, await this.reruns.rerun(caller, key.runId));
  }
}
