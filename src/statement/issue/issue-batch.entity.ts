import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';

/** A batch of accounts of a run that is done. A job may run twice where its process died too late, and counts once. */
@Entity({ tableName: 'issue_batch' })
export class IssueBatch {
  @PrimaryKey({ type: 'uuid' }) runId!: string;
  /** The first account of the batch. */
  @PrimaryKey({ type: 'text' }) fromAccountId!: string;
  @Property({ type: 'datetime', length: 3, defaultRaw: 'now()' }) doneAt!: Date;
}
