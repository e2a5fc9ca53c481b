import { Arg, Ctx, FieldResolver, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import { EXPECTED_VERSION, expecting } from '../platform/graphql/expected-version.js';
import { Writer, atPointer, type Context } from '../platform/graphql/context.js';
import { UUID } from '../platform/scalars/scalars.js';
import type { Caller } from '../shared/caller.js';
import { CustomerInput, CustomerPatch } from './customer.inputs.js';
import type { CustomerService } from './customer.service.js';
import { Customer, GOVERNMENT_ID, type CustomerView } from './owner.entity.js';
import type { OwnerService } from './owner.service.js';
import { CREATE_CUSTOMER, READ_CUSTOMERS, UPDATE_CUSTOMER } from './customer.operations.js';
import { Performs } from '../platform/graphql/performs.js';

const CUSTOMER_ID = { description: 'The id of the customer, such as `0000d001-0000-4000-8000-000000000000`.' };

@Resolver(() => Customer)
export class CustomerResolver {
  constructor(
    private readonly customers: CustomerService,
    private readonly owners: OwnerService,
  ) {}

  @Performs(READ_CUSTOMERS)
  @Query(() => Customer, {
    nullable: true,
    description: `One customer of the program; null if it does not exist.`,
  })
  customer(
    @Arg('customerId', () => UUID, CUSTOMER_ID) customerId: string,
    @Ctx() { caller }: Context,
  ): Promise<CustomerView | null> {
    return this.customers.find(caller, customerId);
  }

  @FieldResolver(() => String, { nullable: true, description: GOVERNMENT_ID })
  governmentId(@Root() customer: CustomerView, @Ctx() { caller }: Context): Promise<string | null> {
    return this.owners.governmentId(caller, customer);
  }

  @Performs(CREATE_CUSTOMER)
  @Mutation(() => Customer, {
    nullable: true,
    description: `Creates a customer, who can then own accounts.`,
  })
  createCustomer(
    @Writer() caller: Caller,
    @Arg('input', () => CustomerInput, { description: 'The new customer.' }) input: CustomerInput,
  ): Promise<CustomerView> {
    return atPointer('/input', this.customers.create(caller, input));
  }

  @Performs(UPDATE_CUSTOMER)
  @Mutation(() => Customer, {
    nullable: true,
    description: `Changes a customer (JSON merge patch, RFC 7396), and returns the changed record.`,
  })
  updateCustomer(
    @Writer() caller: Caller,
    @Arg('customerId', () => UUID, CUSTOMER_ID) customerId: string,
    @Arg('input', () => CustomerPatch, { description: 'The changes. A field that is absent stays as it is.' })
    input: CustomerPatch,
    @Arg('expectedVersion', () => Int, EXPECTED_VERSION) expectedVersion: number | null = null,
  ): Promise<CustomerView> {
    const change = { customerId, patch: input, ...expecting(expectedVersion) };
    return atPointer('/input', this.customers.update(caller, change));
  }
}
