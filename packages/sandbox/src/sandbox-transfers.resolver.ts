import { Arg, Mutation, Resolver } from 'type-graphql';
import {
  Performs,
  Transfer,
  Writer,
  atPointer,
  payloadOf,
  type Caller,
  type Payload,
  type TransferView,
} from 'tillgate/noun';
import type { SandboxTransferService } from './sandbox-transfers.service.js';
import { SimulatedTransferInput, SimulatedTransferReturnInput } from './sandbox.inputs.js';
import { SIMULATE_TRANSFER, SIMULATE_TRANSFER_RETURN } from './sandbox.operations.js';

const SimulateIncomingTransferPayload = payloadOf<TransferView>('simulateIncomingTransfer', 'transfer', Transfer);
const SimulateTransferReturnPayload = payloadOf<TransferView>('simulateTransferReturn', 'transfer', Transfer);

/** Transfers that come in, and that are returned: only where the sandbox is on. */
@Resolver()
export class SandboxTransferResolver {
  constructor(private readonly transfers: SandboxTransferService) {}

  @Performs(SIMULATE_TRANSFER)
  @Mutation(() => SimulateIncomingTransferPayload, {
    nullable: true,
    description: 'Brings in money from another account of the program, as by `createTransfer`.',
  })
  async simulateIncomingTransfer(
    @Writer() caller: Caller,
    @Arg('input', () => SimulatedTransferInput, {
      description: 'The account that gets money, the account that it comes from, and the amount.',
    })
    input: SimulatedTransferInput,
  ): Promise<Payload> {
    return new SimulateIncomingTransferPayload(
      caller,
      await atPointer('/input', this.transfers.receive(caller, input)),
    );
  }

  @Performs(SIMULATE_TRANSFER_RETURN)
  @Mutation(() => SimulateTransferReturnPayload, {
    nullable: true,
    description: 'Sends the money of a transfer that came in back, once, as by `reverseTransfer`.',
  })
  async simulateTransferReturn(
    @Writer() caller: Caller,
    @Arg('input', () => SimulatedTransferReturnInput, { description: 'The transfer that is returned.' })
    input: SimulatedTransferReturnInput,
  ): Promise<Payload> {
    return new SimulateTransferReturnPayload(caller, await atPointer('/input', this.transfers.giveBack(caller, input)));
  }
}
