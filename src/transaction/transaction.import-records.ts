import { Field, Float, ID } from 'type-graphql';
import { Input } from '../platform/input/input.js';
import { Matches, Size, Text } from '../platform/input/rules.js';
import { TransactionDetails } from './transaction.inputs.js';
import { BANK_ID, BANK_ID_FORM } from '../shared/ids.js';

/** The contract's `depositTransaction` (2.4), as the bank's other systems write it. */
@Input('A transaction with its amounts as JSON numbers.')
export class DepositTransactionRecord extends TransactionDetails {
  @Matches(BANK_ID, BANK_ID_FORM)
  @Field(() => ID)
  accountId!: string;

  @Field(() => Float)
  amount!: number;

  @Field(() => Float, { nullable: true })
  availableBalance?: number | null;

  // Local times follow from the instants and the account's time zone; what is given is not kept.
  @Text(0, 40)
  @Field(() => String, { nullable: true })
  transactionTime?: string | null;

  @Text(0, 40)
  @Field(() => String, { nullable: true })
  postedTime?: string | null;

  // Always empty in the contract, so there is no place for anything in them.
  @Size(0, 0)
  @Field(() => [String], { nullable: true })
  imageIds?: string[] | null;

  @Size(0, 0)
  @Field(() => [String], { nullable: true })
  fiAttributes?: string[] | null;

  @Size(0, 0)
  @Field(() => [String], { nullable: true })
  links?: string[] | null;
}

@Input('A line of a file of transactions.')
export class TransactionRecord {
  @Field(() => DepositTransactionRecord)
  depositTransaction!: DepositTransactionRecord;
}
