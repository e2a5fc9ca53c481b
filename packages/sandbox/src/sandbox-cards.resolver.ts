import { Arg, Mutation, Resolver } from 'type-graphql';
import {
  Hold,
  Performs,
  Transaction,
  Writer,
  atPointer,
  payloadOf,
  type Caller,
  type Payload,
  type HoldView,
  type TransactionView,
} from 'tillgate/noun';
import type { SandboxCardService } from './sandbox-cards.service.js';
import type { SandboxReturnService } from './sandbox-returns.service.js';
import {
  SimulatedAuthorizationInput,
  SimulatedCaptureInput,
  SimulatedHoldInput,
  SimulatedRefundInput,
  SimulatedReturnInput,
} from './sandbox.inputs.js';
import {
  SIMULATE_AUTHORIZATION,
  SIMULATE_CAPTURE,
  SIMULATE_EXPIRY,
  SIMULATE_REFUND,
  SIMULATE_RELEASE,
  SIMULATE_RETURN,
} from './sandbox.operations.js';

const HOLD = { description: 'The authorised purchase, or another hold.' };

const SimulateCardAuthorizationPayload = payloadOf<HoldView>('simulateCardAuthorization', 'hold', Hold);
const SimulateCardCapturePayload = payloadOf<HoldView>('simulateCardCapture', 'hold', Hold);
const SimulateCardReversalPayload = payloadOf<HoldView>('simulateCardReversal', 'hold', Hold);
const SimulateHoldExpiryPayload = payloadOf<HoldView>('simulateHoldExpiry', 'hold', Hold);
const SimulateCardRefundPayload = payloadOf<TransactionView>('simulateCardRefund', 'transaction', Transaction);
const SimulateAchReturnPayload = payloadOf<TransactionView>('simulateAchReturn', 'transaction', Transaction);

/** Purchases by card, and payments that come back: only where the sandbox is on. */
@Resolver()
export class SandboxCardResolver {
  constructor(
    private readonly cards: SandboxCardService,
    private readonly returns: SandboxReturnService,
  ) {}

  @Performs(SIMULATE_AUTHORIZATION)
  @Mutation(() => SimulateCardAuthorizationPayload, {
    nullable: true,
    description: 'Authorises a purchase by card: a hold is placed, as by `placeHold`.',
  })
  async simulateCardAuthorization(
    @Writer() caller: Caller,
    @Arg('input', () => SimulatedAuthorizationInput)
    input: SimulatedAuthorizationInput,
  ): Promise<Payload> {
    return new SimulateCardAuthorizationPayload(caller, await atPointer('/input', this.cards.authorize(caller, input)));
  }

  @Performs(SIMULATE_CAPTURE)
  @Mutation(() => SimulateCardCapturePayload, {
    nullable: true,
    description: 'Captures an authorised purchase, whole or in part, as by `captureHold`.',
  })
  async simulateCardCapture(
    @Writer() caller: Caller,
    @Arg('input', () => SimulatedCaptureInput) input: SimulatedCaptureInput,
  ): Promise<Payload> {
    return new SimulateCardCapturePayload(caller, await atPointer('/input', this.cards.capture(caller, input)));
  }

  @Performs(SIMULATE_RELEASE)
  @Mutation(() => SimulateCardReversalPayload, {
    nullable: true,
    description: 'Reverses an authorised purchase: the hold is released, as by `releaseHold`.',
  })
  async simulateCardReversal(
    @Writer() caller: Caller,
    @Arg('input', () => SimulatedHoldInput, HOLD) input: SimulatedHoldInput,
  ): Promise<Payload> {
    return new SimulateCardReversalPayload(caller, await atPointer('/input', this.cards.reverse(caller, input)));
  }

  @Performs(SIMULATE_EXPIRY)
  @Mutation(() => SimulateHoldExpiryPayload, {
    nullable: true,
    description: 'Expires a hold as if its time were over.',
  })
  async simulateHoldExpiry(
    @Writer() caller: Caller,
    @Arg('input', () => SimulatedHoldInput, HOLD) input: SimulatedHoldInput,
  ): Promise<Payload> {
    return new SimulateHoldExpiryPayload(caller, await atPointer('/input', this.cards.expire(caller, input)));
  }

  @Performs(SIMULATE_REFUND)
  @Mutation(() => SimulateCardRefundPayload, {
    nullable: true,
    description: 'Refunds a purchase by card: a credit is posted that refers to it.',
  })
  async simulateCardRefund(
    @Writer() caller: Caller,
    @Arg('input', () => SimulatedRefundInput)
    input: SimulatedRefundInput,
  ): Promise<Payload> {
    return new SimulateCardRefundPayload(caller, await atPointer('/input', this.returns.cardRefund(caller, input)));
  }

  @Performs(SIMULATE_RETURN)
  @Mutation(() => SimulateAchReturnPayload, {
    nullable: true,
    description:
      'Returns an ACH payment, once: its amount is posted in the other direction, in a transaction that refers to it.',
  })
  async simulateAchReturn(
    @Writer() caller: Caller,
    @Arg('input', () => SimulatedReturnInput)
    input: SimulatedReturnInput,
  ): Promise<Payload> {
    return new SimulateAchReturnPayload(caller, await atPointer('/input', this.returns.achReturn(caller, input)));
  }
}
