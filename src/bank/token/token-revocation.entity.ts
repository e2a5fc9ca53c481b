import { Check, Entity, Index, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { Field, ObjectType, registerEnumType } from 'type-graphql';
import { DataClasses } from '../../platform/repository/data-classes.js';
import { fieldNamesOf } from '../../platform/repository/fields.js';
import { DateTimeISO, UUID } from '../../platform/scalars/scalars.js';

export const TokenRevocationKind = { TOKEN: 'TOKEN', CLIENT: 'CLIENT', SUBJECT: 'SUBJECT' } as const;
export type TokenRevocationKind = keyof typeof TokenRevocationKind;
registerEnumType(TokenRevocationKind, {
  name: 'TokenRevocationKind',
  description: 'The kind of access tokens that a revocation names.',
  valuesConfig: {
    TOKEN: { description: 'The token with this `jti`.' },
    CLIENT: { description: 'The tokens that were issued to this client.' },
    SUBJECT: { description: 'The tokens of this subject, and its sessions at the console.' },
  },
});

/** Access tokens that a program no longer accepts, whatever their issuer says. */
@Entity({ tableName: 'token_revocation' })
@DataClasses<TokenRevocation>({
  kept: '400 days, longer than any token lives',
  internal: ['program', 'kind', 'latestIssuedAt', 'revokedAt'],
  identifier: ['value', 'revocationId'],
})
@Unique({ properties: ['revocationId'] })
@Index({ properties: ['program', 'revokedAt', 'revocationId'] })
@Index({ properties: ['revokedAt'] })
@Check({ name: 'token_revocation_kind', expression: "kind in ('TOKEN', 'CLIENT', 'SUBJECT')" })
@Check({ name: 'token_revocation_issued', expression: "(kind = 'TOKEN') = (latest_issued_at is null)" })
@ObjectType({ description: 'Access tokens that are refused before they expire.', simpleResolvers: true })
export class TokenRevocation {
  @PrimaryKey({ type: 'text' }) program!: string;

  @PrimaryKey({ type: 'text' })
  @Field(() => TokenRevocationKind, { description: 'One token, or all tokens of a client or a subject.' })
  kind!: TokenRevocationKind;

  @PrimaryKey({ type: 'text' })
  @Field(() => String, { description: 'A `jti`, a client or a subject, such as `mobile-app`.' })
  value!: string;

  @Property({ type: 'uuid' })
  @Field(() => UUID, { description: 'The id that the gateway assigned.' })
  revocationId!: string;

  @Property({ type: 'datetime', length: 3, nullable: true })
  @Field(() => DateTimeISO, {
    nullable: true,
    description: 'The last `iat` of revoked tokens, after which tokens are accepted; null for TOKEN.',
  })
  latestIssuedAt!: Date | null;

  @Property({ type: 'datetime', length: 3 })
  @Field(() => DateTimeISO, { description: 'The time at which the revocation was last requested.' })
  revokedAt!: Date;
}

/** A revocation as it is shown. */
export type TokenRevocationView = Readonly<Pick<TokenRevocation, 'kind' | 'value' | 'revocationId'>> & {
  readonly latestIssuedAt: string | null;
  readonly revokedAt: string;
};

/** A revocation as it is read. */
export type TokenRevocationRead = TokenRevocationView & Readonly<Pick<TokenRevocation, 'program'>>;

/** The fields of a revocation as it is shown, in their order. */
export const TOKEN_REVOCATION_FIELDS = fieldNamesOf(TokenRevocation);
