import { Arg, Int, Mutation, Resolver } from 'type-graphql';
import { REASON, ReasonInput } from '../bank/account/account.service.js';
import { Customer, type CustomerView } from '../bank/owner/owner.entity.js';
import { Writer } from '../platform/graphql/context.js';
import { DRY_RUN } from '../platform/graphql/dry-run.js';
import { EXPECTED_VERSION, expecting } from '../platform/graphql/expected-version.js';
import { Performs } from '../platform/graphql/performs.js';
import { readInput } from '../platform/input/read-input.js';
import { UUID } from '../platform/scalars/scalars.js';
import type { Caller } from '../shared/caller.js';
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
