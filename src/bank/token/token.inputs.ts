import { Field } from 'type-graphql';
import { Input } from '../../platform/input/input.js';
import { Text } from '../../platform/input/rules.js';
import { DateTimeISO } from '../../platform/scalars/scalars.js';
import { TokenRevocationKind } from './token-revocation.entity.js';

@Input('The access tokens to refuse.')
export class TokenRevocationInput {
  @Field(() => TokenRevocationKind, { description: 'One token, or all tokens of a client or a subject.' })
  kind!: TokenRevocationKind;

  @Text(1, 255)
  @Field(() => String, { description: 'A `jti`, a client or a subject, such as `mobile-app`.' })
  value!: string;

  @Field(() => DateTimeISO, {
    nullable: true,
    description:
      'The last `iat` of revoked tokens, after which tokens are accepted; a minute from now when absent, since clocks may differ. It is not for TOKEN, and not in the future.',
  })
  before?: string | null;
}

@Input('The access tokens to refuse.')
export class RevokeTokensInput extends TokenRevocationInput {}
