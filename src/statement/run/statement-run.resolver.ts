import { Arg, Args, Ctx, FieldResolver, Query, Resolver, Root } from 'type-graphql';
import { connectionOf, type Connection } from '../../platform/graphql/connection.js';
import type { Context } from '../../platform/graphql/context.js';
import { CursorArgs } from '../../platform/graphql/page-args.js';
import { UUID } from '../../platform/scalars/scalars.js';
import { LeftOutAccount, StatementRun, StatementRunFilter } from './statement-run.entity.js';
import type { StatementRunService } from './statement-run.service.js';
import type { AccountLeftOutView, RunView } from './statement-runs.js';

const SCOPE = 'Needs the scope `operations.read`.';

const StatementRunConnection = connectionOf<RunView>(StatementRun);
const LeftOutAccountConnection = connectionOf<AccountLeftOutView>(LeftOutAccount);

@Resolver(() => StatementRun)
export class StatementRunResolver {
  constructor(private readonly service: StatementRunService) {}

  @Query(() => StatementRunConnection, {
    nullable: true,
    description: `The runs that issued documents to accounts of the program, the newest first. ${SCOPE}`,
  })
  statementRuns(
    @Args(() => CursorArgs) page: CursorArgs,
    @Arg('filter', () => StatementRunFilter, {
      nullable: true,
      description: 'A filter; without it the list has all elements.',
    })
    filter: StatementRunFilter | null,
    @Ctx() { caller }: Context,
  ): Connection<RunView> {
    return new StatementRunConnection(this.service.list(caller, page, filter));
  }

  @Query(() => StatementRun, {
    nullable: true,
    description: `One run that issued documents to accounts of the program; null if it does not exist. ${SCOPE}`,
  })
  statementRun(
    @Arg('runId', () => UUID, {
      description: 'The id of the run, such as `7c0d5b1e-93a4-4f0e-9d0e-2f5b0f3c6a11`.',
    })
    runId: string,
    @Ctx() { caller }: Context,
  ): Promise<RunView | null> {
    return this.service.find(caller, runId);
  }

  @FieldResolver(() => LeftOutAccountConnection, {
    nullable: true,
    description: `The accounts of the program that got no document though one was due, by their ids. ${SCOPE}`,
  })
  leftOut(
    @Root() run: RunView,
    @Args(() => CursorArgs) page: CursorArgs,
    @Ctx() { caller }: Context,
  ): Connection<AccountLeftOutView> {
    return new LeftOutAccountConnection(this.service.leftOut(caller, run, page));
  }
}
