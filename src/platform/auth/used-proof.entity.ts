import { Entity, Index, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';

/** A DPoP proof that was used, for as long as it would be valid. */
@Entity({ tableName: 'dpop_proof' })
@Index({ properties: ['endsAt'] })
export class UsedProof {
  /** SHA-256 of the key's thumbprint and the `jti`. */
  @PrimaryKey({ type: 'blob' }) proofHash!: Buffer;
  @Property({ type: 'datetime', length: 3 }) endsAt!: Date;
}
