import { Entity, Index, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { OfAccount, OfCustomer } from '../account.entity.js';
import { DataClasses } from '../../../platform/repository/data-classes.js';

/** The owner that an account once had, for documents about a time that is over. */
@Entity({ tableName: 'former_owner' })
@DataClasses<FormerOwner>({
  kept: 'as long as the account, for documents about a time that is over',
  internal: ['ownedUntil', 'position'],
  identifier: ['accountId', 'customerId'],
})
@Index({ properties: ['customerId', 'accountId'] })
export class FormerOwner {
  @OfAccount()
  accountId!: string;

  @PrimaryKey({ type: 'datetime', length: 3 }) ownedUntil!: Date;

  @OfCustomer()
  customerId!: string;

  /** Where the owner stood among the owners: the first was the primary one. */
  @Property({ type: 'integer' }) position!: number;
}
