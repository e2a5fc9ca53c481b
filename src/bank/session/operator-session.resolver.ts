import { Arg, Args, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import { connectionOf, type Connection } from '../../platform/graphql/connection.js';
import { Writer, type Context } from '../../platform/graphql/context.js';
import { CursorArgs } from '../../platform/graphql/page-args.js';
import { Performs } from '../../platform/graphql/performs.js';
import { UUID } from '../../platform/scalars/scalars.js';
import type { Caller } from '../../shared/caller.js';
import { END_SESSION, READ_SESSIONS } from './operator-session.operations.js';
import { OperatorSession } from './operator-session.js';
import type { OperatorSessionService } from './operator-session.service.js';

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
  @Mutation(() => OperatorSession, {
    nullable: true,
    description: 'Signs a person out, who can sign in again if the identity provider allows it.',
  })
  endOperatorSession(
    @Writer() caller: Caller,
    @Arg('sessionId', () => UUID, { description: 'The id of the session, as `operatorSessions` lists it.' })
    sessionId: string,
  ): Promise<OperatorSession> {
    return this.service.end(caller, sessionId);
  }
}
