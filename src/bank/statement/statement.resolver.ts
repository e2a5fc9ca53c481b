import { Arg, Args, Ctx, FieldResolver, ID, Mutation, Resolver, Root } from 'type-graphql';
import { Account, type AccountView } from '../account/account.entity.js';
import { connectionOf, type Connection } from '../../platform/graphql/connection.js';
import { Writer, atPointer, type Context } from '../../platform/graphql/context.js';
import { CursorArgs } from '../../platform/graphql/page-args.js';
import { payloadOf, type Payload } from '../../platform/graphql/payload.js';
import type { Caller } from '../../shared/caller.js';
import { Statement, type StatementView } from './statement.entity.js';
import { AddStatementInput, StatementFilter } from './statement.inputs.js';
import type { StatementService } from './statement.service.js';
import { ADD_STATEMENT, READ_STATEMENTS } from './statement.operations.js';
import { Performs } from '../../platform/graphql/performs.js';

const StatementConnection = connectionOf<StatementView>(Statement);
export const AddStatementPayload = payloadOf<StatementView>('addStatement', 'statement', Statement);

@Resolver(() => Account)
export class StatementResolver {
  constructor(private readonly service: StatementService) {}

  @Performs(READ_STATEMENTS)
  @FieldResolver(() => StatementConnection, {
    nullable: true,
    description: 'The statements and tax forms, newest first.',
  })
  statements(
    @Root() account: AccountView,
    @Args(() => CursorArgs) page: CursorArgs,
    @Arg('filter', () => StatementFilter, {
      nullable: true,
      description: 'The filter of the list, which has all elements without it.',
    })
    filter: StatementFilter | null,
    @Ctx() { caller }: Context,
  ): Connection<StatementView> {
    return new StatementConnection(this.service.list(caller, account, page, filter?.documentTypes ?? null));
  }

  @Performs(READ_STATEMENTS)
  @FieldResolver(() => Statement, {
    nullable: true,
    description: 'The document with this id; null if there is none.',
  })
  statement(
    @Root() account: AccountView,
    @Arg('statementId', () => ID, {
      description: 'The id of the document, such as `5b0e8a53-0c1f-4a2e-9d44-7f1c9a523d60`.',
    })
    statementId: string,
    @Ctx() { caller }: Context,
  ): Promise<StatementView | null> {
    return this.service.find(caller, account, statementId);
  }

  @Performs(ADD_STATEMENT)
  @Mutation(() => AddStatementPayload, {
    nullable: true,
    description: 'Stores the PDF of a partner unchanged, also for closed accounts.',
  })
  async addStatement(
    @Writer() caller: Caller,
    @Arg('input', () => AddStatementInput) { accountId, statement }: AddStatementInput,
  ): Promise<Payload> {
    const adding = this.service.add(caller, accountId, statement);
    return new AddStatementPayload(caller, await atPointer('/input/statement', adding));
  }
}
