import { Arg, Args, Ctx, FieldResolver, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import { connectionOf, type Connection } from '../../platform/graphql/connection.js';
import { CursorArgs } from '../../platform/graphql/page-args.js';
import { EXPECTED_VERSION, expecting } from '../../platform/graphql/expected-version.js';
import { Writer, atPointer, type Context } from '../../platform/graphql/context.js';
import { UUID } from '../../platform/scalars/scalars.js';
import { PersonName } from '../person/person.entity.js';
import { shownName } from '../person/person.name.js';
import type { Caller } from '../../shared/caller.js';
import { CustomerFilter, CustomerInput, CustomerPatch } from './customer.inputs.js';
import type { CustomerService } from './customer.service.js';
import { Customer, GOVERNMENT_ID, type CustomerView } from './owner.entity.js';
import type { OwnerService } from './owner.service.js';
import { CREATE_CUSTOMER, READ_CUSTOMERS, UPDATE_CUSTOMER } from './customer.operations.js';
import { Performs } from '../../platform/graphql/performs.js';

const CUSTOMER_ID = { description: "The id of the customer: the bank's own, or one that the gateway assigned." };

const CustomerConnection = connectionOf<CustomerView>(Customer);

@Resolver(() => Customer)
export class CustomerResolver {
  constructor(
    private readonly service: CustomerService,
    private readonly owners: OwnerService,
  ) {}

  @Performs(READ_CUSTOMERS)
  @Query(() => CustomerConnection, {
    nullable: true,
    description: 'The customers of the program, in the order of their ids.',
  })
  customers(
    @Args(() => CursorArgs) page: CursorArgs,
    @Arg('filter', () => CustomerFilter, { nullable: true }) filter: CustomerFilter | null,
    @Ctx() { caller }: Context,
  ): Connection<CustomerView> {
    return new CustomerConnection(this.service.list(caller, page, filter ?? {}));
  }

  @Performs(READ_CUSTOMERS)
  @Query(() => Customer, {
    nullable: true,
    description: 'The customer of the program with this id; null if there is none.',
  })
  customer(
    @Arg('customerId', () => UUID, CUSTOMER_ID) customerId: string,
    @Ctx() { caller }: Context,
  ): Promise<CustomerView | null> {
    return this.service.find(caller, customerId);
  }

  @FieldResolver(() => PersonName, { description: 'The name of the customer: a person or an organisation.' })
  name(@Root() customer: CustomerView): PersonName {
    return shownName(customer);
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
    @Arg('input', () => CustomerInput) input: CustomerInput,
  ): Promise<CustomerView> {
    return atPointer('/input', this.service.create(caller, input));
  }

  @Performs(UPDATE_CUSTOMER)
  @Mutation(() => Customer, {
    nullable: true,
    description: 'Changes a customer, and returns the record as it is then.',
  })
  updateCustomer(
    @Writer() caller: Caller,
    @Arg('customerId', () => UUID, CUSTOMER_ID) customerId: string,
    @Arg('input', () => CustomerPatch)
    input: CustomerPatch,
    @Arg('expectedVersion', () => Int, EXPECTED_VERSION) expectedVersion: number | null = null,
  ): Promise<CustomerView> {
    const change = { customerId, patch: input, ...expecting(expectedVersion) };
    return atPointer('/input', this.service.update(caller, change));
  }
}
