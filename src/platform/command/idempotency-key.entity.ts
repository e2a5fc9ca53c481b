import { Entity, Index, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { DataClasses } from '../repository/data-classes.js';
import { Sealed } from '../repository/declarations.js';

/**
 * The outcome of the first request under a key. Written in the transaction that did the work, so it is there if and
 * only if the work is.
 */
@Entity({ tableName: 'idempotency_key' })
@DataClasses<IdempotencyKey>({
  kept: '30 days (`IDEMPOTENCY_TTL_DAYS`)',
  internal: ['program', 'expiresAt'],
  identifier: ['keyHash'],
  personal: { outcome: 'sealed' },
})
export class IdempotencyKey {
  /** SHA-256 over program, client, subject and key: clients choose keys freely, and one may hold personal data. */
  @PrimaryKey({ type: 'blob' }) keyHash!: Buffer;
  @Property({ type: 'text' }) program!: string;
  /**
   * Sealed: fingerprint of the request and the result or refusal. Empty only inside the first request's own
   * transaction.
   */
  @Sealed({})
  @Property({ type: 'blob' })
  outcome!: Buffer;

  @Index()
  @Property({ type: 'datetime', length: 3 })
  expiresAt!: Date;
}
