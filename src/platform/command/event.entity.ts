import { Entity, Index, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import type { Json } from '../../shared/json.js';

/** Who changed what, when: one row for each command that was done, in the command's own transaction. Holds no personal data. */
@Entity({ tableName: 'event' })
@Index({ properties: ['program', 'id'] })
export class Event {
  @PrimaryKey({ type: 'bigint', autoincrement: true }) id!: bigint;
  @Property({ type: 'datetime', length: 3, defaultRaw: 'now()' }) occurredAt!: Date;
  @Property({ type: 'text' }) program!: string;
  @Property({ type: 'text' }) clientId!: string;
  @Property({ type: 'text' }) subject!: string;
  @Property({ type: 'text' }) requestId!: string;
  /** The command's name, for example `beneficiary.add`. */
  @Property({ type: 'text' }) action!: string;
  @Property({ type: 'text', nullable: true }) accountId!: string | null;
  /** What was changed, for example `beneficiary/7c0d5b1e-…`. */
  @Property({ type: 'text' }) object!: string;
  @Property({ type: 'json' }) data!: Json;
}
