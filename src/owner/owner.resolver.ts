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
      'The number of a passport, identity card or similar document, masked except for its last four characters, such as `*****4321`, and unmasked with the scope `pii.read`; null if the bank has none.',
  })
  governmentId(@Root() owner: Owner, @Ctx() { caller }: Context): Promise<string | null> {
    return this.owners.governmentId(caller, owner);
  }
}
