import { Arg, Mutation, Resolver } from 'type-graphql';
import {
  Customer,
  DryRun,
  ExpectedVersion,
  Input,
  Performs,
  Reason,
  Writer,
  expecting,
  namesRecord,
  payloadOf,
  type Caller,
  type CustomerView,
  type Payload,
} from 'tillgate/noun';
import { ERASE_CUSTOMER } from './erasure.operations.js';
import type { ErasureService } from './erasure.service.js';

const EraseCustomerPayload = payloadOf<CustomerView>('eraseCustomer', 'customer', Customer);

@Input('The customer whose personal data is erased.')
class EraseCustomerInput extends namesRecord('Customer', {
  customerId: {
    description:
      'The customer, who owns no open account, and no closed one whose retention runs, and holds no usable card.',
    isUuid: true,
  },
}) {
  @Reason()
  reason!: string;

  @ExpectedVersion()
  expectedVersion?: number | null;

  @DryRun()
  dryRun?: boolean;
}

@Resolver(() => Customer)
export class ErasureResolver {
  constructor(private readonly service: ErasureService) {}

  @Performs(ERASE_CUSTOMER)
  @Mutation(() => EraseCustomerPayload, {
    nullable: true,
    description: 'Erases the personal data of a customer for good. The history of closed accounts stays.',
  })
  async eraseCustomer(
    @Writer() caller: Caller,
    @Arg('input', () => EraseCustomerInput) { key, reason, expectedVersion, dryRun }: EraseCustomerInput,
  ): Promise<Payload> {
    const erased = await this.service.erase(caller, { ...key, reason, ...expecting(expectedVersion) }, dryRun);
    return new EraseCustomerPayload(caller, erased);
  }
}
