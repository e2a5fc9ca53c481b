import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { OfAccount } from '../../account/account.entity.js';
import { DataClasses } from '../../../platform/repository/data-classes.js';

/**
 * The posted balance of an account before an instant. Some entries apart, so that the balance at any instant is the
 * last mark before it and a few entries, however long the ledger is: see `marking` in balance-marks.ts. A mark says
 * nothing that the ledger does not say, and any of them may be missing.
 */
@Entity({ tableName: 'balance_mark' })
@DataClasses<BalanceMark>({
  kept: 'as long as its account; any mark may be missing',
  internal: ['until'],
  identifier: ['accountId'],
  ledger: ['balanceMinor'],
})
export class BalanceMark {
  @OfAccount()
  accountId!: string;

  /** Entries that were posted at this instant or later are not in the balance. */
  @PrimaryKey({ type: 'datetime', length: 3 }) until!: Date;

  @Property({ type: 'bigint' }) balanceMinor!: bigint;
}
