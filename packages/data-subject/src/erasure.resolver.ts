import { Arg, Int, Mutation, Resolver } from 'type-graphql';
import {
  Customer,
  DRY_RUN,
  EXPECTED_VERSION,
  Performs,
  REASON,
  ReasonInput,
  UUID,
  Writer,
  expecting,
  readInput,
  type Caller,
  type CustomerView,
} from 'tillgate/noun';
import { ERASE_CUSTOMER } from './erasure.operations.js';
import type { ErasureService } from './erasure.service.js';

@Resolver(() => Customer)
export class ErasureResolver {
  constructor(private readonly service: ErasureService) {}

  @Performs(ERASE_CUSTOMER)
  @Mutation(() => Customer, {
    nullable: true,
    description: 'Erases the personal data of a customer for good. The history of closed accounts stays.',
  })
  eraseCustomer(
    @Writer() caller: Caller,
    @Arg('customerId', () => UUID, {
      description:
        'The customer, who owns no open account, and no closed one whose retention runs, and holds no usable card.',
    })
    customerId: string,
    @Arg('reason', () => String, { description: REASON }) reason: string,
    @Arg('expectedVersion', () => Int, EXPECTED_VERSION) expectedVersion: number | null = null,
    @Arg('dryRun', () => Boolean, DRY_RUN) dryRun = false,
  ): Promise<CustomerView> {
    const checked = readInput(ReasonInput, { reason });
    return this.service.erase(caller, { customerId, ...checked, ...expecting(expectedVersion) }, dryRun);
  }
}
