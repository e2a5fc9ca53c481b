import { Arg, Args, Ctx, FieldResolver, Mutation, Query, Resolver, Root } from 'type-graphql';
import { connectionOf, type Connection } from '../../platform/graphql/connection.js';
import { CursorArgs } from '../../platform/graphql/page-args.js';
import { payloadOf, type Payload } from '../../platform/graphql/payload.js';
import { expecting } from '../../platform/graphql/expected-version.js';
import { Writer, atPointer, type Context } from '../../platform/graphql/context.js';
import { UuidArg } from '../../platform/graphql/uuid-arg.js';
import { PersonName } from '../person/person.entity.js';
import { shownName } from '../person/person.name.js';
import type { Caller } from '../../shared/caller.js';
import { CUSTOMER_ID, CreateCustomerInput, CustomerFilter, UpdateCustomerInput } from './customer.inputs.js';
import type { CustomerService } from './customer.service.js';
import { Customer, GOVERNMENT_ID, type CustomerView } from './owner.entity.js';
import type { OwnerService } from './owner.service.js';
import { CREATE_CUSTOMER, READ_CUSTOMERS, UPDATE_CUSTOMER } from './customer.operations.js';
import { Performs } from '../../platform/graphql/performs.js';

const CustomerConnection = connectionOf<CustomerView>(Customer);
const CreateCustomerPayload = payloadOf<CustomerView>('createCustomer', 'customer', Customer);
const UpdateCustomerPayload = payloadOf<CustomerView>('updateCustomer', 'customer', Customer);

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
    @UuidArg('customerId', CUSTOMER_ID) customerId: string,
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
  @Mutation(() => CreateCustomerPayload, {
    nullable: true,
    description: `Creates a customer, who can then own accounts.`,
  })
  async createCustomer(
    @Writer() caller: Caller,
    @Arg('input', () => CreateCustomerInput) { customer }: CreateCustomerInput,
  ): Promise<Payload> {
    const creating = this.service.create(caller, customer);
    return new CreateCustomerPayload(caller, await atPointer('/input/customer', creating));
  }

  @Performs(UPDATE_CUSTOMER)
  @Mutation(() => UpdateCustomerPayload, {
    nullable: true,
    description: 'Changes a customer, and returns the record as it is then.',
  })
  async updateCustomer(
    @Writer() caller: Caller,
    @Arg('input', () => UpdateCustomerInput) { key, patch, expectedVersion }: UpdateCustomerInput,
  ): Promise<Payload> {
    const change = { customerId: key.customerId, patch, ...expecting(expectedVersion) };
    return new UpdateCustomerPayload(caller, await atPointer('/input/patch', this.service.update(caller, change)));
  }
}
