import { Check, Entity, Index, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { DataClasses } from '../repository/data-classes.js';

/**
 * The position of each event that was committed: the one order in which all readers get them. The function
 * `feed_advance` of the database adds the rows; they never change.
 */
@Entity({ tableName: 'feed' })
@DataClasses<FeedPosition>({
  kept: 'as long as the event',
  internal: ['position', 'program'],
  identifier: ['eventId', 'accountId'],
})
@Index({ properties: ['program', 'position'] })
@Index({ properties: ['accountId', 'position'] })
export class FeedPosition {
  @PrimaryKey({ type: 'bigint', autoincrement: false }) position!: bigint;
  @Property({ type: 'bigint' }) eventId!: bigint;
  @Property({ type: 'text' }) program!: string;
  @Property({ type: 'text', nullable: true }) accountId!: string | null;
}

/** The progress of `feed_advance`. One row. */
@Entity({ tableName: 'feed_state' })
@DataClasses<FeedState>({
  kept: 'one row, without end',
  internal: ['id', 'position', 'lastEventId', 'missing', 'missingBefore', 'nodesBefore', 'newlyMissing', 'history'],
  secret: { cursorKey: 'in the clear: it protects cursors against mistakes, and opens nothing' },
})
@Check({ name: 'feed_state_single', expression: 'id = 1' })
export class FeedState {
  @PrimaryKey({ type: 'integer', autoincrement: false, default: 1 }) id!: number;
  /** The last position that an event has. */
  @Property({ type: 'bigint', default: 0 }) position!: bigint;
  /** The highest number of an event that was seen. */
  @Property({ type: 'bigint', default: 0 }) lastEventId!: bigint;
  /** Lower numbers that may still come: those of transactions with ids below `missingBefore`. */
  @Property({ columnType: 'int8multirange', type: 'string', defaultRaw: "'{}'" }) missing!: string;
  @Property({ columnType: 'xid8', type: 'string', defaultRaw: "'0'" }) missingBefore!: string;
  /**
   * Where accounts are on many servers: an id of a transaction of each, by the node, below which those that may still
   * bring the missing numbers have theirs. Null until all of them have ended on the coordinator.
   */
  @Property({ type: 'json', nullable: true }) nodesBefore!: Readonly<Record<string, string>> | null;
  /** Lower numbers that were found missing since then. */
  @Property({ columnType: 'int8multirange', type: 'string', defaultRaw: "'{}'" }) newlyMissing!: string;
  /** Hides positions in cursors. It stays with the database, as cursors stay good for as long. */
  @Property({ columnType: 'bytea', type: 'blob', defaultRaw: 'uuid_send(gen_random_uuid())' }) cursorKey!: Buffer;
  /** Which server and timeline gave the positions. */
  @Property({ type: 'text', default: '' }) history!: string;
}
