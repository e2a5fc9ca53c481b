import { Field, ObjectType } from 'type-graphql';
import { Payload } from '../../platform/graphql/payload.js';
import type { Caller } from '../../shared/caller.js';
import { Transaction, type TransactionView } from './transaction.entity.js';

@ObjectType({ description: 'The result of `postAccountTransactions`.', simpleResolvers: true })
export class PostAccountTransactionsPayload extends Payload {
  constructor(
    caller: Caller,
    /** The account of the request. */
    readonly accountId: string,
    transactions: readonly TransactionView[],
  ) {
    super(caller);
    this.transactions = transactions;
  }

  @Field(() => [Transaction], {
    description: 'The transactions as they are on the ledger, in the order sent.',
  })
  readonly transactions: readonly TransactionView[];
}
