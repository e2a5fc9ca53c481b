import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import {
  Customer,
  Performs,
  READ_CUSTOMERS,
  type Context,
  type CustomerService,
  type CustomerView,
} from 'tillgate/noun';
import { TaxPayee } from './tax-year.entity.js';

@Resolver(() => TaxPayee)
export class TaxPayeeResolver {
  constructor(private readonly customers: CustomerService) {}

  @Performs(READ_CUSTOMERS)
  @FieldResolver(() => Customer, { nullable: true, description: 'The customer who is paid.' })
  customer(@Root() { customerId }: TaxPayee, @Ctx() { caller }: Context): Promise<CustomerView | null> {
    return this.customers.find(caller, customerId);
  }
}
