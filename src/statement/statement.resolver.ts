import { Arg, Args, Ctx, FieldResolver, ID, Mutation, Resolver, Root } from 'type-graphql';
import { Account, type AccountView } from '../account/account.entity.js';
import { connectionOf, type Connection } from '../platform/graphql/connection.js';
import { Writer, type Context } from '../platform/graphql/context.js';
import { OffsetArgs } from '../platform/graphql/page-args.js';
import type { Caller } from '../shared/caller.js';
import type { PartnerStatementService } from './partner-statement.service.js';
import { DocumentType, Statement, type StatementView } from './statement.entity.js';
import { StatementInput } from './statement.inputs.js';
import type { StatementService } from './statement.service.js';

const StatementConnection = connectionOf<StatementView>(Statement);

@Resolver(() => Account)
export class StatementResolver {
  constructor(
    private readonly service: StatementService,
    private readonly partnerStatements: PartnerStatementService,
  ) {}

  @FieldResolver(() => StatementConnection, { description: 'The documents of the account, newest first.' })
  statements(
    @Root() account: AccountView,
    @Args(() => OffsetArgs) page: OffsetArgs,
    @Arg('documentType', () => DocumentType, { nullable: true, description: 'Of this type; of all when absent.' })
    documentType: DocumentType | null = null,
    @Ctx() { caller }: Context,
  ): Connection<StatementView> {
    return new StatementConnection(
      () => this.service.slice(caller, account, page, documentType),
      () => this.service.count(caller, account, documentType),
    );
  }

  @FieldResolver(() => Statement, {
    nullable: true,
    description: 'One document of the account; null when there is none.',
  })
  statement(
    @Root() account: AccountView,
    @Arg('statementId', () => ID, { description: 'The document.' }) statementId: string,
    @Ctx() { caller }: Context,
  ): Promise<StatementView | null> {
    return this.service.find(caller, account, statementId);
  }

  @Mutation(() => Statement, { description: 'Adds a statement that a partner made, and keeps it as it is.' })
  addStatement(
    @Writer() caller: Caller,
    @Arg('accountId', () => ID, { description: 'The account.' }) accountId: string,
    @Arg('input', () => StatementInput, { description: 'The document.' }) input: StatementInput,
  ): Promise<StatementView> {
    return this.partnerStatements.add(caller, accountId, input);
  }
}
