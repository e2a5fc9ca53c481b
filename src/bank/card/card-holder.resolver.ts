import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { CustomerService } from '../owner/customer.service.js';
import { Customer, type CustomerView } from '../owner/owner.entity.js';
import type { Context } from '../../platform/graphql/context.js';
import { Card, type CardView } from './card.entity.js';
import { READ_CUSTOMERS } from '../owner/customer.operations.js';
import { Performs } from '../../platform/graphql/performs.js';

@Resolver(() => Card)
export class CardHolderResolver {
  constructor(private readonly customers: CustomerService) {}

  @Performs(READ_CUSTOMERS)
  @FieldResolver(() => Customer, {
    nullable: true,
    description: 'The customer who may use the card, and need not own the account.',
  })
  holder(@Root() { cardHolderId }: CardView, @Ctx() { caller }: Context): Promise<CustomerView | null> {
    return this.customers.find(caller, cardHolderId.toLowerCase());
  }
}
