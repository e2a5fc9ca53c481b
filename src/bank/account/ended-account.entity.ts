import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { DataClasses } from '../../platform/repository/data-classes.js';

/**
 * An account that was deleted when its retention was over. Records of others still name it, so its id never becomes
 * another account's. `end_account` of the database writes it.
 */
@Entity({ tableName: 'ended_account' })
@DataClasses<EndedAccount>({
  kept: 'without end, so that the id is never given out again',
  internal: ['program', 'endedAt'],
  identifier: ['accountId'],
})
export class EndedAccount {
  @PrimaryKey({ type: 'text' }) accountId!: string;
  @Property({ type: 'text' }) program!: string;
  @Property({ type: 'datetime', length: 3 }) endedAt!: Date;
}
