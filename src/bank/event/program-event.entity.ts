import { Entity, Index, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import type { Json } from '../../shared/json.js';
import { DataClasses } from '../../platform/repository/data-classes.js';

/** The columns of `Event` in a chain of a program. */
abstract class InProgram {
  @PrimaryKey({ type: 'text' }) program!: string;
  /** Counts from 1 without gaps. */
  @PrimaryKey({ type: 'bigint', autoincrement: false }) seq!: bigint;
  @Unique()
  @Property({ type: 'bigint' })
  id!: bigint;
  @Property({ type: 'datetime', length: 3 }) occurredAt!: Date;
  @Property({ type: 'text' }) clientId!: string;
  @Property({ type: 'text' }) subject!: string;
  @Property({ type: 'text' }) requestId!: string;
  @Property({ type: 'text' }) action!: string;
  @Property({ type: 'text', nullable: true }) object!: string | null;
  @Property({ type: 'json' }) data!: Json;
  @Property({ type: 'blob' }) hash!: Buffer;
}

/** The record of what was done to a program and to no account, such as to its webhook endpoints. */
@Entity({ tableName: 'program_event' })
@DataClasses<ProgramEvent>({
  kept: 'without end; events are never changed or deleted',
  shownAs: ['Event', 'EventAudit'],
  internal: ['program', 'seq', 'occurredAt', 'action', 'hash'],
  identifier: ['id', 'clientId', 'subject', 'requestId', 'object'],
  personal: {
    data: 'in the clear: masked facts, and reasons of operators, who are told to write nothing personal into them',
  },
})
@Index({ properties: ['program', 'occurredAt', 'id'] })
@Index({ properties: ['program', 'object', 'occurredAt', 'id'] })
export class ProgramEvent extends InProgram {}

/** The record of what callers were not allowed to do in a program. */
@Entity({ tableName: 'denied_attempt' })
@DataClasses<DeniedAttempt>({
  kept: 'without end; events are never changed or deleted',
  shownAs: ['Event', 'EventAudit'],
  internal: ['program', 'seq', 'occurredAt', 'action', 'hash'],
  identifier: ['id', 'accountId', 'clientId', 'subject', 'requestId', 'object', 'data'],
})
@Index({ properties: ['program', 'occurredAt', 'id'] })
export class DeniedAttempt extends InProgram {
  /** Null where the attempt named no account of the program. */
  @Property({ type: 'text', nullable: true }) accountId!: string | null;
}
