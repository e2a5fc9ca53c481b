import { Arg, Mutation, Resolver } from 'type-graphql';
import { Performs, Transfer, Writer, atPointer, type Caller, type TransferView } from 'tillgate/noun';
import type { SandboxTransferService } from './sandbox-transfers.service.js';
import { SimulatedTransferInput, SimulatedTransferReturnInput } from './sandbox.inputs.js';
import { SIMULATE_TRANSFER, SIMULATE_TRANSFER_RETURN } from './sandbox.operations.js';

/** Transfers that come in, and that are returned: only where the sandbox is on. */
@Resolver()
export class SandboxTransferResolver {
  constructor(private readonly transfers: SandboxTransferService) {}

  @Performs(SIMULATE_TRANSFER)
  @Mutation(() => Transfer, {
    nullable: true,
    description: 'Money comes in from another account of the program, as by `transfer`.',
  })
  simulateIncomingTransfer(
    @Writer() caller: Caller,
    @Arg('input', () => SimulatedTransferInput, { description: 'Which account gets how much from which other one.' })
    input: SimulatedTransferInput,
  ): Promise<TransferView> {
    return atPointer('/input', this.transfers.receive(caller, input));
  }

  @Performs(SIMULATE_TRANSFER_RETURN)
  @Mutation(() => Transfer, {
    nullable: true,
    description: 'The money of a transfer that came in goes back, once, as by `reverseTransfer`.',
  })
  simulateTransferReturn(
    @Writer() caller: Caller,
    @Arg('input', () => SimulatedTransferReturnInput, { description: 'What is returned.' })
    input: SimulatedTransferReturnInput,
  ): Promise<TransferView> {
    return atPointer('/input', this.transfers.giveBack(caller, input));
  }
}
