import { Field, ObjectType } from 'type-graphql';
import { Transaction, type TransactionView } from './transaction.entity.js';

@ObjectType({ description: 'What `postAccountTransactions` posted.', simpleResolvers: true })
export class PostAccountTransactionsPayload {
  /** The account of the request. */
  accountId!: string;
  @Field(() => [Transaction], {
    description: 'As they are on the ledger, in the order sent.',
  })
  transactions!: readonly TransactionView[];
}
