import { Field, ObjectType } from 'type-graphql';
import { CURSOR } from '../../platform/graphql/subscriptions/live.js';
import { Transaction, type TransactionView } from './transaction.entity.js';

@ObjectType({ description: 'A transaction that was posted or imported.', simpleResolvers: true })
export class PostedTransaction {
  @Field(() => String, { description: CURSOR })
  cursor!: string;

  @Field(() => Transaction, { description: 'The posted transaction, with the balance after it.' })
  transaction!: TransactionView;
}
