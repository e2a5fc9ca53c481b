import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, FieldResolver, ID, Info, Mutation, Query, Resolver, Root } from 'type-graphql';
import { Account, type AccountView } from '../account/account.entity.js';
import { connectionOf, type Connection } from '../../platform/graphql/connection.js';
import { Writer, atPointer, pointing, type Context } from '../../platform/graphql/context.js';
import { CursorArgs } from '../../platform/graphql/page-args.js';
import { payloadOf, type Payload } from '../../platform/graphql/payload.js';
import { selects } from '../../platform/graphql/selects.js';
import type { Caller } from '../../shared/caller.js';
import type { PostingService } from './posting.service.js';
import type { ProgramHistoryService } from './program-history.service.js';
import type { ReversalService } from './reversal.service.js';
import { TRANSACTION_LISTS, Transaction, type TransactionView } from './transaction.entity.js';
import { TransactionFilter, criteriaOf } from './transaction.filter.js';
import {
  PostAccountTransactionsInput,
  ReverseTransactionInput,
  newTransactionOf,
  pointerOfInput,
} from './transaction.inputs.js';
import { PostAccountTransactionsPayload } from './transaction.payload.js';
import type { TransactionService } from './transaction.service.js';
import {
  POST_TRANSACTIONS,
  READ_PROGRAM_HISTORY,
  READ_TRANSACTIONS,
  REVERSE_TRANSACTION,
} from './transaction.operations.js';
import { Performs } from '../../platform/graphql/performs.js';

const TransactionConnection = connectionOf<TransactionView>(Transaction);
export const ReverseTransactionPayload = payloadOf<TransactionView>(
  'reverseTransaction',
  'transaction',
  Transaction,
  'The new transaction, which takes the other one back.',
);
const selectsLists = selects(...TRANSACTION_LISTS);
const FILTER = { nullable: true };

@Resolver(() => Account)
export class TransactionResolver {
  constructor(
    private readonly history: TransactionService,
    private readonly programHistory: ProgramHistoryService,
    private readonly posting: PostingService,
    private readonly reversals: ReversalService,
  ) {}

  @Performs(READ_TRANSACTIONS)
  @FieldResolver(() => TransactionConnection, {
    nullable: true,
    description: 'The history of the account, newest first. New postings do not shift pages after a cursor.',
  })
  transactions(
    @Root() account: AccountView,
    @Args(() => CursorArgs) page: CursorArgs,
    @Arg('filter', () => TransactionFilter, FILTER) filter: TransactionFilter | null,
    @Ctx() { caller }: Context,
    @Info() info: GraphQLResolveInfo,
  ): Connection<TransactionView> {
    const criteria = criteriaOf(filter);
    const lists = selectsLists(info);
    return new TransactionConnection(this.history.list(caller, account, page, criteria, { lists }));
  }

  @Performs(READ_TRANSACTIONS)
  @FieldResolver(() => Transaction, {
    nullable: true,
    description: 'The transaction with this id; null if there is none.',
  })
  transaction(
    @Root() account: AccountView,
    @Arg('transactionId', () => ID, { description: 'The id of the transaction, such as `tx-20260331-7`.' })
    transactionId: string,
    @Ctx() { caller }: Context,
  ): Promise<TransactionView | null> {
    return this.history.find(caller, account, transactionId);
  }

  @Performs(READ_PROGRAM_HISTORY)
  @Query(() => TransactionConnection, {
    name: 'transactions',
    nullable: true,
    description: 'The history of all accounts, newest first by the time of posting.',
  })
  programTransactions(
    @Args(() => CursorArgs) page: CursorArgs,
    @Arg('filter', () => TransactionFilter, FILTER) filter: TransactionFilter | null,
    @Ctx() { caller }: Context,
  ): Connection<TransactionView> {
    return new TransactionConnection(this.programHistory.list(caller, page, criteriaOf(filter)));
  }

  @Performs(POST_TRANSACTIONS)
  @Mutation(() => PostAccountTransactionsPayload, {
    nullable: true,
    description: 'Posts transactions in the order given, all or none.',
  })
  async postAccountTransactions(
    @Writer() caller: Caller,
    @Arg('input', () => PostAccountTransactionsInput)
    { accountId, transactions, checkFunds = false, dryRun = false }: PostAccountTransactionsInput,
  ): Promise<PostAccountTransactionsPayload> {
    const postings = { transactions: transactions.map(newTransactionOf), checkFunds };
    const posting = pointing(pointerOfInput, this.posting.post(caller, accountId, postings, dryRun));
    return new PostAccountTransactionsPayload(caller, accountId, await atPointer('/input', posting));
  }

  @Performs(REVERSE_TRANSACTION)
  @Mutation(() => ReverseTransactionPayload, {
    nullable: true,
    description: 'Reverses a transaction, once, by a new one that refers to it.',
  })
  async reverseTransaction(
    @Writer() caller: Caller,
    @Arg('input', () => ReverseTransactionInput) { key, reason, dryRun = false }: ReverseTransactionInput,
  ): Promise<Payload> {
    const { accountId, transactionId } = key;
    const reversing = this.reversals.reverse(caller, accountId, transactionId, reason, dryRun);
    return new ReverseTransactionPayload(caller, await atPointer('/input', reversing));
  }
}
