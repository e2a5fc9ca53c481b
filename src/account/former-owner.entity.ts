import { Entity, ManyToOne, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Customer } from '../owner/owner.entity.js';
import { Account } from './account.entity.js';

/** Who owned an account once, for documents about a time that is over. */
@Entity({ tableName: 'former_owner' })
export class FormerOwner {
  @ManyToOne(() => Account, {
    primary: true,
    mapToPk: true,
    deleteRule: 'no action',
    updateRule: 'no action',
    joinColumn: 'account_id',
  })
  accountId!: string;

  @PrimaryKey({ type: 'datetime', length: 3 }) ownedUntil!: Date;

  @ManyToOne(() => Customer, {
    primary: true,
    mapToPk: true,
    deleteRule: 'no action',
    updateRule: 'no action',
    joinColumn: 'customer_id',
  })
  customerId!: string;

  /** Where the owner stood among the owners: the first was the primary one. */
  @Property({ type: 'integer' }) position!: number;
}
