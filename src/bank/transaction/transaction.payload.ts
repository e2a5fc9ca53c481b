import { Field, ObjectType } from 'type-graphql';
import { Transaction, type TransactionView } from './transaction.entity.js';

@ObjectType({ description: 'The result of `postAccountTransactions`.', simpleResolvers: true })
export class PostAccountTransactionsPayload {
  /** The account of the request. */
  accountId!: string;
  @Field(() => [Transaction], {
    description: 'The transactions as they are on the ledger, in the order sent.',
  })
  transactions!: readonly TransactionView[];
}
