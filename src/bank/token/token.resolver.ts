import { Arg, Args, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import { connectionOf, type Connection } from '../../platform/graphql/connection.js';
import { Writer, atPointer, type Context } from '../../platform/graphql/context.js';
import { CursorArgs } from '../../platform/graphql/page-args.js';
import { payloadOf, type Payload } from '../../platform/graphql/payload.js';
import { Performs } from '../../platform/graphql/performs.js';
import type { Caller } from '../../shared/caller.js';
import { TokenRevocation, type TokenRevocationView } from './token-revocation.entity.js';
import { RevokeTokensInput } from './token.inputs.js';
import { READ_REVOCATIONS, REVOKE_TOKENS } from './token.operations.js';
import type { TokenService } from './token.service.js';

const RevokeTokensPayload = payloadOf<TokenRevocationView>(
  'revokeTokens',
  'revocation',
  TokenRevocation,
  'The revocation, as it is on record.',
);
const TokenRevocationConnection = connectionOf<TokenRevocationView>(TokenRevocation);

@Resolver(() => TokenRevocation)
export class TokenResolver {
  constructor(private readonly service: TokenService) {}

  @Performs(READ_REVOCATIONS)
  @Query(() => TokenRevocationConnection, {
    nullable: true,
    description: 'The revocations of access tokens of the program, the newest first.',
  })
  tokenRevocations(
    @Args(() => CursorArgs) page: CursorArgs,
    @Ctx() { caller }: Context,
  ): Connection<TokenRevocationView> {
    return new TokenRevocationConnection(this.service.list(caller, page));
  }

  @Performs(REVOKE_TOKENS)
  @Mutation(() => RevokeTokensPayload, {
    nullable: true,
    description: 'Refuses access tokens of the program, and ends their subscriptions, within 2 seconds.',
  })
  async revokeTokens(
    @Writer() caller: Caller,
    @Arg('input', () => RevokeTokensInput) input: RevokeTokensInput,
  ): Promise<Payload> {
    return new RevokeTokensPayload(caller, await atPointer('/input', this.service.revoke(caller, input)));
  }
}
