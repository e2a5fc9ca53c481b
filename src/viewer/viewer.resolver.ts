import { Ctx, Query, Resolver } from 'type-graphql';
import type { Context } from '../platform/graphql/context.js';
import { Viewer } from './viewer.entity.js';
import type { ViewerService } from './viewer.service.js';

@Resolver(() => Viewer)
export class ViewerResolver {
  constructor(private readonly service: ViewerService) {}

  @Query(() => Viewer, {
    nullable: true,
    description: 'Whom the access token of the request speaks for, and what it allows. Needs no scope.',
  })
  viewer(@Ctx() { caller }: Context): Promise<Viewer> {
    return this.service.of(caller);
  }
}
