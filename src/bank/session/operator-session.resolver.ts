import { Arg, Args, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import { connectionOf, type Connection } from '../../platform/graphql/connection.js';
import { Writer, type Context } from '../../platform/graphql/context.js';
import { CursorArgs } from '../../platform/graphql/page-args.js';
import { payloadOf, type Payload } from '../../platform/graphql/payload.js';
import { Performs } from '../../platform/graphql/performs.js';
import type { Caller } from '../../shared/caller.js';
import { END_SESSION, READ_SESSIONS } from './operator-session.operations.js';
import { OperatorSession } from './operator-session.js';
import { EndOperatorSessionInput } from './operator-session.inputs.js';
import type { OperatorSessionService } from './operator-session.service.js';

const EndOperatorSessionPayload = payloadOf<OperatorSession>(
  'endOperatorSession',
  'session',
  OperatorSession,
  'The session, which has ended.',
);
const OperatorSessionConnection = connectionOf<OperatorSession>(OperatorSession);

@Resolver(() => OperatorSession)
export class OperatorSessionResolver {
  constructor(private readonly service: OperatorSessionService) {}

  @Performs(READ_SESSIONS)
  @Query(() => OperatorSessionConnection, {
    nullable: true,
    description: 'The people of the program who are signed in at the console, the newest first.',
  })
  operatorSessions(@Args(() => CursorArgs) page: CursorArgs, @Ctx() { caller }: Context): Connection<OperatorSession> {
    return new OperatorSessionConnection(this.service.list(caller, page));
  }

  @Performs(END_SESSION)
  @Mutation(() => EndOperatorSessionPayload, {
    nullable: true,
    description: 'Signs a person out, who can sign in again if the identity provider allows it.',
  })
  async endOperatorSession(
    @Writer() caller: Caller,
    @Arg('input', () => EndOperatorSessionInput) { sessionId }: EndOperatorSessionInput,
  ): Promise<Payload> {
    return new EndOperatorSessionPayload(caller, await this.service.end(caller, sessionId));
  }
}
