import { Arg, Args, Ctx, FieldResolver, Query, Resolver, Root } from 'type-graphql';
import {
  CursorArgs,
  Event,
  Performs,
  READ_EVENTS,
  connectionOf,
  type Connection,
  type Context,
  type EventView,
} from 'tillgate/noun';
import { ApiRequest, type ApiRequestView } from './request.entity.js';
import { ApiRequestFilter } from './request.inputs.js';
import { READ_REQUESTS } from './request.operations.js';
import { MAX_RELATED, type ApiRequestService } from './request.service.js';

const ApiRequestConnection = connectionOf<ApiRequestView>(ApiRequest);

@Resolver(() => ApiRequest)
export class ApiRequestResolver {
  constructor(private readonly service: ApiRequestService) {}

  @Performs(READ_REQUESTS)
  @Query(() => ApiRequestConnection, {
    nullable: true,
    description:
      'The requests of the program, the newest first; with `requests.read` alone those of the own client. The log keeps them for some days.',
  })
  apiRequests(
    @Args(() => CursorArgs) page: CursorArgs,
    @Arg('filter', () => ApiRequestFilter, { nullable: true }) filter: ApiRequestFilter | null,
    @Ctx() { caller }: Context,
  ): Connection<ApiRequestView> {
    return new ApiRequestConnection(this.service.list(caller, page, filter));
  }

  @Performs(READ_REQUESTS)
  @Query(() => ApiRequest, {
    nullable: true,
    description: 'The last request with this id; null if the log has none.',
  })
  apiRequest(
    @Arg('requestId', () => String, {
      description: 'The `X-Request-Id` of the request, such as `close-4711`.',
    })
    requestId: string,
    @Ctx() { caller }: Context,
  ): Promise<ApiRequestView | null> {
    return this.service.find(caller, requestId);
  }

  @Performs(READ_EVENTS)
  @FieldResolver(() => [Event], {
    nullable: true,
    description: `The events that the request recorded, the newest first, at most ${MAX_RELATED}.`,
  })
  events(@Root() request: ApiRequestView, @Ctx() { caller }: Context): Promise<readonly EventView[]> {
    return this.service.events(caller, request);
  }

  @Performs(READ_REQUESTS)
  @FieldResolver(() => [ApiRequest], {
    nullable: true,
    description: `The other requests with the same idempotency key, the newest first, at most ${MAX_RELATED}.`,
  })
  sameKeyRequests(@Root() request: ApiRequestView, @Ctx() { caller }: Context): Promise<readonly ApiRequestView[]> {
    return this.service.withSameKey(caller, request);
  }
}
