import { Entity, Index, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { DataClasses } from '../repository/data-classes.js';

/** A DPoP proof that was used, for as long as it would be valid. */
@Entity({ tableName: 'dpop_proof' })
@DataClasses<UsedProof>({
  kept: 'while the proof is valid, a few minutes',
  internal: ['endsAt'],
  secret: { proofHash: 'hashed: SHA-256' },
})
@Index({ properties: ['endsAt'] })
export class UsedProof {
  /** SHA-256 of the key's thumbprint and the `jti`. */
  @PrimaryKey({ type: 'blob' }) proofHash!: Buffer;
  @Property({ type: 'datetime', length: 3 }) endsAt!: Date;
}
