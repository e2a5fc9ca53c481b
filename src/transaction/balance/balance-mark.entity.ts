import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { OfAccount } from '../../account/account.entity.js';

/**
 * What was posted to an account before an instant. Some entries apart, so that the balance at any instant is the last
 * mark before it and a few entries, however long the ledger is: see `marking` in balance-marks.ts. A mark says nothing
 * that the ledger does not say, and any of them may be missing.
 */
@Entity({ tableName: 'balance_mark' })
export class BalanceMark {
  @OfAccount()
  accountId!: string;

  /** Entries that were posted at this instant or later are not in the balance. */
  @PrimaryKey({ type: 'datetime', length: 3 }) until!: Date;

  @Property({ type: 'bigint' }) balanceMinor!: bigint;
}
