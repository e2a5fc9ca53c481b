import { Arg, Mutation, Resolver } from 'type-graphql';
import { Hold, type HoldView } from '../hold/hold.entity.js';
import { Writer, atPointer } from '../platform/graphql/context.js';
import type { Caller } from '../shared/caller.js';
import { Transaction, type TransactionView } from '../transaction/transaction.entity.js';
import type { SandboxCardService } from './sandbox-cards.service.js';
import type { SandboxReturnService } from './sandbox-returns.service.js';
import {
  SimulatedAuthorizationInput,
  SimulatedCaptureInput,
  SimulatedHoldInput,
  SimulatedRefundInput,
  SimulatedReturnInput,
} from './sandbox.inputs.js';

const SCOPE = 'Needs the scope `operations`.';
const HOLD = { description: 'Which authorised purchase or other hold.' };
const REFUSED = 'Refused with `account_not_found`, `hold_not_found`, `hold_ended`';

/** Purchases by card, and payments that come back: only where the sandbox is on. */
@Resolver()
export class SandboxCardResolver {
  constructor(
    private readonly cards: SandboxCardService,
    private readonly returns: SandboxReturnService,
  ) {}

  @Mutation(() => Hold, {
    nullable: true,
    description: `A purchase by card is authorised: a hold is placed, as by \`placeHold\`. ${SCOPE} Refused with \`account_not_found\`, \`account_closed\`, \`account_restricted\`, \`card_not_found\` (also if the account has no active card), \`card_state\`, \`insufficient_funds\`, \`simulation_exists\` (the seed was used), \`rule_broken\`.`,
  })
  simulateCardAuthorization(
    @Writer() caller: Caller,
    @Arg('input', () => SimulatedAuthorizationInput, { description: 'The purchase.' })
    input: SimulatedAuthorizationInput,
  ): Promise<HoldView> {
    return atPointer('/input', this.cards.authorize(caller, input));
  }

  @Mutation(() => Hold, {
    nullable: true,
    description: `An authorised purchase is captured, whole or in part, as by \`captureHold\`. ${SCOPE} ${REFUSED}, \`hold_exceeded\`, \`rule_broken\`.`,
  })
  simulateCardCapture(
    @Writer() caller: Caller,
    @Arg('input', () => SimulatedCaptureInput, { description: 'What is captured.' }) input: SimulatedCaptureInput,
  ): Promise<HoldView> {
    return atPointer('/input', this.cards.capture(caller, input));
  }

  @Mutation(() => Hold, {
    nullable: true,
    description: `An authorised purchase is reversed: the hold is released, as by \`releaseHold\`. ${SCOPE} ${REFUSED}.`,
  })
  simulateCardReversal(
    @Writer() caller: Caller,
    @Arg('input', () => SimulatedHoldInput, HOLD) input: SimulatedHoldInput,
  ): Promise<HoldView> {
    return atPointer('/input', this.cards.reverse(caller, input));
  }

  @Mutation(() => Hold, {
    nullable: true,
    description: `A hold expires as if its time were over. ${SCOPE} ${REFUSED}.`,
  })
  simulateHoldExpiry(
    @Writer() caller: Caller,
    @Arg('input', () => SimulatedHoldInput, HOLD) input: SimulatedHoldInput,
  ): Promise<HoldView> {
    return atPointer('/input', this.cards.expire(caller, input));
  }

  @Mutation(() => Transaction, {
    nullable: true,
    description: `A purchase by card is refunded: a credit is posted that refers to it. ${SCOPE} Refused with \`account_not_found\`, \`account_closed\`, \`simulation_exists\` (the seed was used), \`rule_broken\` (also if it is no purchase).`,
  })
  simulateCardRefund(
    @Writer() caller: Caller,
    @Arg('input', () => SimulatedRefundInput, { description: 'Which purchase, and how much of it.' })
    input: SimulatedRefundInput,
  ): Promise<TransactionView> {
    return atPointer('/input', this.returns.cardRefund(caller, input));
  }

  @Mutation(() => Transaction, {
    nullable: true,
    description: `An ACH payment is returned, once: its amount is posted in the other direction, in a transaction that refers to it. ${SCOPE} Refused with \`account_not_found\`, \`account_closed\`, \`simulation_exists\` (it was returned before), \`rule_broken\` (also if it is no ACH payment).`,
  })
  simulateAchReturn(
    @Writer() caller: Caller,
    @Arg('input', () => SimulatedReturnInput, { description: 'What is returned, and why.' })
    input: SimulatedReturnInput,
  ): Promise<TransactionView> {
    return atPointer('/input', this.returns.achReturn(caller, input));
  }
}
