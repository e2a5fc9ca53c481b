import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Context } from '../../platform/graphql/context.js';
import { Performs } from '../../platform/graphql/performs.js';
import { PersonName } from '../person/person.entity.js';
import { shownName } from '../person/person.name.js';
import { READ_CUSTOMERS } from './customer.operations.js';
import type { CustomerService } from './customer.service.js';
import { Customer, GOVERNMENT_ID, Owner, type CustomerView } from './owner.entity.js';
import type { OwnerService } from './owner.service.js';

@Resolver(() => Owner)
export class OwnerResolver {
  constructor(
    private readonly owners: OwnerService,
    private readonly customers: CustomerService,
  ) {}

  @Performs(READ_CUSTOMERS)
  @FieldResolver(() => Customer, {
    nullable: true,
    description: 'The whole record of the customer.',
  })
  customer(@Root() { customerId }: Readonly<Owner>, @Ctx() { caller }: Context): Promise<CustomerView | null> {
    return this.customers.find(caller, customerId);
  }

  @FieldResolver(() => PersonName, {
    nullable: true,
    description: 'The name of the owner: a person or an organisation.',
  })
  name(@Root() { name, isOrganization }: Readonly<Owner>): PersonName | null {
    return name && shownName({ name, isOrganization });
  }

  @FieldResolver(() => String, { nullable: true, description: GOVERNMENT_ID })
  governmentId(@Root() owner: Readonly<Owner>, @Ctx() { caller }: Context): Promise<string | null> {
    return this.owners.governmentId(caller, owner);
  }
}
