import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { READ_CUSTOMERS } from '../bank/owner/customer.operations.js';
import type { CustomerService } from '../bank/owner/customer.service.js';
import { Customer, type CustomerView } from '../bank/owner/owner.entity.js';
import type { Context } from '../platform/graphql/context.js';
import { Performs } from '../platform/graphql/performs.js';
import { TaxPayee } from './tax-year.entity.js';

@Resolver(() => TaxPayee)
export class TaxPayeeResolver {
  constructor(private readonly customers: CustomerService) {}

  @Performs(READ_CUSTOMERS)
  @FieldResolver(() => Customer, { nullable: true, description: 'Who is paid.' })
  customer(@Root() { customerId }: TaxPayee, @Ctx() { caller }: Context): Promise<CustomerView | null> {
    return this.customers.find(caller, customerId);
  }
}
