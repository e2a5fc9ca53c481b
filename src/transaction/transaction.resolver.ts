import type { GraphQLResolveInfo } from 'graphql';
import {
  Arg,
  Args,
  ArgsType,
  Ctx,
  Field,
  FieldResolver,
  ID,
  Info,
  Int,
  Mutation,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import { Account, type AccountView } from '../account/account.entity.js';
import { askedFor } from '../platform/graphql/asked-for.js';
import { connectionOf, type Connection } from '../platform/graphql/connection.js';
import { Writer, type Context } from '../platform/graphql/context.js';
import { CursorArgs, OffsetArgs } from '../platform/graphql/page-args.js';
import type { Caller } from '../shared/caller.js';
import type { PostingService } from './posting.service.js';
import type { ProgramHistoryService } from './program-history.service.js';
import type { TransactionCriteria } from './transaction.criteria.js';
import { Transaction, type TransactionView } from './transaction.entity.js';
import { TransactionFilter, TransactionInput } from './transaction.inputs.js';
import type { TransactionService } from './transaction.service.js';

const TransactionConnection = connectionOf<TransactionView>(Transaction);
const listsAskedFor = askedFor('additionalInformation', 'lineItem');
const FILTER = { nullable: true, description: 'Which transactions; all when absent.' };

@ArgsType()
class HistoryArgs extends OffsetArgs {
  @Field(() => Int, {
    nullable: true,
    description: 'How many elements from the end of the list, or before `before`; instead of first.',
  })
  last?: number | null;

  @Field(() => String, { nullable: true, description: 'Ends before the element with this cursor.' })
  before?: string | null;
}

@Resolver(() => Account)
export class TransactionResolver {
  constructor(
    private readonly history: TransactionService,
    private readonly programHistory: ProgramHistoryService,
    private readonly posting: PostingService,
  ) {}

  @FieldResolver(() => TransactionConnection, {
    description: 'The history of the account, newest first in ledger order.',
  })
  transactions(
    @Root() account: AccountView,
    @Args(() => HistoryArgs) page: HistoryArgs,
    @Arg('filter', () => TransactionFilter, FILTER) filter: TransactionFilter | null,
    @Ctx() { caller }: Context,
    @Info() info: GraphQLResolveInfo,
  ): Connection<TransactionView> {
    const criteria = criteriaOf(filter);
    return new TransactionConnection(
      () => this.history.slice(caller, account, page, criteria, listsAskedFor(info)),
      () => this.history.count(caller, account, criteria),
    );
  }

  @FieldResolver(() => Transaction, {
    nullable: true,
    description: 'One transaction of the account; null when there is none.',
  })
  transaction(
    @Root() account: AccountView,
    @Arg('transactionId', () => ID, { description: 'The transaction.' }) transactionId: string,
    @Ctx() { caller }: Context,
  ): Promise<TransactionView | null> {
    return this.history.find(caller, account, transactionId);
  }

  @Query(() => TransactionConnection, {
    name: 'transactions',
    description: 'The history of the whole program, newest first (program-wide callers only).',
  })
  programTransactions(
    @Args(() => CursorArgs) page: CursorArgs,
    @Arg('filter', () => TransactionFilter, FILTER) filter: TransactionFilter | null,
    @Ctx() { caller }: Context,
  ): Connection<TransactionView> {
    const criteria = criteriaOf(filter);
    return new TransactionConnection(
      () => this.programHistory.slice(caller, page, criteria),
      () => this.programHistory.count(caller, criteria),
    );
  }

  @Mutation(() => [Transaction], {
    description:
      'Posts transactions to an account in the order given, all or none (scope operations). Those already posted are given back as they stand.',
  })
  postTransactions(
    @Writer() caller: Caller,
    @Arg('accountId', () => ID, { description: 'The account.' }) accountId: string,
    @Arg('transactions', () => [TransactionInput], { description: 'The transactions, 1 to 500.' })
    transactions: TransactionInput[],
  ): Promise<TransactionView[]> {
    return this.posting.post(caller, accountId, transactions);
  }
}

function criteriaOf(filter: TransactionFilter | null): TransactionCriteria {
  const { debitCreditMemo, ...others } = filter ?? {};
  return { ...others, debitCreditMemo: debitCreditMemo && [debitCreditMemo] };
}
