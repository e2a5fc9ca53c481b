import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Context } from '../platform/graphql/context.js';
import { GOVERNMENT_ID, Owner } from './owner.entity.js';
import type { OwnerService } from './owner.service.js';

@Resolver(() => Owner)
export class OwnerResolver {
  constructor(private readonly owners: OwnerService) {}

  @FieldResolver(() => String, { nullable: true, description: GOVERNMENT_ID })
  governmentId(@Root() owner: Readonly<Owner>, @Ctx() { caller }: Context): Promise<string | null> {
    return this.owners.governmentId(caller, owner);
  }
}
