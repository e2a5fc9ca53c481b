import { Ctx, Query, Resolver } from 'type-graphql';
import type { Context } from '../../platform/graphql/context.js';
import { Viewer } from './viewer.entity.js';
import type { ViewerService } from './viewer.service.js';
import { READ_VIEWER } from './viewer.operations.js';
import { Performs } from '../../platform/graphql/performs.js';

@Resolver(() => Viewer)
export class ViewerResolver {
  constructor(private readonly service: ViewerService) {}

  @Performs(READ_VIEWER)
  @Query(() => Viewer, {
    nullable: true,
    description: 'The caller as the access token names it, and what the token allows.',
  })
  viewer(@Ctx() { caller }: Context): Promise<Viewer> {
    return this.service.of(caller);
  }
}
