import { Arg, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import {
  Performs,
  StatementRun,
  Transaction,
  Writer,
  atPointer,
  payloadOf,
  type Caller,
  type Payload,
  type Context,
  type TransactionView,
} from 'tillgate/noun';
import type { SandboxClockService } from './sandbox-clock.service.js';
import type { PaymentKind, SandboxPostingService } from './sandbox-postings.service.js';
import { ClockMove, SimulatedClock } from './sandbox.entity.js';
import { ClockInput, MonthCloseInput, SimulatedPaymentInput } from './sandbox.inputs.js';
import { CLOSE_MONTH, MOVE_CLOCK, READ_CLOCK, SIMULATE_PAYMENT } from './sandbox.operations.js';

const PAYMENT = { description: 'The payment.' };
const POSTED = `at the time of the program's clock, as \`postAccountTransactions\` does.`;

const SimulateClockPayload = payloadOf<ClockMove>(
  'simulateClock',
  'move',
  ClockMove,
  'The new time, and the runs that began on the way.',
);
const SimulateMonthClosePayload = payloadOf<StatementRun>(
  'simulateMonthClose',
  'run',
  StatementRun,
  'The run that issues the statements.',
);
const SimulateAchCreditPayload = payloadOf<TransactionView>('simulateAchCredit', 'transaction', Transaction);
const SimulateAchDebitPayload = payloadOf<TransactionView>('simulateAchDebit', 'transaction', Transaction);
const SimulateWirePayload = payloadOf<TransactionView>('simulateWire', 'transaction', Transaction);
const SimulateInterestPayload = payloadOf<TransactionView>('simulateInterest', 'transaction', Transaction);
const SimulateMonthlyFeePayload = payloadOf<TransactionView>('simulateMonthlyFee', 'transaction', Transaction);

/** Makes happen by request what happens to a bank: only where the sandbox is on. */
@Resolver()
export class SandboxResolver {
  constructor(
    private readonly postings: SandboxPostingService,
    private readonly clock: SandboxClockService,
  ) {}

  @Performs(READ_CLOCK)
  @Query(() => SimulatedClock, {
    nullable: true,
    description: 'The clock of the program in the sandbox.',
  })
  simulatedClock(@Ctx() { caller }: Context): Promise<SimulatedClock> {
    return this.clock.show(caller);
  }

  @Performs(MOVE_CLOCK)
  @Mutation(() => SimulateClockPayload, {
    nullable: true,
    description: `Moves the clock of the program forward: holds whose time is over expire, the months that end on the way are closed, and after the end of a year its Forms 1099-INT are issued.`,
  })
  async simulateClock(@Writer() caller: Caller, @Arg('input', () => ClockInput) input: ClockInput): Promise<Payload> {
    return new SimulateClockPayload(caller, await atPointer('/input', this.clock.move(caller, input)));
  }

  @Performs(CLOSE_MONTH)
  @Mutation(() => SimulateMonthClosePayload, {
    nullable: true,
    description: `Closes a month of the program: its accounts get their statements, as by \`tillgate statements close\`.`,
  })
  async simulateMonthClose(
    @Writer() caller: Caller,
    @Arg('input', () => MonthCloseInput, { nullable: true })
    input: MonthCloseInput | null,
  ): Promise<Payload> {
    return new SimulateMonthClosePayload(caller, await atPointer('/input', this.clock.closeMonth(caller, input ?? {})));
  }

  @Performs(SIMULATE_PAYMENT)
  @Mutation(() => SimulateAchCreditPayload, {
    nullable: true,
    description: `Posts an inbound ACH credit, such as a salary, ${POSTED}`,
  })
  async simulateAchCredit(
    @Writer() caller: Caller,
    @Arg('input', () => SimulatedPaymentInput, PAYMENT) input: SimulatedPaymentInput,
  ): Promise<Payload> {
    return new SimulateAchCreditPayload(caller, await this.pay(caller, 'ach-credit', input));
  }

  @Performs(SIMULATE_PAYMENT)
  @Mutation(() => SimulateAchDebitPayload, {
    nullable: true,
    description: `Posts an inbound ACH debit, such as a bill, ${POSTED}`,
  })
  async simulateAchDebit(
    @Writer() caller: Caller,
    @Arg('input', () => SimulatedPaymentInput, PAYMENT) input: SimulatedPaymentInput,
  ): Promise<Payload> {
    return new SimulateAchDebitPayload(caller, await this.pay(caller, 'ach-debit', input));
  }

  @Performs(SIMULATE_PAYMENT)
  @Mutation(() => SimulateWirePayload, { nullable: true, description: `Posts a wire that comes in, ${POSTED}` })
  async simulateWire(
    @Writer() caller: Caller,
    @Arg('input', () => SimulatedPaymentInput, PAYMENT) input: SimulatedPaymentInput,
  ): Promise<Payload> {
    return new SimulateWirePayload(caller, await this.pay(caller, 'wire', input));
  }

  @Performs(SIMULATE_PAYMENT)
  @Mutation(() => SimulateInterestPayload, {
    nullable: true,
    description: `Posts interest that the bank pays, ${POSTED}`,
  })
  async simulateInterest(
    @Writer() caller: Caller,
    @Arg('input', () => SimulatedPaymentInput, PAYMENT) input: SimulatedPaymentInput,
  ): Promise<Payload> {
    return new SimulateInterestPayload(caller, await this.pay(caller, 'interest', input));
  }

  @Performs(SIMULATE_PAYMENT)
  @Mutation(() => SimulateMonthlyFeePayload, {
    nullable: true,
    description: `Posts the monthly fee of the account, ${POSTED}`,
  })
  async simulateMonthlyFee(
    @Writer() caller: Caller,
    @Arg('input', () => SimulatedPaymentInput, PAYMENT) input: SimulatedPaymentInput,
  ): Promise<Payload> {
    return new SimulateMonthlyFeePayload(caller, await this.pay(caller, 'monthly-fee', input));
  }

  private pay(caller: Caller, kind: PaymentKind, input: SimulatedPaymentInput): Promise<TransactionView> {
    return atPointer('/input', this.postings.pay(caller, kind, input));
  }
}
