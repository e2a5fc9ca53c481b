import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Context } from '../platform/graphql/context.js';
import { Owner } from './owner.entity.js';
import type { OwnerService } from './owner.service.js';

@Resolver(() => Owner)
export class OwnerResolver {
  constructor(private readonly owners: OwnerService) {}

  @FieldResolver(() => String, {
    nullable: true,
    description:
      'The number of a passport, identity card or the like, masked but for its last four characters, such as `*****4321`, and whole with the scope `pii.read`; null where the bank has none.',
  })
  governmentId(@Root() owner: Owner, @Ctx() { caller }: Context): Promise<string | null> {
    return this.owners.governmentId(caller, owner);
  }
}
