import { Arg, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import {
  Performs,
  StatementRun,
  Transaction,
  Writer,
  atPointer,
  type Caller,
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
  @Mutation(() => ClockMove, {
    nullable: true,
    description: `Moves the clock of the program forward: holds whose time is over expire, the months that end on the way are closed, and after the end of a year its Forms 1099-INT are issued.`,
  })
  simulateClock(@Writer() caller: Caller, @Arg('input', () => ClockInput) input: ClockInput): Promise<ClockMove> {
    return atPointer('/input', this.clock.move(caller, input));
  }

  @Performs(CLOSE_MONTH)
  @Mutation(() => StatementRun, {
    nullable: true,
    description: `Closes a month of the program: its accounts get their statements, as by \`tillgate statements close\`.`,
  })
  simulateMonthClose(
    @Writer() caller: Caller,
    @Arg('input', () => MonthCloseInput, { nullable: true })
    input: MonthCloseInput | null,
  ): Promise<StatementRun> {
    return atPointer('/input', this.clock.closeMonth(caller, input ?? {}));
  }

  @Performs(SIMULATE_PAYMENT)
  @Mutation(() => Transaction, {
    nullable: true,
    description: `Posts an inbound ACH credit, such as a salary, ${POSTED}`,
  })
  simulateAchCredit(
    @Writer() caller: Caller,
    @Arg('input', () => SimulatedPaymentInput, PAYMENT) input: SimulatedPaymentInput,
  ): Promise<TransactionView> {
    return this.pay(caller, 'ach-credit', input);
  }

  @Performs(SIMULATE_PAYMENT)
  @Mutation(() => Transaction, { nullable: true, description: `Posts an inbound ACH debit, such as a bill, ${POSTED}` })
  simulateAchDebit(
    @Writer() caller: Caller,
    @Arg('input', () => SimulatedPaymentInput, PAYMENT) input: SimulatedPaymentInput,
  ): Promise<TransactionView> {
    return this.pay(caller, 'ach-debit', input);
  }

  @Performs(SIMULATE_PAYMENT)
  @Mutation(() => Transaction, { nullable: true, description: `Posts a wire that comes in, ${POSTED}` })
  simulateWire(
    @Writer() caller: Caller,
    @Arg('input', () => SimulatedPaymentInput, PAYMENT) input: SimulatedPaymentInput,
  ): Promise<TransactionView> {
    return this.pay(caller, 'wire', input);
  }

  @Performs(SIMULATE_PAYMENT)
  @Mutation(() => Transaction, { nullable: true, description: `Posts interest that the bank pays, ${POSTED}` })
  simulateInterest(
    @Writer() caller: Caller,
    @Arg('input', () => SimulatedPaymentInput, PAYMENT) input: SimulatedPaymentInput,
  ): Promise<TransactionView> {
    return this.pay(caller, 'interest', input);
  }

  @Performs(SIMULATE_PAYMENT)
  @Mutation(() => Transaction, { nullable: true, description: `Posts the monthly fee of the account, ${POSTED}` })
  simulateMonthlyFee(
    @Writer() caller: Caller,
    @Arg('input', () => SimulatedPaymentInput, PAYMENT) input: SimulatedPaymentInput,
  ): Promise<TransactionView> {
    return this.pay(caller, 'monthly-fee', input);
  }

  private pay(caller: Caller, kind: PaymentKind, input: SimulatedPaymentInput): Promise<TransactionView> {
    return atPointer('/input', this.postings.pay(caller, kind, input));
  }
}
